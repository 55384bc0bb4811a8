//! Prepared meshes: a tree, and the mesh's edges.

use impinge_geometry::Mesh;
use impinge_hierarchy::TreeModel;
use impinge_hierarchy::build::Builder;
use impinge_hierarchy::edges::Edges;
use impinge_hierarchy::volume::{AxisBox, Volume};
use impinge_query::{Control, MeshModel, PrepareError, Subject};

use crate::balanced::Balanced;

/// Leaves processed between two polls of the caller's flag: a few milliseconds.
const LOOK: u32 = 1 << 12;

/// A model that contains a tree.
pub trait OnTree: MeshModel {
    /// Type of the volumes in the tree.
    type Volume: Volume;
    /// The mesh and its tree.
    fn tree(&self) -> &TreeModel<Self::Volume>;
}

/// Most triangles of a mesh with so many copies of each in the leaves: every triangle in a leaf has
/// three edges there, which 32 bits number.
const fn most_triangles(copies: usize) -> usize {
    let copies = if copies == 0 { 1 } else { copies };
    u32::MAX as usize / copies.saturating_mul(3)
}

/// A mesh with its balanced box tree and its edges.
#[derive(Debug)]
pub struct BalancedModel {
    tree: TreeModel<AxisBox>,
    edges: Edges,
    /// The edges of leaf `g` are `of_leaf[first[g]..first[g + 1]]`.
    first: Vec<u32>,
    of_leaf: Vec<u32>,
}

impl BalancedModel {
    /// Builds the tree and collects the edges.
    ///
    /// # Errors
    /// [`PrepareError`] if the mesh has too many triangles for 32-bit positions, or the caller
    /// cancels.
    pub fn new(
        word: &'static str,
        mesh: &Mesh,
        builder: Balanced,
        control: &Control<'_>,
    ) -> Result<Self, PrepareError> {
        PrepareError::check_count(word, mesh.triangles().len(), most_triangles(builder.copies))?;
        let tree = builder.build(mesh, control)?;
        control.check()?;
        let edges = Edges::new(mesh, control)?;
        let of_triangle = edges.by_triangle(mesh.triangles().len());
        let (mut first, mut of_leaf) = (vec![0], Vec::new());
        let leaves = tree.nodes().iter().filter(|node| node.is_leaf()).count() as u32;
        for leaf in 0..leaves {
            if leaf % LOOK == 0 {
                control.check()?;
            }
            let from = of_leaf.len();
            for &t in tree.leaf(leaf).as_slice() {
                of_leaf.extend(of_triangle[t as usize].iter().filter(|&&e| e != u32::MAX));
            }
            of_leaf[from..].sort_unstable();
            let mut kept = from;
            for i in from..of_leaf.len() {
                if i == from || of_leaf[i] != of_leaf[kept - 1] {
                    of_leaf[kept] = of_leaf[i];
                    kept += 1;
                }
            }
            of_leaf.truncate(kept);
            first.push(of_leaf.len() as u32);
        }
        Ok(Self { tree: TreeModel::new(mesh.clone(), tree), edges, first, of_leaf })
    }

    /// All edges of the mesh.
    pub const fn edges(&self) -> &Edges {
        &self.edges
    }

    /// The edges of a leaf's triangles, in ascending order, each once.
    pub fn edges_of(&self, leaf: u32) -> &[u32] {
        let range = |g: u32| self.first[g as usize] as usize;
        &self.of_leaf[range(leaf)..range(leaf + 1)]
    }
}

impl OnTree for BalancedModel {
    type Volume = AxisBox;

    fn tree(&self) -> &TreeModel<AxisBox> {
        &self.tree
    }
}

impl MeshModel for BalancedModel {
    fn subject(&self) -> &Subject {
        self.tree.subject()
    }

    fn own_bytes(&self) -> usize {
        let lists = (self.first.capacity() + self.of_leaf.capacity()) * size_of::<u32>();
        self.tree.own_bytes() + self.edges.bytes() + lists
    }
}

#[cfg(test)]
mod tests {
    use super::most_triangles;

    #[test]
    fn edges_of_leaves_are_numbered_by_32_bits() {
        for (copies, most) in [(0, 1_431_655_765), (1, 1_431_655_765), (8, 178_956_970)] {
            assert_eq!(most_triangles(copies), most);
            assert!(u32::try_from(most * 3 * copies.max(1)).is_ok());
        }
        assert_eq!(most_triangles(usize::MAX), 0);
    }
}
