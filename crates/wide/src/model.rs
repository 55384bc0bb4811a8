//! A mesh with its tree.

use impinge_geometry::{Coincident, Mesh, Point};
use impinge_query::{Cancelled, Control, MeshModel, RefitError, Subject};
use impinge_threads::pool;

use crate::build::{self, Quality};
use crate::frame::Frame;
use crate::placement::RootBox;
use crate::simd::Width;
use crate::tree::Tree;

/// If a refit raises the tree's cost (see [`Tree::cost`]) above this many times its value when
/// built, the next refit rebuilds the tree.
const REBUILD_ABOVE: f64 = 2.0;

/// A prepared mesh. Rigid motion leaves it unchanged; deformation refits it.
#[derive(Clone, Debug)]
pub struct WideModel {
    subject: Subject,
    pub(crate) tree: Tree,
    /// The box of its root.
    pub(crate) root: RootBox,
    /// Repeated triangles; `None` if there are none now or were none when the tree was built.
    coincident: Option<Box<Coincident>>,
    /// The tree's cost when it was built.
    built: f64,
    /// Whether the next refit is to rebuild the tree.
    degraded: bool,
    /// Whether triangles use all vertices, once a refit has asked.
    uses_all: Option<bool>,
}

/// Of more triangles, repeated ones are found beside the build.
const MANY: usize = 1 << 14;

impl WideModel {
    /// Builds the tree of a mesh.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub(crate) fn of(
        mesh: &Mesh,
        quality: Quality,
        width: Width,
        control: &Control<'_>,
    ) -> Result<Self, Cancelled> {
        let build = || build::build(mesh, quality, width, control);
        let find = || Coincident::of(mesh).map(Box::new);
        // Repeated triangles are found by one thread, which has no other work during the first cut.
        let (tree, coincident) = if mesh.triangles().len() > MANY {
            pool::enter(|| rayon::join(build, find))
        } else {
            (build(), find())
        };
        Ok(Self::with(mesh.clone(), tree?, coincident))
    }

    pub(crate) fn new(mesh: Mesh, tree: Tree) -> Self {
        let coincident = Coincident::of(&mesh).map(Box::new);
        Self::with(mesh, tree, coincident)
    }

    /// With repeated triangles, which are marked in the tree.
    fn with(mesh: Mesh, mut tree: Tree, coincident: Option<Box<Coincident>>) -> Self {
        if coincident.is_some() {
            tree.mark(coincident.as_deref());
        }
        let (subject, built, root) = (Subject::new(mesh), tree.cost(), RootBox::of(&tree));
        let (degraded, uses_all) = (false, None);
        Self { subject, tree, root, coincident, built, degraded, uses_all }
    }

    /// Finds repeated triangles and marks them in the tree.
    fn find_coincident(&mut self) {
        let before = self.coincident.take();
        self.coincident = Coincident::of(self.mesh()).map(Box::new);
        if before.is_some() || self.coincident.is_some() {
            self.tree.mark(self.coincident.as_deref());
        }
    }

    /// A copy that knows its repeated triangles, if a refit has made some that this one does not know.
    pub(crate) fn with_new_repeats(&self) -> Option<Self> {
        if self.coincident.is_some() || self.subject.id().has_never_moved() {
            return None;
        }
        let found = Coincident::of(self.mesh())?;
        let mut copy = self.clone();
        copy.tree.mark(Some(&found));
        copy.coincident = Some(Box::new(found));
        Some(copy)
    }

    /// Repeated triangles, if any.
    pub(crate) fn coincident(&self) -> Option<&Coincident> {
        self.coincident.as_deref()
    }

    /// A model read from storage, with its tree's cost when built and whether the next refit is to
    /// rebuild it.
    pub(crate) fn restored(mesh: Mesh, tree: Tree, built: f64, degraded: bool) -> Self {
        Self { built, degraded, ..Self::new(mesh, tree) }
    }

    /// A model whose parts were kept, with what [`WideModel::wear`] gave.
    pub(crate) fn viewed(
        mesh: Mesh,
        tree: Tree,
        coincident: Option<Box<Coincident>>,
        (built, degraded): (f64, bool),
    ) -> Self {
        let (subject, uses_all) = (Subject::new(mesh), None);
        let root = RootBox::of(&tree);
        Self { subject, tree, root, coincident, built, degraded, uses_all }
    }

    /// The tree's cost when it was built, and whether the next refit is to rebuild it.
    pub(crate) const fn wear(&self) -> (f64, bool) {
        (self.built, self.degraded)
    }

    /// Moves the vertices and refits the tree, or rebuilds it if it has become too costly.
    ///
    /// A refit that finds the tree too costly leaves rebuilding to the next one: so a refit either
    /// happens completely or, on error, not at all.
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
            let mesh = self.subject.mesh();
            let uses_all = *self.uses_all.get_or_insert_with(|| mesh.uses_all_vertices());
            let bounds = if uses_all { mesh.bounds_of_vertices() } else { mesh.bounds() };
            build::refit(&mut self.tree, mesh, Frame::around(bounds), width);
            self.degraded = self.tree.cost() > REBUILD_ABOVE * self.built;
            // Equal triangles may differ now. New repeats are not looked for; missing them only
            // costs time.
            if self.coincident.is_some() {
                self.find_coincident();
            }
        }
        self.root = RootBox::of(&self.tree);
        self.subject.next_epoch();
        Ok(())
    }

    /// The mesh, in its own frame and unit.
    pub fn mesh(&self) -> &Mesh {
        self.subject.mesh()
    }

    /// Number of nodes, of up to sixteen boxes each.
    pub fn nodes(&self) -> usize {
        self.tree.nodes.len()
    }

    /// Number of leaves, of up to four triangles each.
    pub fn leaves(&self) -> usize {
        self.tree.leaves.len()
    }

    /// The largest coordinate magnitude, in the mesh's unit.
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

#[cfg(test)]
mod tests {
    use impinge_models::Shape;

    use super::*;

    /// Also where they are found beside the build. Of nine equal triangles some leaf has repeats only.
    #[test]
    fn repeats_are_found_and_marked_in_meshes_of_any_size() {
        for (triangles, is_large) in [(100, false), (2_100, true)] {
            let torus = Shape::Torus.mesh(triangles, 0);
            let n = torus.triangles().len();
            let nine = [torus.triangles(); 9].concat();
            assert_eq!(nine.len() > MANY, is_large);
            let mesh = Mesh::new(torus.vertices().to_vec(), nine).expect("legal");
            let prepared = |mesh: &Mesh| {
                let (quality, width) = (Quality::default(), Width::fastest());
                WideModel::of(mesh, quality, width, &Control::NONE).expect("not cancelled")
            };
            let (model, once) = (prepared(&mesh), prepared(&torus));
            assert!(once.coincident().is_none());
            let found = model.coincident().expect("some");
            assert_eq!(found.classes().count(), n);
            assert!((0..9 * n as u32).all(|t| found.repeats(t) == (t >= n as u32)));
            let marked = |model: &WideModel| model.tree.nodes.iter().any(|node| node.repeats != 0);
            assert!(marked(&model) && !marked(&once));
        }
    }
}
