//! Lower bounds on the distances of sixteen pairs of triangles: their gaps along the direction
//! between their nearest edges.
//!
//! Any direction gives a valid bound, so how it was found needs no proof. The nearest points of two
//! edges (Ericson 2005, §5.1.9) in 32 bits are a good guess. Where a corner is nearest to the
//! interior of a face, [`super::heights`] is tighter.

use super::triangles::{Four, Reach, V, dot, edges, spread, sub};
use crate::simd::Simd;
use crate::tree::LANES;

/// Squares below this may have underflowed.
pub(super) const FLOOR: f32 = 1.0e-36;
/// Underflow adds less than this to a result.
const LEAST: f32 = 1.0e-37;

/// Squared lower bounds, in the unit of the corners: element `4 i + j` is for triangle `i` of A and
/// `j` of B.
#[inline(always)]
pub(crate) fn bounds<S: Simd>(a: &Four, b: &Four, reach: &Reach, squares: &mut [f32; LANES]) {
    let off = reach.off();
    let mut at = 0;
    while at < LANES {
        let [p, q] = spread::<S>(a, b, at);
        let way = between::<S>(&p, &q);
        S::store(along::<S>(way, &p, &q, off), squares, at);
        at += S::LANES;
    }
}

/// The squared gap of two triangles along `way`, rounded down: `|way|²` has a relative error of at
/// most 3 u, and the rest adds less than 2⁻²⁰.
#[inline(always)]
pub(crate) fn along<S: Simd>(way: V<S>, p: &[V<S>; 3], q: &[V<S>; 3], off: f32) -> S::F {
    let gap = S::max(gap::<S>(way, p, q, off), S::splat(0.0));
    let grow = S::splat(1.0 + 1.0 / (1 << 18) as f32);
    let square = S::mul_add(dot::<S>(way, way), grow, S::splat(FLOOR));
    let bound = S::mul_sub(S::div(gap, square), gap, S::splat(LEAST));
    S::max(bound, S::splat(0.0))
}

/// By how much the projections of `q` on `way` exceed those of `p`, times the length of `way`: a lower
/// bound, up to 10 · 2⁻¹²⁶ where tiny numbers are flushed to zero: two projections of three operations each,
/// the product with `off` and its length, and two differences.
///
/// With coordinates at most `G` in magnitude and a relative error of at most 1.001 u each, a
/// projection is off by at most `4.02 u G |way|₁` and the rounded difference of two by at most
/// `10.1 u G |way|₁`; 12 is granted, and the room of both. `off` is the sum, for `|way|₁` of 1:
/// [`Reach::off`].
#[inline(always)]
pub(crate) fn gap<S: Simd>(way: V<S>, p: &[V<S>; 3], q: &[V<S>; 3], off: f32) -> S::F {
    let zero = S::splat(0.0);
    let length = S::add(S::abs(way[0]), S::add(S::abs(way[1]), S::abs(way[2])));
    let of_p = [dot::<S>(way, p[0]), dot::<S>(way, p[1]), dot::<S>(way, p[2])];
    let of_q = [dot::<S>(way, q[0]), dot::<S>(way, q[1]), dot::<S>(way, q[2])];
    let end_of_p = S::max(S::max(of_p[0], of_p[1]), of_p[2]);
    let back = [S::sub(zero, of_q[0]), S::sub(zero, of_q[1]), S::sub(zero, of_q[2])];
    let minus_start_of_q = S::max(S::max(back[0], back[1]), back[2]);
    let gap = S::sub(S::sub(zero, minus_start_of_q), end_of_p);
    S::sub(gap, S::mul(length, S::splat(off)))
}

/// `x` clamped to 0 … 1.
#[inline(always)]
fn within<S: Simd>(x: S::F) -> S::F {
    let one = S::splat(1.0);
    let x = S::max(x, S::splat(0.0));
    S::sub(one, S::max(S::sub(one, x), S::splat(0.0)))
}

/// Vector between the nearest points of the nearest two edges, from `p` to `q`.
#[inline(always)]
pub(crate) fn between<S: Simd>(p: &[V<S>; 3], q: &[V<S>; 3]) -> V<S> {
    let (u, w) = (edges::<S>(p), edges::<S>(q));
    let (one, floor) = (S::splat(1.0), S::splat(FLOOR));
    let zero = S::splat(0.0);
    let (mut of_u, mut of_w) = ([zero; 3], [zero; 3]);
    let (mut per_u, mut per_w) = ([zero; 3], [zero; 3]);
    for k in 0..3 {
        of_u[k] = dot::<S>(u[k], u[k]);
        of_w[k] = dot::<S>(w[k], w[k]);
        per_u[k] = S::div(one, S::add(of_u[k], floor));
        per_w[k] = S::div(one, S::add(of_w[k], floor));
    }
    let mut way = sub::<S>(q[0], p[0]);
    let mut least = dot::<S>(way, way);
    for i in 0..3 {
        for j in 0..3 {
            let r = sub::<S>(q[j], p[i]);
            let (b, c, f) = (dot::<S>(u[i], w[j]), dot::<S>(u[i], r), dot::<S>(w[j], r));
            // Parameter on the first edge's line of the point nearest to the other line, clamped;
            // then, in turn, the nearest parameters on each edge.
            let area = S::sub(S::mul(of_u[i], of_w[j]), S::mul(b, b));
            let s = S::sub(S::mul(c, of_w[j]), S::mul(b, f));
            let s = within::<S>(S::div(s, S::max(area, floor)));
            let t = within::<S>(S::mul(S::sub(S::mul(b, s), f), per_w[j]));
            let s = within::<S>(S::mul(S::mul_add(b, t, c), per_u[i]));
            let mut v = [zero; 3];
            for k in 0..3 {
                v[k] = S::mul_add(w[j][k], t, r[k]);
                v[k] = S::sub(v[k], S::mul(u[i][k], s));
            }
            let square = dot::<S>(v, v);
            let nearer = S::gt(least, square);
            least = S::select(nearer, square, least);
            for k in 0..3 {
                way[k] = S::select(nearer, v[k], way[k]);
            }
        }
    }
    way
}
