//! A mesh with its tree.

use std::sync::OnceLock;

use impinge_geometry::{Mesh, OpenSurface, Point, Topology};
use impinge_query::{Model, ModelId, QueryError, Side};

use crate::tree::Tree;

/// A mesh made ready. Immutable and shared; rigid motion never touches it.
#[derive(Clone, Debug)]
pub struct WideModel {
    id: ModelId,
    mesh: Mesh,
    pub(crate) tree: Tree,
    max_abs: f64,
    solid: OnceLock<Result<Vec<u32>, OpenSurface>>,
}

impl WideModel {
    pub(crate) fn new(mesh: Mesh, tree: Tree) -> Self {
        let max_abs = mesh.max_abs_coordinate();
        Self { id: ModelId::fresh(), mesh, tree, max_abs, solid: OnceLock::new() }
    }

    /// The mesh.
    pub const fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// Nodes of up to sixteen boxes.
    pub const fn nodes(&self) -> usize {
        self.tree.nodes.len()
    }

    /// Leaves of up to four triangles.
    pub const fn leaves(&self) -> usize {
        self.tree.leaves.len()
    }

    /// The largest coordinate magnitude.
    pub(crate) const fn max_abs(&self) -> f64 {
        self.max_abs
    }

    /// One vertex of each connected component, if the surface is closed and consistently wound.
    /// Found at the first call, O(n log n), and kept.
    ///
    /// # Errors
    /// [`OpenSurface`] names the edge that shows it is not.
    pub fn witnesses(&self) -> Result<impl ExactSizeIterator<Item = Point> + '_, OpenSurface> {
        let solid = self.solid.get_or_init(|| {
            let topology = Topology::new(&self.mesh);
            topology.closed()?;
            let first = |&t: &u32| self.mesh.triangles()[t as usize][0];
            Ok(topology.components().iter().map(first).collect())
        });
        match solid {
            Ok(vertices) => Ok(vertices.iter().map(|&v| self.mesh.vertices()[v as usize])),
            Err(open) => Err(open.clone()),
        }
    }

    pub(crate) fn check_closed(&self, side: Side) -> Result<(), QueryError> {
        self.witnesses().map(drop).map_err(|open| QueryError::NotClosed { side, open })
    }
}

impl Model for WideModel {
    fn id(&self) -> ModelId {
        self.id
    }

    fn triangles(&self) -> usize {
        self.mesh.triangles().len()
    }

    fn bytes(&self) -> usize {
        self.mesh_bytes() + self.tree.bytes() + size_of::<Self>()
    }

    fn mesh_bytes(&self) -> usize {
        size_of_val(self.mesh.vertices()) + size_of_val(self.mesh.triangles())
    }
}
