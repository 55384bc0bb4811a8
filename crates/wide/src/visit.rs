//! The structure of a model's tree, for those who keep boxes of their own over it.

use crate::model::WideModel;
use crate::tree::LEAF;

/// A child of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Child {
    /// A node, by index.
    Node(u32),
    /// A leaf, by index.
    Leaf(u32),
}

/// Is told the nodes and leaves of a tree.
pub trait Visitor {
    /// The next node has these children, one to sixteen.
    fn node(&mut self, children: &[Child]);

    /// The next leaf has these triangles of the mesh, one to four.
    fn leaf(&mut self, triangles: &[u32]);
}

impl WideModel {
    /// Visits every node and every leaf in the order of their indices, nodes first. Node 0 is the root,
    /// nodes come before their children, and each node but the root, each leaf and each triangle is
    /// below one other node. O(n).
    ///
    /// ```
    /// use impinge_wide::{Child, Visitor, query::{Control, Engine}, wide};
    /// # use impinge_wide::geometry::{Mesh, Point};
    /// # let corners = vec![Point::origin(), Point::new(1., 0., 0.), Point::new(0., 1., 0.)];
    /// # let mesh = Mesh::new(corners, vec![[0, 1, 2]])?;
    /// struct Triangles(usize);
    /// impl Visitor for Triangles {
    ///     fn node(&mut self, _: &[Child]) {}
    ///     fn leaf(&mut self, triangles: &[u32]) {
    ///         self.0 += triangles.len();
    ///     }
    /// }
    /// let mut triangles = Triangles(0);
    /// wide().prepare(&mesh, &Control::NONE)?.visit(&mut triangles);
    /// assert_eq!(triangles.0, mesh.triangles().len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn visit(&self, visitor: &mut impl Visitor) {
        for node in &self.tree.nodes {
            let lanes = node.lanes as usize;
            let mut children = [Child::Leaf(0); crate::tree::LANES];
            for (child, &of) in children.iter_mut().zip(&node.child[..lanes]) {
                *child = if of & LEAF == 0 { Child::Node(of) } else { Child::Leaf(of & !LEAF) };
            }
            visitor.node(&children[..lanes]);
        }
        for leaf in &self.tree.leaves {
            visitor.leaf(&leaf.triangles()[..leaf.len()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_models::Shape;
    use impinge_query::{Control, Engine};

    use crate::wide;

    #[derive(Default)]
    struct Seen {
        nodes: Vec<Vec<Child>>,
        leaves: Vec<Vec<u32>>,
    }

    impl Visitor for Seen {
        fn node(&mut self, children: &[Child]) {
            self.nodes.push(children.to_vec());
        }

        fn leaf(&mut self, triangles: &[u32]) {
            self.leaves.push(triangles.to_vec());
        }
    }

    /// Every part is below one node, which comes before it, and every triangle is there once.
    #[test]
    fn all_of_a_tree_is_visited_once() {
        for triangles in [1, 3, 20, 3_000] {
            let mesh = Shape::Torus.mesh(triangles, 0);
            let model = wide().prepare(&mesh, &Control::NONE).expect("not cancelled");
            let mut seen = Seen::default();
            model.visit(&mut seen);
            assert_eq!([seen.nodes.len(), seen.leaves.len()], [model.nodes(), model.leaves()]);
            let (mut nodes, mut leaves) = (vec![0], Vec::new());
            for (k, children) in seen.nodes.iter().enumerate() {
                assert!((1..=16).contains(&children.len()));
                for child in children {
                    match *child {
                        Child::Node(of) => {
                            assert!(of as usize > k);
                            nodes.push(of as usize);
                        }
                        Child::Leaf(of) => leaves.push(of as usize),
                    }
                }
            }
            nodes.sort_unstable();
            leaves.sort_unstable();
            assert!(nodes.into_iter().eq(0..model.nodes()));
            assert!(leaves.into_iter().eq(0..model.leaves()));
            assert!(seen.leaves.iter().all(|leaf| (1..=4).contains(&leaf.len())));
            let mut all = seen.leaves.concat();
            all.sort_unstable();
            assert!(all.into_iter().eq(0..mesh.triangles().len() as u32));
        }
    }
}
