//! A hint to the processor to bring a value into its cache.
#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "the standard library has this hint only as an unsafe intrinsic")
)]

/// Asks for the cache lines of a value that is read soon: the caller goes on at once. Does nothing
/// where the processor's instruction for it is not known.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let start = std::ptr::from_ref(value).cast::<i8>();
        for line in 0..size_of::<T>().div_ceil(64) {
            // SAFETY: every x86-64 processor has SSE; the address is within the value, and none would
            // fault.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(start.add(64 * line)) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
