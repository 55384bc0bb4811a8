//! Bounding volumes of a tree: what a node holds and how two nodes are tested.

mod lanes;
mod obb;

use std::fmt::Debug;

use crate::Placement;

pub use obb::{ObbRows, PlacedObb};

/// A bounding volume that a tree can be made of.
///
/// Every method is conservative: rounding, of the volume's own placement and of the posed vertices
/// inside it, may cost a needless descent, never a contact.
pub trait Volume: Copy + Debug + Send + Sync + 'static {
    /// The volume moved into A's frame.
    type Placed: Copy;

    /// Moves the volume of a node of B into A's frame.
    fn place(&self, placement: &Placement) -> Self::Placed;

    /// May this volume of A and that of B share a point? `false` is a proof that the triangles
    /// inside do not.
    fn meets(&self, other: &Self::Placed, pad: f64) -> bool;

    /// A lower bound on the distance between the triangles inside; the search for a better one may
    /// end as soon as one above `enough` is found.
    fn gap(&self, other: &Self::Placed, pad: f64, enough: f64) -> f64;

    /// What "larger" means in a larger-first descent.
    fn size(&self) -> f64;

    /// Lower and upper bounds along A's axes, rounded outward; the query's pad is not in them.
    fn bounds(placed: &Self::Placed) -> [[f64; 2]; 3];
}
