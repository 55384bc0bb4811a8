//! The normal of a contact: the direction across both features, with a bound on its error.
//!
//! With `V_j` the corners of the polygon and `n` the cross product of two of its sides, `V_j · n` is
//! the same for all `j`, the volume `F`. At a contact `Σ w_j V_j = 0` with weights that add up to 1.
//! Hence `F' = Σ w_j (V_j · n)' = (Σ w_j V_j') · n`: its sign is that of the velocity of one touching
//! point relative to the other, along `n`. All numbers are balls: a value and a radius that holds
//! every rounding, and the width of the interval of time.

use impinge_geometry::{Point, Vector};
use impinge_query::continuous::Interval;

use crate::features::Question;

/// 2⁻²¹: the largest error of a normal that is given, over its length. The angle is at most twice
/// that, and the rounding of the unit vector takes less than the rest.
const ACCURATE: f64 = 1.0 / (1u64 << 21) as f64;
/// More than the rounding of one operation, 2⁻⁵³, and that of computing a radius.
const ROUNDING: f64 = 1.25 * f64::EPSILON;
/// More than what underflow takes from a product of numbers up to some ten, and from its radius.
const UNDERFLOW: f64 = f64::MIN_POSITIVE;

/// The unit normal of two features that touch within `time`: from the vertex to the face, or from the
/// first edge to the second. The second moves against it, relative to the first. `None` if that does
/// not follow, or its angle to the true one may be above 2⁻²⁰.
pub(crate) fn at(
    question: Question,
    start: &[Point; 4],
    end: &[Point; 4],
    time: Interval,
) -> Option<Vector> {
    up_to(ACCURATE, question, start, end, time)
}

/// [`at`], with another bound of the error.
fn up_to(
    accurate: f64,
    question: Question,
    start: &[Point; 4],
    end: &[Point; 4],
    time: Interval,
) -> Option<Vector> {
    let [first, second] = match question {
        Question::VertexFace => [[1, 2], [1, 3]],
        Question::EdgeEdge => [[0, 1], [2, 3]],
    };
    let scale = scale(start, end)?;
    let t = Ball::rounded(time.low, time.high - time.low);
    let moving = |[from, to]: [usize; 2]| {
        let at = |x: &[Point; 4]| {
            let (p, q) = (x[to] * scale, x[from] * scale);
            [0, 1, 2].map(|k| Ball::rounded(p[k] - q[k], 0.0))
        };
        let (start, end) = (at(start), at(end));
        let speed = zip(&end, &start, Ball::minus);
        Moving { at: [0, 1, 2].map(|k| start[k].plus(speed[k].times(t))), speed }
    };
    // Where they touch, the first of a pair is behind the second one.
    let across = moving(match question {
        Question::VertexFace => [0, 1],
        Question::EdgeEdge => [0, 2],
    });
    let (e, f) = (moving(first), moving(second));
    let normal = cross(&e.at, &f.at);
    let turning = zip(&cross(&e.speed, &f.at), &cross(&e.at, &f.speed), Ball::plus);
    let volume = dot(&across.speed, &normal).plus(dot(&across.at, &turning));
    let n = Vector::from(normal.map(|x| x.mid));
    let error = Vector::from(normal.map(|x| x.rad)).norm() * (1.0 + 8.0 * f64::EPSILON);
    let length = n.norm();
    // Written so that NaN fails.
    if !(volume.mid.abs() > volume.rad && error <= accurate * length) {
        return None;
    }
    Some(n * (-volume.mid.signum() / length))
}

/// The power of two that brings the largest difference of coordinates to about 1; `None` if nothing
/// differs or a difference is beyond f64.
fn scale(start: &[Point; 4], end: &[Point; 4]) -> Option<f64> {
    let all = || start.iter().chain(end);
    let wide = |k: usize| {
        let of = |pick: fn(f64, f64) -> f64, x: f64| all().map(|p| p[k]).fold(x, pick);
        of(f64::max, f64::NEG_INFINITY) - of(f64::min, f64::INFINITY)
    };
    let most = wide(0).max(wide(1)).max(wide(2));
    // 2⁻⁹⁰⁰ … 2¹⁰⁰⁰: the inverse is a normal number.
    (1e-270..1e301).contains(&most).then(|| {
        let exponent = most.to_bits() >> 52;
        f64::from_bits((2046 - exponent) << 52)
    })
}

/// A vector at a time, and its derivative.
struct Moving {
    at: [Ball; 3],
    speed: [Ball; 3],
}

