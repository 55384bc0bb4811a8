//! The corners of the polygon in f64, with bounds of all rounding errors.
//!
//! In units of `u = 2⁻⁵³`; each bound holds for the order of operations of this file, without fused
//! multiply-add. `W_j` is the larger magnitude of the two computed ends of a component of `V_j`, and
//! `P`, `Q` are the two products of such magnitudes in a component of `V_j × V_{j+1}`.
//!
//! 1. An end of a corner is a difference: off by 1.
//! 2. `V_j(t) = D_j (1 − t) + E_j t` with a `1 − t` that is exact: the difference, the product and
//!    the sum round once each. Off by 3 of `W_j`.
//! 3. `X_j = V_j × V_{j+1}`: its factors give 3 + 3, the product and the difference 1 each. Off by 8
//!    of `P + Q`. A middle coefficient is the sum of two of them, which rounds once more: off by 9 of
//!    `2 (P + Q)`.
//! 4. `F = V_0 · X_1`, with `M` the sum of the three `W_0 (P + Q)`: its factors give 3 + 8, the
//!    product 1, the two sums 2. Off by 14 of `M`. Three times an inner coefficient is the sum of one
//!    such product and one with a middle coefficient of `X_1`, off by 3 + 9 + 1 + 2 = 15 of `2 M`;
//!    the sum rounds once more. Off by 14 + 30 + 3 = 47 of `M`, which is 15.7 of `3 M`.
//!
//! Terms of second order are below `300 u²`; the constants leave more than that for them and for
//! the rounding of the bounds themselves. Underflow adds at most 2⁻¹⁰⁷⁵ to each product: with
//! magnitudes up to 2¹⁰¹, less than 2⁻¹⁰⁷⁰ to `V`, 2⁻⁹⁶⁵ to `X` and 2⁻⁸⁶⁰ to `F`.

use impinge_geometry::Point;

use super::Share;

/// 2⁻⁵³.
const UNIT: f64 = f64::EPSILON / 2.0;
/// Error of a corner, over the larger magnitude of its ends.
const CORNER: f64 = 3.2 * UNIT;
/// Error of a component of a cross product, over the sum of the magnitudes of its two products.
const NORMAL: f64 = 9.2 * UNIT;
/// Error of the volume, over the sum of the magnitudes of its six products.
const VOLUME: f64 = 16.0 * UNIT;
/// More than what underflow adds to any error: 2⁻⁸⁰⁰.
const UNDERFLOW: f64 = f64::from_bits((1023 - 800) << 52);

/// An axis whose largest magnitude is outside `LEAST` to `MOST` is scaled by powers of `STEP`.
const LEAST: f64 = 1.0 / MOST;
const MOST: f64 = (1_u128 << 100) as f64;
const STEP: f64 = MOST * MOST;

/// A vector.
pub(super) type Vector = [f64; 3];
/// The corners of the polygon at one time, or what belongs to each of them.
pub(super) type Corners<const N: usize> = [Vector; N];

/// The corners at both ends of time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moving<const N: usize> {
    pub(super) start: Corners<N>,
    pub(super) end: Corners<N>,
}

/// Bounds of errors on the whole motion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds<const N: usize> {
    pub(super) corners: Corners<N>,
    pub(super) normals: Corners<N>,
    pub(super) volume: f64,
}

impl<const N: usize> Moving<N> {
    /// The differences of the pairs of points.
    #[inline]
    pub(super) fn new(start: &[Point; 4], end: &[Point; 4], pairs: &[[usize; 2]; N]) -> Self {
        let of = |x: &[Point; 4]| {
            pairs.map(|[p, q]| [x[p].x - x[q].x, x[p].y - x[q].y, x[p].z - x[q].z])
        };
        Self { start: of(start), end: of(end) }
    }

    /// Whether all corners have one strict sign on an axis, at both ends and so in between. Exact: a
    /// difference of two f64 numbers has the sign of its rounded value.
    #[inline]
    pub(super) fn passes(&self) -> bool {
        passes(&self.start, &self.end, &[[0.0; 3]; N])
    }

    /// The larger magnitude of the two ends, of each component.
    #[inline]
    pub(super) fn reach(&self) -> Corners<N> {
        let mut reach = [[0.0; 3]; N];
        for j in 0..N {
            for k in 0..3 {
                reach[j][k] = larger(self.start[j][k].abs(), self.end[j][k].abs());
            }
        }
        reach
    }

