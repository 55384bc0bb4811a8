//! Self-contact of a mesh: whether two of its triangles meet elsewhere than neighbours do.

use super::{segment_meets_triangle, triangles_meet};
use crate::predicates::{Drop, Sign, orient2d, orient3d};
use crate::{Point, Triangle};

/// Whether two triangles share a point that is on no common corner and no common edge. Corners are
/// common if they have the same coordinates. Two triangles over the same three corners do if they
/// have area. Exact for all finite coordinates.
///
/// Cost: that of [`triangles_meet`] if no corner is common, else at most eight signs and four tests
/// of a segment.
pub fn meet_elsewhere(p: &Triangle, q: &Triangle) -> bool {
    let (of_p, of_q) = (Corners::new(p), Corners::new(q));
    let mut common = of_p;
    common.retain(|x| of_q.has(x));
    match *common.as_slice() {
        [] => triangles_meet(p, q),
        [v] => more_than_corner(&v, (p, of_p), (q, of_q)),
        [a, b] => {
            let other =
                |corners: &Corners| corners.as_slice().iter().copied().find(|x| *x != a && *x != b);
            let (Some(x), Some(y)) = (other(&of_p), other(&of_q)) else { return false };
            orient3d(&a, &b, &x, &y).is_zero() && meet_off_edge([&a, &b], &x, &y)
        }
        _ => has_area(p),
    }
}

#[derive(Clone, Copy)]
struct Corners {
    points: [Point; 3],
    number: usize,
}

impl Corners {
    fn new(t: &Triangle) -> Self {
        let mut all = Self { points: *t, number: 0 };
        for p in t {
            if !all.has(p) {
                all.points[all.number] = *p;
                all.number += 1;
            }
        }
        all
    }

    fn as_slice(&self) -> &[Point] {
        &self.points[..self.number]
    }

    fn has(&self, p: &Point) -> bool {
        self.as_slice().contains(p)
    }

    fn retain(&mut self, keep: impl Fn(&Point) -> bool) {
        let old = *self;
        self.number = 0;
        for p in old.as_slice().iter().filter(|p| keep(p)) {
            self.points[self.number] = *p;
            self.number += 1;
        }
    }
}

/// Whether two triangles with exactly one common corner, `v`, share another point.
///
/// A common point makes the segment from `v` to it common. Extended beyond that point, one of the
/// two triangles ends first, in its side opposite `v`, and the other one contains that end. A
/// triangle without area consists of the segments from `v` to its other corners, and each ends at
/// that corner.
fn more_than_corner(v: &Point, p: (&Triangle, Corners), q: (&Triangle, Corners)) -> bool {
    let (ends_p, ends_q) = (Ends::new(v, p.0, &p.1), Ends::new(v, q.0, &q.1));
    if ends_p.beside(q.0) || ends_q.beside(p.0) {
        return false;
    }
    ends_p.meet(q.0) || ends_q.meet(p.0)
}

/// Where rays from a corner leave a triangle: the opposite side, or its other corners if it has no
/// area.
struct Ends {
    points: [Point; 2],
    number: usize,
    /// Whether the points are the ends of the side.
    side: bool,
}

impl Ends {
    fn new(v: &Point, t: &Triangle, corners: &Corners) -> Self {
        let mut ends = Self { points: [*v; 2], number: 0, side: false };
        for x in corners.as_slice().iter().filter(|x| *x != v) {
            ends.points[ends.number] = *x;
            ends.number += 1;
        }
        ends.side = ends.number == 2 && has_area(t);
        ends
    }

    /// Whether the whole side is strictly on one side of the plane of `t`.
    fn beside(&self, t: &Triangle) -> bool {
        let sign = |x: &Point| orient3d(&t[0], &t[1], &t[2], x);
        let s = sign(&self.points[0]);
        self.side && !s.is_zero() && s == sign(&self.points[1])
    }

    fn meet(&self, t: &Triangle) -> bool {
        let [x, y] = &self.points;
        if self.side {
            return segment_meets_triangle(x, y, t);
        }
        self.points[..self.number].iter().any(|x| segment_meets_triangle(x, x, t))
    }
}

/// Whether two triangles with the common edge `a b` share a point off that edge. Their other
/// corners `x` and `y` must be coplanar with it.
pub fn meet_off_edge([a, b]: [&Point; 2], x: &Point, y: &Point) -> bool {
    match (projection(&[*a, *b, *x]), projection(&[*a, *b, *y])) {
        // They overlap if they are on the same side of the edge.
        (Some(drop), Some(_)) => orient2d(a, b, x, drop) == orient2d(a, b, y, drop),
        // A segment on the edge's line shares only the edge with a triangle that has area.
        (Some(_), None) | (None, Some(_)) => false,
        // All on one line: they share more if both extend beyond the same end.
        (None, None) => [(a, b), (b, a)].into_iter().any(|(a, b)| {
            let past = |x: &Point| segment_meets_triangle(a, a, &[*b, *x, *x]);
            past(x) && past(y)
        }),
    }
}

fn has_area(t: &Triangle) -> bool {
    projection(t).is_some()
}

/// A projection in which a triangle has area, if it has any.
fn projection(t: &Triangle) -> Option<Drop> {
    Drop::ALL.into_iter().find(|drop| orient2d(&t[0], &t[1], &t[2], *drop) != Sign::Zero)
}
