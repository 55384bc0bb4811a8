//! Attacks on the bounds of `docs/methods/wide.md`: boxes that touch in one point, gaps that are known,
//! determinants near zero. Each has a twin with the bound taken away, which must find what is wrong.
//!
//! Bounds on rounding are held from both sides: what climbing finds is below, and above a quarter of it.

mod apart;
mod boxes;
mod centres;
mod determinants;
mod frames;
mod gaps;
mod nearest;
mod touching;
mod triangles;

use crate::simd::Width;

/// The instruction sets that are here.
fn widths() -> impl Iterator<Item = Width> {
    Width::ALL.into_iter().filter(|width| width.is_present())
}
