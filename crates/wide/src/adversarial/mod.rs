//! Attacks on the bounds of `docs/methods/wide.md`: boxes that touch in one point, known gaps,
//! determinants near zero. Each has a counterpart without the bound, which must find errors.
//!
//! Bounds on rounding are tested from both sides: the errors found by climbing are below the bound,
//! and above a quarter of it.

mod apart;
mod boxes;
mod centres;
mod corners;
mod determinants;
mod frames;
mod gaps;
mod measured;
mod nearest;
mod sides;
mod touching;
mod triangles;

use crate::simd::Width;

/// The instruction sets that this processor has.
fn widths() -> impl Iterator<Item = Width> {
    Width::ALL.into_iter().filter(|width| width.is_present())
}
