//! Lanes of 64-bit numbers, for what must have the bits of the same operations on single numbers.

use super::portable::Portable;

/// A vector of 64-bit numbers. Each operation is rounded as that of f64, and none is fused with another.
pub(crate) trait Doubles: Copy {
    /// Number of lanes: 4 or 8.
    const LANES: usize;
    /// Vector of numbers.
    type D: Copy;
    /// Mask: one bit per lane.
    type C: Copy;

    fn all(x: f64) -> Self::D;
    /// Loads lanes `at .. at + LANES`.
    fn load(from: &[f64; 8], at: usize) -> Self::D;
    fn store(x: Self::D, to: &mut [f64; 8], at: usize);
    fn add(a: Self::D, b: Self::D) -> Self::D;
    fn sub(a: Self::D, b: Self::D) -> Self::D;
    fn mul(a: Self::D, b: Self::D) -> Self::D;
    fn div(a: Self::D, b: Self::D) -> Self::D;
    /// `a < b`; false where a number is NaN, as for [`Doubles::at_most`].
    fn less(a: Self::D, b: Self::D) -> Self::C;
    /// `a <= b`.
    fn at_most(a: Self::D, b: Self::D) -> Self::C;
    fn both(a: Self::C, b: Self::C) -> Self::C;
    /// Where one of two is set, and not the other.
    fn one_of(a: Self::C, b: Self::C) -> Self::C;
    /// `a` where `m` is set, `b` elsewhere.
    fn pick(m: Self::C, a: Self::D, b: Self::D) -> Self::D;
}

#[inline(always)]
fn zip<T, U>(a: [T; 4], b: [T; 4], f: impl Fn(T, T) -> U) -> [U; 4]
where
    T: Copy,
{
    std::array::from_fn(|l| f(a[l], b[l]))
}

/// Plain Rust, also where a set has no vectors of so many bits.
impl Doubles for Portable {
    const LANES: usize = 4;
    type D = [f64; 4];
    type C = [bool; 4];

    #[inline(always)]
    fn all(x: f64) -> [f64; 4] {
        [x; 4]
    }
    #[inline(always)]
    fn load(from: &[f64; 8], at: usize) -> [f64; 4] {
        std::array::from_fn(|l| from[at + l])
    }
    #[inline(always)]
    fn store(x: [f64; 4], to: &mut [f64; 8], at: usize) {
        to[at..at + 4].copy_from_slice(&x);
    }
    #[inline(always)]
    fn add(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        zip(a, b, |a, b| a + b)
    }
    #[inline(always)]
    fn sub(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        zip(a, b, |a, b| a - b)
    }
    #[inline(always)]
    fn mul(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        zip(a, b, |a, b| a * b)
    }
    #[inline(always)]
    fn div(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        zip(a, b, |a, b| a / b)
    }
    #[inline(always)]
    fn less(a: [f64; 4], b: [f64; 4]) -> [bool; 4] {
        zip(a, b, |a, b| a < b)
    }
    #[inline(always)]
    fn at_most(a: [f64; 4], b: [f64; 4]) -> [bool; 4] {
        zip(a, b, |a, b| a <= b)
    }
    #[inline(always)]
    fn both(a: [bool; 4], b: [bool; 4]) -> [bool; 4] {
        zip(a, b, |a, b| a & b)
    }
    #[inline(always)]
    fn one_of(a: [bool; 4], b: [bool; 4]) -> [bool; 4] {
        zip(a, b, |a, b| a ^ b)
    }
    #[inline(always)]
    fn pick(m: [bool; 4], a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        std::array::from_fn(|l| if m[l] { a[l] } else { b[l] })
    }
}
