//! [`Shape`]: what instances of one mesh share.

use std::sync::{Arc, OnceLock};

use impinge_geometry::volume::Aabb;
use impinge_geometry::{Mesh, Pose, Topology};
use impinge_query::{Cancelled, Control, Detector, PrepareError, Prepared, QueryError, Side};

use super::WorldError;
use crate::heights::Heights;
use crate::touching::{Restless, TouchError};

/// A prepared mesh and its extents, shared by any number of objects. Clones are cheap and share all.
#[derive(Clone, Debug)]
pub struct Shape {
    prepared: Arc<Prepared>,
    facts: Arc<Facts>,
}

/// What is known of a mesh besides its prepared form.
#[derive(Debug)]
struct Facts {
    heights: Heights,
    /// Whether its surface is closed; found at the first question.
    closed: OnceLock<bool>,
    /// Pairs that may meet elsewhere; found likewise.
    restless: OnceLock<Restless>,
}

impl Facts {
    fn new(mesh: &Mesh) -> Arc<Self> {
        let heights = Heights::of(mesh);
        Arc::new(Self { heights, closed: OnceLock::new(), restless: OnceLock::new() })
    }
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
        Ok(Self { prepared, facts: Facts::new(mesh) })
    }

    /// A mesh that is prepared already. O(n), for its extents.
    ///
    /// # Errors
    /// [`WorldError::NoMesh`] of methods that do not keep the mesh.
    pub fn of(prepared: Arc<Prepared>) -> Result<Self, WorldError> {
        let mesh = prepared.mesh().ok_or_else(|| WorldError::NoMesh { word: prepared.word() })?;
        let facts = Facts::new(mesh);
        Ok(Self { prepared, facts })
    }

    /// The prepared mesh.
    pub const fn prepared(&self) -> &Arc<Prepared> {
        &self.prepared
    }

    /// A box in the world that contains the mesh at `pose`, `room` away from it on all sides. It is
    /// some 1 % larger than the smallest such box.
    pub fn posed(&self, pose: &Pose, room: f64) -> Aabb {
        self.facts.heights.posed(pose, room)
    }

    pub(super) fn heights(&self) -> &Heights {
        &self.facts.heights
    }

    /// Whether both are the same prepared mesh.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.prepared, &other.prepared)
    }

    /// Whether the surface is closed and consistently wound; false of a method that does not keep
    /// the mesh. O(n log n) at the first call.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn is_closed(&self, control: &Control<'_>) -> Result<bool, Cancelled> {
        if let Some(known) = self.facts.closed.get() {
            return Ok(*known);
        }
        if let Some(subject) = self.prepared.subject() {
            return match subject.check_closed(Side::A, control) {
                Err(QueryError::Cancelled(cancelled)) => Err(cancelled),
                checked => Ok(*self.facts.closed.get_or_init(|| checked.is_ok())),
            };
        }
        let Some(mesh) = self.prepared.mesh() else { return Ok(false) };
        let closed = Topology::watched(mesh, &mut || control.check())?.closed().is_ok();
        Ok(*self.facts.closed.get_or_init(|| closed))
    }

    /// The pairs of its triangles that may meet elsewhere than neighbours do, also as posed.
    pub(crate) fn restless(&self, control: &Control<'_>) -> Result<Option<&Restless>, TouchError> {
        if let Some(known) = self.facts.restless.get() {
            return Ok(Some(known));
        }
        let found = Restless::of(&self.prepared, control)?;
        Ok(found.map(|found| self.facts.restless.get_or_init(|| found)))
    }

    /// The prepared mesh, if nothing else holds it.
    pub(super) fn alone(&mut self) -> Option<&mut Prepared> {
        Arc::get_mut(&mut self.prepared)
    }

    /// Takes what is known of the mesh anew, after the prepared mesh has moved.
    pub(super) fn measure(&mut self, mesh: &Mesh) {
        self.facts = Facts::new(mesh);
    }
}
