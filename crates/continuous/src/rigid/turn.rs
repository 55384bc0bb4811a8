//! Turns about an axis: the one between two rotations, and parts of it, with the same bits on every
//! machine.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use impinge_geometry::Vector;
use nalgebra::Matrix3;

/// A turn about an axis, counter-clockwise seen from its tip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Turn {
    /// Unit vector, to a few ulps.
    pub(crate) axis: Vector,
    /// Half of the angle, in radians, from 0 to π/2.
    pub(crate) half: f64,
}

/// A half turn's cosine of the half angle, at most this, is taken for 0. Two rotations are orthonormal to
/// 8 u each, and their product rounds.
const HALF_TURN: f64 = 32.0 * f64::EPSILON / 2.0;

impl Turn {
    /// The shorter turn that takes rotation `from` to rotation `to`: `to = turn · from`. Of the two half
    /// turns, the one about the axis whose first component other than 0 is positive. The axis of no
    /// turn is that of z.
    pub(crate) fn between(from: &Matrix3<f64>, to: &Matrix3<f64>) -> Self {
        let none = Self { axis: Vector::z(), half: 0.0 };
        if from == to {
            return none;
        }
        let (mut v, mut c) = quaternion(&(to * from.transpose()));
        // The same rotation, the shorter way.
        if c < 0.0 {
            (v, c) = (-v, -c);
        }
        if c <= HALF_TURN {
            c = 0.0;
            let first = v.iter().find(|x| x.abs() > HALF_TURN).copied().unwrap_or(1.0);
            v *= first.signum();
        }
        let s = v.norm();
        if s == 0.0 {
            return none;
        }
        Self { axis: v / s, half: half_angle(s, c) }
    }

    /// Sine and cosine of a part of the half angle, `part` from 0 to 1.
    pub(crate) fn part(&self, part: f64) -> (f64, f64) {
        sin_cos(self.half * part)
    }

    /// The rotation by twice the angle of which sine and cosine are given (Rodrigues).
    pub(crate) fn rotation(&self, (sin, cos): (f64, f64)) -> Matrix3<f64> {
        let k = self.axis.cross_matrix();
        Matrix3::identity() + k * (2.0 * sin * cos) + (k * k) * (2.0 * sin * sin)
    }

    /// The vector turned by the angle of which sine and cosine are given.
    pub(crate) fn turned(&self, v: &Vector, (sin, cos): (f64, f64)) -> Vector {
        let around = self.axis.cross(v);
        let along = self.axis * self.axis.dot(v);
        along + (v - along) * cos + around * sin
    }
}

/// The vector and the scalar part of a rotation's unit quaternion: the row of products with its largest
/// component, to length 1 (Shepperd 1978).
fn quaternion(r: &Matrix3<f64>) -> (Vector, f64) {
    let [x, y, z] = [r[(0, 0)], r[(1, 1)], r[(2, 2)]];
    let squares = [1.0 + x + y + z, 1.0 + x - y - z, 1.0 - x + y - z, 1.0 - x - y + z];
    let mut largest = 0;
    for k in 1..4 {
        if squares[k] > squares[largest] {
            largest = k;
        }
    }
    // Products of two components, times 4.
    let scalar = |k: usize| r[((k + 2) % 3, (k + 1) % 3)] - r[((k + 1) % 3, (k + 2) % 3)];
    let mixed = |i: usize, j: usize| r[(i, j)] + r[(j, i)];
    let four = match largest {
        0 => [squares[0], scalar(0), scalar(1), scalar(2)],
        1 => [scalar(0), squares[1], mixed(0, 1), mixed(0, 2)],
        2 => [scalar(1), mixed(0, 1), squares[2], mixed(1, 2)],
        _ => [scalar(2), mixed(0, 2), mixed(1, 2), squares[3]],
    };
    let norm = four.iter().map(|x| x * x).sum::<f64>().sqrt();
    let [w, x, y, z] = four.map(|component| component / norm);
    (Vector::new(x, y, z), w)
}

/// The angle from 0 to π/2 with these sine and cosine: a guess within 0.08, and Newton's method, whose
/// error becomes a sixth of its third power.
fn half_angle(sin: f64, cos: f64) -> f64 {
    let mut half = if sin < cos { sin } else { FRAC_PI_2 - cos };
    for _ in 0..3 {
        let (s, c) = sin_cos(half);
        half += sin * c - cos * s;
    }
    half.clamp(0.0, FRAC_PI_2)
}

