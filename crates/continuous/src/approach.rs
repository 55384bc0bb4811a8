//! When two triangles in motion are first as near as a given distance.
//!
//! 1. At a time at which they are known to be farther apart, a direction is chosen: between their
//!    nearest points, or a normal of their features. The gap between their projections is the least of
//!    nine linear functions of time, one for each pair of corners; while all are above the distance, so
//!    are the triangles. That gives the next time.
//! 2. Where no direction leads on, the distance is reached up to rounding. Exact tests of the places
//!    at slightly later times look for one at which it certainly is; else they give the excess.

use impinge_geometry::{Point, Triangle, Vector, exact, triangle};
use impinge_query::continuous::{Approach, Interval};

use crate::pair::Pair;

/// 2⁻⁵³.
const UNIT: f64 = f64::EPSILON / 2.0;
/// Error of a gap, over the magnitudes of its terms; 6 u are needed. A difference, a product and two
/// sums round for the projection, less for the distance times the direction's length; then two
/// differences.
const GAP: f64 = 12.0 * UNIT;
/// Error of the distance of two triangles by the rounding of their places, over the largest difference
/// of coordinates; 20.8 u are needed. Each coordinate is off by 6 u, a point by √3 times that.
const PLACES: f64 = 24.0 * UNIT;
/// More than the relative error of a time, 2 u: a difference and a quotient.
const SLACK: f64 = 8.0 * UNIT;
/// Steps after which the excess is given as it is.
const STEPS: usize = 256;
/// The first and the last exponent of the time after which the distance may certainly be reached.
const LATER: std::ops::RangeInclusive<i32> = -46..=-20;

/// Two triangles in motion, from the first corner of one at time 0.
struct Places {
    start: [Triangle; 2],
    end: [Triangle; 2],
    /// The largest coordinate.
    size: f64,
}

impl Places {
    fn new(pair: &Pair<'_>) -> Self {
        let [p, q] = pair.both();
        let origin = p.start[0];
        let local = |t: &Triangle| t.map(|x| Point::from(x - origin));
        let [start, end] = [[&p.start, &q.start], [&p.end, &q.end]].map(|both| both.map(local));
        let all = start.iter().chain(&end).flatten();
        let size = all.fold(0.0_f64, |most, x| most.max(x.coords.amax()));
        Self { start, end, size }
    }

    /// The rounded places at a time.
    fn at(&self, time: f64) -> [Triangle; 2] {
        [0, 1].map(|body| {
            let (start, end) = (&self.start[body], &self.end[body]);
            [0, 1, 2].map(|k| start[k] + (end[k] - start[k]) * time)
        })
    }
}

/// The first time at which the triangles are at most `distance > 0` apart, if that is before `until`.
/// They are known to be farther apart before `from`. Bounded work.
pub(crate) fn first(pair: &Pair<'_>, distance: f64, from: f64, until: f64) -> Option<Approach> {
    let triangles = pair.triangles;
    let [p, q] = pair.both();
    if from == 0.0 && exact::within(&p.start, &q.start, distance) {
        let time = Interval { low: 0.0, high: 0.0 };
        return Some(Approach { time, triangles, excess: 0.0 });
    }
    let places = Places::new(pair);
    let mut low = from;
    for _ in 0..STEPS {
        let next = next(pair, &places, distance, low);
        if next >= until {
            return None;
        }
        if next <= low {
            break;
        }
        low = next;
    }
    let pad = PLACES * places.size + f64::MIN_POSITIVE;
    let near = |time: f64, distance: f64| {
        if time == 1.0 {
            return exact::within(&p.end, &q.end, distance);
        }
        let [p, q] = places.at(time);
        exact::within(&p, &q, (distance - pad).next_down())
    };
    let later = LATER.map(|exponent| (low + 2f64.powi(exponent)).min(1.0));
    if let Some(high) = std::iter::once(low).chain(later).find(|&time| near(time, distance)) {
        return Some(Approach { time: Interval { low, high }, triangles, excess: 0.0 });
    }
    let [p, q] = places.at(low);
    let mut excess = (triangle::distance(&p, &q).0 - distance).max(0.0) + 4.0 * pad;
    while !near(low, distance + excess) {
        excess = 2.0 * excess + f64::MIN_POSITIVE;
    }
    // The sum rounds, too.
    let excess = (distance + excess).next_up() - distance;
    Some(Approach { time: Interval { low, high: low }, triangles, excess: excess.next_up() })
}

/// A time until which, from `low` on, a direction proves the triangles farther apart than `distance`;
/// infinite if they stay so, and `low` if none does.
fn next(pair: &Pair<'_>, places: &Places, distance: f64, low: f64) -> f64 {
    let [p, q] = places.at(low);
    let (_, x, y) = triangle::distance(&p, &q);
    let nearest = until(pair, &(y - x), distance, low);
    // Short steps: the nearest points may tell the direction worse than the features do.
    if nearest - low > 2f64.powi(-20) {
        return nearest;
    }
    let sides = |t: &Triangle| [t[1] - t[0], t[2] - t[1], t[0] - t[2]];
    let (e, f) = (sides(&p), sides(&q));
    let edges = e.iter().flat_map(|e| f.iter().map(|f| e.cross(f)));
    let normals = [e[0].cross(&e[1]), f[0].cross(&f[1])].into_iter().chain(edges);
    let towards = |n: Vector| if n.dot(&(y - x)) < 0.0 { -n } else { n };
    normals.map(|n| until(pair, &towards(n), distance, low)).fold(nearest, f64::max)
}

