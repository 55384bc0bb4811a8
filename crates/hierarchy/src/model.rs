//! A prepared mesh: its triangles and their tree.

use impinge_geometry::{Mesh, MeshError, Point};
use impinge_query::{Control, MeshModel, RefitError, Subject};

use crate::build::{Builder, Refit, Update};
use crate::tree::Tree;
use crate::volume::Volume;

/// A mesh with its tree. Rigid motion leaves it unchanged; deformation refits it.
#[derive(Debug)]
pub struct TreeModel<V> {
    /// Holds the mesh; a lazily updated tree shares it.
    subject: Subject,
    tree: Tree<V>,
    /// The tree's cost when it was built; known after the first refit.
    built: Option<f64>,
    /// Whether the next refit is to rebuild the tree.
    degraded: bool,
}

impl<V: Volume> TreeModel<V> {
    /// A model of `mesh`; `tree` holds its triangles.
    pub fn new(mesh: Mesh, mut tree: Tree<V>) -> Self {
        tree.mark_repeated(&mesh);
        Self { subject: Subject::new(mesh), tree, built: None, degraded: false }
    }

    /// The mesh, in its own frame and unit.
    pub fn mesh(&self) -> &Mesh {
        self.subject.mesh()
    }

    /// The mesh's tree.
    pub const fn tree(&self) -> &Tree<V> {
        &self.tree
    }

    /// The largest coordinate magnitude, in the mesh's unit.
    pub const fn max_abs(&self) -> f64 {
        self.subject.max_abs()
    }
}

impl<V: Volume> TreeModel<V> {
    /// Moves the vertices and refits the tree, or rebuilds it if it has become too costly.
    ///
    /// A refit that finds the tree too costly leaves rebuilding to the next one: so a refit either
    /// happens completely or, on error, not at all.
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
            let mesh = self.mesh().with_vertices(vertices.to_vec())?;
            let mut tree = builder.build(&mesh, control)?;
            tree.mark_repeated(&mesh);
            self.subject.replace(mesh);
            self.tree = tree;
            (self.built, self.degraded) = (Some((refit.cost)(&self.tree, update)), false);
        } else {
            let built = self.built.unwrap_or_else(|| (refit.cost)(&self.tree, update));
            self.move_vertices(vertices)?;
            let cost = (refit.refit)(&mut self.tree, self.subject.shared(), update);
            (self.built, self.degraded) = (Some(built), cost > rebuild_above * built);
            // Equal triangles may differ now. New repeats are not looked for; missing them only
            // costs time.
            if self.tree.repeated().is_some() {
                self.tree.mark_repeated(self.subject.mesh());
            }
        }
        self.subject.next_epoch();
        Ok(())
    }

    /// Moves the vertices in place; the tree's volumes still contain the old ones.
    fn move_vertices(&mut self, vertices: &[Point]) -> Result<(), MeshError> {
        if let Some(lazy) = self.tree.lazy_mut() {
            lazy.release();
        }
        let moved = self.subject.move_vertices(vertices);
        if let Some(lazy) = self.tree.lazy_mut() {
            lazy.hold(self.subject.shared());
        }
        moved
    }
}

impl<V: Volume> MeshModel for TreeModel<V> {
    fn subject(&self) -> &Subject {
        &self.subject
    }

    fn own_bytes(&self) -> usize {
        self.tree.bytes() + size_of::<Self>()
    }
}
