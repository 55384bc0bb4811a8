//! How two triangles are tested at a pair of leaves: a float filter that is certain or silent, and
//! the exact test behind it.

use impinge_geometry::triangle::{Outcome, sat17};
use impinge_geometry::{Triangle, exact};
use impinge_query::Counter;

/// A filter for pairs of triangles. Whatever it leaves undecided, exact arithmetic decides.
pub trait LeafTest: Copy + std::fmt::Debug + Send + Sync + 'static {
    /// Hit or miss if certain for the closed triangles, else undecided.
    fn filter(self, p: &Triangle, q: &Triangle) -> Outcome;

    /// Do the closed triangles meet? Never wrong.
    #[inline]
    fn meet(self, p: &Triangle, q: &Triangle, counter: &mut impl Counter) -> bool {
        counter.primitives(1);
        match self.filter(p, q) {
            Outcome::Hit => true,
            Outcome::Miss => false,
            Outcome::Undecided => {
                counter.exact(1);
                exact::triangles_meet(p, q)
            }
        }
    }
}

/// Separating axes: two normals, nine edge pairs, six in-plane normals (fan §1.3.3.3, RAPID).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeventeenAxes;

impl LeafTest for SeventeenAxes {
    #[inline]
    fn filter(self, p: &Triangle, q: &Triangle) -> Outcome {
        sat17(p, q)
    }
}
