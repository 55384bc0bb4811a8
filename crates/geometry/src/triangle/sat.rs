//! The separating-axis test with 17 axes: two normals, nine cross products of sides, and, for
//! coplanar or nearly coplanar pairs, the six in-plane normals of sides (RAPID; fan §1.3.3.3).
//!
//! With sides `e_i` of p and `f_j` of q, normals `n = e_0 × e_1`, `m = f_0 × f_1`, and all
//! projections taken from a corner of p:
//! - on `n` triangle p is a point and q's corners lie at `n · (q_j − p_0)`; likewise on `m`;
//! - on `e_i × f_j` p is `[0, −n·f_j]` and q is `d + [0, m·e_i]`, `d = (e_i × f_j) · (q_j − p_i)`;
//! - on `n × e_i` p is between 0 and its opposite corner, from which q's corners are projected
//!   again.
//!
//! If the triangles lie in planes that cross and are apart, one of the first eleven axes separates
//! them; so strict overlap on all eleven, each beyond its error bound, proves a hit.

use super::planes::Planes;
use super::{Outcome, TINY, UNIT, above, below, both_sides};
use crate::{Triangle, Vector};

/// Error of a gap without its last subtraction, whose rounding changes no sign: a triple product
/// with `w` of at most the reach, 34.1; two with a normal and a side of the other triangle,
/// together at most the reach, 29.1; one sum of at most 4. In a normal `e × f`, `e + f` is also a
/// side, so its components are at most 1, and sum to 3: 11 for the differences, 6 and 3 for the
/// normal, 3 and 6 for the product are 29.
const EDGES: f64 = 70.0 * UNIT;
/// Error of a product `((e × f) × g) · w` of four differences. As for three (see the
/// [module](super)), with sums of components of at most 8: 32 for the differences, 16 for `e × f`,
/// 16 for the product with `g`, 8 for the products with `w` and 16 for their sums: 88
/// `u |e| |f| |g| |w|`.
const IN_PLANE: f64 = 92.0 * UNIT;

/// Filtered test by separating axes, the two normals first. On scattered pairs half the cost of the
/// exact test.
#[inline]
pub fn sat17(p: &Triangle, q: &Triangle) -> Outcome {
    let Planes { e, f, size_p, size_q, reach, n, m, s, t, bound_s, bound_t } =
        match Planes::new(p, q) {
            Ok(planes) => planes,
            Err(outcome) => return outcome,
        };
    let bound = edges_bound(size_p, size_q, reach);
    let mut certain = both_sides(s, bound_s) && both_sides(t, bound_t);
    let third_p = [-n.dot(&f[0]), -n.dot(&f[1]), -n.dot(&f[2])];
    for i in 0..3 {
        let third_q = m.dot(&e[i]);
        let gap = |j: usize| {
            let d = e[i].cross(&f[j]).dot(&(q[j] - p[i]));
            interval_gap(third_p[j], d, d + third_q)
        };
        // Three axes at a time, for fewer mispredicted branches.
        let widest = gap(0).max(gap(1)).max(gap(2));
        if above(widest, bound) {
            return Outcome::Miss;
        }
        certain &= below(widest, bound);
    }
    if certain {
        return Outcome::Hit;
    }
    let in_plane = separated_in_plane(p, q, &e, &n, size_p, reach)
        || separated_in_plane(q, p, &f, &m, size_q, reach);
    if in_plane { Outcome::Miss } else { Outcome::Undecided }
}

/// Bound on the error of a gap on the cross product of two sides.
#[inline(always)]
pub(super) fn edges_bound(size_p: f64, size_q: f64, reach: f64) -> f64 {
    EDGES * (size_p * size_q * reach) + TINY
}

/// Bound on the error of a gap in the plane of a triangle.
#[inline(always)]
pub(super) fn in_plane_bound(size: f64, reach: f64) -> f64 {
    IN_PLANE * (size * size * size * reach) + TINY
}

/// The gap between the interval from 0 to `a` and the one from `b` to `c`; negative if they
/// overlap.
#[inline(always)]
fn interval_gap(a: f64, b: f64, c: f64) -> f64 {
    let (low, high) = (a.min(0.0), a.max(0.0));
    (b.min(c) - high).max(low - b.max(c))
}

/// Whether one of the three axes `n × e_i` in p's plane certainly separates.
#[inline(never)]
fn separated_in_plane(
    p: &Triangle,
    q: &Triangle,
    e: &[Vector; 3],
    n: &Vector,
    size: f64,
    reach: f64,
) -> bool {
    let bound = in_plane_bound(size, reach);
    (0..3).any(|i| {
        let at = |from: usize| q.map(|x| along_axis(n, &e[i], &(x - p[from])));
        let [from_side, from_corner] = [at(i), at((i + 2) % 3)];
        from_side.iter().all(|x| below(*x, bound)) || from_corner.iter().all(|x| above(*x, bound))
    })
}

/// The component of `w` along the inward normal of side `e` in the plane with normal `n`, unscaled.
#[inline(always)]
pub(super) fn along_axis(n: &Vector, e: &Vector, w: &Vector) -> f64 {
    n.cross(e).dot(w)
}
