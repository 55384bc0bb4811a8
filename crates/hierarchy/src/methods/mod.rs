//! The tree methods by name: each is a composition of the four parts with its paper's parameters as
//! defaults, documented in `docs/methods/`.

mod aabb_obb;
mod aabb_refit;
mod edge_nodes;
mod kdop;
mod leaf;
mod obbtree;
mod reduced_axes;
mod sphere;
mod sphere_aabb;
mod swept_sphere;
mod three_layer;

use impinge_query::{Description, QuestionKind};

pub use aabb_obb::{
    AabbObb, AabbObbParams, AabbObbUpdated, aabb_obb, aabb_obb_updated, aabb_obb_updated_with,
    aabb_obb_with,
};
pub use aabb_refit::{AabbRefit, AabbRefitParams, aabb_refit, aabb_refit_with};
pub use edge_nodes::{EdgeNodes, EdgeNodesParams, edge_nodes, edge_nodes_with};
pub use kdop::{KDop, kdop, kdop_of};
pub use leaf::{
    Leaf, LeafFaithful, LeafParams, TIP_SHARE, leaf, leaf_block, leaf_faithful, leaf_with,
    tip_self_contacts,
};
pub use obbtree::{ObbTree, ObbTreeParams, obbtree, obbtree_with};
pub use reduced_axes::{ReducedAxes, ReducedAxesParams, reduced_axes, reduced_axes_with};
pub use sphere::{SphereTree, sphere};
pub use sphere_aabb::{
    SphereAabb, SphereAabbParams, SphereAabbUpdated, sphere_aabb, sphere_aabb_updated,
    sphere_aabb_updated_with, sphere_aabb_with,
};
pub use swept_sphere::{SweptSphere, SweptSphereParams, swept_sphere, swept_sphere_with};
pub use three_layer::{ThreeLayer, ThreeLayerParams, three_layer, three_layer_with};

/// The description shared by all exact tree methods.
const fn exact(word: &'static str, title: &'static str, paper: &'static str) -> Description {
    Description::exact(word, title, paper, QuestionKind::ALL)
}
