//! Triangle test by signs of permuted corners (anthology 5 §3; O. Devillers and P. Guigue, Faster
//! triangle-triangle intersection tests, INRIA report 4488, 2002).
//!
//! 1. Sides of the corners with respect to the other's plane; all on one side is a miss.
//! 2. Permute each triangle so that its first corner is alone on its side, and swap its other two
//!    so that the *other's* first corner is on its positive side.
//! 3. On the planes' common line the intervals then run from `p_0 p_1` to `p_0 p_2` and from
//!    `q_0 q_2` to `q_0 q_1`. They overlap if and only if
//!    `((p_1 − p_0) × (q_1 − q_0)) · (q_0 − p_0) ≥ 0` and
//!    `((p_2 − p_0) × (q_2 − q_0)) · (q_0 − p_0) ≤ 0`: two triple products, no constructed points.

use super::planes::{Planes, alone};
use super::{Outcome, TINY, TRIPLE, above, below};
use crate::{Triangle, Vector};

/// Filtered test by signs of at most eight triple products. A third of the cost of the exact test.
#[inline]
pub fn permutation(p: &Triangle, q: &Triangle) -> Outcome {
    let planes = match Planes::new(p, q) {
        Ok(planes) => planes,
        Err(outcome) => return outcome,
    };
    let Some((i, p_above)) = alone(planes.t, planes.bound_t) else { return Outcome::Undecided };
    let Some((j, q_above)) = alone(planes.s, planes.bound_s) else { return Outcome::Undecided };
    let (p1, p2) = others(i, q_above);
    let (q1, q2) = others(j, p_above);
    let w = q[j] - p[i];
    let bound = bound(planes.size_p, planes.size_q, planes.reach);
    let first = product(&(p[p1] - p[i]), &(q[q1] - q[j]), &w);
    if below(first, bound) {
        return Outcome::Miss;
    }
    let second = product(&(p[p2] - p[i]), &(q[q2] - q[j]), &w);
    if above(second, bound) {
        return Outcome::Miss;
    }
    if above(first, bound) && below(second, bound) { Outcome::Hit } else { Outcome::Undecided }
}

#[inline(always)]
pub(super) fn product(e: &Vector, f: &Vector, w: &Vector) -> f64 {
    e.cross(f).dot(w)
}

/// Bound on the error of [`product`].
#[inline(always)]
pub(super) fn bound(size_p: f64, size_q: f64, reach: f64) -> f64 {
    TRIPLE * (size_p * size_q * reach) + TINY
}

#[inline(always)]
fn others(i: usize, in_order: bool) -> (usize, usize) {
    let (b, c) = ((i + 1) % 3, (i + 2) % 3);
    if in_order { (b, c) } else { (c, b) }
}
