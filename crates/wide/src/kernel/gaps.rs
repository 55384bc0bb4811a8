//! Lower bounds on the distances of one oriented box from each of a node's.

use super::boxes::{SLACK, from_centre, three, turned};
use crate::placement::Relative;
use crate::simd::Simd;
use crate::tree::{LANES, Node};

/// The squared gaps along three axes, orthonormal up to rounding, may sum to this much more than
/// the squared distance.
const SHRINK: f32 = 1.0 - 1.0 / (1 << 18) as f32;

/// Underflow adds less than this to a square.
const FLOOR: f32 = 1.0e-37;
/// One, plus what rounding may take from `1 − q²`: 64 u, of which 43 u are needed.
const ONE: f32 = 1.0 + 1.0 / (1 << 18) as f32;

/// Writes squared lower bounds, in units of the lanes' model; zero where boxes may meet. Returns
/// bit `l` set if lane `l` is in use and may be within the square root of `limit`.
///
/// The squared gaps along one box's three face axes sum to at most the squared distance of the
/// boxes. The nine edge axes are only compared with the limit.
#[inline(always)]
pub(crate) fn bounds<S: Simd>(
    one: &Relative,
    node: &Node,
    limit: f32,
    squares: &mut [f32; LANES],
) -> u32 {
    let mut near = 0;
    let mut at = 0;
    while at < LANES {
        if at < node.lanes as usize {
            near |= lanes::<S>(one, node, at, limit, squares) << at;
        }
        at += S::LANES;
    }
    near & node.in_use()
}

#[inline(always)]
fn gap<S: Simd>(x: S::F, reach: S::F) -> S::F {
    S::max(S::sub(S::abs(x), reach), S::splat(0.0))
}

#[inline(always)]
fn lanes<S: Simd>(
    one: &Relative,
    node: &Node,
    at: usize,
    limit: f32,
    squares: &mut [f32; LANES],
) -> u32 {
    let (c, e) = (three::<S>(&node.center, at), three::<S>(&node.half, at));
    let [x, y, z] = &one.rows;
    let d = [from_centre::<S>(x, c), from_centre::<S>(y, c), from_centre::<S>(z, c)];
    let h = [S::splat(one.half[0]), S::splat(one.half[1]), S::splat(one.half[2])];
    let far = S::max(S::max(S::abs(d[0]), S::abs(d[1])), S::abs(d[2]));
    let sum = S::add(S::add(e[0], e[1]), S::add(e[2], S::splat(one.sum)));
    // Boxes may be far apart here, so rounding is also relative to their distance.
    let slack = S::mul(S::mul_add(far, S::splat(2.0), sum), S::splat(SLACK));
    let zero = S::splat(0.0);
    let [q, aq] = turned::<S>(one, node, at);
    let mut of_single = zero;
    for i in 0..3 {
        let reach = S::mul_add(aq[i][0], e[0], S::add(h[i], slack));
        let reach = S::mul_add(aq[i][1], e[1], S::mul_add(aq[i][2], e[2], reach));
        let g = gap::<S>(d[i], reach);
        of_single = S::mul_add(g, g, of_single);
    }
    let mut of_lane = zero;
    for j in 0..3 {
        let x = S::mul_add(q[0][j], d[0], S::mul_add(q[1][j], d[1], S::mul(q[2][j], d[2])));
        let reach = S::mul_add(aq[0][j], h[0], S::add(e[j], slack));
        let g = gap::<S>(x, S::mul_add(aq[1][j], h[1], S::mul_add(aq[2][j], h[2], reach)));
        of_lane = S::mul_add(g, g, of_lane);
    }
    let square = S::mul_sub(S::max(of_single, of_lane), S::splat(SHRINK), S::splat(FLOOR));
    let square = S::max(square, zero);
    S::store(square, squares, at);
    let limit = S::splat(limit);
    let all = ((1u64 << S::LANES) - 1) as u32;
    let mut beyond = S::gt(square, limit);
    if S::bits(beyond) == all {
        return 0;
    }
    for i in 0..3 {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            let x = S::mul_sub(d[i2], q[i1][j], S::mul(d[i1], q[i2][j]));
            let reach = S::mul_add(aq[i2][j], h[i1], S::mul_add(aq[i1][j], h[i2], slack));
            let reach = S::mul_add(aq[i][j2], e[j1], S::mul_add(aq[i][j1], e[j2], reach));
            let g = gap::<S>(x, reach);
            // The axis's length is the sine of the angle between the edges.
            let length = S::sub(S::splat(ONE), S::mul(q[i][j], q[i][j]));
            let reach = S::mul_add(limit, length, S::splat(FLOOR));
            beyond = S::or(beyond, S::gt(S::mul(g, g), reach));
        }
    }
    all & !S::bits(beyond)
}
