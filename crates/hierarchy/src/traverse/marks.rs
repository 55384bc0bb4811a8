//! Marked nodes: a descent among them visits no other leaves than chosen ones
//! ([`Trees::among`](super::Trees::among)).

use crate::tree::{Child, Tree};
use crate::volume::Volume;

/// The parent of each node of a tree, and the leaf of each triangle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ancestors {
    /// By node; the root is its own parent.
    parents: Vec<u32>,
    /// By triangle: the node that is its leaf.
    leaves: Vec<u32>,
}

impl Ancestors {
    /// Those of a tree that has each of `triangles` triangles in one leaf. O(n).
    pub fn of<V: Volume>(tree: &Tree<V>, triangles: usize) -> Self {
        let mut ancestors =
            Self { parents: vec![0; tree.nodes().len()], leaves: vec![0; triangles] };
        for (index, node) in (0..).zip(tree.nodes()) {
            match node.child() {
                Child::Pair(first) => {
                    for child in [first, first + 1] {
                        ancestors.parents[child as usize] = index;
                    }
                }
                Child::Leaf(leaf) => {
                    for &t in tree.leaf(leaf).as_slice() {
                        ancestors.leaves[t as usize] = index;
                    }
                }
            }
        }
        ancestors
    }

    /// Memory in bytes.
    pub fn bytes(&self) -> usize {
        (self.parents.capacity() + self.leaves.capacity()) * size_of::<u32>()
    }
}

/// Marks on the nodes of a tree: chosen leaves, and all nodes above them.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// By node: the round in which it was marked last.
    rounds: Vec<u32>,
    round: u32,
}

impl Marks {
    /// Removes all marks, of a tree with this many nodes. O(1) from the second time on.
    pub fn clear(&mut self, nodes: usize) {
        if self.rounds.len() != nodes || self.round == u32::MAX {
            self.rounds.clear();
            self.rounds.resize(nodes, 0);
            self.round = 0;
        }
        self.round += 1;
    }

    /// Marks the leaf of a triangle and the nodes above it.
    pub fn mark(&mut self, triangle: u32, ancestors: &Ancestors) {
        let mut node = ancestors.leaves[triangle as usize];
        while !self.has(node) {
            self.rounds[node as usize] = self.round;
            node = ancestors.parents[node as usize];
        }
    }

    /// Whether a node is marked.
    #[inline(always)]
    pub fn has(&self, node: u32) -> bool {
        self.rounds[node as usize] == self.round
    }
}

#[cfg(test)]
mod tests {
    use impinge_geometry::{Mesh, Point};
    use impinge_query::Control;

    use super::*;
    use crate::build::{AxisBoxFit, Builder, Mean, TopDown};

    /// Nodes of a tree over a row of triangles are marked if and only if a chosen one is below.
    #[test]
    fn a_node_is_marked_if_and_only_if_a_chosen_triangle_is_below() {
        let corner = |k: u32| {
            let x = f64::from(k / 3) + [0.0, 0.5, 0.25][k as usize % 3];
            Point::new(x, f64::from(k % 3 / 2), 0.0)
        };
        let count = 40_u32;
        let triangles = (0..count).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        let mesh = Mesh::new((0..3 * count).map(corner).collect(), triangles).expect("legal");
        let builder = TopDown::new(AxisBoxFit, Mean);
        let tree = builder.build(&mesh, &Control::NONE).expect("nothing cancels");
        let ancestors = Ancestors::of(&tree, count as usize);
        let mut marks = Marks::default();
        for chosen in [vec![], vec![7], vec![0, 1, 39], (0..count).collect(), vec![12, 30]] {
            marks.clear(tree.nodes().len());
            for &t in &chosen {
                marks.mark(t, &ancestors);
            }
            let mut below = vec![false; tree.nodes().len()];
            for (index, node) in tree.nodes().iter().enumerate().rev() {
                below[index] = match node.child() {
                    Child::Pair(first) => below[first as usize] || below[first as usize + 1],
                    Child::Leaf(leaf) => chosen.contains(&leaf),
                };
                assert_eq!(marks.has(index as u32), below[index], "{chosen:?}, node {index}");
            }
        }
    }

    /// Rounds are counted in 32 bits; what was marked in the first is not in one after the last.
    #[test]
    fn marks_are_gone_after_the_last_round() {
        let mut marks = Marks { rounds: vec![1, u32::MAX], round: u32::MAX };
        assert!(marks.has(1) && !marks.has(0));
        marks.clear(2);
        assert!(!marks.has(0) && !marks.has(1));
        marks.clear(3);
        assert!((0..3).all(|node| !marks.has(node)));
    }
}