/// Sine and cosine of an angle from 0 to π/2, off by less than 2 u. Only `+ − ×`, which round the same
/// way everywhere: the standard library's differ from machine to machine.
pub(crate) fn sin_cos(angle: f64) -> (f64, f64) {
    /// π/2 − `FRAC_PI_2`.
    const REST: f64 = 6.123_233_995_736_766e-17;
    if angle <= FRAC_PI_4 {
        return small_sin_cos(angle);
    }
    // The difference is exact.
    let (sin, cos) = small_sin_cos(((FRAC_PI_2 - angle) + REST).max(0.0));
    (cos, sin)
}

/// Taylor's series up to an angle of π/4: the first terms left out are below 2⁻⁵⁸.
fn small_sin_cos(x: f64) -> (f64, f64) {
    let z = x * x;
    let series = |from: u32| {
        // 1/n! − z/(n+2)! + …, from the last term.
        let mut sum = 0.0;
        for k in (0..8).rev() {
            let n = f64::from(from + 2 * k);
            sum = (1.0 - sum * z) / ((n - 1.0) * n);
        }
        sum
    };
    (x - x * z * series(3), 1.0 - z * series(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_models::Random;

    #[test]
    fn sines_and_cosines_are_those_of_the_standard_library() {
        let mut random = Random::new(0x51);
        for k in 0..100_000 {
            let angle = match k {
                0 => 0.0,
                1 => FRAC_PI_2,
                2 => FRAC_PI_4,
                _ => random.range(0.0, FRAC_PI_2),
            };
            let (sin, cos) = sin_cos(angle);
            let (s, c) = angle.sin_cos();
            // Each is off by less than 2 u, and the library's by less than 1 u.
            let most = 3.0 * f64::EPSILON / 2.0;
            assert!((sin - s).abs() <= most && (cos - c).abs() <= most, "{angle}");
            let tiny = angle * 2f64.powi(-60);
            assert!((sin_cos(tiny).0 - tiny).abs() <= tiny * f64::EPSILON);
        }
    }

    #[test]
    fn the_turn_between_two_rotations_takes_one_to_the_other() {
        let mut random = Random::new(0x7412);
        for case in 0..20_000 {
            let from = *random.pose(1.0).rotation();
            let axis = random.unit_vector();
            let half = match case % 4 {
                0 => random.range(0.0, FRAC_PI_2),
                1 => FRAC_PI_2 * (1.0 - random.unit() * 1e-9),
                2 => random.unit() * 10f64.powf(random.range(-12.0, 0.0)),
                _ => FRAC_PI_2,
            };
            let made = Turn { axis, half };
            let to = made.rotation(made.part(1.0)) * from;
            let turn = Turn::between(&from, &to);
            let off = (turn.rotation(turn.part(1.0)) * from - to).amax();
            assert!(off <= 64.0 * f64::EPSILON, "{case}: {off:e}");
            assert!((turn.half - half).abs() <= 64.0 * f64::EPSILON, "{case}");
            assert!((turn.axis.norm() - 1.0).abs() <= 4.0 * f64::EPSILON, "{case}");
        }
    }

    #[test]
    fn half_turns_go_about_the_axis_that_begins_positive() {
        for (axis, given) in [
            ([1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]),
            ([0.0, 0.6, 0.8], [0.0, -0.6, -0.8]),
            ([0.0, 0.0, 1.0], [0.0, 0.0, -1.0]),
            ([0.6, -0.8, 0.0], [0.6, -0.8, 0.0]),
        ] {
            let given = Turn { axis: Vector::from(given), half: FRAC_PI_2 };
            let found = Turn::between(&Matrix3::identity(), &given.rotation((1.0, 0.0)));
            assert!((found.axis - Vector::from(axis)).amax() < 1e-15, "{found:?}");
            assert_eq!(found.half, FRAC_PI_2);
        }
        let still = Turn::between(&Matrix3::identity(), &Matrix3::identity());
        assert_eq!(still, Turn { axis: Vector::z(), half: 0.0 });
    }
}
