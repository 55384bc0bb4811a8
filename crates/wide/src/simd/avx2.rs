//! AVX2 with FMA: eight lanes.
#![allow(unsafe_code)]

use core::arch::x86_64::{
    __m256, _CMP_GT_OQ, _mm_cvtss_f32, _mm_loadu_ps, _mm_min_ps, _mm_movehdup_ps, _mm_movehl_ps,
    _mm256_add_ps, _mm256_and_ps, _mm256_and_si256, _mm256_andnot_ps, _mm256_blendv_ps,
    _mm256_broadcast_ps, _mm256_castps128_ps256, _mm256_castps256_ps128, _mm256_castsi256_ps,
    _mm256_cmp_ps, _mm256_cmpeq_epi32, _mm256_cvtepi32_ps, _mm256_div_ps, _mm256_extractf128_ps,
    _mm256_fmadd_ps, _mm256_fmsub_ps, _mm256_loadu_ps, _mm256_loadu_si256, _mm256_max_ps,
    _mm256_movemask_ps, _mm256_mul_ps, _mm256_or_ps, _mm256_or_si256, _mm256_permutevar8x32_ps,
    _mm256_set1_epi32, _mm256_set1_ps, _mm256_setr_epi32, _mm256_setzero_ps, _mm256_slli_epi32,
    _mm256_srli_epi32, _mm256_storeu_ps, _mm256_sub_epi32, _mm256_sub_ps,
};

use super::{Simd, Task, Transform, x86};
use crate::tree::{CELL_BITS, CELLS, SPLIT};

/// 256-bit registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2;

x86::features!(Avx2: "avx2" "fma" "bmi1" "bmi2" "lzcnt" "popcnt");

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
        // are inlined; pointers come from slices and arrays that are long enough.
        unsafe { $call }
    };
}

impl Simd for Avx2 {
    const LANES: usize = 8;
    type F = __m256;
    type M = __m256;

    #[inline(always)]
    fn splat(x: f32) -> __m256 {
        on!(_mm256_set1_ps(x))
    }
    #[inline(always)]
    fn load(from: &[f32; 16], at: usize) -> __m256 {
        on!(_mm256_loadu_ps(from[at..at + 8].as_ptr()))
    }
    #[inline(always)]
    fn store(x: __m256, to: &mut [f32; 16], at: usize) {
        on!(_mm256_storeu_ps(to[at..at + 8].as_mut_ptr(), x));
    }
    #[inline(always)]
    fn repeat(from: &[f32; 4]) -> __m256 {
        on!(_mm256_broadcast_ps(&_mm_loadu_ps(from.as_ptr())))
    }
    #[inline(always)]
    fn spread(from: &[f32; 4], at: usize) -> __m256 {
        let i = (at / 4) as i32;
        on!({
            let by_four = _mm256_setr_epi32(i, i, i, i, i + 1, i + 1, i + 1, i + 1);
            let four = _mm256_castps128_ps256(_mm_loadu_ps(from.as_ptr()));
            _mm256_permutevar8x32_ps(four, by_four)
        })
    }
    #[inline(always)]
    fn add(a: __m256, b: __m256) -> __m256 {
        on!(_mm256_add_ps(a, b))
    }
    #[inline(always)]
    fn sub(a: __m256, b: __m256) -> __m256 {
        on!(_mm256_sub_ps(a, b))
    }
    #[inline(always)]
    fn mul(a: __m256, b: __m256) -> __m256 {
        on!(_mm256_mul_ps(a, b))
    }
    #[inline(always)]
    fn mul_add(a: __m256, b: __m256, c: __m256) -> __m256 {
        on!(_mm256_fmadd_ps(a, b, c))
    }
    #[inline(always)]
    fn mul_sub(a: __m256, b: __m256, c: __m256) -> __m256 {
        on!(_mm256_fmsub_ps(a, b, c))
    }
    #[inline(always)]
    fn abs(a: __m256) -> __m256 {
        on!(_mm256_andnot_ps(_mm256_set1_ps(-0.0), a))
    }
    #[inline(always)]
    fn max(a: __m256, b: __m256) -> __m256 {
        on!(_mm256_max_ps(a, b))
    }
    #[inline(always)]
    fn div(a: __m256, b: __m256) -> __m256 {
        on!(_mm256_div_ps(a, b))
    }
    #[inline(always)]
    fn select(m: __m256, a: __m256, b: __m256) -> __m256 {
        on!(_mm256_blendv_ps(b, a, m))
    }
    #[inline(always)]
    fn least(a: __m256) -> f32 {
        on!({
            let four = _mm_min_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps::<1>(a));
            let two = _mm_min_ps(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(_mm_min_ps(two, _mm_movehdup_ps(two)))
        })
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
    fn cells(words: [&[u32; 16]; 2], at: usize) -> [__m256; 3] {
        const BITS: i32 = CELL_BITS as i32;
        const REST: i32 = SPLIT as i32;
        on!({
            let low = _mm256_loadu_si256(words[0][at..at + 8].as_ptr().cast());
            let high = _mm256_loadu_si256(words[1][at..at + 8].as_ptr().cast());
            let y =
                _mm256_or_si256(_mm256_srli_epi32::<BITS>(low), _mm256_slli_epi32::<REST>(high));
            let z = _mm256_srli_epi32::<{ BITS - REST }>(high);
            let mask = _mm256_set1_epi32((1 << CELL_BITS) - 1);
            let middle = _mm256_set1_epi32(CELLS as i32);
            let low = _mm256_sub_epi32(_mm256_and_si256(low, mask), middle);
            let y = _mm256_sub_epi32(_mm256_and_si256(y, mask), middle);
            let z = _mm256_sub_epi32(_mm256_and_si256(z, mask), middle);
            [_mm256_cvtepi32_ps(low), _mm256_cvtepi32_ps(y), _mm256_cvtepi32_ps(z)]
        })
    }
    #[inline(always)]
    fn never() -> __m256 {
        on!(_mm256_setzero_ps())
    }
    #[inline(always)]
    fn mask(bits: u32) -> __m256 {
        on!({
            let own = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
            let set = _mm256_and_si256(_mm256_set1_epi32(bits as i32), own);
            _mm256_castsi256_ps(_mm256_cmpeq_epi32(set, own))
        })
    }
    #[inline(always)]
    fn raise(to: &mut [f32; 8], by: &[f32; 8]) {
        on!(x86::raise(to, by));
    }
    #[inline(always)]
    fn gt(a: __m256, b: __m256) -> __m256 {
        on!(_mm256_cmp_ps::<_CMP_GT_OQ>(a, b))
    }
    #[inline(always)]
    fn or(a: __m256, b: __m256) -> __m256 {
        on!(_mm256_or_ps(a, b))
    }
    #[inline(always)]
    fn and(a: __m256, b: __m256) -> __m256 {
        on!(_mm256_and_ps(a, b))
    }
    #[inline(always)]
    fn bits(m: __m256) -> u32 {
        on!(_mm256_movemask_ps(m)) as u32
    }
}
