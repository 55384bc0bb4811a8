//! Plain Rust: four lanes, where no other set is present.

use super::{Simd, Task};

/// Arrays of four.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

/// Runs a task with only the target's baseline instructions.
pub(super) fn run<T: Task>(task: T) -> T::Out {
    task.run::<Portable>()
}

#[inline(always)]
fn zip(a: [f32; 4], b: [f32; 4], f: impl Fn(f32, f32) -> f32) -> [f32; 4] {
    std::array::from_fn(|l| f(a[l], b[l]))
}

impl Simd for Portable {
    const LANES: usize = 4;
    type F = [f32; 4];
    type M = u32;

    #[inline(always)]
    fn splat(x: f32) -> [f32; 4] {
        [x; 4]
    }
    #[inline(always)]
    fn load(from: &[f32; 16], at: usize) -> [f32; 4] {
        std::array::from_fn(|l| from[at + l])
    }
    #[inline(always)]
    fn store(x: [f32; 4], to: &mut [f32; 16], at: usize) {
        to[at..at + 4].copy_from_slice(&x);
    }
    #[inline(always)]
    fn repeat(from: &[f32; 4]) -> [f32; 4] {
        *from
    }
    #[inline(always)]
    fn spread(from: &[f32; 4], at: usize) -> [f32; 4] {
        [from[at / 4]; 4]
    }
    #[inline(always)]
    fn add(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
        zip(a, b, |a, b| a + b)
    }
    #[inline(always)]
    fn sub(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
        zip(a, b, |a, b| a - b)
    }
    #[inline(always)]
    fn mul(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
        zip(a, b, |a, b| a * b)
    }
    #[inline(always)]
    fn mul_add(a: [f32; 4], b: [f32; 4], c: [f32; 4]) -> [f32; 4] {
        Self::add(Self::mul(a, b), c)
    }
    #[inline(always)]
    fn mul_sub(a: [f32; 4], b: [f32; 4], c: [f32; 4]) -> [f32; 4] {
        Self::sub(Self::mul(a, b), c)
    }
    #[inline(always)]
    fn abs(a: [f32; 4]) -> [f32; 4] {
        a.map(f32::abs)
    }
    #[inline(always)]
    fn max(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
        zip(a, b, |a, b| if a > b { a } else { b })
    }
    #[inline(always)]
    fn div(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
        zip(a, b, |a, b| a / b)
    }
    #[inline(always)]
    fn select(m: u32, a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
        std::array::from_fn(|l| if m >> l & 1 == 1 { a[l] } else { b[l] })
    }
    #[inline(always)]
    fn least(a: [f32; 4]) -> f32 {
        a.into_iter().fold(f32::INFINITY, f32::min)
    }
    #[inline(always)]
    fn never() -> u32 {
        0
    }
    #[inline(always)]
    fn mask(bits: u32) -> u32 {
        bits & 0xf
    }
    #[inline(always)]
    fn gt(a: [f32; 4], b: [f32; 4]) -> u32 {
        let mut bits = 0;
        for l in 0..4 {
            bits |= u32::from(a[l] > b[l]) << l;
        }
        bits
    }
    #[inline(always)]
    fn or(a: u32, b: u32) -> u32 {
        a | b
    }
    #[inline(always)]
    fn and(a: u32, b: u32) -> u32 {
        a & b
    }
    #[inline(always)]
    fn bits(m: u32) -> u32 {
        m
    }
}
