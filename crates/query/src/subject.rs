//! The mesh part of a prepared model, which every method keeps beside its own structure.

use std::sync::{Arc, OnceLock};

use impinge_geometry::{MAX_COORDINATE, Mesh, MeshError, OpenSurface, Point, Pose, Topology};

use crate::{Control, ModelId, QueryError, Side};

/// A mesh with its identity, its extent, and what containment needs, computed on demand.
#[derive(Clone, Debug)]
pub struct Subject {
    id: ModelId,
    mesh: Arc<Mesh>,
    max_abs: f64,
    /// A vertex of each connected component, or the edge that shows the surface is not closed.
    solid: OnceLock<Result<Vec<u32>, OpenSurface>>,
}

impl Subject {
    /// Wraps a mesh with an identity unique in this process.
    pub fn new(mesh: Mesh) -> Self {
        let max_abs = mesh.max_abs_coordinate();
        Self { id: ModelId::fresh(), mesh: Arc::new(mesh), max_abs, solid: OnceLock::new() }
    }

    /// The identity and epoch.
    pub const fn id(&self) -> ModelId {
        self.id
    }

    /// The mesh, in its own frame.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The mesh for shared ownership. While it is shared, moving vertices copies the mesh.
    pub const fn shared(&self) -> &Arc<Mesh> {
        &self.mesh
    }

    /// The largest coordinate magnitude.
    pub const fn max_abs(&self) -> f64 {
        self.max_abs
    }

    /// The bytes of the mesh's vertices and indices.
    pub fn mesh_bytes(&self) -> usize {
        size_of_val(self.mesh.vertices()) + size_of_val(self.mesh.triangles())
    }

