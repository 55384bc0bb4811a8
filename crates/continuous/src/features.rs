//! A vertex against a face, and an edge against an edge, while their points move.

use impinge_geometry::Point;
use impinge_query::continuous::Interval;

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
/// interval is at most 2⁻⁴⁰ wide. Big integers where boxes do not decide; long ones if
/// exponents differ by hundreds.
///
/// # Errors
/// [`NotFinite`].
///
/// ```
/// use impinge_continuous::vertex_face;
/// use impinge_geometry::Point;
///
/// let face = [[0., 0., 0.], [4., 0., 0.], [0., 4., 0.]].map(Point::from);
/// let points = |z: f64| [Point::new(1.0, 1.0, z), face[0], face[1], face[2]];
/// let time = vertex_face(&points(1.0), &points(-3.0))?.expect("it falls through");
/// assert_eq!((time.low, time.high), (0.25, 0.25));
/// assert_eq!(vertex_face(&points(1.0), &points(0.5))?, None);
/// # Ok::<(), impinge_continuous::NotFinite>(())
/// ```
pub fn vertex_face(start: &[Point; 4], end: &[Point; 4]) -> Result<Option<Interval>, NotFinite> {
    first_contact(start, end, &[[1, 0], [2, 0], [3, 0]])
}

/// The first time at which two edges share a point: points 0 and 1 are the ends of one, points 2
/// and 3 those of the other. Else as [`vertex_face`].
///
/// # Errors
/// [`NotFinite`].
pub fn edge_edge(start: &[Point; 4], end: &[Point; 4]) -> Result<Option<Interval>, NotFinite> {
    first_contact(start, end, &[[0, 2], [1, 2], [1, 3], [0, 3]])
}

/// The first time at which the origin is in the hull of the differences of these pairs, which are
/// the corners of a polygon in cyclic order.
fn first_contact(
    start: &[Point; 4],
    end: &[Point; 4],
    pairs: &[[usize; 2]],
) -> Result<Option<Interval>, NotFinite> {
    for (i, p) in start.iter().chain(end).enumerate() {
        if let Some(&value) = p.iter().find(|x| !x.is_finite()) {
            return Err(NotFinite { point: i % 4, value });
        }
    }
    if pass_on_an_axis(start, end, pairs) {
        return Ok(None);
    }
    Ok(Polygon::new(start, end, pairs).first_contact())
}

/// Whether all differences have one strict sign on an axis, at both ends and so in between. Exact:
/// a difference of two f64 numbers has the sign of its rounded value.
fn pass_on_an_axis(start: &[Point; 4], end: &[Point; 4], pairs: &[[usize; 2]]) -> bool {
    (0..3).any(|k| {
        let places = || [start, end].into_iter().flat_map(|x| pairs.iter().map(move |p| (x, p)));
        places().all(|(x, [p, q])| x[*p][k] > x[*q][k])
            || places().all(|(x, [p, q])| x[*p][k] < x[*q][k])
    })
}
