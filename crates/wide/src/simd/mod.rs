//! Lanes of 32-bit numbers: one trait, one file per instruction set, and the choice among them.
//!
//! Kernels are written once over [`Simd`] and compiled once per instruction set: [`Width::run`]
//! enters a function that has the instructions switched on, and everything in it is inlined there.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;
mod width;

pub use width::{UnknownWidth, Width};

/// A vector of `LANES` numbers, and what kernels do with it. Rounding may differ between sets (some
/// fuse multiply and add): the bounds of the kernels hold for all.
pub(crate) trait Simd: Copy {
    /// 4, 8 or 16.
    const LANES: usize;
    /// Numbers.
    type F: Copy;
    /// One bit per lane.
    type M: Copy;

    fn splat(x: f32) -> Self::F;
    /// Lanes `at .. at + LANES`.
    fn load(from: &[f32; 16], at: usize) -> Self::F;
    fn store(x: Self::F, to: &mut [f32; 16], at: usize);
    /// Lane `l` holds `from[l % 4]`.
    fn repeat(from: &[f32; 4]) -> Self::F;
    /// Lane `l` holds `from[(at + l) / 4]`.
    fn spread(from: &[f32; 4], at: usize) -> Self::F;
    fn add(a: Self::F, b: Self::F) -> Self::F;
    fn sub(a: Self::F, b: Self::F) -> Self::F;
    fn mul(a: Self::F, b: Self::F) -> Self::F;
    /// `a b + c`, fused or not.
    fn mul_add(a: Self::F, b: Self::F, c: Self::F) -> Self::F;
    /// `a b − c`, fused or not.
    fn mul_sub(a: Self::F, b: Self::F, c: Self::F) -> Self::F;
    fn abs(a: Self::F) -> Self::F;
    fn max(a: Self::F, b: Self::F) -> Self::F;
    /// No lane.
    fn never() -> Self::M;
    /// False where a number is NaN.
    fn gt(a: Self::F, b: Self::F) -> Self::M;
    fn or(a: Self::M, b: Self::M) -> Self::M;
    fn and(a: Self::M, b: Self::M) -> Self::M;
    /// Bit `l` is lane `l`.
    fn bits(m: Self::M) -> u32;
}

/// Something to be done with the instructions of some set.
pub(crate) trait Task {
    /// What comes of it.
    type Out;
    /// Does it. Implementations are `#[inline(always)]`, and so is what they call in their loops.
    fn run<S: Simd>(self) -> Self::Out;
}
