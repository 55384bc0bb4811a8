//! A vertex against a face, and an edge against an edge, while their points move.

use impinge_geometry::{Point, exact};
use impinge_query::continuous::Interval;

use crate::filter::{self, Proven, Share, Verdict};
use crate::polygon::Polygon;

/// A coordinate is NaN or infinite.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("a coordinate of point {point} is {value}")]
pub struct NotFinite {
    /// The point, from 0.
    pub point: usize,
    /// Its first such coordinate.
    pub value: f64,
}

/// The first time at which a vertex is on a triangle: point 0 is the vertex, points 1 to 3 are the
/// triangle's corners. Each point moves along a straight line from `start` at time 0 to `end` at
/// time 1; both count. `None` if that never happens.
///
/// Exact for the given numbers: no tolerance, whatever is degenerate, flat, parallel or at rest. The
/// interval is at most 2⁻⁴⁰ wide. A filter in f64 decides most queries; integers decide what is left,
/// long ones if exponents differ by hundreds.
///
/// # Errors
/// [`NotFinite`].
///
/// ```
/// use impinge_continuous::vertex_face;
/// use impinge_geometry::{Point, exact};
///
/// let face = [[0., 0., 0.], [4., 0., 0.], [0., 4., 0.]].map(Point::from);
/// let points = |z: f64| [Point::new(1.0, 1.0, z), face[0], face[1], face[2]];
/// let time = vertex_face(&points(1.0), &points(-3.0))?.expect("it falls through");
/// assert!(time.low <= 0.25 && 0.25 <= time.high && time.high - time.low < 1e-12);
/// assert_eq!(vertex_face(&points(1.0), &points(0.5))?, None);
/// # Ok::<(), impinge_continuous::NotFinite>(())
/// ```
pub fn vertex_face(start: &[Point; 4], end: &[Point; 4]) -> Result<Option<Interval>, NotFinite> {
    Ok(Question::VertexFace.decide(start, end)?.first)
}

/// The first time at which two edges share a point: points 0 and 1 are the ends of one, points 2
/// and 3 those of the other. Else as [`vertex_face`].
///
/// # Errors
/// [`NotFinite`].
pub fn edge_edge(start: &[Point; 4], end: &[Point; 4]) -> Result<Option<Interval>, NotFinite> {
    Ok(Question::EdgeEdge.decide(start, end)?.first)
}

/// The two questions, for callers that ask both, or want to know how they were decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// As [`vertex_face`].
    VertexFace,
    /// As [`edge_edge`].
    EdgeEdge,
}

/// An answer, and what decided it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// The first time of contact.
    pub first: Option<Interval>,
    /// What decided.
    pub by: Means,
}

/// What decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Means {
    /// The filter: f64 with proven bounds of all errors.
    Filter,
    /// The filter, but integers found the time.
    FilterThenIntegers,
    /// Integers.
    Integers,
}

/// The corners of a vertex against a triangle: differences of these pairs of points.
const VERTEX_FACE: [[usize; 2]; 3] = [[1, 0], [2, 0], [3, 0]];
/// The corners of an edge against an edge, in cyclic order.
const EDGE_EDGE: [[usize; 2]; 4] = [[0, 2], [1, 2], [1, 3], [0, 3]];

impl Question {
    /// Both.
    pub const ALL: [Self; 2] = [Self::VertexFace, Self::EdgeEdge];

    /// The answer, and what decided it.
    ///
    /// # Errors
    /// [`NotFinite`].
    pub fn decide(self, start: &[Point; 4], end: &[Point; 4]) -> Result<Decision, NotFinite> {
        all_finite(start, end)?;
        let (first, by) = match self.filtered::<Proven>(start, end) {
            Verdict::Apart => (None, Means::Filter),
            Verdict::Meet(interval) => (Some(interval), Means::Filter),
            Verdict::MeetWithin(bracket) => {
                let interval = Polygon::new(start, end, self.pairs()).contact_within(bracket);
                (Some(interval), Means::FilterThenIntegers)
            }
            Verdict::Unknown => (self.exactly(start, end), Means::Integers),
        };
        Ok(Decision { first, by })
    }

    /// What the filter tells, with a share of its bounds.
    #[inline]
    pub(crate) fn filtered<S: Share>(self, start: &[Point; 4], end: &[Point; 4]) -> Verdict {
        match self {
            Self::VertexFace => filter::first_contact::<S, 3>(start, end, &VERTEX_FACE),
            Self::EdgeEdge => filter::first_contact::<S, 4>(start, end, &EDGE_EDGE),
        }
    }

    pub(crate) const fn pairs(self) -> &'static [[usize; 2]] {
        match self {
            Self::VertexFace => &VERTEX_FACE,
            Self::EdgeEdge => &EDGE_EDGE,
        }
    }

    fn exactly(self, start: &[Point; 4], end: &[Point; 4]) -> Option<Interval> {
        let [p, q, r, s] = *start;
        let at_start = match self {
            Self::VertexFace => exact::point_on_triangle(&p, &[q, r, s]),
            Self::EdgeEdge => exact::segment_meets_triangle(&p, &q, &[r, s, s]),
        };
        if at_start {
            return Some(Interval { low: 0.0, high: 0.0 });
        }
        Polygon::new(start, end, self.pairs()).first_contact()
    }

    /// The answer without the filter: what the filter is compared with. The interval may be another
    /// that holds the same time.
    ///
    /// # Errors
    /// [`NotFinite`].
    pub fn by_integers(
        self,
        start: &[Point; 4],
        end: &[Point; 4],
    ) -> Result<Option<Interval>, NotFinite> {
        all_finite(start, end)?;
        Ok(self.exactly(start, end))
    }
}

#[inline]
fn all_finite(start: &[Point; 4], end: &[Point; 4]) -> Result<(), NotFinite> {
    // Zero times a number that is not finite is not a number, nor is a sum with it.
    let mut zero = 0.0;
    for j in 0..4 {
        for k in 0..3 {
            zero += start[j][k] * 0.0 + end[j][k] * 0.0;
        }
    }
    if zero == 0.0 { Ok(()) } else { not_finite(start, end) }
}

#[cold]
fn not_finite(start: &[Point; 4], end: &[Point; 4]) -> Result<(), NotFinite> {
    for (i, p) in start.iter().chain(end).enumerate() {
        if let Some(&value) = p.iter().find(|x| !x.is_finite()) {
            return Err(NotFinite { point: i % 4, value });
        }
    }
    Ok(())
}
