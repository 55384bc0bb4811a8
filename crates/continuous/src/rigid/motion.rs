//! A rigid motion between two poses, and the pose at a time.

use std::f64::consts::FRAC_PI_2;

use impinge_geometry::{MAX_COORDINATE, Point, Pose, PoseError, Vector};
use nalgebra::Matrix3;

use super::extent::Extent;
use super::moves::{Moves, Velocity, length};
use super::turn::Turn;

#[cfg(test)]
mod tests;

/// Which way B goes from one pose to the other.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Course {
    /// B turns about this point of its own frame, which runs along a straight line: "slerp" of the
    /// rotation, linear translation of the point.
    About(Point),
    /// B turns about an axis that stands still in A's frame, and slides along it (Chasles).
    Screw,
}

/// The motion of B between two poses in A's frame, from time 0 to time 1, at constant speeds.
///
/// The rotation goes the shorter way about an axis of fixed direction. Of the two half turns it takes the
/// one about the axis, in A's frame, whose first component other than 0 is positive; a turn within some
/// 10⁻¹⁴ of half a turn counts as one.
///
/// ```
/// use impinge_continuous::geometry::{Point, Pose, Vector};
/// use impinge_continuous::rigid::RigidMotion;
/// let start = Pose::translation_by(Vector::new(2.0, 0.0, 0.0))?;
/// let end = Pose::from_quaternion([0.0; 3], [0.0, 0.0, 1.0, 0.0])?; // half a turn about z
/// let motion = RigidMotion::new(&start, &end)?;
/// let middle = motion.pose_at(0.5);
/// assert!((middle.apply(&Point::new(1.0, 0.0, 0.0)) - Point::new(1.0, 1.0, 0.0)).norm() < 1e-15);
/// assert_eq!((motion.pose_at(0.0), motion.pose_at(1.0)), (start, end));
/// # Ok::<(), impinge_continuous::geometry::PoseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidMotion {
    ends: [Pose; 2],
    course: Course,
    turn: Turn,
    /// A point of B, and where it is at time 0.
    centre: Point,
    from: Point,
    /// The way of the centre: along the axis and across it. It is straight but for the latter of a
    /// screw.
    along: Vector,
    across: Vector,
    /// The largest entry by which the end's rotation differs from the one computed for time 1.
    off: f64,
}

impl RigidMotion {
    /// From `start` to `end`, turning about the origin of B's frame: the translations of the poses are
    /// interpolated linearly, their rotations by slerp.
    ///
    /// # Errors
    /// None of poses whose translations are at most 2e299; [`PoseError::NotFinite`] may be one beyond.
    pub fn new(start: &Pose, end: &Pose) -> Result<Self, PoseError> {
        Self::with(start, end, Course::About(Point::origin()))
    }

    /// From `start` to `end`, turning about a point of B's frame, which runs straight.
    ///
    /// # Errors
    /// [`PoseError::NotFinite`] if the point, or its way, is not finite or beyond [`MAX_COORDINATE`].
    pub fn about(start: &Pose, end: &Pose, point: &Point) -> Result<Self, PoseError> {
        Self::with(start, end, Course::About(*point))
    }

    /// From `start` to `end` about an axis that stands still in A's frame, and along it. Without a turn
    /// it is a straight translation.
    ///
    /// # Errors
    /// As [`RigidMotion::new`].
    pub fn screw(start: &Pose, end: &Pose) -> Result<Self, PoseError> {
        Self::with(start, end, Course::Screw)
    }

    /// From `start` to `end` by a course.
    ///
    /// # Errors
    /// As [`RigidMotion::about`].
    pub fn with(start: &Pose, end: &Pose, course: Course) -> Result<Self, PoseError> {
        let centre = match course {
            Course::About(point) => point,
            Course::Screw => Point::origin(),
        };
        let [from, to] = [start, end].map(|pose| pose.apply(&centre));
        let way = to - from;
        // What the poses between may reach: half a circle over the way.
        let reach = 2.0 * centre.coords.amax() + from.coords.amax() + 2.0 * way.amax();
        if !(reach <= MAX_COORDINATE) {
            return Err(PoseError::NotFinite { part: "translation", value: reach });
        }
        let turn = Turn::between(start.rotation(), end.rotation());
        let along = match course {
            Course::About(_) => way,
            Course::Screw if turn.half == 0.0 => way,
            Course::Screw => turn.axis * turn.axis.dot(&way),
        };
        let (ends, across) = ([*start, *end], way - along);
        let mut motion = Self { ends, course, turn, centre, from, along, across, off: 0.0 };
        motion.off = (motion.rotation_at(1.0) - end.rotation()).amax();
        Ok(motion)
    }

    /// The pose at time 0, bit for bit as given.
    pub const fn start(&self) -> &Pose {
        &self.ends[0]
    }

    /// The pose at time 1, bit for bit as given.
    pub const fn end(&self) -> &Pose {
        &self.ends[1]
    }

    /// Which way B goes.
    pub const fn course(&self) -> Course {
        self.course
    }

