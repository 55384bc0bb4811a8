//! Triangles with a common edge, sorted around it: two of them share more than the edge if and only if
//! they lie in one half-plane.

use std::cmp::Ordering;

use impinge_geometry::Point;
use impinge_geometry::exact::{meet_off_edge, segment_meets_triangle};
use impinge_geometry::predicates::{Sign, collinear, orient3d};

/// The other corner of a triangle with the edge, and the triangle.
pub(super) type Page = (Point, u32);

/// Sets of triangles with the common edge `v w`, each with another corner, such that two of them share a
/// point off that edge if and only if they are in one set. Exact; O(n log n).
///
/// Half-planes from a line are in order by angle: those less than half a turn from the first, the
/// opposite one, and those beyond. Within each half `orient3d` compares.
pub(super) fn sets(v: &Point, w: &Point, pages: Vec<Page>) -> Vec<Vec<u32>> {
    let (with_area, without): (Vec<Page>, Vec<Page>) =
        pages.into_iter().partition(|(x, _)| !collinear(v, w, x));
    let mut sets: Vec<Vec<u32>> = Vec::new();
    if let Some((zero, _)) = with_area.first().copied() {
        let half = |x: &Point| match orient3d(v, w, &zero, x) {
            Sign::Positive => 1,
            Sign::Negative => 3,
            Sign::Zero if meet_off_edge([v, w], &zero, x) => 0,
            Sign::Zero => 2,
        };
        let mut turned: Vec<(u8, Page)> =
            with_area.into_iter().map(|page| (half(&page.0), page)).collect();
        let around = |(h, (x, _)): &(u8, Page), (i, (y, _)): &(u8, Page)| {
            h.cmp(i).then_with(|| match (h, orient3d(v, w, x, y)) {
                (0 | 2, _) | (_, Sign::Zero) => Ordering::Equal,
                (_, Sign::Positive) => Ordering::Less,
                (_, Sign::Negative) => Ordering::Greater,
            })
        };
        turned.sort_by(around);
        let same = |x: &(u8, Page), y: &(u8, Page)| around(x, y) == Ordering::Equal;
        let of = |set: &[(u8, Page)]| set.iter().map(|(_, (_, t))| *t).collect();
        sets.extend(turned.chunk_by(same).map(of));
    }
    // All on one line: those that go on beyond the same end.
    for (near, far) in [(v, w), (w, v)] {
        let past = |(x, _): &&Page| segment_meets_triangle(near, near, &[*far, *x, *x]);
        sets.push(without.iter().filter(past).map(|(_, t)| *t).collect());
    }
    sets.retain(|set| set.len() > 1);
    sets
}
