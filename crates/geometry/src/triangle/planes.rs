//! The common first step of all three tests: the sides of the corners from the other's plane.

use super::{Outcome, RANGE, TINY, TRIPLE, above, largest, one_side, sides};
use crate::{Triangle, Vector};

/// A pair not separated by either triangle's plane.
pub(super) struct Planes {
    /// Sides of p and of q.
    pub(super) e: [Vector; 3],
    pub(super) f: [Vector; 3],
    /// Largest component of a side of p, of q, and of any difference between their corners.
    pub(super) size_p: f64,
    pub(super) size_q: f64,
    pub(super) reach: f64,
    /// Normals, not of unit length.
    pub(super) n: Vector,
    pub(super) m: Vector,
    /// `n · (q_j − p_0)` and `m · (p_i − q_0)`, with bounds on their errors.
    pub(super) s: [f64; 3],
    pub(super) t: [f64; 3],
    pub(super) bound_s: f64,
    pub(super) bound_t: f64,
}

impl Planes {
    /// `Err` if the planes decide the pair, or if it is out of range.
    #[inline(always)]
    pub(super) fn new(p: &Triangle, q: &Triangle) -> Result<Self, Outcome> {
        let (e, size_p) = sides(p);
        let (f, size_q) = sides(q);
        // Bounds every difference between corners, up to rounding, which the error bounds cover.
        let reach = largest(&(q[0] - p[0])) + size_p + size_q;
        if !(reach < RANGE) {
            return Err(Outcome::Undecided);
        }
        let n = e[0].cross(&e[1]);
        let s = [n.dot(&(q[0] - p[0])), n.dot(&(q[1] - p[0])), n.dot(&(q[2] - p[0]))];
        let bound_s = TRIPLE * (size_p * size_p * reach) + TINY;
        if one_side(s, bound_s) {
            return Err(Outcome::Miss);
        }
        let m = f[0].cross(&f[1]);
        let t = [m.dot(&(p[0] - q[0])), m.dot(&(p[1] - q[0])), m.dot(&(p[2] - q[0]))];
        let bound_t = TRIPLE * (size_q * size_q * reach) + TINY;
        if one_side(t, bound_t) {
            return Err(Outcome::Miss);
        }
        Ok(Self { e, f, size_p, size_q, reach, n, m, s, t, bound_s, bound_t })
    }
}

/// The corner that is alone on its side, and whether that side is positive. `None` unless all three
/// sides are certain.
#[inline(always)]
pub(super) fn alone(s: [f64; 3], bound: f64) -> Option<(usize, bool)> {
    if !above(s[0].abs().min(s[1].abs()).min(s[2].abs()), bound) {
        return None;
    }
    let up = s.map(f64::is_sign_positive);
    let corner = if up[0] == up[1] { 2 } else { usize::from(up[0] == up[2]) };
    Some((corner, up[corner]))
}
