//! A box at both ends of a motion.

use impinge_geometry::Point;
use impinge_geometry::volume::Aabb;

use crate::triangle::MovingTriangle;

/// A box that moves and changes along straight lines, from time 0 to time 1. What runs along straight
/// lines and is inside at both ends is inside at every time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovingBox {
    start: Aabb,
    end: Aabb,
}

/// More than the relative error of a time, `4 u`: both gaps, their difference and the quotient round
/// once each.
const SLACK: f64 = 8.0 * (f64::EPSILON / 2.0);

impl MovingBox {
    /// Contains nothing.
    pub(crate) const EMPTY: Self = Self { start: Aabb::EMPTY, end: Aabb::EMPTY };

    /// By the least and the largest corner at both ends.
    pub(crate) fn new(ends: [(Point, Point); 2]) -> Self {
        let [start, end] = ends.map(|(min, max)| Aabb { min, max });
        Self { start, end }
    }

    /// The boxes at both ends.
    #[inline]
    pub(crate) const fn ends(&self) -> [&Aabb; 2] {
        [&self.start, &self.end]
    }

    /// The smallest around some points, which are as many at both ends.
    #[inline]
    pub(crate) fn around(start: &[Point], end: &[Point]) -> Self {
        let around = |points: &[Point]| {
            let add = |all: Aabb, p: &Point| Aabb { min: all.min.inf(p), max: all.max.sup(p) };
            points.iter().fold(Aabb::EMPTY, add)
        };
        Self { start: around(start), end: around(end) }
    }

    /// The smallest around a triangle.
    pub(crate) fn of(triangle: &MovingTriangle) -> Self {
        Self::around(&triangle.start, &triangle.end)
    }

    /// The smallest that contains both at both ends.
    pub(crate) fn merged(&self, other: &Self) -> Self {
        Self { start: self.start.merged(&other.start), end: self.end.merged(&other.end) }
    }

    /// One that contains all points at most `reach >= 0` from its own.
    pub(crate) fn grown(&self, reach: f64) -> Self {
        let by = |one: &Aabb| Aabb {
            min: one.min.map(|x| (x - reach).next_down()),
            max: one.max.map(|x| (x + reach).next_up()),
        };
        if reach > 0.0 { Self { start: by(&self.start), end: by(&self.end) } } else { *self }
    }

    /// The box of all places that it is at.
    pub(crate) fn sweep(&self) -> Aabb {
        self.start.merged(&self.end)
    }

    /// A measure of its size: the sum of the edges at both ends.
    pub(crate) fn reach(&self) -> f64 {
        let edges = |one: &Aabb| (one.max - one.min).sum();
        edges(&self.start) + edges(&self.end)
    }

    /// A time before which the boxes share no point, 0 if they do at time 0; `None` if they never do.
    ///
    /// On an axis they are apart, one below the other, while a gap is negative that is a linear
    /// function of time.
    #[inline]
    pub(crate) fn earliest(&self, other: &Self) -> Option<f64> {
        let (mut from, mut to) = (0.0_f64, 1.0_f64);
        for k in 0..3 {
            for (p, q) in [(self, other), (other, self)] {
                // Signs of differences are exact. Coordinates are at most 1e300, so none is infinite.
                let [s, e] = [p.start.max[k] - q.start.min[k], p.end.max[k] - q.end.min[k]];
                match (s < 0.0, e < 0.0) {
                    (false, false) => {}
                    (true, true) => return None,
                    (true, false) => {
                        let time = s / (s - e);
                        from = from.max(time - time * SLACK - f64::MIN_POSITIVE);
                    }
                    (false, true) => {
                        let time = s / (s - e);
                        to = to.min(time + time * SLACK + f64::MIN_POSITIVE);
                    }
                }
            }
        }
        (from <= to).then_some(from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_geometry::Vector;
    use impinge_models::Random;

    /// The box at time `k / 16`, exactly: coordinates are integers that 16 divides.
    fn at(one: &MovingBox, k: f64) -> Aabb {
        let between = |p: Point, q: Point| p + (q - p) * (k / 16.0);
        Aabb { min: between(one.start.min, one.end.min), max: between(one.start.max, one.end.max) }
    }

    /// On two axes boxes touch at 1/3 only, which rounds to different numbers on the two.
    #[test]
    fn a_touch_at_one_time_is_not_lost_by_rounding() {
        let one = |x: [f64; 2], y: [f64; 2]| {
            let [start, end] = [0, 1].map(|k| Point::new(x[k], y[k], 0.0));
            MovingBox { start: Aabb { min: start, max: start }, end: Aabb { min: end, max: end } }
        };
        let [a, b] = [one([-0.7, 1.4], [1.0, -2.0]), one([0.0; 2], [0.0; 2])];
        let time = a.earliest(&b).expect("they touch");
        assert!(time <= 1.0 / 3.0 && time > 0.333, "{time}");
    }

    /// Nothing overlaps before the time, and the time is not too early.
    #[test]
    fn boxes_are_apart_before_the_time() {
        let mut random = Random::new(0xb0c5);
        let mut place = |reach: u64| {
            let mut x = || 16.0 * (random.below(2 * reach + 1) as f64 - reach as f64);
            Vector::new(x(), x(), x())
        };
        let mut seen = [0; 3];
        for _ in 0..20_000 {
            let mut one = || {
                let mut end = || {
                    let (p, q) = (Point::from(place(6)), place(2).abs());
                    Aabb { min: p, max: p + q }
                };
                MovingBox { start: end(), end: end() }
            };
            let (a, b) = (one(), one());
            let meets = |k: f64| at(&a, k).overlaps(&at(&b, k));
            let first = (0..=16).map(f64::from).find(|k| meets(*k));
            let found = a.earliest(&b);
            assert_eq!(found, b.earliest(&a));
            match (found, first) {
                (None, None) => seen[0] += 1,
                (None, Some(k)) => panic!("{a:?} {b:?} overlap at {k}/16"),
                (Some(time), Some(k)) => {
                    assert!(time <= k / 16.0, "{time} {k}");
                    seen[1] += 1;
                    // The time just after is one at which they overlap, to rounding.
                    let near = 16.0 * time + 1e-9;
                    let reach = Vector::repeat(1e-6);
                    let (p, q) = (at(&a, near), at(&b, near));
                    let wide = Aabb { min: p.min - reach, max: p.max + reach };
                    assert!(wide.overlaps(&q), "{time} is too early");
                }
                // Between two of the times.
                (Some(_), None) => seen[2] += 1,
            }
        }
        assert!(seen.iter().all(|n| *n > 100), "{seen:?}");
    }
}
