//! [`Shape`]: what instances of one mesh share.

use std::sync::Arc;

use impinge_geometry::volume::Aabb;
use impinge_geometry::{Mesh, Pose};
use impinge_query::{Control, Detector, PrepareError, Prepared};

use super::WorldError;
use crate::heights::Heights;

/// A prepared mesh and its extents, shared by any number of objects. Clones are cheap and share all.
#[derive(Clone, Debug)]
pub struct Shape {
    prepared: Arc<Prepared>,
    heights: Arc<Heights>,
}

impl Shape {
    /// `mesh` prepared by a method.
    ///
    /// # Errors
    /// [`PrepareError`] if the method cannot take this mesh, or the caller cancelled.
    pub fn new(
        detector: &dyn Detector,
        mesh: &Mesh,
        control: &Control<'_>,
    ) -> Result<Self, PrepareError> {
        let prepared = Arc::new(detector.prepare(mesh, control)?);
        Ok(Self { prepared, heights: Arc::new(Heights::new(mesh.vertices())) })
    }

    /// A mesh that is prepared already. O(n), for its extents.
    ///
    /// # Errors
    /// [`WorldError::NoMesh`] of methods that do not keep the mesh.
    pub fn of(prepared: Arc<Prepared>) -> Result<Self, WorldError> {
        let mesh = prepared.mesh().ok_or_else(|| WorldError::NoMesh { word: prepared.word() })?;
        let heights = Arc::new(Heights::new(mesh.vertices()));
        Ok(Self { prepared, heights })
    }

    /// The prepared mesh.
    pub const fn prepared(&self) -> &Arc<Prepared> {
        &self.prepared
    }

    /// A box in the world that contains the mesh at `pose`, `room` away from it on all sides. It is
    /// some 1 % larger than the smallest such box.
    pub fn posed(&self, pose: &Pose, room: f64) -> Aabb {
        self.heights.posed(pose, room)
    }

    /// Whether both are the same prepared mesh.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.prepared, &other.prepared)
    }

    /// The prepared mesh, if nothing else holds it.
    pub(super) fn alone(&mut self) -> Option<&mut Prepared> {
        Arc::get_mut(&mut self.prepared)
    }

    /// Takes the extents anew, after the prepared mesh has moved.
    pub(super) fn measure(&mut self, mesh: &Mesh) {
        self.heights = Arc::new(Heights::new(mesh.vertices()));
    }
}
