//! A square cloth that falls on a ball, drapes over it and flutters, in closed form: no step needs
//! the preceding one, and a vertex costs three sines.
//!
//! 1. The sheet falls flat, uniformly accelerated, until its middle is on the ball.
//! 2. A growing cap of it lies on the ball; the rest hangs straight along the tangents. Arc length
//!    from the middle is preserved.
//! 3. The hanging part is wider than the circle it hangs on, so it lies in eight folds, high enough
//!    to take up the surplus length to first order.
//! 4. Two travelling waves flutter over the whole cloth; where they dip deeper than the clearance,
//!    cloth and ball meet.
//!
//! This models the shape of a draped cloth, not its mechanics: the cloth may intersect itself.

use impinge_geometry::Point;

use super::ParameterError;
use super::round::check_radius;
use super::surface::check;

/// Fractions of the time for falling and for draping; afterwards the cloth hangs.
const FALL: f64 = 0.3;
const DRAPE: f64 = 0.5;
/// Final angle from the top of the ball to where the cloth leaves it. Below a right angle, so that
/// it hangs outward.
const CAP: f64 = 1.45;
/// Length over which hanging folds reach their height; unit: radii.
const FOLD_LENGTH: f64 = 0.6;
/// Outward lean of the folds; unit: their height.
const LEAN: f64 = 0.7;
/// Number of waves that pass over the cloth.
const WAVES: f64 = 3.0;

/// Parameters of a cloth on a ball. The ball's centre is the origin, z is up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drape {
    /// Radius of the ball.
    pub radius: f64,
    /// Edge of the square cloth, in `1.0..=5.0` radii.
    pub side: f64,
    /// Height above the ball at which it is released, in `0.0..=10.0` radii.
    pub drop: f64,
    /// Mean distance of the lying cloth from the ball, in `0.0..=0.1` radii.
    pub clearance: f64,
    /// Height of the fluttering waves, in `0.0..=0.1` radii. Cloth and ball meet if it exceeds the
    /// clearance.
    pub flutter: f64,
}

impl Default for Drape {
    fn default() -> Self {
        Self { radius: 0.3, side: 4.0, drop: 0.8, clearance: 0.012, flutter: 0.02 }
    }
}

impl Drape {
    pub(super) fn check(&self) -> Result<(), ParameterError> {
        check_radius("cloth", "radius", self.radius)?;
        let bounded = [
            ("side", self.side, 1.0, 5.0, "lie between 1 and 5 radii"),
            ("drop", self.drop, 0.0, 10.0, "lie between 0 and 10 radii"),
            ("clearance", self.clearance, 0.0, 0.1, "lie between 0 and 0.1 radii"),
            ("flutter", self.flutter, 0.0, 0.1, "lie between 0 and 0.1 radii"),
        ];
        for (name, value, least, most, must) in bounded {
            check("cloth", name, value, (least..=most).contains(&value), must)?;
        }
        Ok(())
    }

    /// The quantities shared by all vertices at a time from 0 to 1.
    pub(super) fn frame(&self, time: f64) -> Frame {
        let falling = (time / FALL).min(1.0);
        let cap = CAP * smooth((time - FALL) / DRAPE);
        let (cap_sin, cap_cos) = libm::sincos(cap);
        let above = self.drop * (1.0 - falling * falling);
        let (clearance, flutter) = (1.0 + self.clearance, self.flutter);
        let phase = WAVES * std::f64::consts::TAU * time;
        Frame { radius: self.radius, clearance, above, cap, cap_sin, cap_cos, flutter, phase }
    }
}

/// A cloth at one time; lengths in radii of the ball.
pub(super) struct Frame {
    radius: f64,
    /// Radius of the sphere that the cloth lies on.
    clearance: f64,
    above: f64,
    cap: f64,
    cap_sin: f64,
    cap_cos: f64,
    flutter: f64,
    phase: f64,
}

impl Frame {
    /// The position of the point `(x, y)` of the flat cloth, given in radii.
    pub(super) fn place(&self, x: f64, y: f64) -> Point {
        let way = (x * x + y * y).sqrt();
        let (cos, sin) = if way > 0.0 { (x / way, y / way) } else { (1.0, 0.0) };
        let on_ball = way / self.clearance;
        let (lean_sin, lean_cos) =
            if on_ball < self.cap { libm::sincos(on_ball) } else { (self.cap_sin, self.cap_cos) };
        let hanging = (way - self.cap * self.clearance).max(0.0);
        let out = self.clearance * lean_sin + hanging * lean_cos;
        let up = self.clearance * lean_cos - hanging * lean_sin;
        let off = fold(way, out, hanging, cos) + self.flutter * self.waves(x, y);
        let (out, up) = (out + off * lean_sin, up + off * lean_cos + self.above);
        Point::new(out * cos, out * sin, up) * self.radius
    }

    /// The sum of two crossing waves, −1 to 1.
    fn waves(&self, x: f64, y: f64) -> f64 {
        let one = libm::sin(5.0 * x + 2.0 * y - self.phase);
        let other = libm::sin(6.0 * y - 3.0 * x + 1.0 - 0.7 * self.phase);
        0.5 * (one + other)
    }
}

/// The height of a fold at arc length `way` from the middle, on a circle of radius `out`. A wave of
/// height h with k periods lengthens a circle of radius r by the factor 1 + (h k / 2 r)², to first
/// order; this height makes it `way / out`.
fn fold(way: f64, out: f64, hanging: f64, cos: f64) -> f64 {
    if !(hanging > 0.0 && out > 0.0) {
        return 0.0;
    }
    let height = 2.0 * out / 8.0 * (way / out - 1.0).max(0.0).sqrt();
    // cos 8θ by three double-angle steps.
    let doubled = |c: f64| 2.0 * c * c - 1.0;
    height * smooth(hanging / FOLD_LENGTH) * (doubled(doubled(doubled(cos))) + LEAN)
}

/// Smoothstep: from 0 to 1 with zero slope at both ends.
fn smooth(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
