//! Groups a binary tree into nodes of up to sixteen children, in depth-first order.

use rayon::prelude::*;

use super::binary::{At, Branch, Part, children};
use crate::tree::{LANES, LEAF, Leaf, Node};

/// A node before its boxes are fitted.
struct Plan {
    lanes: u32,
    child: [u32; LANES],
}

/// Nodes without boxes, and leaves without corners. Node 0 has one lane, whose child is the root of the tree.
pub(super) fn nodes(part: &Part, ids: &[u32]) -> (Vec<Node>, Vec<Leaf>) {
    let mut emitter = Emitter::default();
    emitter.plans.push(Plan { lanes: 1, child: [0; LANES] });
    let child = emitter.emit((part.root(), 0, ids.len()));
    emitter.plans[0].child[0] = child;
    let Emitter { plans, ranges, .. } = emitter;
    let node = |plan: &Plan| {
        let mut node = Node::empty([0.0; 3]);
        (node.lanes, node.child) = (plan.lanes, plan.child);
        node
    };
    let leaf = |&(from, to): &(u32, u32)| Leaf::new(&ids[from as usize..to as usize]);
    rayon::join(
        || plans.par_iter().with_min_len(256).map(node).collect(),
        || ranges.par_iter().with_min_len(1024).map(leaf).collect(),
    )
}

#[derive(Default)]
struct Emitter<'t> {
    plans: Vec<Plan>,
    /// The range of triangles of each leaf.
    ranges: Vec<(u32, u32)>,
    branches: Vec<Branch<'t>>,
}

impl<'t> Emitter<'t> {
    /// Emits a subtree and returns the reference to it: a node's index, or [`LEAF`] and a leaf's
    /// index.
    fn emit(&mut self, branch: Branch<'t>) -> u32 {
        let (at, from, to) = branch;
        if matches!(at, At::Leaf) {
            self.ranges.push((from as u32, to as u32));
            return LEAF | (self.ranges.len() - 1) as u32;
        }
        let index = self.plans.len();
        let first = self.branches.len();
        children(branch, &mut self.branches);
        let lanes = self.branches.len() - first;
        self.plans.push(Plan { lanes: lanes as u32, child: [0; LANES] });
        for lane in 0..lanes {
            let child = self.emit(self.branches[first + lane]);
            self.plans[index].child[lane] = child;
        }
        self.branches.truncate(first);
        index as u32
    }
}
