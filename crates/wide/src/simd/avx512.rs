//! AVX-512: sixteen lanes.
#![allow(unsafe_code)]

use core::arch::x86_64::{
    __m512, __mmask16, _CMP_GT_OQ, _mm_loadu_ps, _mm512_abs_ps, _mm512_add_ps, _mm512_and_si512,
    _mm512_broadcast_f32x4, _mm512_castps128_ps512, _mm512_cmp_ps_mask, _mm512_cvtepi32_ps,
    _mm512_div_ps, _mm512_fmadd_ps, _mm512_fmsub_ps, _mm512_loadu_ps, _mm512_loadu_si512,
    _mm512_mask_blend_ps, _mm512_max_ps, _mm512_mul_ps, _mm512_or_si512, _mm512_permutexvar_ps,
    _mm512_reduce_min_ps, _mm512_set1_epi32, _mm512_set1_ps, _mm512_setr_epi32, _mm512_slli_epi32,
    _mm512_srli_epi32, _mm512_storeu_ps, _mm512_sub_epi32, _mm512_sub_ps,
};

use super::{Simd, Task, Transform, x86};
use crate::tree::{CELL_BITS, CELLS, SPLIT};

/// 512-bit registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512;

x86::features!(Avx512: "avx512f" "avx512vl" "avx512dq" "avx512bw" "avx2" "fma" "bmi1" "bmi2" "lzcnt" "popcnt");

/// Runs a task, or returns it if this processor lacks the instructions.
pub(super) fn run<T: Task>(task: T) -> Result<T::Out, T> {
    if !is_present() {
        return Err(task);
    }
    // SAFETY: the features that `switched_on` is compiled with were just found: one list has both.
    Ok(unsafe { switched_on(task) })
}

/// An intrinsic of a set that is known to be present.
macro_rules! on {
    ($call:expr) => {
        // SAFETY: `Simd` functions of this set are called from `switched_on` only, into which they
        // are inlined; pointers come from references to arrays that are long enough.
        unsafe { $call }
    };
}

impl Simd for Avx512 {
    const LANES: usize = 16;
    type F = __m512;
    type M = __mmask16;

    #[inline(always)]
    fn splat(x: f32) -> __m512 {
        on!(_mm512_set1_ps(x))
    }
    #[inline(always)]
    fn load(from: &[f32; 16], _: usize) -> __m512 {
        on!(_mm512_loadu_ps(from.as_ptr()))
    }
    #[inline(always)]
    fn store(x: __m512, to: &mut [f32; 16], _: usize) {
        on!(_mm512_storeu_ps(to.as_mut_ptr(), x));
    }
    #[inline(always)]
    fn repeat(from: &[f32; 4]) -> __m512 {
        on!(_mm512_broadcast_f32x4(_mm_loadu_ps(from.as_ptr())))
    }
    #[inline(always)]
    fn spread(from: &[f32; 4], _: usize) -> __m512 {
        on!({
            let by_four = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
            _mm512_permutexvar_ps(by_four, _mm512_castps128_ps512(_mm_loadu_ps(from.as_ptr())))
        })
    }
    #[inline(always)]
    fn add(a: __m512, b: __m512) -> __m512 {
        on!(_mm512_add_ps(a, b))
    }
    #[inline(always)]
    fn sub(a: __m512, b: __m512) -> __m512 {
        on!(_mm512_sub_ps(a, b))
    }
    #[inline(always)]
    fn mul(a: __m512, b: __m512) -> __m512 {
        on!(_mm512_mul_ps(a, b))
    }
    #[inline(always)]
    fn mul_add(a: __m512, b: __m512, c: __m512) -> __m512 {
        on!(_mm512_fmadd_ps(a, b, c))
    }
    #[inline(always)]
    fn mul_sub(a: __m512, b: __m512, c: __m512) -> __m512 {
        on!(_mm512_fmsub_ps(a, b, c))
    }
    #[inline(always)]
    fn abs(a: __m512) -> __m512 {
        on!(_mm512_abs_ps(a))
    }
    #[inline(always)]
    fn max(a: __m512, b: __m512) -> __m512 {
        on!(_mm512_max_ps(a, b))
    }
    #[inline(always)]
    fn div(a: __m512, b: __m512) -> __m512 {
        on!(_mm512_div_ps(a, b))
    }
    #[inline(always)]
    fn select(m: __mmask16, a: __m512, b: __m512) -> __m512 {
        on!(_mm512_mask_blend_ps(m, b, a))
    }
    #[inline(always)]
    fn least(a: __m512) -> f32 {
        on!(_mm512_reduce_min_ps(a))
    }
    #[inline(always)]
    fn frame(
        transform: &Transform,
        at: [[f32; 4]; 3],
        axes: &[[f32; 3]; 3],
    ) -> ([[f32; 4]; 3], [f32; 4]) {
        on!(x86::frame(transform, &at, axes))
    }
    #[inline(always)]
    fn cells(words: [&[u32; 16]; 2], _: usize) -> [__m512; 3] {
        on!({
            let low = _mm512_loadu_si512(words[0].as_ptr().cast());
            let high = _mm512_loadu_si512(words[1].as_ptr().cast());
            let y = _mm512_or_si512(
                _mm512_srli_epi32::<CELL_BITS>(low),
                _mm512_slli_epi32::<SPLIT>(high),
            );
            let z = _mm512_srli_epi32::<{ CELL_BITS - SPLIT }>(high);
            let mask = _mm512_set1_epi32((1 << CELL_BITS) - 1);
            let middle = _mm512_set1_epi32(CELLS as i32);
            let low = _mm512_sub_epi32(_mm512_and_si512(low, mask), middle);
            let y = _mm512_sub_epi32(_mm512_and_si512(y, mask), middle);
            let z = _mm512_sub_epi32(_mm512_and_si512(z, mask), middle);
            [_mm512_cvtepi32_ps(low), _mm512_cvtepi32_ps(y), _mm512_cvtepi32_ps(z)]
        })
    }
    #[inline(always)]
    fn never() -> __mmask16 {
        0
    }
    #[inline(always)]
    fn mask(bits: u32) -> __mmask16 {
        bits as __mmask16
    }
    #[inline(always)]
    fn raise(to: &mut [f32; 8], by: &[f32; 8]) {
        on!(x86::raise(to, by));
    }
    #[inline(always)]
    fn gt(a: __m512, b: __m512) -> __mmask16 {
        on!(_mm512_cmp_ps_mask::<_CMP_GT_OQ>(a, b))
    }
    #[inline(always)]
    fn or(a: __mmask16, b: __mmask16) -> __mmask16 {
        a | b
    }
    #[inline(always)]
    fn and(a: __mmask16, b: __mmask16) -> __mmask16 {
        a & b
    }
    #[inline(always)]
    fn bits(m: __mmask16) -> u32 {
        u32::from(m)
    }
}
