//! The plane of a triangle, prepared for testing many points, and the edges that pierce it.

use super::{Outcome, RANGE, TINY, TRIPLE, UNIT, above, below, larger, largest};
use crate::{Point, Triangle, Vector};

/// Error of three triple products in units of `size · (2 reach + size)` times an edge: 34.1 (see
/// the [module](super)); and of two sums of at most `4 size (reach + size)`: 8.
const THREE: f64 = 44.0 * UNIT;

/// The plane of a triangle, with a bound on the rounding of heights over it.
#[derive(Clone, Copy, Debug)]
pub struct TrianglePlane {
    origin: Point,
    /// From the first corner to the second and to the third.
    sides: [Vector; 2],
    normal: Vector,
    bound: f64,
    /// Bound on the rounding of [`TrianglePlane::coordinates`], per length of the edge.
    within: f64,
}

impl TrianglePlane {
    /// Prepares the plane for points between `low` and `high`; `None` if products would leave the
    /// range of f64.
    ///
    /// The bound is 36 u · |e|² · r + `TINY`, with |e| the largest component of the sides and r the
    /// largest coordinate difference between a point and the triangle's first corner: rounding is
    /// monotone, so no computed difference exceeds the one to a corner of the bounds.
    #[inline(always)]
    pub fn new(t: &Triangle, low: &[f64; 3], high: &[f64; 3]) -> Option<Self> {
        let (e, f) = (t[1] - t[0], t[2] - t[0]);
        let size = larger(largest(&e), largest(&f));
        let reach = |k: usize| larger((t[0][k] - low[k]).abs(), (high[k] - t[0][k]).abs());
        let reach = larger(larger(reach(0), reach(1)), reach(2));
        if !(larger(size, reach) < RANGE) {
            return None;
        }
        let bound = TRIPLE * (size * size * reach) + TINY;
        let within = THREE * (size * (reach + reach + size));
        Some(Self { origin: t[0], sides: [e, f], normal: e.cross(&f), bound, within })
    }

    /// Filtered test whether the edge from `u` to `v` meets the triangle. `u` must be certainly
    /// above the plane, `v` certainly below; both between `low` and `high`.
    ///
    /// Uses the coordinates of fan eq. 3-9 and 3-10 times `det` (see
    /// [`segment_triangle`](crate::segment::segment_triangle)), whose sign follows from the sides
    /// of `u` and `v`.
    #[inline(always)]
    pub fn pierced(&self, u: &Point, v: &Point) -> Outcome {
        let ([a, b, c], bound) = self.coordinates(u, v);
        let least = -larger(larger(-a, -b), -c);
        if below(least, bound) {
            Outcome::Miss
        } else if above(least, bound) {
            Outcome::Hit
        } else {
            Outcome::Undecided
        }
    }

    /// The coordinates of the piercing point times `det`, and a bound on the error of each.
    #[inline(always)]
    pub(super) fn coordinates(&self, u: &Point, v: &Point) -> ([f64; 3], f64) {
        let dir = v - u;
        let moment = (u - self.origin).cross(&dir);
        let [e, f] = &self.sides;
        let (a, b) = (f.dot(&moment), -e.dot(&moment));
        let c = -self.normal.dot(&dir) - a - b;
        ([a, b, c], self.within * largest(&dir) + TINY)
    }

    /// The height over the plane, times the normal's length, and a bound on its error.
    #[inline(always)]
    pub(super) fn height(&self, p: &Point) -> (f64, f64) {
        (self.normal.dot(&(p - self.origin)), self.bound)
    }

