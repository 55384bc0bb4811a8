//! A prepared mesh: the triangles and their tree.

use impinge_geometry::{Mesh, MeshError, Point};
use impinge_query::{Control, MeshModel, RefitError, Subject};

use crate::build::{Builder, Refit, Update};
use crate::tree::Tree;
use crate::volume::Volume;

/// A mesh with its tree. Rigid motion never touches it; deformation refits it.
#[derive(Debug)]
pub struct TreeModel<V> {
    /// Its mesh is shared with a tree that is updated lazily.
    subject: Subject,
    tree: Tree<V>,
    /// The tree's cost when it was built; known once it was refitted.
    built: Option<f64>,
    /// Did the last refit leave a tree that is to be built anew?
    degraded: bool,
}

impl<V: Volume> TreeModel<V> {
    /// A model of `mesh`, whose triangles `tree` holds.
    pub fn new(mesh: Mesh, mut tree: Tree<V>) -> Self {
        tree.mark_repeated(&mesh);
        Self { subject: Subject::new(mesh), tree, built: None, degraded: false }
    }

    /// The mesh.
    pub fn mesh(&self) -> &Mesh {
        self.subject.mesh()
    }

    /// Its tree.
    pub const fn tree(&self) -> &Tree<V> {
        &self.tree
    }

    /// The largest coordinate magnitude.
    pub const fn max_abs(&self) -> f64 {
        self.subject.max_abs()
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
            // Those that were equal may be so no more. That others have become so only costs time.
            if self.tree.repeated().is_some() {
                self.tree.mark_repeated(self.subject.mesh());
            }
        }
        self.subject.next_epoch();
        Ok(())
    }

    /// Moves the vertices in place; the tree still wraps the old ones.
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
