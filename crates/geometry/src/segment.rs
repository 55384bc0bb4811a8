//! Segments against triangles and boxes.
//!
//! [`segment_triangle`] is the edge-triangle test of the streaming detectors (fan eq. 3-2 … 3-13,
//! after Möller and Trumbore 1997) without divisions and with an error bound;
//! [`segment_meets_triangle`] falls back to the exact test. [`segment_in_aabb`] and
//! [`segment_in_obb`] are the slab test (fan fig. 3-9; Williams et al. 2005), for a segment instead
//! of a ray: `0 ≤ t ≤ 1`.

use crate::triangle::{Outcome, RANGE, TINY, TRIPLE, above, below, largest, sides};
use crate::volume::{Aabb, Obb, SLACK, UNIT, project};
use crate::{Point, Triangle, Vector, exact};

/// Error of three triple products, two of them with a vector from the triangle to the segment and
/// one with another side, together at most twice the reach: 68.2 u (see
/// [`triangle`](crate::triangle)); and of two sums of at most 4: 8 u.
const THREE: f64 = 80.0 * UNIT;

/// Filtered test whether the closed segment from `u` to `v` meets the closed triangle. Undecided
/// for touching, parallel and degenerate input, and beyond the range of the bounds.
///
/// With `dir = v − u`, `det = e_13 · (e_12 × dir)` and the coordinates `u, v` of fan eq. 3-9 and
/// 3-10 times `det`: inside if all of `u, v, det − u − v` have the sign of `det`. Where eq. 3-8
/// divides to get the parameter, this compares on which sides of the plane both ends are.
#[inline]
pub fn segment_triangle(u: &Point, v: &Point, t: &Triangle) -> Outcome {
    let (e, size) = sides(t);
    let dir = v - u;
    let length = largest(&dir);
    let (u1, v1) = (u - t[0], v - t[0]);
    let reach = largest(&u1) + length + size;
    if !(reach < RANGE) {
        return Outcome::Undecided;
    }
    let (e12, e13) = (e[0], -e[2]);
    let n = e12.cross(&e13);
    let (at_u, at_v) = (n.dot(&u1), n.dot(&v1));
    let side = TRIPLE * (size * size * reach) + TINY;
    let (over, under) =
        ([at_u, at_v].map(|x| above(x, side)), [at_u, at_v].map(|x| below(x, side)));
    if over == [true; 2] || under == [true; 2] {
        return Outcome::Miss;
    }
    let det = e13.dot(&e12.cross(&dir));
    if !above(det.abs(), parallel_bound(size, length)) {
        return Outcome::Undecided;
    }
    let sign = det.signum();
    let [a, b, c] = coordinates(&u1, &dir, &e12, &e13, det).map(|x| x * sign);
    let bound = through_bound(size, length, reach);
    let least = a.min(b).min(c);
    if below(least, bound) {
        return Outcome::Miss;
    }
    let through = (over[0] && under[1]) || (under[0] && over[1]);
    if through && above(least, bound) { Outcome::Hit } else { Outcome::Undecided }
}

/// The coordinates, in the triangle, of the point where a line pierces its plane, times `det`.
#[inline(always)]
fn coordinates(u1: &Vector, dir: &Vector, e12: &Vector, e13: &Vector, det: f64) -> [f64; 3] {
    let moment = u1.cross(dir);
    let (a, b) = (e13.dot(&moment), -e12.dot(&moment));
    [a, b, det - a - b]
}

/// Bound on the error of the determinant `e_13 · (e_12 × dir)`.
#[inline(always)]
fn parallel_bound(size: f64, length: f64) -> f64 {
    TRIPLE * (size * size * length) + TINY
}

/// Bound on the error of [`coordinates`].
#[inline(always)]
fn through_bound(size: f64, length: f64, reach: f64) -> f64 {
    THREE * (size * length * reach) + TINY
}

/// Whether the closed segment meets the closed triangle; either may be degenerate. Exact.
#[inline]
pub fn segment_meets_triangle(u: &Point, v: &Point, t: &Triangle) -> bool {
    match segment_triangle(u, v, t) {
        Outcome::Hit => true,
        Outcome::Miss => false,
        Outcome::Undecided => exact::segment_meets_triangle(u, v, t),
    }
}

