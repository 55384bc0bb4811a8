//! From our meshes and poses to parry's, rounding to f32, and points back.

use glamx::{Quat, Vec3};
use impinge_geometry::{Point, Pose};
use parry3d::math::Pose as ParryPose;

/// Each coordinate to the nearest f32.
pub(super) fn point(p: &Point) -> Vec3 {
    Vec3::new(p.x as f32, p.y as f32, p.z as f32)
}

/// Back, exactly.
pub(super) fn back(p: Vec3) -> Point {
    Point::new(f64::from(p.x), f64::from(p.y), f64::from(p.z))
}

/// The rotation by its quaternion, all numbers rounded to f32.
pub(super) fn pose(pose: &Pose) -> ParryPose {
    let isometry = pose.to_isometry();
    let q = isometry.rotation.coords.map(|c| c as f32);
    let t = pose.translation().map(|c| c as f32);
    ParryPose::from_parts(Vec3::new(t.x, t.y, t.z), Quat::from_xyzw(q.x, q.y, q.z, q.w).normalize())
}
