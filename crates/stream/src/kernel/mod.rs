//! The tests of an edge in 32 bits: against a triangle, certified or as in the paper, and against a
//! box.
//!
//! A graphics adapter runs the same operations: `shaders/wgsl/stream`. The bounds allow every operation
//! to err by a whole unit, as WGSL does.

#[cfg(test)]
mod adversarial;
mod boxes;
mod certified;
#[cfg(feature = "wgpu")]
mod records;
mod sampled;

pub(crate) use boxes::StreamBox;
pub(crate) use certified::{Class, classify};
pub(crate) use sampled::{Depth, printed_box, through};

/// Twice the unit of rounding of 32 bits: WGSL allows either 32-bit neighbour of the exact result.
pub(crate) const RHO: f32 = f32::EPSILON;

/// A triangle: a corner, the sides from it (fan eq. 3-12, 3-13), and what follows from them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Face {
    corner: [f32; 3],
    e12: [f32; 3],
    e13: [f32; 3],
    normal: [f32; 3],
    /// Largest coordinate of a side.
    size: f32,
    /// Bounds relative to the corner.
    low: [f32; 3],
    high: [f32; 3],
}

impl Face {
    pub(crate) fn new([a, b, c]: [[f32; 3]; 3]) -> Self {
        let (e12, e13) = (sub(b, a), sub(c, a));
        Self {
            corner: a,
            e12,
            e13,
            normal: cross(e12, e13),
            size: largest(e12).max(largest(e13)),
            low: [0, 1, 2].map(|k| e12[k].min(e13[k]).min(0.0)),
            high: [0, 1, 2].map(|k| e12[k].max(e13[k]).max(0.0)),
        }
    }
}

#[inline(always)]
fn sub(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
pub(crate) fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
pub(crate) fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Largest magnitude of a coordinate.
#[inline(always)]
pub(crate) fn largest(a: [f32; 3]) -> f32 {
    greater(greater(a[0].abs(), a[1].abs()), a[2].abs())
}

/// The greater of two numbers, neither NaN: one instruction, where `f32::max` takes three.
#[inline(always)]
pub(crate) fn greater(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[inline(always)]
fn lesser(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}
