//! The separating-axis test with 17 axes: two normals, nine cross products of sides, and, for what
//! is coplanar or nearly so, the six in-plane normals of sides (RAPID; fan §1.3.3.3).
//!
//! With sides `e_i` of p and `f_j` of q, normals `n = e_0 × e_1`, `m = f_0 × f_1`, and all
//! projections taken from a corner of p:
//! - on `n` triangle p is a point and q's corners lie at `n · (q_j − p_0)`; likewise on `m`;
//! - on `e_i × f_j` p is `[0, −n·f_j]` and q is `d + [0, m·e_i]`, `d = (e_i × f_j) · (q_j − p_i)`;
//! - on `n × e_i` p is `[0, n·n]`.
//!
//! If the triangles lie in planes that cross and are apart, one of the first eleven separates
//! them; so strict overlap on all eleven, each beyond its error bound, proves a hit.

use super::planes::Planes;
use super::{Outcome, TINY, TINY_4, UNIT, both_sides};
use crate::{Triangle, Vector};

/// Three triple products and the sum of two: 145 and 12.
const EDGES: f64 = 192.0 * UNIT;
/// A product of four differences carries 11 factors and has permanent `12 |e|³ |w|`; two of them.
const IN_PLANE: f64 = 320.0 * UNIT;

/// Separating axes; plane sides first. On scattered pairs half the cost of the
/// exact test.
#[inline]
pub fn sat17(p: &Triangle, q: &Triangle) -> Outcome {
    let Planes { e, f, size_p, size_q, reach, n, m, s, t, bound_s, bound_t } =
        match Planes::new(p, q) {
            Ok(planes) => planes,
            Err(outcome) => return outcome,
        };
    let bound = EDGES * (size_p * size_q * reach) + TINY;
    let mut certain = both_sides(s, bound_s) && both_sides(t, bound_t);
    let third_p = [-n.dot(&f[0]), -n.dot(&f[1]), -n.dot(&f[2])];
    for i in 0..3 {
        let third_q = m.dot(&e[i]);
        let gap = |j: usize| {
            let d = e[i].cross(&f[j]).dot(&(q[j] - p[i]));
            interval_gap(third_p[j], d, d + third_q)
        };
        // Three axes at a time: fewer branches to mispredict.
        let widest = gap(0).max(gap(1)).max(gap(2));
        if widest > bound {
            return Outcome::Miss;
        }
        certain &= widest < -bound;
    }
    if certain {
        return Outcome::Hit;
    }
    let in_plane = separated_in_plane(p, q, &e, &n, size_p, reach)
        || separated_in_plane(q, p, &f, &m, size_q, reach);
    if in_plane { Outcome::Miss } else { Outcome::Undecided }
}

/// How far the interval between 0 and `a` lies from that between `b` and `c`; negative if they
/// overlap.
#[inline(always)]
fn interval_gap(a: f64, b: f64, c: f64) -> f64 {
    let (low, high) = (a.min(0.0), a.max(0.0));
    (b.min(c) - high).max(low - b.max(c))
}

/// Does one of the three axes `n × e_i` in p's plane separate, for certain?
#[inline(never)]
fn separated_in_plane(
    p: &Triangle,
    q: &Triangle,
    e: &[Vector; 3],
    n: &Vector,
    size: f64,
    reach: f64,
) -> bool {
    let height = n.dot(n);
    let bound = IN_PLANE * (size * size * size * reach) + TINY_4;
    (0..3).any(|i| {
        let axis = n.cross(&e[i]);
        let at = q.map(|x| axis.dot(&(x - p[i])));
        let (low, high) = (at[0].min(at[1]).min(at[2]), at[0].max(at[1]).max(at[2]));
        high < -bound || low - height > bound
    })
}
