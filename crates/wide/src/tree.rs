//! The tree: nodes and leaves in depth-first order.

use impinge_geometry::Coincident;

use crate::node::{LEAF, Leaf, Node};
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

    /// Marks the lanes that hold only triangles of which an equal one of lower index is there.
    pub(crate) fn mark(&mut self, coincident: Option<&Coincident>) {
        // Children come after their parents.
        for at in (0..self.nodes.len()).rev() {
            let repeats = |child: u32| match coincident {
                None => false,
                Some(equal) if child & LEAF != 0 => {
                    let leaf = &self.leaves[(child & !LEAF) as usize];
                    leaf.triangles[..leaf.len()].iter().all(|&t| equal.repeats(t))
                }
                Some(_) => self.nodes[child as usize].firsts() == 0,
            };
            let node = &self.nodes[at];
            let lanes = 0..node.lanes as usize;
            let bits = lanes.map(|l| u32::from(repeats(node.child[l])) << l).sum();
            self.nodes[at].repeats = bits;
        }
    }

    /// Bytes of nodes and leaves.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.nodes.as_slice()) + size_of_val(self.leaves.as_slice())
    }
}
