//! Root search along a line for the pose at a wanted distance.

use impinge::geometry::PoseError;
use impinge::{Pose, Vector};

/// Relative tolerance of the distance.
const TOLERANCE: f64 = 1e-6;

/// After this many evaluations the distance is taken as discontinuous, and the last position is
/// used.
const STEPS: usize = 200;

/// Positions of B on a line through A: at 0 the centres coincide, beyond `reach` the boxes are
/// apart.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    turned: Pose,
    origin: Vector,
    direction: Vector,
    reach: f64,
}

impl Line {
    /// `turned` holds B's rotation; `origin` is its translation where the centres coincide.
    ///
    /// # Errors
    /// If the far end is out of the range of poses.
    pub fn new(
        turned: &Pose,
        origin: Vector,
        direction: Vector,
        reach: f64,
    ) -> Result<Self, PoseError> {
        let line = Self { turned: *turned, origin, direction, reach };
        line.pose(reach).map(|_| line)
    }

    /// A line that starts at `pose` and leads along `towards`, of length 1: over `reach` to the
    /// position 0, and as far again.
    ///
    /// # Errors
    /// As for [`Line::new`].
    pub fn from_pose(pose: &Pose, towards: Vector, reach: f64) -> Result<Self, PoseError> {
        Self::new(pose, *pose.translation() + towards * reach, -towards, reach)
    }

    /// Start of the search: the distance of the centres at which the boxes are apart.
    pub const fn reach(&self) -> f64 {
        self.reach
    }

    /// The pose of B at position `at`.
    ///
    /// # Errors
    /// If it is out of the range of poses.
    pub fn pose(&self, at: f64) -> Result<Pose, PoseError> {
        self.shifted(self.direction * at)
    }

    /// The pose of B with its centre `shift` away from A's.
    ///
    /// # Errors
    /// If it is out of the range of poses.
    pub fn shifted(&self, shift: Vector) -> Result<Pose, PoseError> {
        Pose::new(*self.turned.rotation(), self.origin + shift)
    }
}

/// Descends from `start`, where `distance` is at least `wanted`, to a position where it equals
/// `wanted` up to `TOLERANCE`. `None` if `end` is passed first.
///
/// The distance is 1-Lipschitz in the position, so a step of `distance − wanted` is always safe
/// (conservative advancement). Where B slides past A at a slant, such steps become short. Then the
/// longer secant step is tried; if it overshoots, it brackets the root.
///
/// # Errors
/// Those of `distance`.
pub fn descend<E>(
    distance: &mut dyn FnMut(f64) -> Result<f64, E>,
    start: f64,
    wanted: f64,
    end: f64,
) -> Result<Option<f64>, E> {
    let tolerance = TOLERANCE * wanted;
    let (mut at, mut value) = (start, distance(start)?);
    let mut slope = 1.0_f64;
    for _ in 0..STEPS {
        let excess = value - wanted;
        if excess <= tolerance {
            return Ok(Some(at));
        }
        // Half a tolerance further, so that the last step ends inside the tolerance.
        let next = at - (excess + 0.5 * tolerance) / slope;
        if next < end {
            return Ok(None);
        }
        // A step below one ulp: the limit of f64, where the slope would be 0 / 0.
        if next >= at {
            return Ok(Some(at));
        }
        let found = distance(next)?;
        if found < wanted - tolerance {
            return between(distance, (next, found), (at, value), wanted).map(Some);
        }
        // A slope near zero would move B far past A.
        slope = ((value - found) / (at - next)).clamp(0.05, 1.0);
        (at, value) = (next, found);
    }
    Ok(Some(at))
}

/// The root between `near` (too close) and `far` (too far apart), by false position that halves the
/// value of the retained end (Illinois method).
fn between<E>(
    distance: &mut dyn FnMut(f64) -> Result<f64, E>,
    near: (f64, f64),
    far: (f64, f64),
    wanted: f64,
) -> Result<f64, E> {
    let (mut low, mut low_value) = (near.0, near.1 - wanted);
    let (mut high, mut high_value) = (far.0, far.1 - wanted);
    let mut last_was_low = None;
    for step in 0..STEPS {
        let part = low_value / (low_value - high_value);
        // Every third step bisects, so that flat stretches (distance 0) cannot stall it.
        let part = if step % 3 == 2 { 0.5 } else { part.clamp(0.01, 0.99) };
        let middle = low + (high - low) * part;
        if middle <= low || middle >= high {
            break;
        }
        let value = distance(middle)? - wanted;
        if value.abs() <= TOLERANCE * wanted {
            return Ok(middle);
        }
        let is_low = value < 0.0;
        if is_low {
            (low, low_value) = (middle, value);
        } else {
            (high, high_value) = (middle, value);
        }
        if last_was_low == Some(is_low) {
            if is_low { high_value *= 0.5 } else { low_value *= 0.5 }
        }
        last_was_low = Some(is_low);
    }
    Ok(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(f: impl Fn(f64) -> f64, wanted: f64) -> (Option<f64>, usize) {
        let mut calls = 0;
        let mut distance = |at: f64| -> Result<f64, ()> {
            calls += 1;
            Ok(f(at))
        };
        let found = descend(&mut distance, 10.0, wanted, -10.0).expect("it never fails");
        (found, calls)
    }

    #[test]
    fn straight_slanted_and_curved_ways_end_at_the_distance() {
        for wanted in [0.1, 1e-3, 1e-6, 1e-9] {
            let ways: [fn(f64) -> f64; 3] = [
                |s| (s - 1.0).max(0.0),
                |s| (0.2 * (s - 1.0)).max(0.0),
                |s| ((s * s + 4.0).sqrt() - 2.5).max(0.0),
            ];
            for f in ways {
                let (found, calls) = search(f, wanted);
                let off = (f(found.expect("there is a root")) - wanted).abs();
                assert!(off <= 1.01e-6 * wanted, "{off:e} off {wanted:e}");
                assert!(calls < 60, "{calls} evaluations");
            }
        }
    }

    #[test]
    fn a_step_that_numbers_cannot_take_is_the_end() {
        let mut distance = |at: f64| -> Result<f64, ()> { Ok(at - 1e9 + 3e-9) };
        let found = descend(&mut distance, 1e9 + 10.0, 1e-9, 0.0).expect("it never fails");
        assert_eq!(found, Some(1e9));
    }

    #[test]
    fn a_way_past_everything_has_no_end() {
        assert_eq!(search(|s| s.abs() * 0.5 + 1.0, 0.5).0, None);
    }
}
