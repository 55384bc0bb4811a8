//! Repeated triangles of a mesh, and the nodes that hold only repeats. A search for a verdict or a
//! distance skips these, because what holds for a triangle holds for all equal ones.

use impinge_geometry::{Coincident, Mesh};

use crate::tree::{Child, Tree};
use crate::volume::Volume;

/// Which triangles repeat one of lower index, and which nodes hold only such triangles.
#[derive(Clone, Debug)]
pub(crate) struct Repeated {
    coincident: Coincident,
    /// One bit per node.
    nodes: Vec<u64>,
}

impl Repeated {
    /// Finds repeats and their nodes; `None` if no two triangles of the mesh are equal. O(n).
    pub(crate) fn of<V: Volume>(tree: &Tree<V>, mesh: &Mesh) -> Option<Box<Self>> {
        let coincident = Coincident::of(mesh)?;
        let count = tree.nodes().len();
        let mut repeated = Self { coincident, nodes: vec![0; count.div_ceil(64)] };
        // In reverse, because children come after their parents.
        for (index, node) in tree.nodes().iter().enumerate().rev() {
            let repeats = match node.child() {
                Child::Pair(first) => repeated.node(first) && repeated.node(first + 1),
                Child::Leaf(leaf) => {
                    tree.leaf(leaf).as_slice().iter().all(|&t| repeated.triangle(t))
                }
            };
            repeated.nodes[index / 64] |= u64::from(repeats) << (index % 64);
        }
        Some(Box::new(repeated))
    }

    /// Whether a node holds only repeats.
    #[inline]
    pub(crate) fn node(&self, index: u32) -> bool {
        self.nodes[index as usize / 64] >> (index % 64) & 1 == 1
    }

    /// Whether an equal triangle of lower index exists.
    #[inline]
    pub(crate) fn triangle(&self, t: u32) -> bool {
        self.coincident.repeats(t)
    }

    /// Memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>() + self.coincident.bytes() + self.nodes.capacity() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use impinge_geometry::{Point, Pose, Vector};
    use impinge_query::Control;

    use super::*;
    use crate::build::{AxisBoxFit, Builder, LeafPipeline, Mean, TopDown};

    /// Fifty triangles in a row; every third occurs three times, with corners in several orders.
    fn mesh() -> Mesh {
        let at = |x: f64, y: f64| Point::new(x, y, 0.25 * x * y);
        let corners = |k: u32| {
            let x = f64::from(k);
            [at(x, 0.0), at(x + 0.5, 0.0), at(x, 1.0)]
        };
        let vertices = (0..50).flat_map(corners).collect();
        let once = (0..50_u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]);
        let again = once.clone().step_by(3);
        let turned = again.clone().map(|[p, q, r]| [q, r, p]);
        Mesh::new(vertices, turned.chain(once).chain(again).collect()).expect("legal")
    }

    fn check<B: Builder>(builder: &B, mesh: &Mesh) {
        let tree = builder.build(mesh, &Control::NONE).expect("nothing cancels");
        let repeated = Repeated::of(&tree, mesh).expect("there are some");
        let is_repeat = |t: u32| {
            let sorted = |t: u32| {
                let mut corners = mesh.triangles()[t as usize];
                corners.sort_unstable();
                corners
            };
            (0..t).any(|s| sorted(s) == sorted(t))
        };
        let count = mesh.triangles().len() as u32;
        assert!((0..count).all(|t| repeated.triangle(t) == is_repeat(t)));
        // All triangles below a node, children first.
        let nodes = tree.nodes();
        let mut below = vec![Vec::new(); nodes.len()];
        for index in (0..nodes.len()).rev() {
            below[index] = match nodes[index].child() {
                Child::Pair(first) => {
                    let first = first as usize;
                    [below[first].clone(), below[first + 1].clone()].concat()
                }
                Child::Leaf(leaf) => tree.leaf(leaf).as_slice().to_vec(),
            };
            let only = below[index].iter().all(|&t| is_repeat(t));
            assert_eq!(repeated.node(index as u32), only, "node {index}");
        }
        let words = nodes.len().div_ceil(64);
        assert!(words > 1 && repeated.nodes.len() == words);
        let bytes = size_of::<Repeated>() + repeated.coincident.bytes();
        assert_eq!(repeated.bytes(), bytes + 8 * repeated.nodes.capacity());
    }

    #[test]
    fn a_node_is_marked_if_all_below_it_are_repeats() {
        let mesh = mesh();
        check(&TopDown::new(AxisBoxFit, Mean), &mesh);
        check(&LeafPipeline { depth: 6 }, &mesh);
        let aside = Pose::translation_by(Vector::new(0.0, 1.0, 0.0)).expect("finite");
        let apart = mesh.with_vertices(mesh.vertices().to_vec()).expect("legal");
        let two = Mesh::union(&[mesh, apart.posed(&aside).expect("in range")]).expect("legal");
        check(&TopDown::new(AxisBoxFit, Mean), &two);
    }
}
