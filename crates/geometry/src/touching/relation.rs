//! How two triangles share points.

use crate::exact::{Meeting, meeting};
use crate::predicates::{Sign, collinear, orient3d};
use crate::{Point, Triangle};

/// How two triangles share more than points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// In single points, or in one plane: what two faces in one plane share ends at segments that
    /// other pairs share, off that plane. Or one has no area, and then lies on its neighbours, so
    /// that the surface meets itself and is refused.
    Nothing,
    /// In a segment that is inside both triangles but for its ends; their planes differ.
    Cross,
    /// In a segment along a side of one or of both; their planes differ.
    Along([Chord; 2]),
}

/// How a segment lies in a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chord {
    /// Across its inside.
    Inside,
    /// Along the side that begins at this corner.
    Side(usize),
}

pub(super) fn relation(p: &Triangle, q: &Triangle) -> Relation {
    if collinear(&p[0], &p[1], &p[2]) || collinear(&q[0], &q[1], &q[2]) {
        return Relation::Nothing;
    }
    let (of_p, of_q) = (sides(q, p), sides(p, q));
    if of_p == [Sign::Zero; 3] {
        return Relation::Nothing;
    }
    let (Some(p_along), Some(q_along)) = (along(of_p), along(of_q)) else {
        return Relation::Nothing;
    };
    match meeting(p, q) {
        Some(Meeting::Segment(_)) if [p_along, q_along] == [Chord::Inside; 2] => Relation::Cross,
        Some(Meeting::Segment(_)) => Relation::Along([p_along, q_along]),
        _ => Relation::Nothing,
    }
}

fn sides(plane: &Triangle, points: &Triangle) -> [Sign; 3] {
    points.map(|x| orient3d(&plane[0], &plane[1], &plane[2], &x))
}

/// How a triangle with corners on these sides of a plane shares a segment with it; `None` if they
/// share a point at most.
fn along(signs: [Sign; 3]) -> Option<Chord> {
    if let Some(k) = (0..3).find(|&k| signs[k].is_zero() && signs[(k + 1) % 3].is_zero()) {
        return Some(Chord::Side(k));
    }
    let has = |wanted| signs.contains(&wanted);
    (has(Sign::Positive) && has(Sign::Negative)).then_some(Chord::Inside)
}

/// A coordinate by which the points of the line through `a` and `b` are ordered.
pub(super) fn axis(a: &Point, b: &Point) -> usize {
    (0..3).max_by(|&i, &j| (b[i] - a[i]).abs().total_cmp(&(b[j] - a[j]).abs())).unwrap_or(0)
}
