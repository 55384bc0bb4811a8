//! A prepared mesh: its vertices, and nothing built over them.

use impinge_geometry::{Mesh, Point, Pose};
use impinge_query::{Cancelled, Control, MeshModel, PrepareError, RefitError, Subject};

use crate::points::Points;
use crate::support::{bounds, support_points};
use crate::volume::Volume;

/// A mesh ready for `sbv`.
#[derive(Clone, Debug)]
pub struct SbvModel {
    subject: Subject,
    /// Which vertices belong to a triangle; `None` if all do.
    used: Option<Box<[bool]>>,
    points: Points,
    bounds: Volume,
    supports: Vec<u32>,
}

impl SbvModel {
    pub(crate) fn new(mesh: &Mesh, control: &Control<'_>) -> Result<Self, PrepareError> {
        control.check()?;
        let mut used = vec![false; mesh.vertices().len()].into_boxed_slice();
        for &v in mesh.triangles().as_flattened() {
            used[v as usize] = true;
        }
        let used = used.contains(&false).then_some(used);
        control.check()?;
        let subject = Subject::new(mesh.clone());
        let (points, bounds) = (Points::default(), Volume::EMPTY);
        let mut model = Self { subject, used, points, bounds, supports: Vec::new() };
        model.measure(control)?;
        Ok(model)
    }

    /// Copies the vertices and finds their bounds and support points, in O(n).
    fn measure(&mut self, control: &Control<'_>) -> Result<(), Cancelled> {
        let mesh = self.subject.mesh();
        self.points.place(mesh, self.used.as_deref(), &Pose::identity(), control)?;
        control.check()?;
        self.bounds = bounds(&self.points);
        control.check()?;
        support_points(&self.points, &self.bounds, &mut self.supports);
        Ok(())
    }

    pub(crate) fn follow(
        &mut self,
        vertices: &[Point],
        control: &Control<'_>,
    ) -> Result<(), RefitError> {
        control.check()?;
        self.subject.move_vertices(vertices)?;
        self.subject.next_epoch();
        // The vertices have moved, so the rest must follow.
        self.measure(&Control::NONE)?;
        Ok(())
    }

    /// The vertices in the mesh's own frame.
    pub const fn points(&self) -> &Points {
        &self.points
    }

    /// The bounds along the axes of the mesh's own frame.
    pub const fn bounds(&self) -> &Volume {
        &self.bounds
    }

    /// The support points along the axes of the mesh's own frame.
    pub fn supports(&self) -> &[u32] {
        &self.supports
    }

    /// The mesh, with moved vertices after a refit.
    pub fn mesh(&self) -> &Mesh {
        self.subject.mesh()
    }

    /// Places the vertices in another frame.
    pub(crate) fn place(
        &self,
        pose: &Pose,
        into: &mut Points,
        control: &Control<'_>,
    ) -> Result<(), Cancelled> {
        into.place(self.subject.mesh(), self.used.as_deref(), pose, control)
    }
}

impl MeshModel for SbvModel {
    fn subject(&self) -> &Subject {
        &self.subject
    }

    fn own_bytes(&self) -> usize {
        self.points.bytes()
            + self.used.as_ref().map_or(0, |used| size_of_val::<[bool]>(used))
            + size_of_val(self.supports.as_slice())
    }
}
