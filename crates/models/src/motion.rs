//! Seeded motions: a pose per step, the same bits on every machine.

use impinge_geometry::{MAX_COORDINATE, Pose, PoseError, Vector};
use nalgebra::{Quaternion, Unit, UnitQuaternion};

use crate::Random;

/// Largest number of steps of a motion. Unit: steps. Usual value: 2²⁰, 100 MB of poses.
pub const MAX_STEPS: usize = 1 << 20;

/// Why a motion was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MotionError {
    /// A parameter outside the range of its motion.
    #[error("motion: {parameter} is {value}; it must {must}")]
    Parameter {
        /// The parameter's name.
        parameter: &'static str,
        /// The refused value.
        value: f64,
        /// The rule it violates, after "must".
        must: &'static str,
    },
    /// A pose along the way is invalid.
    #[error(transparent)]
    Pose(#[from] PoseError),
}

/// A sequence of at least one pose, with random access; equal parameters give equal poses.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    poses: Vec<Pose>,
}

/// A random walk in a box about the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walk {
    /// Every coordinate of the translation stays within `±reach`.
    pub reach: f64,
    /// Longest translation per step, at most `reach`.
    pub shift: f64,
    /// Largest rotation per step, in radians.
    pub turn: f64,
}

/// A body that moves straight, spins evenly and bounces off the walls of a box about the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounce {
    /// Every coordinate of the translation stays within `±reach`.
    pub reach: f64,
    /// Translation per step, at most `reach`.
    pub speed: f64,
    /// Rotation per step, in radians.
    pub spin: f64,
}

impl Motion {
    /// At rest at `pose`, with one step.
    pub fn still(pose: Pose) -> Self {
        Self { poses: vec![pose] }
    }

    /// Straight from `start` to the translation `end`, without rotation; both ends included.
    ///
    /// # Errors
    /// [`MotionError`] if `steps` is not in `1..=MAX_STEPS` or an end is out of range.
    pub fn approach(start: &Pose, end: Vector, steps: usize) -> Result<Self, MotionError> {
        let rotation = *start.rotation();
        Self::sampled(steps, |part| {
            Ok(Pose::new(rotation, between(start.translation(), &end, part))?)
        })
    }

    /// Straight from `start` to `end` with `turns` full turns about `axis`, at constant rates; both
    /// ends included.
    ///
    /// # Errors
    /// [`MotionError`] if `steps` is not in `1..=MAX_STEPS`, an end is out of range, `axis` is zero
    /// or not finite, or `turns` is not finite.
    pub fn fly_by(
        start: Vector,
        end: Vector,
        axis: Vector,
        turns: f64,
        steps: usize,
    ) -> Result<Self, MotionError> {
        let good = turns.abs() <= MAX_COORDINATE;
        check("turns", turns, good, "be finite")?;
        let axis = Unit::try_new(axis, 1e-100).filter(|a| a.iter().all(|c| c.is_finite()));
        let axis = axis.ok_or(MotionError::Parameter {
            parameter: "axis",
            value: 0.0,
            must: "have a finite length above 0",
        })?;
        Self::sampled(steps, |part| {
            let rotation = rotation(&axis, turns * part * std::f64::consts::TAU);
            pose(rotation, between(&start, &end, part))
        })
    }

    /// A random walk from a random pose in the box. Each step shifts by a vector uniform in the
    /// ball of radius `shift`, reflected at the walls, and turns by an angle uniform in `0..turn`
    /// about a random axis.
    ///
    /// # Errors
    /// [`MotionError`] if `steps` is not in `1..=MAX_STEPS`, or a parameter is negative or violates
    /// the bounds of [`Walk`].
    pub fn walk(walk: &Walk, seed: u64, steps: usize) -> Result<Self, MotionError> {
        check_box(walk.reach, "shift", walk.shift, "turn", walk.turn)?;
        let mut random = Random::new(seed);
        let mut at = random.vector(-walk.reach, walk.reach);
        let mut turned = start_rotation(&mut random);
        let mut first = true;
        Self::sampled(steps, |_| {
            if !std::mem::take(&mut first) {
                at = (at + random.in_ball() * walk.shift).map(|c| fold(c, walk.reach).0);
                let axis = Unit::new_unchecked(random.unit_vector());
                turned = renormalised(rotation(&axis, random.range(0.0, walk.turn)) * turned);
            }
            pose(turned, at)
        })
    }

