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
    shape: Shape,
    /// What the last refit replaced, to reuse its allocations.
    spare: Shape,
}

/// What is computed of the vertices.
#[derive(Clone, Debug, Default)]
struct Shape {
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
        let mut model = Self { subject, used, shape: Shape::default(), spare: Shape::default() };
        model.measure(mesh.vertices(), control)?;
        std::mem::swap(&mut model.shape, &mut model.spare);
        Ok(model)
    }

    /// Copies vertices and finds their bounds and support points, in O(n); only `spare` changes.
    fn measure(&mut self, vertices: &[Point], control: &Control<'_>) -> Result<(), Cancelled> {
        let used = (self.used.as_deref(), self.first());
        let Shape { points, bounds: around, supports } = &mut self.spare;
        points.place(vertices, used, &Pose::identity(), control)?;
        control.check()?;
        *around = bounds(points);
        control.check()?;
        support_points(points, around, supports);
        Ok(())
    }

    /// A vertex of a triangle; there is one.
    fn first(&self) -> u32 {
        self.subject.mesh().triangles()[0][0]
    }

    /// A cancelled refit changes nothing: the vertices move when all else is done.
    pub(crate) fn follow(
        &mut self,
        vertices: &[Point],
        control: &Control<'_>,
    ) -> Result<(), RefitError> {
        control.check()?;
        if vertices.len() == self.mesh().vertices().len() {
            self.measure(vertices, control)?;
        }
        // Refuses another number of vertices.
        self.subject.move_vertices(vertices)?;
        self.subject.next_epoch();
        std::mem::swap(&mut self.shape, &mut self.spare);
        Ok(())
    }

    /// The vertices in the mesh's own frame.
    pub const fn points(&self) -> &Points {
        &self.shape.points
    }

    /// The bounds along the axes of the mesh's own frame.
    pub const fn bounds(&self) -> &Volume {
        &self.shape.bounds
    }

    /// The support points along the axes of the mesh's own frame.
    pub fn supports(&self) -> &[u32] {
        &self.shape.supports
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
        into.place(self.mesh().vertices(), (self.used.as_deref(), self.first()), pose, control)
    }
}

impl MeshModel for SbvModel {
    fn subject(&self) -> &Subject {
        &self.subject
    }

    fn own_bytes(&self) -> usize {
        let shapes = [&self.shape, &self.spare];
        let bytes = |s: &Shape| s.points.bytes() + size_of_val(s.supports.as_slice());
        self.used.as_ref().map_or(0, |used| size_of_val::<[bool]>(used))
            + shapes.map(bytes).iter().sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use impinge_models::Shape;

    use super::*;

    /// Three lists of sixteen coordinates and eight support points, twice after a refit; a byte for
    /// each vertex if some belong to no triangle.
    #[test]
    fn bytes_are_those_of_the_lists() {
        let cube = Shape::Cube.mesh(12, 0);
        let mut model = SbvModel::new(&cube, &Control::NONE).expect("nobody cancels");
        assert_eq!((cube.vertices().len(), model.supports().len()), (8, 8));
        let shape = 3 * 16 * 8 + 8 * 4;
        assert_eq!(model.own_bytes(), shape);
        model.follow(cube.vertices(), &Control::NONE).expect("as many");
        assert_eq!(model.own_bytes(), 2 * shape);
        let mut vertices = cube.vertices().to_vec();
        vertices.push(Point::origin());
        let stray = Mesh::new(vertices, cube.triangles().to_vec()).expect("finite");
        let model = SbvModel::new(&stray, &Control::NONE).expect("nobody cancels");
        // The stray vertex stands where the first one does, on three support planes.
        assert_eq!(model.own_bytes(), shape + 4 + 9);
    }
}
