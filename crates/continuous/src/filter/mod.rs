//! The filter: the origin against a moving polygon in f64, with proven bounds of all errors. What it
//! decides is certain; the rest is left to integers.
//!
//! 1. [`corners`]: the corners `V_j(t)`, and bounds of the errors of all that is computed from them.
//! 2. *Box*: if all `V_j` have one strict sign on an axis, nothing meets.
//! 3. [`space`], on a piece of time: `F` of one strict sign, or cross products `X_j` of opposite
//!    strict signs on an axis, and nothing meets on the piece. `F` with one change of sign has one root,
//!    and the signs of the `X_j` on a short piece around it tell whether it is the first contact, or
//!    nothing meets. Else the piece is split.
//! 4. [`plane`]: the same where all points have one coordinate in common, so that `F` vanishes.
//! 5. [`newton`]: the time of contact, and the proof that it is in an interval around it.

mod corners;
mod newton;
mod plane;
mod space;
#[cfg(test)]
mod tests;

use impinge_geometry::Point;
use impinge_query::continuous::Interval;

use corners::{Corners, Moving, snap};
pub(crate) use newton::root;

/// What the filter can tell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Verdict {
    /// The polygon never holds the origin.
    Apart,
    /// It does, for the first time within this interval.
    Meet(Interval),
    /// It does, for the first time at the only root of `F` within this interval, at whose ends `F`
    /// has opposite signs; they are multiples of 2⁻⁵⁰.
    MeetWithin(Interval),
    /// Not certain.
    Unknown,
}

/// The share of the error bounds that the filter uses. Tests show what happens with less than all.
pub(crate) trait Share {
    /// The factor on all bounds.
    const OF_BOUNDS: f64;
    /// The factor on those of corners.
    const OF_CORNERS: f64 = Self::OF_BOUNDS;
    /// The factor on those of cross products.
    const OF_NORMALS: f64 = Self::OF_BOUNDS;
    /// The factor on what underflow adds.
    const OF_UNDERFLOW: f64 = Self::OF_BOUNDS;
}

/// All of them: what the filter says is proven.
pub(crate) struct Proven;

impl Share for Proven {
    const OF_BOUNDS: f64 = 1.0;
}

/// Pieces that a motion is split into, before integers are asked.
const PIECES: usize = 32;
/// Splits of one piece after another.
const DEPTH: usize = 12;
/// Where a piece is split: not at the middle, where motions made by a modeller have their contacts.
const SPLIT: f64 = 0.4871;

/// The first time at which the origin is in the hull of the differences of these pairs of points,
/// which are the corners of a polygon in cyclic order. Coordinates are finite.
pub(crate) fn first_contact<S: Share, const N: usize>(
    start: &[Point; 4],
    end: &[Point; 4],
    pairs: &[[usize; 2]; N],
) -> Verdict {
    let mut moving = Moving::new(start, end, pairs);
    if moving.passes() {
        return Verdict::Apart;
    }
    match moving.scale() {
        Some([false, false, false]) => space::Space::new::<S>(&moving).first_contact(),
        Some([true, false, false]) => plane::Plane::new::<S>(&moving, 0).first_contact(),
        Some([false, true, false]) => plane::Plane::new::<S>(&moving, 1).first_contact(),
        Some([false, false, true]) => plane::Plane::new::<S>(&moving, 2).first_contact(),
        // Differences that are too large, or motion along a line.
        _ => Verdict::Unknown,
    }
}

/// A piece of time.
#[derive(Clone, Copy, Debug)]
struct Piece<const N: usize> {
    low: f64,
    high: f64,
    /// The corners at its ends.
    at_low: Corners<N>,
    at_high: Corners<N>,
    depth: usize,
}

impl<const N: usize> Piece<N> {
    fn whole(moving: &Moving<N>) -> Self {
        Self { low: 0.0, high: 1.0, at_low: moving.start, at_high: moving.end, depth: 0 }
    }
}

/// What is known of a piece.
enum Step {
    /// Nothing meets from its low to its high end, both included.
    Apart,
    /// The answer.
    Answer(Verdict),
    /// Neither.
    Open,
}

/// Goes through the pieces from left to right. The first that is not apart holds the first contact.
/// Corners are computed from the ends of the motion, so that errors do not grow from split to split.
fn search<const N: usize>(moving: &Moving<N>, mut look: impl FnMut(&Piece<N>) -> Step) -> Verdict {
    // The high ends and depths of right parts that wait, at most one of each depth.
    let (mut waiting, mut count) = ([(1.0, 0); DEPTH], 0);
    let (mut piece, mut pieces) = (Piece::whole(moving), 0);
    loop {
        pieces += 1;
        match look(&piece) {
            Step::Answer(verdict) => return verdict,
            Step::Apart if count == 0 => return Verdict::Apart,
            Step::Apart => {
                count -= 1;
                let (high, depth) = waiting[count];
                let Piece { high: low, at_high: at_low, .. } = piece;
                piece = Piece { low, high, at_low, at_high: moving.at(high), depth };
            }
            Step::Open if piece.depth == DEPTH || pieces == PIECES => return Verdict::Unknown,
            Step::Open => {
                let middle = snap(piece.low + SPLIT * (piece.high - piece.low));
                piece.depth += 1;
                waiting[count] = (piece.high, piece.depth);
                count += 1;
                (piece.high, piece.at_high) = (middle, moving.at(middle));
            }
        }
    }
}
