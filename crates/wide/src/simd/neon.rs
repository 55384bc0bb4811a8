//! NEON: four lanes.
// Some of these intrinsics need no `unsafe` in newer compilers.
#![allow(unsafe_code, unused_unsafe)]

use core::arch::aarch64::{
    float32x4_t, uint32x4_t, vabsq_f32, vaddq_f32, vaddvq_u32, vandq_u32, vbslq_f32, vcgtq_f32,
    vdivq_f32, vdupq_n_f32, vdupq_n_u32, vfmaq_f32, vfmsq_f32, vld1q_f32, vld1q_u32, vmaxnmq_f32,
    vminvq_f32, vmulq_f32, vnegq_f32, vorrq_u32, vst1q_f32, vsubq_f32, vtstq_u32,
};

use super::{Simd, Task};

/// 128-bit registers; every aarch64 processor has them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neon;

pub(super) fn run<T: Task>(task: T) -> T::Out {
    task.run::<Neon>()
}

/// An intrinsic of a set that every processor of this target has.
macro_rules! on {
    ($call:expr) => {
        // SAFETY: NEON is part of the target; pointers come from slices and arrays that are long
        // enough.
        unsafe { $call }
    };
}

impl Simd for Neon {
    const LANES: usize = 4;
    type F = float32x4_t;
    type M = uint32x4_t;

    #[inline(always)]
    fn splat(x: f32) -> float32x4_t {
        on!(vdupq_n_f32(x))
    }
    #[inline(always)]
    fn load(from: &[f32; 16], at: usize) -> float32x4_t {
        on!(vld1q_f32(from[at..at + 4].as_ptr()))
    }
    #[inline(always)]
    fn store(x: float32x4_t, to: &mut [f32; 16], at: usize) {
        on!(vst1q_f32(to[at..at + 4].as_mut_ptr(), x));
    }
    #[inline(always)]
    fn repeat(from: &[f32; 4]) -> float32x4_t {
        on!(vld1q_f32(from.as_ptr()))
    }
    #[inline(always)]
    fn spread(from: &[f32; 4], at: usize) -> float32x4_t {
        Self::splat(from[at / 4])
    }
    #[inline(always)]
    fn add(a: float32x4_t, b: float32x4_t) -> float32x4_t {
        on!(vaddq_f32(a, b))
    }
    #[inline(always)]
    fn sub(a: float32x4_t, b: float32x4_t) -> float32x4_t {
        on!(vsubq_f32(a, b))
    }
    #[inline(always)]
    fn mul(a: float32x4_t, b: float32x4_t) -> float32x4_t {
        on!(vmulq_f32(a, b))
    }
    #[inline(always)]
    fn mul_add(a: float32x4_t, b: float32x4_t, c: float32x4_t) -> float32x4_t {
        on!(vfmaq_f32(c, a, b))
    }
    #[inline(always)]
    fn mul_sub(a: float32x4_t, b: float32x4_t, c: float32x4_t) -> float32x4_t {
        // Negated last: where a kernel takes the magnitude, the compiler drops it.
        on!(vnegq_f32(vfmsq_f32(c, a, b)))
    }
    #[inline(always)]
    fn abs(a: float32x4_t) -> float32x4_t {
        on!(vabsq_f32(a))
    }
    #[inline(always)]
    fn max(a: float32x4_t, b: float32x4_t) -> float32x4_t {
        on!(vmaxnmq_f32(a, b))
    }
    #[inline(always)]
    fn div(a: float32x4_t, b: float32x4_t) -> float32x4_t {
        on!(vdivq_f32(a, b))
    }
    #[inline(always)]
    fn select(m: uint32x4_t, a: float32x4_t, b: float32x4_t) -> float32x4_t {
        on!(vbslq_f32(m, a, b))
    }
    #[inline(always)]
    fn least(a: float32x4_t) -> f32 {
        on!(vminvq_f32(a))
    }
    #[inline(always)]
    fn never() -> uint32x4_t {
        on!(vdupq_n_u32(0))
    }
    #[inline(always)]
    fn mask(bits: u32) -> uint32x4_t {
        on!(vtstq_u32(vdupq_n_u32(bits), vld1q_u32([1, 2, 4, 8].as_ptr())))
    }
    #[inline(always)]
    fn gt(a: float32x4_t, b: float32x4_t) -> uint32x4_t {
        on!(vcgtq_f32(a, b))
    }
    #[inline(always)]
    fn or(a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
        on!(vorrq_u32(a, b))
    }
    #[inline(always)]
    fn and(a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
        on!(vandq_u32(a, b))
    }
    #[inline(always)]
    fn bits(m: uint32x4_t) -> u32 {
        on!(vaddvq_u32(vandq_u32(m, vld1q_u32([1, 2, 4, 8].as_ptr()))))
    }
}
