//! What a sweep has to know of a motion of B in A's frame.

use impinge_geometry::{Point, Pose, Vector};

/// A motion whose speeds and accelerations are bounded.
pub(crate) trait Moves {
    /// The pose and the velocities at a time from 0 to 1.
    fn velocity(&self, t: f64) -> Velocity;

    /// The point of B about which levers are measured.
    fn centre(&self) -> &Point;

    /// The largest angular speed, and more.
    fn spin(&self) -> f64;

    /// The largest speed of points of B up to `reach` away from the centre, and more.
    fn speed(&self, reach: f64) -> f64;

    /// Their largest acceleration, and more.
    fn bend(&self, reach: f64) -> f64;

    /// By how much a vertex of B, placed by the pose at a time and rounded, is at most beside the place
    /// where it is in exact arithmetic: `reach` bounds its distance from the centre.
    fn rounding(&self, reach: f64) -> f64;
}

/// Velocities of B's points at a time, in A's frame and in units of length a whole motion: `centre + spin
/// × (x − at)`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Velocity {
    pub(crate) pose: Pose,
    pub(crate) spin: Vector,
    pub(crate) at: Point,
    pub(crate) centre: Vector,
    /// What of `centre` bends with the body, if accelerations are the same at all times.
    pub(crate) arc: Option<Vector>,
}

impl Velocity {
    /// The velocity of the point that is at `x`.
    pub(crate) fn of(&self, x: &Point) -> Vector {
        self.centre + self.spin.cross(&(x - self.at))
    }

    /// A bound of the acceleration of that point at all times, infinite if there is none for single
    /// points.
    pub(crate) fn bend(&self, x: &Point) -> f64 {
        self.arc.map_or(f64::INFINITY, |arc| {
            length(&self.spin) * length(&(arc + self.spin.cross(&(x - self.at))))
        })
    }

    /// By how much velocities change along a unit of each axis of B.
    pub(crate) fn turning(&self) -> [Vector; 3] {
        [0, 1, 2].map(|j| self.spin.cross(&self.pose.rotation().column(j)))
    }
}

/// The length of a vector whose squares may leave the range of f64.
pub(crate) fn length(v: &Vector) -> f64 {
    let largest = v.amax();
    if largest > 0.0 && largest < f64::INFINITY { (v / largest).norm() * largest } else { largest }
}
