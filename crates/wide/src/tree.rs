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
    /// Half the surfaces, over four, of all boxes, in the model's frame.
    pub(crate) surfaces: f64,
}

impl Tree {
    /// The most triangles that indices have room for.
    pub(crate) const MAX_TRIANGLES: usize = 1 << 28;

    /// The surfaces of all boxes over that of the largest.
    pub(crate) fn cost(&self) -> f64 {
        let Some(root) = self.nodes.first() else { return 0.0 };
        let h = root.get(0).half;
        let largest = f64::from(h[0] * h[1] + h[1] * h[2] + h[2] * h[0]);
        if largest > 0.0 { self.surfaces / largest } else { 0.0 }
    }

    /// Bytes of nodes and leaves.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.nodes.as_slice()) + size_of_val(self.leaves.as_slice())
    }
}
