//! Triangle tests in f64 with proven error bounds: certain, or silent.
//!
//! | test | idea |
//! | --- | --- |
//! | [`sat17`] | a separating axis among 17 |
//! | [`interval`] | intervals on the planes' common line |
//! | [`permutation`] | signs of permuted corners |
//!
//! Each answers [`Outcome::Hit`] or [`Outcome::Miss`] only when that is certain for the
//! exact closed triangles, and [`Outcome::Undecided`] otherwise: for touching, coplanar and
//! degenerate triangles, and for numbers whose products would leave the range of f64. Ask
//! [`exact::triangles_meet`] then, as [`meet_with`] does.
//!
//! # Error bounds
//! `u = 2⁻⁵³`. A difference of coordinates is computed with a factor within `1 ± u`. A triple
//! product `(e × f) · w` of three differences carries, term by term, three such factors, two of
//! the products, one of the inner difference and two of the sum: 8, so it is off by at most
//! `8.01 u` of its permanent, and the permanent of vectors with largest components `|e|, |f|, |w|`
//! is at most `6 |e| |f| |w|`: **48.1 u |e| |f| |w|**. Underflow adds less than `TINY`, given that
//! no component exceeds `RANGE`.

mod boxes;
mod closest;
mod interval;
mod permutation;
mod plane;
mod planes;
mod sat;

pub use boxes::{overlaps_obb, overlaps_obb_four_axes};
pub(crate) use closest::Local;
pub use closest::{distance, distance_apart};
pub use interval::interval;
pub use permutation::permutation;
pub use plane::TrianglePlane;
pub use sat::sat17;

use crate::{Triangle, Vector, exact};

/// What a float test found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The closed triangles share a point, for certain.
    Hit,
    /// They share none, for certain.
    Miss,
    /// The error bound does not tell.
    Undecided,
}

/// Do the closed triangles share a point? `test` decides what it can, exact signs the rest: never
/// wrong.
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

/// Unit of rounding of f64.
const UNIT: f64 = f64::EPSILON / 2.0;
/// Largest difference of coordinates with which the tests calculate; beyond it they are silent.
pub(crate) const RANGE: f64 = 1e60;
/// More than underflow can take from a product of three differences below `RANGE`: each of under
/// 30 roundings loses at most 2⁻¹⁰⁷⁵, multiplied afterwards by at most 1e120.
pub(crate) const TINY: f64 = 1e-190;
/// The same for a product of four.
const TINY_4: f64 = 1e-130;

/// The three sides, `t[i+1] − t[i]`, and their largest component.
#[inline(always)]
pub(crate) fn sides(t: &Triangle) -> ([Vector; 3], f64) {
    let e = [t[1] - t[0], t[2] - t[1], t[0] - t[2]];
    (e, larger(larger(largest(&e[0]), largest(&e[1])), largest(&e[2])))
}

/// The larger of two numbers. One instruction where `f64::max` has five: it need not look for NaN.
#[inline(always)]
pub(crate) const fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// Largest magnitude of a component.
#[inline(always)]
pub(crate) fn largest(v: &Vector) -> f64 {
    larger(larger(v.x.abs(), v.y.abs()), v.z.abs())
}

/// All above `bound`, or all below `-bound`.
#[inline(always)]
fn one_side(s: [f64; 3], bound: f64) -> bool {
    (s[0] > bound && s[1] > bound && s[2] > bound)
        || (s[0] < -bound && s[1] < -bound && s[2] < -bound)
}

/// One above `bound` and one below `-bound`.
#[inline(always)]
fn both_sides(s: [f64; 3], bound: f64) -> bool {
    s[0].max(s[1]).max(s[2]) > bound && s[0].min(s[1]).min(s[2]) < -bound
}
