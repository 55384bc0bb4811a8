//! WebAssembly's `simd128`: four lanes. Which instructions a module has is fixed when it is compiled.
#![allow(unsafe_code)]

use bytemuck::Pod;
use core::arch::wasm32::{
    f32x4_abs, f32x4_add, f32x4_convert_i32x4, f32x4_div, f32x4_extract_lane, f32x4_gt, f32x4_mul,
    f32x4_pmax, f32x4_pmin, f32x4_splat, f32x4_sub, i32x4, i32x4_bitmask, i32x4_ne, i32x4_shl,
    i32x4_shuffle, i32x4_splat, i32x4_sub, u32x4_shr, v128, v128_and, v128_bitselect, v128_load,
    v128_or, v128_store,
};

use super::{Simd, Task};
use crate::tree::{CELL_BITS, CELLS, SPLIT};

/// 128-bit registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simd128;

pub(super) fn run<T: Task>(task: T) -> T::Out {
    task.run::<Simd128>()
}

/// The first four of some numbers of 32 bits.
#[inline(always)]
fn loaded<T: Pod>(from: &[T]) -> v128 {
    const { assert!(size_of::<T>() == 4) }
    let four = &from[..4];
    // SAFETY: the slice has the 16 bytes that are read, and a load needs no alignment.
    unsafe { v128_load(four.as_ptr().cast()) }
}

impl Simd for Simd128 {
    const LANES: usize = 4;
    type F = v128;
    type M = v128;

    #[inline(always)]
    fn splat(x: f32) -> v128 {
        f32x4_splat(x)
    }
    #[inline(always)]
    fn load(from: &[f32; 16], at: usize) -> v128 {
        loaded(&from[at..at + 4])
    }
    #[inline(always)]
    fn store(x: v128, to: &mut [f32; 16], at: usize) {
        let four = &mut to[at..at + 4];
        // SAFETY: the slice has the 16 bytes that are written, and a store needs no alignment.
        unsafe { v128_store(four.as_mut_ptr().cast(), x) }
    }
    #[inline(always)]
    fn repeat(from: &[f32; 4]) -> v128 {
        loaded(from)
    }
    #[inline(always)]
    fn spread(from: &[f32; 4], at: usize) -> v128 {
        f32x4_splat(from[at / 4])
    }
    #[inline(always)]
    fn add(a: v128, b: v128) -> v128 {
        f32x4_add(a, b)
    }
    #[inline(always)]
    fn sub(a: v128, b: v128) -> v128 {
        f32x4_sub(a, b)
    }
    #[inline(always)]
    fn mul(a: v128, b: v128) -> v128 {
        f32x4_mul(a, b)
    }
    #[inline(always)]
    fn mul_add(a: v128, b: v128, c: v128) -> v128 {
        f32x4_add(f32x4_mul(a, b), c)
    }
    #[inline(always)]
    fn mul_sub(a: v128, b: v128, c: v128) -> v128 {
        f32x4_sub(f32x4_mul(a, b), c)
    }
    #[inline(always)]
    fn abs(a: v128) -> v128 {
        f32x4_abs(a)
    }
    #[inline(always)]
    fn max(a: v128, b: v128) -> v128 {
        // The first where it is not less than the second: where a number is NaN, `b`.
        f32x4_pmax(b, a)
    }
    #[inline(always)]
    fn div(a: v128, b: v128) -> v128 {
        f32x4_div(a, b)
    }
    #[inline(always)]
    fn select(m: v128, a: v128, b: v128) -> v128 {
        v128_bitselect(a, b, m)
    }
    #[inline(always)]
    fn least(a: v128) -> f32 {
        let two = f32x4_pmin(a, i32x4_shuffle::<2, 3, 2, 3>(a, a));
        f32x4_extract_lane::<0>(f32x4_pmin(two, i32x4_shuffle::<1, 1, 1, 1>(two, two)))
    }
    #[inline(always)]
    fn cells(of: [&[u32; 16]; 2], at: usize) -> [v128; 3] {
        let (low, high) = (loaded(&of[0][at..at + 4]), loaded(&of[1][at..at + 4]));
        let y = v128_or(u32x4_shr(low, CELL_BITS), i32x4_shl(high, SPLIT));
        let z = u32x4_shr(high, CELL_BITS - SPLIT);
        let (mask, middle) = (i32x4_splat((1 << CELL_BITS) - 1), i32x4_splat(CELLS as i32));
        let cell = |x| f32x4_convert_i32x4(i32x4_sub(v128_and(x, mask), middle));
        [cell(low), cell(y), cell(z)]
    }
    #[inline(always)]
    fn never() -> v128 {
        i32x4_splat(0)
    }
    #[inline(always)]
    fn mask(bits: u32) -> v128 {
        let own = i32x4(1, 2, 4, 8);
        i32x4_ne(v128_and(i32x4_splat(bits as i32), own), i32x4_splat(0))
    }
    #[inline(always)]
    fn gt(a: v128, b: v128) -> v128 {
        f32x4_gt(a, b)
    }
    #[inline(always)]
    fn or(a: v128, b: v128) -> v128 {
        v128_or(a, b)
    }
    #[inline(always)]
    fn and(a: v128, b: v128) -> v128 {
        v128_and(a, b)
    }
    #[inline(always)]
    fn bits(m: v128) -> u32 {
        u32::from(i32x4_bitmask(m))
    }
}
