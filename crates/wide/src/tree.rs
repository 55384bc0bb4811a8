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

#[cfg(test)]
mod tests {
    use impinge_geometry::{Mesh, Point};
    use impinge_models::{Random, Shape};
    use impinge_query::Control;

    use super::*;
    use crate::build::{Quality, build};
    use crate::node::LANES;
    use crate::simd::Width;

    fn tree(mesh: &Mesh) -> Tree {
        build(mesh, Quality::SurfaceArea, Width::fastest(), &Control::NONE).expect("not cancelled")
    }

    fn surface(half: [f32; 3]) -> f64 {
        let [x, y, z] = half.map(f64::from);
        x * y + y * z + z * x
    }

    #[test]
    fn the_cost_is_all_surfaces_over_the_largest() {
        let tree = tree(&Shape::Torus.mesh(500, 0));
        let boxes = tree.nodes.iter().flat_map(|n| (0..n.lanes as usize).map(|l| n.get(l).half));
        let cost = boxes.map(surface).sum::<f64>() / surface(tree.nodes[0].get(0).half);
        assert!((tree.cost() / cost - 1.0).abs() < 1e-6, "{} {cost}", tree.cost());
        let nothing = Tree { nodes: Vec::new(), ..tree.clone() };
        assert_eq!(nothing.cost(), 0.0);
        let mut flat = tree;
        flat.nodes[0].half = [[0.0; 16]; 3];
        assert_eq!(flat.cost(), 0.0);
        assert_eq!(flat.bytes(), 1088 * flat.nodes.len() + 64 * flat.leaves.len());
    }

    /// Is a triangle below this child that is no repeat?
    fn counts(tree: &Tree, child: u32, equal: &Coincident) -> bool {
        if child & LEAF != 0 {
            let leaf = &tree.leaves[(child & !LEAF) as usize];
            return leaf.triangles[..leaf.len()].iter().any(|t| !equal.repeats(*t));
        }
        let node = &tree.nodes[child as usize];
        node.child[..node.lanes as usize].iter().any(|child| counts(tree, *child, equal))
    }

    #[test]
    fn lanes_are_marked_that_hold_only_repeats() {
        let mut random = Random::new(15);
        let mut corners: Vec<Point> = Vec::new();
        for k in 0..400usize {
            if k % 3 == 0 {
                corners.extend((0..3).map(|_| Point::from(random.vector(-1.0, 1.0))));
            } else {
                let t = 3 * random.below(k as u64) as usize;
                corners.extend_from_within(t..t + 3);
            }
        }
        let mesh = Mesh::new(corners, (0..400).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect());
        let mesh = mesh.expect("legal");
        let (mut tree, equal) = (tree(&mesh), Coincident::of(&mesh).expect("repeats"));
        tree.mark(Some(&equal));
        let (mut marked, mut left) = (0, 0);
        for node in &tree.nodes {
            for l in 0..LANES {
                let used = l < node.lanes as usize;
                let repeats = used && !counts(&tree, node.child[l], &equal);
                assert_eq!(node.repeats >> l & 1 == 1, repeats);
                marked += u32::from(repeats);
                left += u32::from(used && !repeats);
            }
        }
        assert!(marked > 20 && left > 20, "{marked} {left}");
        tree.mark(None);
        assert!(tree.nodes.iter().all(|node| node.repeats == 0));
    }
}
