//! Bounding volumes of a tree: the data of a node and the test of two nodes.
//!
//! | volume | bytes | test | source |
//! | --- | --- | --- | --- |
//! | [`Ball`] | 32 | distance of centres | fan §1.3.3.2 |
//! | [`AxisBox`] | 48 | 15 axes, one rotation for all pairs | fan §1.3.3.1, van den Bergen 1997 |
//! | [`ObbRows`] | 120 | 15 axes | fan §1.3.3.3, RAPID |
//! | [`ReducedObb`] | 120 | 5 axes | xie §3.2 |
//! | [`Dop`] | 8 k | k/2 slabs after re-fitting | fan §1.3.3.4, Klosowski et al. 1998 |
//! | [`SweptRectangle`] | 120 | distance of two rectangles | fan §1.3.3.5, Larsen et al. 1999 |
//! | [`Hybrid`] | 120 | one of the above, by the node's kind | li §3.2 |
//! | [`OrderedBox`] | 120 | as `Hybrid`, axes one by one, longest first | anthology 5 §2 |
//! | [`BallBox`] | 56 | spheres; boxes on the world's 3 axes, updated per pose | li §3.2 |
//! | [`BoxObb`] | 120 | boxes on the world's 3 axes, updated; OBBs on 15 | li §3.2 |

#[cfg(test)]
mod adversarial;
mod aligned;
mod axis_box;
mod ball;
mod ball_box;
mod box_obb;
mod dop;
mod dop_directions;
mod hybrid;
mod lanes;
mod obb;
mod ordered;
mod rectangles;
mod reduced;
mod separation;
mod swept;

use std::fmt::Debug;

use crate::Placement;

pub use aligned::{Aligned, Below, Place, Renewal};
pub use axis_box::{AxisBox, AxisBoxFrame, PlacedAxisBox};
pub(crate) use ball::length_below;
pub use ball::{Ball, PlacedBall};
pub use ball_box::BallBox;
pub use box_obb::{BoxObb, BoxObbFrame, PlacedBoxObb};
pub use dop::{Dop, DopFrame};
pub use hybrid::{Hybrid, HybridFrame, Kind, PlacedHybrid};
pub use obb::{ObbRows, PlacedObb};
pub use ordered::OrderedBox;
pub use reduced::{PlacedReduced, ReducedObb};
pub use swept::SweptRectangle;

/// A bounding volume for trees.
///
/// Every method is conservative: rounding, of the volume's own placement and of the posed vertices
/// inside it, may cost an unnecessary descent, never a contact.
pub trait Volume: Copy + Debug + Send + Sync + 'static {
    /// Whether it can enclose others of its kind ([`Merge`]), so that its trees may be updated
    /// lazily.
    const MERGES: bool = false;

    /// Data shared by the tests of one query.
    type Frame: Copy + Debug + Send + Sync;
    /// The volume moved into A's frame.
    type Placed: Copy;

    /// Computes the data shared by the tests of one query.
    fn frame(placement: &Placement) -> Self::Frame;

    /// Moves the volume of a node of B into A's frame.
    fn place(&self, frame: &Self::Frame) -> Self::Placed;

    /// Whether this volume of A and that of B may share a point. `false` proves that the triangles
    /// inside do not.
    fn meets(&self, other: &Self::Placed, frame: &Self::Frame) -> bool;

    /// A lower bound on the distance between the triangles inside. It need not be improved once it
    /// is above `enough`.
    fn gap(&self, other: &Self::Placed, frame: &Self::Frame, enough: f64) -> f64;

    /// The measure of size in a larger-first descent; a length.
    fn size(&self) -> f64;

    /// The centre, up to rounding.
    fn center(&self) -> [f64; 3];

    /// Lower and upper bounds along A's axes, rounded outward, without the query's pad.
    fn bounds(placed: &Self::Placed) -> [[f64; 2]; 3];

    /// Whether this triangle, in A's frame, may share a point with a triangle inside. `false`
    /// proves that it does not. The default is always `true`.
    #[inline(always)]
    fn may_meet(&self, _triangle: &impinge_geometry::Triangle, _frame: &Self::Frame) -> bool {
        true
    }

    /// Whether placing refits it, so that it counts as an update (`N_u`).
    #[inline(always)]
    fn updates(&self) -> bool {
        false
    }
}

/// A volume that encloses others of its kind, so that its trees can be refitted bottom-up.
pub trait Merge: Volume {
    /// Encloses a triangle.
    fn of_triangle(t: &impinge_geometry::Triangle) -> Self;

    /// Encloses both volumes.
    #[must_use]
    fn merged(&self, other: &Self) -> Self;

    /// Half the surface area or a similar measure: proportional to the chance that a line or a
    /// volume meets it.
    fn area(&self) -> f64;
}
