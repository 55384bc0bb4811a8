//! H7, the AABB tree with simplified boundary nodes (anthology 1, of which only the abstract is
//! known). Our interpretation: a leaf keeps the boundary edges of its patch and tests them first.
//! Documented in `docs/methods/edge-nodes.md`.

use impinge_query::Description;

use crate::build::{AxisBoxFit, Leaves, Mean, TopDown};
use crate::engine::TreeEngine;
use crate::leaf::{EdgesFirst, SeventeenAxes};
use crate::traverse::LargerFirst;

/// AABB × mean split into patches × larger first × boundary edges, then 17 axes.
pub type EdgeNodes = TreeEngine<TopDown<AxisBoxFit, Mean>, LargerFirst, EdgesFirst<SeventeenAxes>>;

/// Parameters of [`edge_nodes_with`].
///
/// | field | default | effect |
/// | --- | --- | --- |
/// | `patch` | 4 | most triangles per patch |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeNodesParams {
    /// Most triangles per patch. Larger patches have fewer boundary edges per triangle, but more
    /// pairs to test if those certify no contact.
    pub patch: usize,
}

impl Default for EdgeNodesParams {
    fn default() -> Self {
        Self { patch: 4 }
    }
}

/// The AABB tree with boundary edges, with its defaults.
pub fn edge_nodes() -> EdgeNodes {
    edge_nodes_with(EdgeNodesParams::default())
}

/// The AABB tree with boundary edges, with chosen parameters.
pub fn edge_nodes_with(params: EdgeNodesParams) -> EdgeNodes {
    let leaves = Leaves { triangles: params.patch, depth: u32::MAX, boundaries: true };
    let builder = TopDown { leaves, ..TopDown::new(AxisBoxFit, Mean) };
    TreeEngine::new(DESCRIPTION, builder, LargerFirst, EdgesFirst { full: SeventeenAxes })
}

const DESCRIPTION: Description = super::exact(
    "edge-nodes",
    "AABB tree, boundary edges of patches first",
    "Wang et al. 2007 (anthology 1, abstract only)",
);
