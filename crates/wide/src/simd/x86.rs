//! What both x86 sets share: operations on four numbers.
#![allow(unsafe_code)]

use core::arch::x86_64::{
    __m128, _mm_fmadd_ps, _mm_insert_ps, _mm_loadu_ps, _mm_mul_ps, _mm_set1_ps, _mm_storeu_ps,
    _mm256_add_pd, _mm256_cvtpd_ps, _mm256_cvtps_pd, _mm256_fmadd_pd, _mm256_fnmadd_pd,
    _mm256_loadu_pd, _mm256_loadu_ps, _mm256_max_ps, _mm256_set1_pd, _mm256_storeu_ps,
};

use super::Transform;

/// Detection and `target_feature` attributes from one list of features, so that no feature is
/// enabled that was not detected.
macro_rules! features {
    ($set:ident: $($feature:tt)+) => {
        /// Whether this processor can run it.
        pub(super) fn is_present() -> bool {
            $(is_x86_feature_detected!($feature))&&+
        }

        $(#[target_feature(enable = $feature)])+
        fn switched_on<T: $crate::simd::Task>(task: T) -> T::Out {
            task.run::<$set>()
        }
    };
}
pub(super) use features;

/// [`Simd::frame`](super::Simd::frame).
///
/// # Safety
/// The processor has AVX2 and FMA.
// SAFETY: called where `switched_on` of a set with both is entered.
#[inline(always)]
pub(super) unsafe fn frame(
    transform: &Transform,
    at: &[[f32; 4]; 3],
    axes: &[[f32; 3]; 3],
) -> ([[f32; 4]; 3], [f32; 4]) {
    // SAFETY: the caller promises the instructions; pointers come from references to four numbers.
    unsafe {
        let mut there = _mm256_loadu_pd(transform.shift.as_ptr());
        for k in 0..3 {
            let origin = _mm256_set1_pd(f64::from(at[0][k]));
            there = _mm256_fmadd_pd(_mm256_loadu_pd(transform.columns[k].as_ptr()), origin, there);
        }
        let single = _mm256_add_pd(
            _mm256_cvtps_pd(_mm_loadu_ps(at[1].as_ptr())),
            _mm256_cvtps_pd(_mm_loadu_ps(at[2].as_ptr())),
        );
        let w = _mm256_cvtpd_ps(_mm256_fnmadd_pd(_mm256_set1_pd(transform.ratio), single, there));
        let from: [__m128; 3] = [
            _mm_insert_ps::<0x30>(_mm_loadu_ps(transform.rounded[0].as_ptr()), w),
            _mm_insert_ps::<0x70>(_mm_loadu_ps(transform.rounded[1].as_ptr()), w),
            _mm_insert_ps::<0xB0>(_mm_loadu_ps(transform.rounded[2].as_ptr()), w),
        ];
        let (mut rows, mut out) = ([[0.0; 4]; 3], [0.0; 4]);
        _mm_storeu_ps(out.as_mut_ptr(), w);
        for i in 0..3 {
            let [s, t, u] = axes[i];
            let row = _mm_mul_ps(_mm_set1_ps(u), from[2]);
            let row = _mm_fmadd_ps(_mm_set1_ps(t), from[1], row);
            let row = _mm_fmadd_ps(_mm_set1_ps(s), from[0], row);
            _mm_storeu_ps(rows[i].as_mut_ptr(), row);
        }
        (rows, out)
    }
}

/// [`Simd::raise`](super::Simd::raise). The compiler makes slow masked stores of the loop.
///
/// # Safety
/// The processor has AVX.
// SAFETY: called where `switched_on` of a set with it is entered.
#[inline(always)]
pub(super) unsafe fn raise(to: &mut [f32; 8], by: &[f32; 8]) {
    // SAFETY: the caller promises the instructions; pointers come from references to eight numbers.
    unsafe {
        let most = _mm256_max_ps(_mm256_loadu_ps(by.as_ptr()), _mm256_loadu_ps(to.as_ptr()));
        _mm256_storeu_ps(to.as_mut_ptr(), most);
    }
}
