//! Lanes of 32-bit numbers: one trait, one file per instruction set, and the choice among them.
//!
//! Kernels are written once over [`Simd`] and compiled once per instruction set: [`Width::run`]
//! enters a function with the target features enabled, into which everything is inlined.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;
#[cfg(test)]
mod tests;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;
mod width;
#[cfg(target_arch = "x86_64")]
mod x86;

use crate::tree::{CELL_BITS, CELLS, SPLIT};
pub(crate) use portable::Portable;
pub use width::{UnknownWidth, Width};

/// Transformation from the lanes' frame to a single's, constant during a query. Fourth components
/// are zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transform {
    /// Columns of the rotation.
    pub(crate) columns: [[f64; 4]; 3],
    /// Rows of the rotation, rounded to 32 bits.
    pub(crate) rounded: [[f32; 4]; 3],
    /// Translation of the lanes' origin, in their unit.
    pub(crate) shift: [f64; 4],
    /// Factor from the single's unit to the lanes'.
    pub(crate) ratio: f64,
}

/// A vector of `LANES` 32-bit numbers, and the operations of the kernels. Rounding may differ
/// between sets (some fuse multiply and add): the kernels' bounds hold for all.
pub(crate) trait Simd: Copy {
    /// Number of lanes: 4, 8 or 16.
    const LANES: usize;
    /// Vector of numbers.
    type F: Copy;
    /// Mask: one bit per lane.
    type M: Copy;

    fn splat(x: f32) -> Self::F;
    /// Loads lanes `at .. at + LANES`.
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
    /// Larger of `a` and `b`; `b` where `a` is NaN. Where only `b` is NaN, sets differ.
    fn max(a: Self::F, b: Self::F) -> Self::F;
    fn div(a: Self::F, b: Self::F) -> Self::F;
    /// `a` where `m` is set, `b` elsewhere.
    fn select(m: Self::M, a: Self::F, b: Self::F) -> Self::F;
    /// The least lane; none may be NaN.
    fn least(a: Self::F) -> f32;
    /// The empty mask.
    fn never() -> Self::M;
    /// The mask of the lowest bits: lane `l` is bit `l`.
    fn mask(bits: u32) -> Self::M;
    /// Returns `(rows, W)` of a single box relative to a node: `W = R n + T − ratio (n' + c')` in
    /// 64 bits, rounded once, for `[n, n', c']`; rows `s_i · [R | W]` in 32 bits, for axes `s_i`.
    #[inline(always)]
    fn frame(
        transform: &Transform,
        at: [[f32; 4]; 3],
        axes: &[[f32; 3]; 3],
    ) -> ([[f32; 4]; 3], [f32; 4]) {
        let [x, y, z, _] = at[0];
        let [cx, cy, cz] = &transform.columns;
        let mut w = [0.0; 4];
        for i in 0..4 {
            let there = cx[i] * f64::from(x) + cy[i] * f64::from(y) + cz[i] * f64::from(z);
            let single = f64::from(at[1][i]) + f64::from(at[2][i]);
            w[i] = (there + transform.shift[i] - transform.ratio * single) as f32;
        }
        let mut rows = [[0.0; 4]; 3];
        for (row, [s, t, u]) in rows.iter_mut().zip(axes) {
            for j in 0..3 {
                let [p, q, r] =
                    [transform.rounded[0][j], transform.rounded[1][j], transform.rounded[2][j]];
                row[j] = s * p + (t * q + u * r);
            }
            row[3] = s * w[0] + (t * w[1] + u * w[2]);
        }
        (rows, w)
    }
    /// The cells of a leaf's corners `at .. at + LANES`, as numbers: of the words of a
    /// [`Leaf`](crate::tree::Leaf), those from 0 on and those from `CORNERS` on. Beyond the last corner
    /// anything.
    #[inline(always)]
    fn cells(words: [&[u32; 16]; 2], at: usize) -> [Self::F; 3] {
        let mask = (1u32 << CELL_BITS) - 1;
        let mut cells = [[0.0; 16]; 3];
        for n in 0..16 {
            let (low, high) = (words[0][n], words[1][n]);
            let y = low >> CELL_BITS | high << SPLIT;
            for (cells, x) in cells.iter_mut().zip([low, y, high >> (CELL_BITS - SPLIT)]) {
                cells[n] = ((x & mask) as i32 - CELLS as i32) as f32;
            }
        }
        [Self::load(&cells[0], at), Self::load(&cells[1], at), Self::load(&cells[2], at)]
    }
    /// Replaces numbers by larger ones. None may be NaN.
    #[inline(always)]
    fn raise(to: &mut [f32; 8], by: &[f32; 8]) {
        for k in 0..8 {
            to[k] = if by[k] > to[k] { by[k] } else { to[k] };
        }
    }
    /// `a > b`; false where a number is NaN.
    fn gt(a: Self::F, b: Self::F) -> Self::M;
    fn or(a: Self::M, b: Self::M) -> Self::M;
    fn and(a: Self::M, b: Self::M) -> Self::M;
    /// The mask as bits: bit `l` is lane `l`.
    fn bits(m: Self::M) -> u32;
}

/// A computation to be compiled for each instruction set.
pub(crate) trait Task {
    type Out;
    /// Runs it. Implementations are `#[inline(always)]`, and so is what they call in their loops.
    fn run<S: Simd>(self) -> Self::Out;
}
