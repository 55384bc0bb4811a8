//! A mesh with its tree.

use impinge_geometry::{Coincident, Mesh, Point};
use impinge_query::{Control, MeshModel, RefitError, Subject};

use crate::build::{self, Quality};
use crate::simd::Width;
use crate::tree::Tree;

/// A refit that leaves boxes with so many times the surface, over that of the largest, has the next
/// refit build the tree anew.
const REBUILD_ABOVE: f64 = 2.0;

/// A mesh made ready. Rigid motion never touches it; deformation refits it.
#[derive(Clone, Debug)]
pub struct WideModel {
    subject: Subject,
    pub(crate) tree: Tree,
    /// Triangles that are there several times; none if there are none, or none were when the tree was
    /// built.
    coincident: Option<Box<Coincident>>,
    /// The tree's cost when it was built.
    built: f64,
    /// Did the last refit leave a tree that is to be built anew?
    degraded: bool,
}

impl WideModel {
    pub(crate) fn new(mesh: Mesh, tree: Tree) -> Self {
        let (subject, built) = (Subject::new(mesh), tree.cost());
        let mut model = Self { subject, tree, coincident: None, built, degraded: false };
        model.find_coincident();
        model
    }

    /// Finds the triangles that are there several times, and marks them in the tree.
    fn find_coincident(&mut self) {
        let before = self.coincident.take();
        self.coincident = Coincident::of(self.mesh()).map(Box::new);
        if before.is_some() || self.coincident.is_some() {
            self.tree.mark(self.coincident.as_deref());
        }
    }

    /// The triangles that are there several times.
    pub(crate) fn coincident(&self) -> Option<&Coincident> {
        self.coincident.as_deref()
    }

    /// A model that was stored: its tree's cost when it was built, and whether the next refit is to
    /// build it anew, are as they were.
    pub(crate) fn restored(mesh: Mesh, tree: Tree, built: f64, degraded: bool) -> Self {
        Self { built, degraded, ..Self::new(mesh, tree) }
    }

    /// The tree's cost when it was built, and whether the next refit is to build it anew.
    pub(crate) const fn wear(&self) -> (f64, bool) {
        (self.built, self.degraded)
    }

    /// Moves the vertices; refits the tree, or if it has become too costly builds it anew.
    ///
    /// A tree is found too costly at the end of a refit and built anew at the next: so either all of
    /// a refit happens or, on error, nothing.
    pub(crate) fn follow(
        &mut self,
        quality: Quality,
        width: Width,
        vertices: &[Point],
        control: &Control<'_>,
    ) -> Result<(), RefitError> {
        control.check()?;
        if self.degraded {
            let mesh = self.mesh().with_vertices(vertices.to_vec())?;
            self.tree = build::build(&mesh, quality, width, control)?;
            self.subject.replace(mesh);
            (self.built, self.degraded) = (self.tree.cost(), false);
            self.find_coincident();
        } else {
            self.subject.move_vertices(vertices)?;
            build::refit(&mut self.tree, self.subject.mesh(), width);
            self.degraded = self.tree.cost() > REBUILD_ABOVE * self.built;
            // Those that were equal may be so no more. That others have become so only costs time.
            if self.coincident.is_some() {
                self.find_coincident();
            }
        }
        self.subject.next_epoch();
        Ok(())
    }

    /// The mesh.
    pub fn mesh(&self) -> &Mesh {
        self.subject.mesh()
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
        self.subject.max_abs()
    }
}

impl MeshModel for WideModel {
    fn subject(&self) -> &Subject {
        &self.subject
    }

    fn own_bytes(&self) -> usize {
        let coincident = |c: &Coincident| size_of_val(c) + c.bytes();
        self.tree.bytes() + self.coincident().map_or(0, coincident) + size_of::<Self>()
    }
}
