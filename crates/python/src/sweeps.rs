//! Objects of a world that touch on their way to other poses.

use std::collections::HashMap;

use impinge::continuous::rigid::RelativeMotion;
use impinge::{ObjectId, Pose, RigidMotion, WorldError};
use pyo3::prelude::*;

use crate::meets::pair_of;
use crate::results::OnTheWay;
use crate::{arrays, results};

/// Two objects, and what is told about them.
type Found = ([ObjectId; 2], OnTheWay);

/// What was found, with the poses of B in A's frame where they touch.
pub(crate) fn with_poses(
    world: &impinge::World,
    ends: &[(ObjectId, Pose)],
    found: &[impinge::OnTheWay],
) -> Result<Vec<Found>, WorldError> {
    let ends: HashMap<ObjectId, Pose> = ends.iter().copied().collect();
    let motion = |id: ObjectId| {
        let start = world.object(id)?.pose;
        RigidMotion::new(&start, ends.get(&id).unwrap_or(&start)).map_err(WorldError::Pose)
    };
    let with_pose = |found: &impinge::OnTheWay| {
        let motion = RelativeMotion::new(motion(found.a)?, motion(found.b)?);
        let told = OnTheWay::of(&found.swept.outcome, |t| motion.pose_at(t));
        Ok(([found.a, found.b], told))
    };
    found.iter().map(with_pose).collect()
}

/// The pairs by the users' ids, ascending, with their outcomes.
pub(crate) fn table<'py>(
    py: Python<'py>,
    found: Vec<Found>,
    number: impl Fn(ObjectId) -> i64,
) -> PyResult<Bound<'py, PyAny>> {
    let named = |(objects, told): Found| {
        let (ids, exchange) = pair_of(objects.map(&number));
        (ids, if exchange { told.exchanged() } else { told })
    };
    let mut rows: Vec<_> = found.into_iter().map(named).collect();
    rows.sort_by_key(|(ids, _)| *ids);
    let (ids, told): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
    results::make(py, "OnTheWay", (arrays::rows(py, ids)?, results::all_swept(py, &told)?))
}