    /// Whether the point is certainly above the plane, and whether it is certainly below. Above is
    /// the side from which the triangle runs counter-clockwise.
    #[inline(always)]
    pub fn side(&self, p: &Point) -> (bool, bool) {
        let (height, bound) = self.height(p);
        (above(height, bound), below(height, bound))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predicates::{Sign, orient3d};

    /// Counts undecided points within ulps of a plane; an error if a certain answer is wrong.
    fn uncertain(scale: f64, bound: f64) -> Result<usize, String> {
        let at = |x: f64, y: f64, z: f64| Point::new(x, y, z) * scale;
        let t = [at(0.1, 0.7, 0.3), at(0.9, 0.2, 0.4), at(0.3, 0.4, 0.8)];
        let (mut silent, mut low, mut high) = (0, [f64::MAX; 3], [f64::MIN; 3]);
        let points: Vec<Point> = (0..4000)
            .map(|i| {
                let (a, b) = (f64::from(i % 61) / 30.0 - 1.0, f64::from(i % 67) / 33.0 - 1.0);
                let on = t[0] + (t[1] - t[0]) * a + (t[2] - t[0]) * b;
                let step = f64::from(i % 41 - 20) * 32.0 * f64::EPSILON * scale;
                Point::new(on.x + step, on.y, on.z - step * f64::from(i % 2))
            })
            .collect();
        for p in &points {
            for k in 0..3 {
                low[k] = low[k].min(p[k]);
                high[k] = high[k].max(p[k]);
            }
        }
        let mut plane = TrianglePlane::new(&t, &low, &high).ok_or("out of range")?;
        plane.bound *= bound;
        for p in &points {
            let truth = orient3d(&t[0], &t[1], &t[2], p);
            match plane.side(p) {
                (false, false) => silent += 1,
                (above, _)
                    if (above && truth == Sign::Positive)
                        || (!above && truth == Sign::Negative) => {}
                sides => return Err(format!("{p:?}: {sides:?}, but {truth:?}")),
            }
        }
        Ok(silent)
    }

    /// Counts undecided edges through points within ulps of the triangle's sides; an error if a
    /// certain answer is wrong.
    fn uncertain_edges(scale: f64, bound: f64) -> Result<usize, String> {
        let at = |x: f64, y: f64, z: f64| Point::new(x, y, z) * scale;
        let t = [at(0.1, 0.7, 0.3), at(0.9, 0.2, 0.4), at(0.3, 0.4, 0.8)];
        let n = (t[1] - t[0]).cross(&(t[2] - t[0])).normalize() * (0.5 * scale);
        let reach = 4.0 * scale;
        let plane = TrianglePlane::new(&t, &[-reach; 3], &[reach; 3]).ok_or("out of range")?;
        let plane = TrianglePlane { within: bound * plane.within, ..plane };
        let mut silent = 0;
        for i in 0..6000 {
            let along = f64::from(i % 97) / 96.0;
            let out = f64::from(i % 53 - 26) * 64.0 * f64::EPSILON;
            let (p, q) = (t[i as usize % 3], t[(i as usize + 1) % 3]);
            let on = p + (q - p) * along + (p - t[(i as usize + 2) % 3]) * out;
            let (u, v) = (on + n, on - n * (0.2 + along));
            if orient3d(&t[0], &t[1], &t[2], &u) != Sign::Positive {
                return Err("the first end should be above".to_owned());
            }
            let truth = crate::exact::segment_meets_triangle(&u, &v, &t);
            match plane.pierced(&u, &v) {
                Outcome::Undecided => silent += 1,
                outcome if (outcome == Outcome::Hit) == truth => {}
                outcome => return Err(format!("{u:?} {v:?}: {outcome:?}, but {truth}")),
            }
        }
        Ok(silent)
    }

    #[test]
    fn what_is_certainly_pierced_is_and_the_bound_is_needed() -> Result<(), String> {
        for scale in [1.0, 1e30, 1e-30, 3e7] {
            let silent = uncertain_edges(scale, 1.0)?;
            assert!((100..5000).contains(&silent), "{silent} silent at {scale:e}");
        }
        assert!(
            uncertain_edges(1.0, 0.0).is_err(),
            "without its bound it should be wrong somewhere"
        );
        Ok(())
    }

    #[test]
    fn what_is_certain_is_true_and_the_bound_is_needed() -> Result<(), String> {
        for scale in [1.0, 1e40, 1e-40, 3e7] {
            let silent = uncertain(scale, 1.0)?;
            assert!(silent < 4000, "nothing is certain at {scale:e}");
        }
        assert!(
            uncertain(1.0, 0.0).is_err(),
            "without its bound the sign should be wrong somewhere"
        );
        Ok(())
    }
}