/// A number that is within `rad` of `mid`.
#[derive(Clone, Copy, Debug)]
struct Ball {
    mid: f64,
    rad: f64,
}

impl Ball {
    /// The result of one rounded operation on the middles; `rad` is what the radii add to it.
    fn rounded(mid: f64, rad: f64) -> Self {
        Self { mid, rad: (rad + mid.abs() * ROUNDING) * (1.0 + 4.0 * f64::EPSILON) + UNDERFLOW }
    }

    fn plus(self, other: Self) -> Self {
        Self::rounded(self.mid + other.mid, self.rad + other.rad)
    }

    fn minus(self, other: Self) -> Self {
        Self::rounded(self.mid - other.mid, self.rad + other.rad)
    }

    fn times(self, other: Self) -> Self {
        let spread =
            self.mid.abs() * other.rad + (other.mid.abs() * self.rad + self.rad * other.rad);
        Self::rounded(self.mid * other.mid, spread)
    }
}

fn zip(v: &[Ball; 3], w: &[Ball; 3], of: fn(Ball, Ball) -> Ball) -> [Ball; 3] {
    [0, 1, 2].map(|k| of(v[k], w[k]))
}

fn cross(v: &[Ball; 3], w: &[Ball; 3]) -> [Ball; 3] {
    let at = |i: usize, j: usize| v[i].times(w[j]).minus(v[j].times(w[i]));
    [at(1, 2), at(2, 0), at(0, 1)]
}

fn dot(v: &[Ball; 3], w: &[Ball; 3]) -> Ball {
    let [x, y, z] = zip(v, w, Ball::times);
    x.plus(y).plus(z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_models::Random;

    type Integers = [i64; 3];

    fn integers(random: &mut Random, reach: u64) -> Integers {
        [(); 3].map(|()| random.below(2 * reach + 1) as i64 - reach as i64)
    }

    fn sum(p: Integers, f: i64, v: Integers) -> Integers {
        [0, 1, 2].map(|k| p[k] + f * v[k])
    }

    fn exact_cross(v: Integers, w: Integers) -> [i128; 3] {
        let at = |i: usize, j: usize| {
            i128::from(v[i]) * i128::from(w[j]) - i128::from(v[j]) * i128::from(w[i])
        };
        [at(1, 2), at(2, 0), at(0, 1)]
    }

    /// Needles that touch at 1/2, where their corners are integers: the largest angle of a normal that
    /// is given, and how many are given and not.
    fn worst_angle(accurate: f64) -> (f64, [usize; 2]) {
        let (mut random, mut worst, mut seen) = (Random::new(0x0a9), 0_f64, [0; 2]);
        for case in 0..4_000 {
            let question = Question::ALL[case % 2];
            let bits = random.below(8);
            let thin = 1 + random.below(1 << bits);
            let (origin, e) = (integers(&mut random, 1 << 20), integers(&mut random, 1 << 20));
            let f = sum(integers(&mut random, thin), 1 + random.below(3) as i64, e);
            let at_half = match question {
                Question::VertexFace => [origin, origin, sum(origin, 3, e), sum(origin, 3, f)],
                Question::EdgeEdge => [origin, sum(origin, 2, e), origin, sum(origin, 2, f)],
            };
            let spin = 1 << random.below(28);
            let drift = integers(&mut random, 1 << 20);
            let speeds = [0; 4].map(|_: i32| sum(integers(&mut random, spin), 1, drift));
            let place = |by: i64| {
                [0, 1, 2, 3].map(|k| Point::from(sum(at_half[k], by, speeds[k]).map(|x| x as f64)))
            };
            let early = random.range(0.0, 1.0) * 2f64.powi(-40);
            let time = Interval { low: 0.5 - early, high: 0.5 - early + 2f64.powi(-40) };
            let Some(n) = up_to(accurate, question, &place(-1), &place(1), time) else {
                seen[1] += 1;
                continue;
            };
            seen[0] += 1;
            let truth = Vector::from(exact_cross(e, f).map(|x| x as f64)).normalize();
            worst = worst.max(n.cross(&truth).norm());
        }
        (worst, seen)
    }

    #[test]
    fn normals_are_as_accurate_as_stated() {
        let (worst, seen) = worst_angle(ACCURATE);
        assert!(worst <= 2f64.powi(-20), "{worst:e}");
        assert!(seen.iter().all(|n| *n > 500), "{seen:?} {worst:e}");
        let (worst, _) = worst_angle(256.0 * ACCURATE);
        assert!(worst > 2f64.powi(-20), "{worst:e}: the bound is not needed");
    }
}
