//! Triangles that a mesh has several times: the nodes that hold only repeats of others. A search for a
//! verdict or a distance leaves them out, for what is true of a triangle is true of all that equal it.

use impinge_geometry::{Coincident, Mesh};

use crate::tree::{Child, Tree};
use crate::volume::Volume;

/// Which triangles repeat one of lower index, and which nodes hold no others.
#[derive(Clone, Debug)]
pub(crate) struct Repeated {
    coincident: Coincident,
    /// One bit a node.
    nodes: Vec<u64>,
}

impl Repeated {
    /// Finds them; none if no two triangles of the mesh are equal. O(n).
    pub(crate) fn of<V: Volume>(tree: &Tree<V>, mesh: &Mesh) -> Option<Box<Self>> {
        let coincident = Coincident::of(mesh)?;
        let count = tree.nodes().len();
        let mut repeated = Self { coincident, nodes: vec![0; count.div_ceil(64)] };
        // Children come after their parents.
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

    /// Does a node hold only triangles of which an equal one is elsewhere?
    #[inline]
    pub(crate) fn node(&self, index: u32) -> bool {
        self.nodes[index as usize / 64] >> (index % 64) & 1 == 1
    }

    /// Is there an equal triangle of lower index?
    #[inline]
    pub(crate) fn triangle(&self, t: u32) -> bool {
        self.coincident.repeats(t)
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>() + self.coincident.bytes() + self.nodes.capacity() * size_of::<u64>()
    }
}
