//! Bounding-volume trees by composition: a tree method is *volume × builder × traversal × leaf
//! test*, each chosen independently.
//!
//! | part | here | what it decides |
//! | --- | --- | --- |
//! | [`volume`] | spheres, AABBs, OBBs, k-DOPs, swept spheres, hybrids | tightness, test cost |
//! | [`build`] | mean, median, least child volume, penalty | which triangles share a node |
//! | [`traverse`] | larger first, both, queue, priority, restart, front | start, order of pairs |
//! | [`leaf`] | 17 axes, intervals, signs, edge-face, exact | how two triangles are tested |
//!
//! [`TreeEngine`] combines them and answers every question of the `Engine` contract. The exact test
//! decides what a leaf test leaves undecided, so no composition gives a wrong verdict.
//!
//! **This crate must not know** of GPUs, files, or any method outside the tree family.
//!
//! [`methods`] has the compositions of the papers.
//!
//! ```
//! use impinge_hierarchy::{geometry::Pose, query::{Ask, Control, Engine}, obbtree};
//! # use impinge_hierarchy::geometry::{Mesh, Point};
//! # let tetrahedron = Mesh::new(
//! #     vec![Point::origin(), Point::new(1., 0., 0.), Point::new(0., 1., 0.), Point::new(0., 0., 1.)],
//! #     vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
//! # )?;
//! let model = obbtree().prepare(&tetrahedron, &Control::NONE)?; // once for many questions
//! let aside = Pose::translation_by([1.0, 0.0, 0.0].into())?; // B in A's frame
//! let answer = obbtree().ask(&model, &model, &aside, &Ask::all_contacts())?;
//! assert!(answer.verdict.is_hit()); // they touch in one corner
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

pub mod assignment;
pub mod build;
pub mod containment;
mod distance;
pub mod edges;
mod engine;
mod gjk;
mod groups;
mod lazy;
pub mod leaf;
pub mod methods;
mod model;
pub mod placement;
mod repeated;
pub mod traverse;
pub mod tree;
mod updated;
pub mod volume;

pub use impinge_geometry as geometry;
pub use impinge_query as query;

pub use engine::{Memory, TreeEngine};
pub use gjk::{Gjk, GjkMemory, GjkModel, gjk};
pub use groups::{Edge, Groups};
pub use methods::{
    aabb_obb, aabb_refit, kdop, obbtree, reduced_axes, sphere, sphere_aabb, swept_sphere,
    three_layer,
};
pub use model::TreeModel;
pub use placement::Placement;
pub use traverse::NodePair;
pub use tree::{Child, Leaf, Node, Tree};
pub use updated::{UpdatedMemory, UpdatedModel, Updating};
