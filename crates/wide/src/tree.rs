//! The tree: nodes and leaves in depth-first order.

use crate::node::{Leaf, Node};
use crate::units::Units;

/// Oriented boxes, sixteen to a node, down to leaves of at most four triangles.
///
/// Node 0 has one lane, the box around everything; its child is the rest. The leaves below any lane
/// are consecutive.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) units: Units,
    pub(crate) nodes: Vec<Node>,
    pub(crate) leaves: Vec<Leaf>,
}

impl Tree {
    /// The most triangles that indices have room for.
    pub(crate) const MAX_TRIANGLES: usize = 1 << 28;

    /// Bytes of nodes and leaves.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.nodes.as_slice()) + size_of_val(self.leaves.as_slice())
    }
}
