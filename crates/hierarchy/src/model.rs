//! A prepared mesh: the triangles, their tree, and what containment needs, found on demand.

use std::sync::OnceLock;

use impinge_geometry::{Mesh, OpenSurface, Point, Topology};
use impinge_query::{Model, ModelId, QueryError, Side};

use crate::tree::Tree;
use crate::volume::Volume;

/// A mesh with its tree. Immutable; rigid motion never touches it.
#[derive(Debug)]
pub struct TreeModel<V> {
    id: ModelId,
    mesh: Mesh,
    tree: Tree<V>,
    max_abs: f64,
    solid: OnceLock<Result<Vec<u32>, OpenSurface>>,
}

impl<V: Volume> TreeModel<V> {
    /// A model of `mesh`, whose triangles `tree` holds.
    pub fn new(mesh: Mesh, tree: Tree<V>) -> Self {
        let max_abs = mesh.max_abs_coordinate();
        Self { id: ModelId::fresh(), mesh, tree, max_abs, solid: OnceLock::new() }
    }

    /// The mesh.
    pub const fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// Its tree.
    pub const fn tree(&self) -> &Tree<V> {
        &self.tree
    }

    /// The largest coordinate magnitude.
    pub const fn max_abs(&self) -> f64 {
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
            Ok(topology
                .components()
                .iter()
                .map(|&t| self.mesh.triangles()[t as usize][0])
                .collect())
        });
        match solid {
            Ok(vertices) => Ok(vertices.iter().map(|&v| self.mesh.vertices()[v as usize])),
            Err(open) => Err(open.clone()),
        }
    }
}

impl<V: Volume> TreeModel<V> {
    /// `Solids` needs a surface with an inside; `side` says which mesh this is.
    pub(crate) fn check_closed(&self, side: Side) -> Result<(), QueryError> {
        self.witnesses().map(drop).map_err(|open| QueryError::NotClosed { side, open })
    }
}

impl<V: Volume> Model for TreeModel<V> {
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
