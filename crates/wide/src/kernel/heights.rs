//! Which of sixteen pairs of triangles are certainly farther apart than a limit, because one lies
//! beyond the other's plane by more than the limit.

use super::triangles::{Four, Reach, UNIT, V, bounds, cross, dot, edges, more, spread, sub};
use crate::simd::Simd;

/// Products below this may have underflowed.
const FLOOR: f32 = 1.0e-36;

/// Bit `4 i + j` is set if triangle `i` of A and `j` of B are certainly farther apart. `limit` is a
/// squared distance, in the unit of the corners.
///
/// A height over a plane is `|d| / |n|` with a determinant `d`, off by at most [`bounds`], and the
/// normal `n`, off by at most `ε = √3 E (8.1 u (G + E) + 8 room)`. So `(|d| − bound)² > limit · (|n| + ε)²`
/// is a certain answer, and `(|n| + ε)² ≤ 1.001 |n|² + 1001 ε²`.
#[inline(always)]
pub(crate) fn beyond<S: Simd>(a: &Four, b: &Four, reach: &Reach, limit: f32) -> u32 {
    let room = reach.room;
    let [of_a, of_b] = reach.longest;
    let (largest, longest) = (reach.largest + room, more(of_a, of_b) + 2.0 * room);
    let off = 14.1 * longest * (UNIT * (largest + longest) + room);
    let terms = [S::splat(bounds(reach)[2]), S::splat(1002.0 * off * off)];
    let limit = S::splat(limit);
    let mut all = 0;
    let mut at = 0;
    while at < 16 {
        let [p, q] = spread::<S>(a, b, at);
        let apart = S::or(over::<S>(&p, &q, terms, limit), over::<S>(&q, &p, terms, limit));
        all |= S::bits(apart) << at;
        at += S::LANES;
    }
    all
}

/// Whether all of `q` is beyond the plane of `p`, on either side, by more than the limit.
#[inline(always)]
fn over<S: Simd>(p: &[V<S>; 3], q: &[V<S>; 3], [bound, off]: [S::F; 2], limit: S::F) -> S::M {
    let u = edges::<S>(p);
    let n = cross::<S>(u[0], u[1]);
    let zero = S::splat(0.0);
    let mut most = zero;
    let mut least = zero;
    for k in 0..3 {
        let d = dot::<S>(n, sub::<S>(q[k], p[0]));
        let back = S::sub(zero, d);
        most = if k == 0 { d } else { S::max(most, d) };
        least = if k == 0 { back } else { S::max(least, back) };
    }
    // The smallest height if all are on one side, whichever side that is.
    let height = S::max(S::sub(zero, least), S::sub(zero, most));
    let height = S::max(S::sub(height, bound), zero);
    let square = S::mul_add(dot::<S>(n, n), S::splat(1.0011), off);
    S::gt(S::mul(height, height), S::mul_add(limit, square, S::splat(FLOOR)))
}
