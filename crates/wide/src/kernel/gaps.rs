//! Lower bounds on the distances of one oriented box from each of a node's.

use super::boxes::{Nine, SLACK, from_centre, three, turned};
use super::triangles::V;
use crate::placement::Relative;
use crate::simd::Simd;
use crate::tree::{LANES, Node};

/// The squared gaps along three axes, orthonormal up to rounding, may sum to this much more than
/// the squared distance.
const SHRINK: f32 = 1.0 - 1.0 / (1 << 18) as f32;

/// Underflow adds less than this to a square.
const FLOOR: f32 = 1.0e-37;
/// Squares below this may have underflowed.
const TINY: f32 = 1.0e-36;
/// One, plus what rounding may take from `1 − q²`: 64 u, of which 43 u are needed.
const ONE: f32 = 1.0 + 1.0 / (1 << 18) as f32;

/// Writes squared lower bounds, in units of the lanes' model; zero where boxes may meet; and squared distances
/// of the boxes' centres. Returns bit `l` set if lane `l` is in use and may be within the square root of `limit`.
///
/// A bound is that along the vector of the gaps over the face axes of one box: [`along`]. The nine edge
/// axes are only compared with the limit.
#[inline(always)]
pub(crate) fn bounds<S: Simd>(
    one: &Relative,
    node: &Node,
    limit: f32,
    squares: &mut [f32; LANES],
    centers: &mut [f32; LANES],
) -> u32 {
    let mut near = 0;
    let mut at = 0;
    while at < LANES {
        if at < node.lanes as usize {
            near |= lanes::<S>(one, node, at, limit, squares, centers) << at;
        }
        at += S::LANES;
    }
    near & node.in_use()
}

#[inline(always)]
fn gap<S: Simd>(x: S::F, reach: S::F) -> S::F {
    S::max(S::sub(S::abs(x), reach), S::splat(0.0))
}

/// The squared length of a vector.
#[inline(always)]
fn square<S: Simd>(g: V<S>) -> S::F {
    S::mul_add(g[0], g[0], S::mul_add(g[1], g[1], S::mul(g[2], g[2])))
}

/// A square that rounding has not made too large.
#[inline(always)]
fn less<S: Simd>(square: S::F) -> S::F {
    S::max(S::mul_sub(square, S::splat(SHRINK), S::splat(FLOOR)), S::splat(0.0))
}

/// The squared gap along the vector `g` of the gaps over the axes of one box, of which `square` is the squared
/// length. `x` are the coordinates of the other's centre there, `q[j][i]` that of its axis `i` on axis `j`,
/// and `half` its half-lengths.
///
/// Over each axis `j` by itself the other box reaches `Σ_i |q_ji| half_i`. Along the vector it reaches less by
/// `m / |g|`, with `m = Σ_i half_i (Σ_j g_j |q_ji| − |Σ_j ± g_j q_ji|)` and the signs of `x`: so the gap
/// is `(|g|² + m) / |g|`, and its square `|g|² + 2 m + m² / |g|²`. See `docs/wide-bounds.md`, "Distance".
#[inline(always)]
fn along<S: Simd>((g, square): (V<S>, S::F), x: V<S>, [q, aq]: [&Nine<S>; 2], half: V<S>) -> S::F {
    let zero = S::splat(0.0);
    let mut signed = [zero; 3];
    for j in 0..3 {
        signed[j] = S::select(S::gt(zero, x[j]), S::sub(zero, g[j]), g[j]);
    }
    let mut m = zero;
    for i in 0..3 {
        let one = S::mul_add(signed[1], q[1][i], S::mul(signed[2], q[2][i]));
        let one = S::abs(S::mul_add(signed[0], q[0][i], one));
        let each = S::mul_add(g[1], aq[1][i], S::mul(g[2], aq[2][i]));
        let each = S::mul_add(g[0], aq[0][i], each);
        m = S::mul_add(half[i], S::sub(each, one), m);
    }
    // A larger divisor makes the bound less.
    let per = S::div(m, S::max(square, S::splat(TINY)));
    S::mul_add(m, S::add(S::splat(2.0), per), square)
}

