//! How two triangles are tested at a pair of leaves: a float filter that is certain or silent, and
//! the exact test behind it.
//!
//! | test | source |
//! | --- | --- |
//! | [`SeventeenAxes`] | fan §1.3.3.3, RAPID |
//! | [`Intervals`] | anthology 2 §2.5.1, Möller 1997 |
//! | [`SignPermutation`] | anthology 5 §3, Devillers and Guigue 2002 |
//! | [`EdgeFace`] | fan §4.3 |
//! | [`ExactOnly`] | Shewchuk 1997 |

use impinge_geometry::segment::segment_triangle;
use impinge_geometry::triangle::{Outcome, interval, permutation, sat17};
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

/// Intervals on the line of the two planes (anthology 2 §2.5.1, Möller 1997).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Intervals;

impl LeafTest for Intervals {
    #[inline]
    fn filter(self, p: &Triangle, q: &Triangle) -> Outcome {
        interval(p, q)
    }
}

/// Signs of triple products after a cyclic permutation of the corners (anthology 5 §3, Devillers and
/// Guigue 2002).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SignPermutation;

impl LeafTest for SignPermutation {
    #[inline]
    fn filter(self, p: &Triangle, q: &Triangle) -> Outcome {
        permutation(p, q)
    }
}

/// Each edge of one against the face of the other, both ways (fan §4.3). Closed triangles meet if
/// and only if one of the six pairs does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EdgeFace;

impl LeafTest for EdgeFace {
    #[inline]
    fn filter(self, p: &Triangle, q: &Triangle) -> Outcome {
        let mut all = Outcome::Miss;
        for (edges, face) in [(p, q), (q, p)] {
            for i in 0..3 {
                match segment_triangle(&edges[i], &edges[(i + 1) % 3], face) {
                    Outcome::Hit => return Outcome::Hit,
                    Outcome::Undecided => all = Outcome::Undecided,
                    Outcome::Miss => {}
                }
            }
        }
        all
    }
}

/// No filter: exact predicates at once, which have a filter of their own for each sign.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExactOnly;

impl LeafTest for ExactOnly {
    #[inline]
    fn filter(self, _: &Triangle, _: &Triangle) -> Outcome {
        Outcome::Undecided
    }
}
