//! A prepared mesh: the triangles, their tree, and what containment needs, found on demand.

use std::sync::{Arc, OnceLock};

use impinge_geometry::{Mesh, MeshError, OpenSurface, Point, Topology};
use impinge_query::{Control, Model, ModelId, QueryError, RefitError, Side};

use crate::build::{Builder, Refit, Update};
use crate::tree::Tree;
use crate::volume::Volume;

/// A mesh with its tree. Rigid motion never touches it; deformation refits it.
#[derive(Debug)]
pub struct TreeModel<V> {
    id: ModelId,
    /// Shared with a tree that is updated lazily.
    mesh: Arc<Mesh>,
    tree: Tree<V>,
    max_abs: f64,
    /// The tree's cost when it was built; known once it was refitted.
    built: Option<f64>,
    /// Did the last refit leave a tree that is to be built anew?
    degraded: bool,
    solid: OnceLock<Result<Vec<u32>, OpenSurface>>,
}

impl<V: Volume> TreeModel<V> {
    /// A model of `mesh`, whose triangles `tree` holds.
    pub fn new(mesh: Mesh, mut tree: Tree<V>) -> Self {
        tree.mark_repeated(&mesh);
        let max_abs = mesh.max_abs_coordinate();
        Self {
            id: ModelId::fresh(),
            mesh: Arc::new(mesh),
            tree,
            max_abs,
            built: None,
            degraded: false,
            solid: OnceLock::new(),
        }
    }

    /// The mesh.
    pub fn mesh(&self) -> &Mesh {
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
    /// Moves the vertices; refits the tree, or if it has become too costly builds it anew.
    ///
    /// A tree is found too costly at the end of a refit and built anew at the next: so either all of
    /// a refit happens or, on error, nothing.
    pub(crate) fn follow<B: Builder<Volume = V>>(
        &mut self,
        builder: &B,
        refit: Refit<V>,
        (update, rebuild_above): (Update, f64),
        vertices: &[Point],
        control: &Control<'_>,
    ) -> Result<(), RefitError> {
        control.check()?;
        if self.degraded {
            let mesh = self.mesh.with_vertices(vertices.to_vec())?;
            let mut tree = builder.build(&mesh, control)?;
            tree.mark_repeated(&mesh);
            (self.mesh, self.tree) = (Arc::new(mesh), tree);
            (self.built, self.degraded) = (Some((refit.cost)(&self.tree, update)), false);
        } else {
            let built = self.built.unwrap_or_else(|| (refit.cost)(&self.tree, update));
            self.move_vertices(vertices)?;
            let cost = (refit.refit)(&mut self.tree, &self.mesh, update);
            (self.built, self.degraded) = (Some(built), cost > rebuild_above * built);
            // Those that were equal may be so no more. That others have become so only costs time.
            if self.tree.repeated().is_some() {
                self.tree.mark_repeated(&self.mesh);
            }
        }
        self.max_abs = self.mesh.max_abs_coordinate();
        // Vertices that are equal count as one, and may have moved together or apart.
        self.solid = OnceLock::new();
        self.id = self.id.next_epoch();
        Ok(())
    }

    /// Moves the vertices in place; the tree still wraps the old ones.
    fn move_vertices(&mut self, vertices: &[Point]) -> Result<(), MeshError> {
        if let Some(lazy) = self.tree.lazy_mut() {
            lazy.release();
        }
        let moved = Arc::make_mut(&mut self.mesh).move_vertices(vertices);
        if let Some(lazy) = self.tree.lazy_mut() {
            lazy.hold(&self.mesh);
        }
        moved
    }

    /// `Solids` needs a surface with an inside; `side` says which mesh this is.
    ///
    /// # Errors
    /// [`QueryError::NotClosed`] names the edge that shows it has none.
    pub fn check_closed(&self, side: Side) -> Result<(), QueryError> {
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