    /// One vertex of each connected component, if the surface is closed and consistently wound.
    /// Computed at the first call in O(n log n), and kept.
    ///
    /// # Errors
    /// [`OpenSurface`] names an edge that shows it is not.
    pub fn representatives(
        &self,
    ) -> Result<impl ExactSizeIterator<Item = Point> + '_, OpenSurface> {
        match self.solid.get_or_init(|| self.read(&Topology::new(&self.mesh))) {
            Ok(vertices) => Ok(vertices.iter().map(|&v| self.mesh.vertices()[v as usize])),
            Err(open) => Err(open.clone()),
        }
    }

    fn read(&self, topology: &Topology) -> Result<Vec<u32>, OpenSurface> {
        topology.closed()?;
        let first = |&t: &u32| self.mesh.triangles()[t as usize][0];
        Ok(topology.components().iter().map(first).collect())
    }

    /// Checks that the surface is closed, as `Solids` requires. `side` is the mesh named in the
    /// error. The first call computes what [`Subject::representatives`] returns.
    ///
    /// # Errors
    /// [`QueryError::NotClosed`] names an edge that shows it is not; [`QueryError::Cancelled`].
    pub fn check_closed(&self, side: Side, control: &Control<'_>) -> Result<(), QueryError> {
        if self.solid.get().is_none() {
            let topology = Topology::watched(&self.mesh, &mut || control.check())?;
            // Another thread may have set it first.
            let _ = self.solid.set(self.read(&topology));
        }
        self.representatives().map(drop).map_err(|open| QueryError::NotClosed { side, open })
    }

    /// Checks that the vertices placed by `pose` stay within [`MAX_COORDINATE`]. An O(1) bound
    /// decides for all but extreme poses; otherwise every vertex is placed.
    ///
    /// # Errors
    /// [`QueryError::OutOfRange`] names the first vertex that leaves the range.
    pub fn check_range(&self, pose: &Pose) -> Result<(), QueryError> {
        let reach = 2.0 * self.max_abs + pose.translation().amax();
        if reach <= MAX_COORDINATE {
            return Ok(());
        }
        self.mesh.posed(pose).map(drop).map_err(QueryError::OutOfRange)
    }

    /// Moves the vertices in place. Call [`Subject::next_epoch`] once the rest of the model is
    /// updated.
    ///
    /// # Errors
    /// [`MeshError`]; no vertex is then moved.
    pub fn move_vertices(&mut self, vertices: &[Point]) -> Result<(), MeshError> {
        Arc::make_mut(&mut self.mesh).move_vertices(vertices)
    }

    /// Replaces the mesh by one with the same triangles and moved vertices.
    pub fn replace(&mut self, mesh: Mesh) {
        self.mesh = Arc::new(mesh);
    }

    /// Advances the epoch after the vertices have moved. Discards what was computed from the old
    /// ones: vertices of equal coordinates count as one, so moving can change whether the surface
    /// is closed.
    pub fn next_epoch(&mut self) {
        self.max_abs = self.mesh.max_abs_coordinate();
        self.solid = OnceLock::new();
        self.id = self.id.next_epoch();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_geometry::Vector;

    fn tetrahedron() -> Mesh {
        let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -2.0]];
        let triangles = vec![[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]];
        Mesh::new(corners.map(Point::from).to_vec(), triangles).expect("in range")
    }

    #[test]
    fn a_move_is_the_next_epoch_of_the_same_identity() {
        let mut subject = Subject::new(tetrahedron());
        let (id, held) = (subject.id(), Arc::clone(subject.shared()));
        assert_eq!((subject.max_abs(), subject.mesh_bytes()), (2.0, 4 * 24 + 4 * 12));
        assert_eq!(subject.representatives().expect("closed").count(), 1);
        let doubled: Vec<Point> = held.vertices().iter().map(|p| p * 2.0).collect();
        assert!(subject.move_vertices(&doubled[..3]).is_err());
        subject.move_vertices(&doubled).expect("as many");
        subject.next_epoch();
        assert!(subject.id() != id && subject.id().same_body(id));
        assert_eq!(subject.max_abs(), 4.0);
        assert_eq!(held.max_abs_coordinate(), 2.0, "a mesh that is held stays as it was");
        let witness = subject.representatives().expect("closed").next();
        assert_eq!(witness, Some(doubled[0]));
        assert_ne!(Subject::new(tetrahedron()).id(), id);
    }

    #[test]
    fn copies_that_move_are_of_different_epochs() {
        let mut first = Subject::new(tetrahedron());
        let mut second = first.clone();
        assert_eq!(first.id(), second.id());
        first.next_epoch();
        second.next_epoch();
        assert!(first.id() != second.id() && first.id().same_body(second.id()));
    }

    #[test]
    fn a_hole_is_named_with_its_side_and_closes_when_vertices_meet() {
        let mut open = tetrahedron();
        open = Mesh::new(open.vertices().to_vec(), open.triangles()[1..].to_vec()).expect("fine");
        let mut subject = Subject::new(open);
        let error =
            subject.check_closed(Side::B, &Control::NONE).expect_err("a triangle is missing");
        assert!(matches!(error, QueryError::NotClosed { side: Side::B, .. }));
        // With all vertices in one point, no edge is left.
        subject.replace(subject.mesh().with_vertices(vec![Point::origin(); 4]).expect("as many"));
        subject.next_epoch();
        assert!(subject.check_closed(Side::A, &Control::NONE).is_ok());
    }

    #[test]
    fn whether_it_is_closed_is_not_found_for_a_caller_who_has_gone() {
        let (subject, cancel) = (Subject::new(tetrahedron()), crate::Cancel::at_look(2));
        let control = Control::NONE.cancelled_by(&cancel);
        let error = subject.check_closed(Side::A, &control).expect_err("cancelled");
        assert!(matches!(error, QueryError::Cancelled(_)) && subject.solid.get().is_none());
        assert!(subject.check_closed(Side::A, &Control::NONE).is_ok());
    }

    #[test]
    fn a_pose_may_reach_the_end_of_the_range_and_not_beyond() {
        let at = |x: f64| Pose::translation_by(Vector::new(x, 0.0, 0.0)).expect("in range");
        let far = Mesh::new(vec![Point::new(6e299, 0.0, 0.0); 3], vec![[0, 1, 2]]).expect("fine");
        let subject = Subject::new(far);
        assert!(subject.check_range(&at(3e299)).is_ok(), "beyond the bound, yet in range");
        let error = subject.check_range(&at(5e299)).expect_err("1.1e300");
        assert!(matches!(error, QueryError::OutOfRange(MeshError::Coordinate { .. })));
        assert!(Subject::new(tetrahedron()).check_range(&at(9e299)).is_ok());
    }
}