#[inline(always)]
fn transposed<S: Simd>(m: &Nine<S>) -> Nine<S> {
    [[m[0][0], m[1][0], m[2][0]], [m[0][1], m[1][1], m[2][1]], [m[0][2], m[1][2], m[2][2]]]
}

#[inline(always)]
fn lanes<S: Simd>(
    one: &Relative,
    node: &Node,
    at: usize,
    limit: f32,
    squares: &mut [f32; LANES],
    centers: &mut [f32; LANES],
) -> u32 {
    let (c, e) = (three::<S>(&node.center, at), three::<S>(&node.half, at));
    let [x, y, z] = &one.rows;
    let d = [from_centre::<S>(x, c), from_centre::<S>(y, c), from_centre::<S>(z, c)];
    S::store(square::<S>(d), centers, at);
    let h = [S::splat(one.half[0]), S::splat(one.half[1]), S::splat(one.half[2])];
    let far = S::max(S::max(S::abs(d[0]), S::abs(d[1])), S::abs(d[2]));
    let sum = S::add(S::add(e[0], e[1]), S::add(e[2], S::splat(one.sum)));
    // Boxes may be far apart here, so rounding is also relative to their distance.
    let slack = S::mul(S::mul_add(far, S::splat(2.0), sum), S::splat(SLACK));
    let zero = S::splat(0.0);
    let [q, aq] = turned::<S>(one, node, at);
    let mut of_single = [zero; 3];
    for i in 0..3 {
        let reach = S::mul_add(aq[i][0], e[0], S::add(h[i], slack));
        let reach = S::mul_add(aq[i][1], e[1], S::mul_add(aq[i][2], e[2], reach));
        of_single[i] = gap::<S>(d[i], reach);
    }
    let (mut x, mut of_lane) = ([zero; 3], [zero; 3]);
    for j in 0..3 {
        x[j] = S::mul_add(q[0][j], d[0], S::mul_add(q[1][j], d[1], S::mul(q[2][j], d[2])));
        let reach = S::mul_add(aq[0][j], h[0], S::add(e[j], slack));
        let reach = S::mul_add(aq[1][j], h[1], S::mul_add(aq[2][j], h[2], reach));
        of_lane[j] = gap::<S>(x[j], reach);
    }
    let (by_single, by_lane) = (square::<S>(of_single), square::<S>(of_lane));
    let limit = S::splat(limit);
    let all = ((1u64 << S::LANES) - 1) as u32;
    let bound = less::<S>(S::max(by_single, by_lane));
    if S::bits(S::gt(bound, limit)) == all {
        S::store(bound, squares, at);
        return 0;
    }
    let by_single = along::<S>((of_single, by_single), d, [&q, &aq], e);
    let (q_back, aq_back) = (transposed::<S>(&q), transposed::<S>(&aq));
    let by_lane = along::<S>((of_lane, by_lane), x, [&q_back, &aq_back], h);
    let bound = less::<S>(S::max(by_single, by_lane));
    S::store(bound, squares, at);
    let beyond = S::gt(bound, limit);
    if S::bits(beyond) == all {
        return 0;
    }
    let edges = beyond_on_edges::<S>(d, [&q, &aq], [h, e], slack, limit);
    all & !S::bits(S::or(beyond, edges))
}

/// Those lanes whose gap along an edge axis is larger than the square root of the limit.
#[inline(always)]
fn beyond_on_edges<S: Simd>(
    d: V<S>,
    [q, aq]: [&Nine<S>; 2],
    [h, e]: [V<S>; 2],
    slack: S::F,
    limit: S::F,
) -> S::M {
    let mut beyond = S::never();
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
    beyond
}