    /// Straight motion with even spin, reflected at the walls, from a random pose in the box, in a
    /// random direction, about a random axis.
    ///
    /// # Errors
    /// [`MotionError`] if `steps` is not in `1..=MAX_STEPS`, or a parameter is negative or violates
    /// the bounds of [`Bounce`].
    pub fn bounce(bounce: &Bounce, seed: u64, steps: usize) -> Result<Self, MotionError> {
        check_box(bounce.reach, "speed", bounce.speed, "spin", bounce.spin)?;
        let mut random = Random::new(seed);
        let mut at = random.vector(-bounce.reach, bounce.reach);
        let mut velocity = random.unit_vector() * bounce.speed;
        let start = start_rotation(&mut random);
        let axis = Unit::new_unchecked(random.unit_vector());
        let mut step = 0_u32;
        Self::sampled(steps, |_| {
            if step > 0 {
                for k in 0..3 {
                    let (place, sign) = fold(at[k] + velocity[k], bounce.reach);
                    (at[k], velocity[k]) = (place, velocity[k] * sign);
                }
            }
            let turned = rotation(&axis, bounce.spin * f64::from(step)) * start;
            step += 1;
            pose(renormalised(turned), at)
        })
    }

    /// The poses of all steps, in order; never empty.
    pub fn poses(&self) -> &[Pose] {
        &self.poses
    }

    /// Number of steps, at least 1.
    pub fn steps(&self) -> usize {
        self.poses.len()
    }

    /// The pose at `step`; past the end the last one, so that motions of different length combine.
    pub fn at(&self, step: usize) -> &Pose {
        &self.poses[step.min(self.poses.len() - 1)]
    }

    /// One pose per step; `pose` gets the fraction of the way, 0 to 1.
    fn sampled(
        steps: usize,
        mut pose: impl FnMut(f64) -> Result<Pose, MotionError>,
    ) -> Result<Self, MotionError> {
        let good = (1..=MAX_STEPS).contains(&steps);
        check("steps", steps as f64, good, "lie between 1 and MAX_STEPS")?;
        let last = (steps - 1).max(1) as f64;
        let poses = (0..steps).map(|step| pose(step as f64 / last)).collect::<Result<_, _>>()?;
        Ok(Self { poses })
    }
}

fn check(
    parameter: &'static str,
    value: f64,
    good: bool,
    must: &'static str,
) -> Result<(), MotionError> {
    if good { Ok(()) } else { Err(MotionError::Parameter { parameter, value, must }) }
}

fn check_box(
    reach: f64,
    shift_name: &'static str,
    shift: f64,
    turn_name: &'static str,
    turn: f64,
) -> Result<(), MotionError> {
    check("reach", reach, (0.0..=1e100).contains(&reach), "lie between 0 and 1e100")?;
    check(shift_name, shift, (0.0..=reach).contains(&shift), "lie between 0 and the reach")?;
    check(turn_name, turn, (0.0..=1e6).contains(&turn), "lie between 0 and 1e6")
}

/// Reflects a coordinate that left `±reach` by at most `reach`. The second value is −1 if it did.
fn fold(c: f64, reach: f64) -> (f64, f64) {
    if c > reach {
        ((reach - (c - reach)).max(-reach), -1.0)
    } else if c < -reach {
        ((-reach - (c + reach)).min(reach), -1.0)
    } else {
        (c, 1.0)
    }
}

fn between(start: &Vector, end: &Vector, part: f64) -> Vector {
    start * (1.0 - part) + end * part
}

/// A rotation computed with `libm`; nalgebra would use the platform's sine and cosine.
fn rotation(axis: &Unit<Vector>, angle: f64) -> UnitQuaternion<f64> {
    let (sin, cos) = libm::sincos(0.5 * angle);
    UnitQuaternion::new_unchecked(Quaternion::from_parts(cos, axis.into_inner() * sin))
}

fn start_rotation(random: &mut Random) -> UnitQuaternion<f64> {
    let [x, y, z, w] = random.quaternion();
    renormalised(UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z)))
}

fn renormalised(q: UnitQuaternion<f64>) -> UnitQuaternion<f64> {
    UnitQuaternion::new_normalize(q.into_inner())
}

fn pose(rotation: UnitQuaternion<f64>, translation: Vector) -> Result<Pose, MotionError> {
    Ok(Pose::new(rotation.to_rotation_matrix().into_inner(), translation)?)
}