    /// Brings each axis into range by a power of two, which changes no verdict and no time. Returns
    /// the axes on which nothing ever differs; `None` if a difference is too large for f64.
    #[inline]
    pub(super) fn scale(&mut self) -> Option<[bool; 3]> {
        let reach = self.reach();
        let mut flat = [false; 3];
        for k in 0..3 {
            let mut most = reach.iter().fold(0.0_f64, |most, w| most.max(w[k]));
            if most == f64::INFINITY {
                return None;
            }
            flat[k] = most == 0.0;
            while (most < LEAST && !flat[k]) || most > MOST {
                let factor = if most > MOST { 1.0 / STEP } else { STEP };
                most *= factor;
                self.start.iter_mut().chain(&mut self.end).for_each(|v| v[k] *= factor);
            }
        }
        Some(flat)
    }

    /// The corners at a time `t` for which `1 − t` is exact ([`snap`]).
    #[inline]
    pub(super) fn at(&self, t: f64) -> Corners<N> {
        let rest = 1.0 - t;
        let mut corners = [[0.0; 3]; N];
        for j in 0..N {
            for k in 0..3 {
                corners[j][k] = self.start[j][k] * rest + self.end[j][k] * t;
            }
        }
        corners
    }
}

impl<const N: usize> Bounds<N> {
    /// The bounds for a motion that is in range.
    #[inline]
    pub(super) fn new<S: Share>(moving: &Moving<N>) -> Self {
        let reach = moving.reach();
        let products: Corners<N> = std::array::from_fn(|j| {
            let (v, w) = (&reach[j], &reach[(j + 1) % N]);
            [v[1] * w[2] + v[2] * w[1], v[2] * w[0] + v[0] * w[2], v[0] * w[1] + v[1] * w[0]]
        });
        let permanent = dot(&reach[0], &products[1]);
        let underflow = S::OF_UNDERFLOW * UNDERFLOW;
        let bound = |factor: f64, size: f64| factor * size + underflow;
        Self {
            corners: reach.map(|v| v.map(|x| bound(S::OF_CORNERS * CORNER, x))),
            normals: products.map(|v| v.map(|x| bound(S::OF_NORMALS * NORMAL, x))),
            volume: bound(S::OF_BOUNDS * VOLUME, permanent),
        }
    }
}

/// Whether all corners at two times have one sign on an axis for certain.
#[inline]
pub(super) fn passes<const N: usize>(
    one: &Corners<N>,
    other: &Corners<N>,
    bounds: &Corners<N>,
) -> bool {
    // Without branches, which are as good as random.
    let (mut above, mut below) = ([true; 3], [true; 3]);
    for j in 0..N {
        for k in 0..3 {
            let (x, y, bound) = (one[j][k], other[j][k], bounds[j][k]);
            above[k] &= smaller(x, y) > bound;
            below[k] &= larger(x, y) < -bound;
        }
    }
    (above[0] | above[1] | above[2]) || (below[0] | below[1] | below[2])
}

/// A time near `t`, a multiple of 2⁻⁵⁰: then `1 − t` is exact.
#[inline]
pub(super) fn snap(t: f64) -> f64 {
    (t + 4.0) - 4.0
}

/// 1 or −1 if that is the sign for certain, and else 0.
#[inline]
pub(super) fn sign(x: f64, bound: f64) -> i8 {
    i8::from(x > bound) - i8::from(x < -bound)
}

#[inline]
pub(super) fn cross(v: &Vector, w: &Vector) -> Vector {
    [v[1] * w[2] - v[2] * w[1], v[2] * w[0] - v[0] * w[2], v[0] * w[1] - v[1] * w[0]]
}

#[inline]
pub(super) fn dot(v: &Vector, w: &Vector) -> f64 {
    v[0] * w[0] + v[1] * w[1] + v[2] * w[2]
}

#[inline]
pub(super) fn plus(v: &Vector, w: &Vector) -> Vector {
    [v[0] + w[0], v[1] + w[1], v[2] + w[2]]
}

/// The smaller of two numbers, in one instruction; `f64::min` takes more for NaN.
#[inline]
pub(super) fn smaller(x: f64, y: f64) -> f64 {
    if x < y { x } else { y }
}

/// The larger of two numbers.
#[inline]
pub(super) fn larger(x: f64, y: f64) -> f64 {
    if x > y { x } else { y }
}