    /// The angle of the whole turn, in radians, from 0 to π.
    pub fn angle(&self) -> f64 {
        2.0 * self.turn.half
    }

    /// The direction of the axis that B turns about, in A's frame; that of z if it does not turn.
    pub const fn axis(&self) -> &Vector {
        &self.turn.axis
    }

    /// The pose of B at time `t`: what a sweep asks about, and the meaning of its times. Times below 0,
    /// and NaN, are taken for 0, those above 1 for 1. The poses at 0 and 1 are those given, bit for bit;
    /// those between have the same bits on every machine. O(1).
    ///
    /// With the turn `S(t)` from the start by `t` times the angle, and the place `x(t)` of the centre
    /// `c`, it is `p ↦ S(t) R₀ (p − c) + x(t)`.
    pub fn pose_at(&self, t: f64) -> Pose {
        let [start, end] = &self.ends;
        // Written so that NaN is the start.
        if !(t > 0.0) || start == end {
            return *start;
        }
        if t >= 1.0 {
            return *end;
        }
        let rotation = self.rotation_at(t);
        let turned = |r: &Matrix3<f64>| Pose::new(*r, Vector::zeros());
        let placed = turned(&rotation).and_then(|turned| {
            let translation = self.centre_at(t) - turned.apply(&self.centre);
            Pose::new(*turned.rotation(), translation)
        });
        // The rotation is orthonormal to rounding, and `with` has checked the reach.
        placed.unwrap_or(*start)
    }

    /// By how much a point of a body is at most beside the straight line from its place at time 0 to that
    /// at time 1.
    pub fn sagitta(&self, body: &Extent) -> f64 {
        // Of a way whose second derivative is bounded.
        let reach = body.reach(&self.centre);
        0.125 * self.bend(reach) * (1.0 + TURNED) + 2.0 * self.rounding(reach)
    }

    /// `S(t) R₀`.
    fn rotation_at(&self, t: f64) -> Matrix3<f64> {
        let start = self.ends[0].rotation();
        if self.turn.half == 0.0 {
            return *start;
        }
        self.turn.rotation(self.turn.part(t)) * start
    }

    /// Where the centre is.
    pub(crate) fn centre_at(&self, t: f64) -> Point {
        let straight = self.from + self.along * t;
        if self.across == Vector::zeros() {
            return straight;
        }
        // A chord of the arc, which is turned back by the rest of the half angle.
        let (sin, cos) = self.turn.part(1.0 - t);
        let chord = self.turn.turned(&self.across, (-sin, cos));
        straight + chord * (self.turn.part(t).0 / self.turn.part(1.0).0)
    }

    /// At least the length of the arc across, by a factor from 1 to π/2, and so its speed.
    pub(crate) fn detour(&self) -> f64 {
        FRAC_PI_2 * (1.0 + TURNED) * length(&self.across)
    }

    /// The sum of the lengths that enter a place.
    pub(crate) fn lengths(&self, reach: f64) -> f64 {
        let [from, to] = self.ends.each_ref().map(|pose| length(pose.translation()));
        let way = length(&self.along) + length(&self.across);
        (reach + length(&self.centre.coords)) + (from + to + way)
    }
}

impl Moves for RigidMotion {
    fn velocity(&self, t: f64) -> Velocity {
        let pose = self.pose_at(t);
        let spin = self.turn.axis * self.angle();
        let mut arc = Vector::zeros();
        if self.across != Vector::zeros() {
            // At first the way bends from the chord by half the angle, at last to it.
            let (sin, cos) = self.turn.part((2.0 * t - 1.0).abs());
            let sin = if t < 0.5 { -sin } else { sin };
            let longer = self.turn.half / self.turn.part(1.0).0;
            arc = self.turn.turned(&self.across, (sin, cos)) * longer;
        }
        let (at, centre) = (self.centre_at(t), self.along + arc);
        Velocity { pose, spin, at, centre, arc: Some(arc) }
    }

    fn centre(&self) -> &Point {
        &self.centre
    }

    fn spin(&self) -> f64 {
        // The axis is a unit vector to rounding.
        self.angle() * (1.0 + TURNED)
    }

    fn speed(&self, reach: f64) -> f64 {
        (length(&self.along) + self.detour()) + self.spin() * reach
    }

    fn bend(&self, reach: f64) -> f64 {
        self.spin() * (self.detour() + self.spin() * reach)
    }

    /// The page derives it.
    fn rounding(&self, reach: f64) -> f64 {
        (TURNED + 3.0 * self.off) * reach + PLACED * self.lengths(reach) + f64::MIN_POSITIVE
    }
}

/// More than the error of a computed rotation, per length it is applied to.
pub(crate) const TURNED: f64 = 1024.0 * f64::EPSILON / 2.0;

/// More than the rounding of a posed vertex and of the translation of its pose, per sum of the lengths
/// that enter.
pub(crate) const PLACED: f64 = 64.0 * f64::EPSILON / 2.0;
