//! Bounding volumes of a tree: what a node holds and how two nodes are tested.
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

#[cfg(test)]
mod adversarial;
mod axis_box;
mod ball;
mod dop;
mod dop_directions;
mod hybrid;
mod lanes;
mod obb;
mod rectangles;
mod reduced;
mod separation;
mod swept;

use std::fmt::Debug;

use crate::Placement;

pub use axis_box::{AxisBox, AxisBoxFrame, PlacedAxisBox};
pub(crate) use ball::length_below;
pub use ball::{Ball, PlacedBall};
pub use dop::{Dop, DopFrame};
pub use hybrid::{Hybrid, HybridFrame, Kind, PlacedHybrid};
pub use obb::{ObbRows, PlacedObb};
pub use reduced::{PlacedReduced, ReducedObb};
pub use swept::SweptRectangle;

/// A bounding volume that a tree can be made of.
///
/// Every method is conservative: rounding, of the volume's own placement and of the posed vertices
/// inside it, may cost a needless descent, never a contact.
pub trait Volume: Copy + Debug + Send + Sync + 'static {
    /// Can it wrap others of its kind ([`Merge`]), so that its trees may be updated lazily?
    const MERGES: bool = false;

    /// What the tests of one query share, made of the placement once.
    type Frame: Copy + Debug + Send + Sync;
    /// The volume moved into A's frame.
    type Placed: Copy;

    /// What the tests of one query share.
    fn frame(placement: &Placement) -> Self::Frame;

    /// Moves the volume of a node of B into A's frame.
    fn place(&self, frame: &Self::Frame) -> Self::Placed;

    /// May this volume of A and that of B share a point? `false` is a proof that the triangles
    /// inside do not.
    fn meets(&self, other: &Self::Placed, frame: &Self::Frame) -> bool;

    /// A lower bound on the distance between the triangles inside; the search for a better one may
    /// end as soon as one above `enough` is found.
    fn gap(&self, other: &Self::Placed, frame: &Self::Frame, enough: f64) -> f64;

    /// What "larger" means in a larger-first descent.
    fn size(&self) -> f64;

    /// The middle, to rounding.
    fn center(&self) -> [f64; 3];

    /// Lower and upper bounds along A's axes, rounded outward; the query's pad is not in them.
    fn bounds(placed: &Self::Placed) -> [[f64; 2]; 3];

    /// May this triangle of A's frame share a point with a triangle inside? `false` is a proof that
    /// it does not. By default nothing is known.
    #[inline(always)]
    fn may_meet(&self, _triangle: &impinge_geometry::Triangle, _frame: &Self::Frame) -> bool {
        true
    }

    /// Does placing it re-fit it, so that it counts as an update (`N_u`)?
    #[inline(always)]
    fn updates(&self) -> bool {
        false
    }
}

/// A volume that wraps others of its kind, so that a tree of them can follow moving vertices from
/// its leaves up.
pub trait Merge: Volume {
    /// Wraps a triangle.
    fn of_triangle(t: &impinge_geometry::Triangle) -> Self;

    /// Wraps both.
    #[must_use]
    fn merged(&self, other: &Self) -> Self;

    /// Half the surface area or a measure like it: the chance that a line or a volume meets it.
    fn area(&self) -> f64;
}