/// The part of the segment `u + t (v − u)`, `0 ≤ t ≤ 1`, that may be in the box: an interval of
/// `t`, rounded outward. `None` only if segment and box certainly share no point.
///
/// Each slab parameter is a quotient of differences, hence off by a factor within `1 ± 4 u`; it is
/// moved outward by 8 u and the smallest normal number. A zero direction is exact.
#[inline]
pub fn segment_in_aabb(u: &Point, v: &Point, b: &Aabb) -> Option<[f64; 2]> {
    slabs(&u.coords, &v.coords, &b.min.coords, &b.max.coords)
}

/// As [`segment_in_aabb`] for an oriented box. The segment is transformed to the box's frame, which
/// moves its ends by at most 8 u of their distances from the centre; the box is enlarged by 256 u
/// of those.
pub fn segment_in_obb(u: &Point, v: &Point, b: &Obb) -> Option<[f64; 2]> {
    let (du, dv) = (u - b.center, v - b.center);
    let size = du.abs().sum() + dv.abs().sum();
    let half = b.half.map(|h| h + (SLACK * size + f64::MIN_POSITIVE));
    slabs(&project(&b.axes, &du), &project(&b.axes, &dv), &-half, &half)
}

#[inline(always)]
fn slabs(u: &Vector, v: &Vector, min: &Vector, max: &Vector) -> Option<[f64; 2]> {
    let (mut from, mut to) = (0.0f64, 1.0f64);
    for k in 0..3 {
        let d = v[k] - u[k];
        if d == 0.0 {
            if u[k] < min[k] || u[k] > max[k] {
                return None;
            }
            continue;
        }
        let (near, far) = if d.is_sign_positive() { (min[k], max[k]) } else { (max[k], min[k]) };
        let (enter, leave) = ((near - u[k]) / d, (far - u[k]) / d);
        from = from.max(enter - (8.0 * UNIT * enter.abs() + f64::MIN_POSITIVE));
        to = to.min(leave + (8.0 * UNIT * leave.abs() + f64::MIN_POSITIVE));
    }
    (from <= to).then_some([from, to])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adversarial::{between, climb, points, share, triple};

    #[test]
    fn the_determinant() {
        let found = climb(
            72,
            40_000,
            |r| std::array::from_fn(|_| r.about(2f64.powi(52))),
            |x: &[f64; 15]| {
                let [a, b, c, u, v] = points(x);
                let (e12, e13, dir) = (b - a, c - a, v - u);
                let det = e13.dot(&e12.cross(&dir));
                let truth = triple(&between(&a, &b), &between(&u, &v), &between(&a, &c));
                share(det, &truth, parallel_bound(sides(&[a, b, c]).1, largest(&dir)))
            },
        );
        assert!(found > 0.25, "{found}");
    }

    #[test]
    fn coordinates_on_the_triangle() {
        let found = climb(
            71,
            40_000,
            // Far from the triangle, and short, so that the vector to it dominates the error.
            |r| {
                let size = |i| if (9..12).contains(&i) { 58 } else { 52 };
                std::array::from_fn(|i| r.about(2f64.powi(size(i))))
            },
            |x: &[f64; 15]| {
                let t: Triangle = points(&x[..9]);
                let [u, d]: [Point; 2] = points(&x[9..]);
                let v = u + d.coords;
                let (e12, e13, dir, u1) = (t[1] - t[0], t[2] - t[0], v - u, u - t[0]);
                let det = e13.dot(&e12.cross(&dir));
                let [_, _, c] = coordinates(&u1, &dir, &e12, &e13, det);
                let (e, f) = (between(&t[0], &t[1]), between(&t[0], &t[2]));
                let (d, w) = (between(&u, &v), between(&t[0], &u));
                let truth = triple(&e, &d, &f) - triple(&w, &d, &f) + triple(&w, &d, &e);
                let (length, size) = (largest(&dir), sides(&t).1);
                let reach = largest(&u1) + length + size;
                share(c, &truth, through_bound(size, length, reach))
            },
        );
        assert!(found > 0.25, "{found}");
    }
}