/// As [`next`], by one direction from A to B.
fn until(pair: &Pair<'_>, direction: &Vector, distance: f64, low: f64) -> f64 {
    let most = direction.amax();
    // Written so that NaN fails.
    if !(most > f64::MIN_POSITIVE && most < f64::INFINITY) {
        return low;
    }
    let n = direction / most;
    let apart = distance * n.norm();
    let [p, q] = pair.both();
    let mut until = f64::INFINITY;
    for i in 0..3 {
        for j in 0..3 {
            let start = gap(&n, apart, &(q.start[j] - p.start[i]), 1.0);
            let end = gap(&n, apart, &(q.end[j] - p.end[i]), 1.0);
            match (start > 0.0, end > 0.0) {
                (true, true) => {}
                (true, false) => until = until.min(zero(start, end, -SLACK)),
                (false, true) if low > zero(start, end, SLACK) => {}
                _ => return low,
            }
        }
    }
    until.max(low)
}

/// A lower bound of `n · v - apart`, with a share of the bound of the error.
fn gap(n: &Vector, apart: f64, v: &Vector, share: f64) -> f64 {
    let terms = n.abs().dot(&v.abs()) + apart;
    (n.dot(v) - apart) - share * (GAP * terms + f64::MIN_POSITIVE)
}

/// A lower bound of `n · v`, where `v` is a rounded difference.
pub(crate) fn projection(n: &Vector, v: &Vector) -> f64 {
    gap(n, 0.0, v, 1.0)
}

/// The time at which a linear function is 0 that has different signs at 0 and 1, moved by a share of it.
fn zero(start: f64, end: f64, share: f64) -> f64 {
    let time = start / (start - end);
    time + time * share
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_models::Random;
    use num_bigint::BigInt;

    fn number(random: &mut Random) -> f64 {
        let exponent = random.below(6) as i32 - 3;
        random.range(-1.0, 1.0) * 2f64.powi(exponent)
    }

    fn vector(random: &mut Random) -> Vector {
        Vector::from_fn(|_, _| number(random))
    }

    /// Lower bounds of gaps are not above what they bound, and would be with a hundredth of their
    /// reserve. The length of `n` is taken as 1, which the distance is a multiple of.
    #[test]
    fn gaps_are_bounded_from_below() {
        let (mut random, mut above) = (Random::new(0x6a9), [0; 2]);
        for _ in 0..20_000 {
            let (n, p, q) = (vector(&mut random), vector(&mut random), vector(&mut random));
            let apart = (q - p).dot(&n).abs() * random.range(0.9, 1.1);
            for (share, above) in [1.0, 0.01].into_iter().zip(&mut above) {
                let found = gap(&n, apart, &(q - p), share);
                let [x, y, z, a, b, c, d, e, f, apart, found, one] = exact::integers([
                    n.x, n.y, n.z, p.x, p.y, p.z, q.x, q.y, q.z, apart, found, 1.0,
                ]);
                let truth: BigInt = x * (d - a) + y * (e - b) + z * (f - c) - apart * &one;
                *above += usize::from(found * one > truth);
            }
        }
        assert!(above[0] == 0 && above[1] > 100, "{above:?}");
    }

    /// Times are rounded to the side that is safe, and would not be without their reserve.
    #[test]
    fn times_are_bounded() {
        let (mut random, mut wrong) = (Random::new(0x71e), [0; 2]);
        for _ in 0..20_000 {
            let (start, end) = (number(&mut random).abs(), -number(&mut random).abs());
            for (share, wrong) in [SLACK, 0.0].into_iter().zip(&mut wrong) {
                for (sign, time) in [(1, zero(start, end, -share)), (-1, zero(-start, -end, share))]
                {
                    let [s, e, t, one] = exact::integers([start, end, time, 1.0]);
                    let excess = t * (&s - e) - s * one;
                    *wrong += usize::from(excess * sign > BigInt::ZERO);
                }
            }
        }
        assert!(wrong[0] == 0 && wrong[1] > 100, "{wrong:?}");
    }

    /// Places are off by at most a quarter of the bound over √12, and by more than a hundredth of it.
    #[test]
    fn places_are_bounded() {
        let (mut random, mut above) = (Random::new(0x91ace), [0; 2]);
        for _ in 0..20_000 {
            let [origin, start, end] = [(); 3].map(|()| Point::from(vector(&mut random)));
            let still = [Point::from(start - origin); 3];
            let moved = [Point::from(end - origin); 3];
            let size = (start - origin).amax().max((end - origin).amax());
            let places = Places { start: [still; 2], end: [moved; 2], size };
            let time = random.range(0.0, 1.0);
            let found = places.at(time)[0][0];
            for k in 0..3 {
                let [o, s, e, x, t, one, u] = exact::integers([
                    origin[k],
                    start[k],
                    end[k],
                    found[k],
                    time,
                    1.0,
                    PLACES * size,
                ]);
                let truth = (s - &o) * (&one - &t) + (e - o) * t;
                let off = x * &one - truth;
                let off = if off < BigInt::ZERO { -off } else { off } * BigInt::from(4);
                above[0] += usize::from(off > &u * &one);
                above[1] += usize::from(off * BigInt::from(100) > u * one);
            }
        }
        assert!(above[0] == 0 && above[1] > 100, "{above:?}");
    }
}
