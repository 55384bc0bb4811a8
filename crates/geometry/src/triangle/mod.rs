//! Filtered triangle tests in f64 with proven error bounds: certain, or undecided.
//!
//! | test | idea |
//! | --- | --- |
//! | [`sat17`] | a separating axis among 17 |
//! | [`interval`] | intervals on the planes' common line |
//! | [`permutation`] | signs of permuted corners |
//!
//! Each returns [`Outcome::Hit`] or [`Outcome::Miss`] only when that is certain for the exact
//! closed triangles, and [`Outcome::Undecided`] otherwise: for touching, coplanar and degenerate
//! triangles, and for numbers whose products would leave the range of f64.
//! [`exact::triangles_meet`] decides those, as in [`meet_with`].
//!
//! # Error bounds
//! `u = 2⁻⁵³`. A difference of coordinates is computed with a factor within `1 ± u`. Let `|v|` be
//! the largest component of `v`. Then the magnitudes of the components of `f × w` sum to at most
//! `4 |f| |w|` (a convex function, largest where all are ±1; two of the three differences are 2
//! there, one 0), and a triple product is at most `4 |e| |f| |w|`. In units of `u |e| |f| |w|`,
//! `(e × f) · w` is off by
//! - 12 for three vectors of differences, since each is multiplied by the cross product of the
//!   others;
//! - 6 for the products of `e × f`, 4 for their differences;
//! - 4 for the products with `w`, 8 for their two sums:
//!
//! **34.1 u |e| |f| |w|** with second-order terms. Underflow adds less than `TINY` if no component
//! exceeds `RANGE`. The module `adversarial` finds roundings that use up a third.

#[cfg(test)]
mod adversarial;
mod boxes;
mod closest;
mod interval;
mod normal;
mod permutation;
mod plane;
mod planes;
mod sat;
#[cfg(test)]
mod tests;

pub use boxes::{overlaps_obb, overlaps_obb_four_axes};
pub(crate) use closest::Local;
pub use closest::{distance, distance_apart, gap};
pub use interval::interval;
pub use normal::unit_normal;
pub use permutation::permutation;
pub use plane::TrianglePlane;
pub use sat::sat17;

use crate::{Triangle, Vector, exact};

/// The result of a filtered test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The closed triangles share a point, for certain.
    Hit,
    /// They share no point, for certain.
    Miss,
    /// The result is within the error bound.
    Undecided,
}

/// Whether the closed triangles share a point: by `test` where it is certain, else by exact signs.
/// Always correct.
#[inline]
pub fn meet_with(
    test: impl FnOnce(&Triangle, &Triangle) -> Outcome,
    p: &Triangle,
    q: &Triangle,
) -> bool {
    match test(p, q) {
        Outcome::Hit => true,
        Outcome::Miss => false,
        Outcome::Undecided => exact::triangles_meet(p, q),
    }
}

/// Bounds the rounding of a triple product, in units of its largest components: 34.1 u, and the
/// rounding of the bound itself.
pub(crate) const TRIPLE: f64 = 36.0 * UNIT;

const UNIT: f64 = f64::EPSILON / 2.0;
/// Largest difference of coordinates for which the tests compute; beyond it they are undecided.
pub(crate) const RANGE: f64 = 1e60;
/// Bounds what underflow takes from a product `(e × f) · w` of differences below `RANGE`: six
/// products lose 2⁻¹⁰⁷⁵ each, times a component of `w`. Also enough for `((e × f) × g) · w`. If
/// `e × f` underflows, then either `g`, a side like `e` and `f`, is below 2⁻⁵¹¹, or the loss is
/// less than the reserve of the relative bounds; the products with `g` then lose as much. Also
/// enough for sums of products with sides of both triangles, since one alone can have so small a
/// cross product and so large a `w`.
pub(crate) const TINY: f64 = 4.0 * f64::from_bits(1) * RANGE;

/// The three sides, `t[i+1] − t[i]`, and their largest component.
#[inline(always)]
pub(crate) fn sides(t: &Triangle) -> ([Vector; 3], f64) {
    let e = [t[1] - t[0], t[2] - t[1], t[0] - t[2]];
    (e, larger(larger(largest(&e[0]), largest(&e[1])), largest(&e[2])))
}

/// The larger of two numbers. One instruction where `f64::max` has five, since NaN is not handled.
#[inline(always)]
pub(crate) const fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The smaller of two numbers, like [`larger`].
#[inline(always)]
pub(crate) const fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

#[inline(always)]
pub(crate) fn largest(v: &Vector) -> f64 {
    larger(larger(v.x.abs(), v.y.abs()), v.z.abs())
}

/// Whether a number with an error below `bound` is certainly positive.
#[inline(always)]
pub(crate) fn above(x: f64, bound: f64) -> bool {
    x > bound
}

/// Whether a number with an error below `bound` is certainly negative.
#[inline(always)]
pub(crate) fn below(x: f64, bound: f64) -> bool {
    x < -bound
}

#[inline(always)]
fn one_side(s: [f64; 3], bound: f64) -> bool {
    (above(s[0], bound) && above(s[1], bound) && above(s[2], bound))
        || (below(s[0], bound) && below(s[1], bound) && below(s[2], bound))
}

#[inline(always)]
fn both_sides(s: [f64; 3], bound: f64) -> bool {
    above(s[0].max(s[1]).max(s[2]), bound) && below(s[0].min(s[1]).min(s[2]), bound)
}
