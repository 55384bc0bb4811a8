//! Which of sixteen pairs of triangles are apart along a direction in the plane of one of them,
//! across one of its sides.
//!
//! Triangles in one plane have determinants of zero, so [`super::triangles`] tells nothing of them;
//! those that share no point are apart across a side of one of them. As for
//! [`super::directions`], any direction with a gap is a proof, so how it was found needs none.

use super::directions::{FLOOR, gap};
use super::triangles::{Four, Reach, V, cross, edges, spread};
use crate::simd::Simd;

/// Bit `4 i + j` is set if triangle `i` of A and `j` of B certainly share no point. Only pairs whose bits are
/// set in `open` are looked at; others may be told apart too.
#[inline(always)]
pub(crate) fn parted<S: Simd>(a: &Four, b: &Four, reach: &Reach, open: u32) -> u32 {
    apart_by::<S>(a, b, reach.off(), open)
}

/// Those with gaps larger than `off` times the length of the direction, as sum of its components.
#[inline(always)]
pub(crate) fn apart_by<S: Simd>(a: &Four, b: &Four, off: f32, open: u32) -> u32 {
    let mut all = 0;
    let mut at = 0;
    while at < 16 {
        let left = |all: u32| open & !all & (((1 << S::LANES) - 1) << at) != 0;
        if left(all) {
            let [p, q] = spread::<S>(a, b, at);
            all |= S::bits(across::<S>(&p, &q, off)) << at;
            // Mostly the sides of one are enough.
            if left(all) {
                all |= S::bits(across::<S>(&q, &p, off)) << at;
            }
        }
        at += S::LANES;
    }
    all
}

/// Whether `q` is beyond a side of `p`.
#[inline(always)]
fn across<S: Simd>(p: &[V<S>; 3], q: &[V<S>; 3], off: f32) -> S::M {
    let u = edges::<S>(p);
    let normal = cross::<S>(u[0], u[1]);
    let mut apart = S::never();
    for side in u {
        let way = cross::<S>(side, normal);
        apart = S::or(apart, S::gt(gap::<S>(way, p, q, off), S::splat(FLOOR)));
    }
    apart
}
