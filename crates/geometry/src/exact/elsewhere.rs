//! Self-contact of a mesh: whether two of its triangles meet elsewhere than neighbours do.

use super::parted::{apart_across, apart_around};
use super::{segment_meets_triangle, triangles_meet};
use crate::predicates::{Drop, Sign, certain_3d, orient2d, orient3d, orient3d_hard};
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
            certain_3d(&a, &b, &x, &y).is_zero()
                && !apart_across([&a, &b], &x, &y, 0.0)
                && orient3d_hard(&a, &b, &x, &y).is_zero()
                && meet_off_edge([&a, &b], &x, &y)
        }
        _ => has_area(p),
    }
}

/// The different corners of a triangle.
#[derive(Clone, Copy)]
pub(super) struct Corners {
    points: [Point; 3],
    number: usize,
}

impl Corners {
    pub(super) fn new(t: &Triangle) -> Self {
        let mut all = Self { points: *t, number: 0 };
        for p in t {
            if !all.has(p) {
                all.points[all.number] = *p;
                all.number += 1;
            }
        }
        all
    }

    pub(super) fn as_slice(&self) -> &[Point] {
        &self.points[..self.number]
    }

    pub(super) fn has(&self, p: &Point) -> bool {
        self.as_slice().contains(p)
    }

    fn except(mut self, v: &Point) -> Self {
        self.retain(|x| x != v);
        self
    }

    pub(super) fn retain(&mut self, keep: impl Fn(&Point) -> bool) {
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
    let [of_p, of_q] = [p.1, q.1].map(|corners| corners.except(v));
    if let ([a, b], [c, d]) = (of_p.as_slice(), of_q.as_slice())
        && apart_around(v, [a, b], [c, d], 0.0)
    {
        return false;
    }
    ends_meet((p.0, of_p), (q.0, of_q))
}

/// [`more_than_corner`] by exact signs. The corners are those other than the common one.
fn ends_meet(p: (&Triangle, Corners), q: (&Triangle, Corners)) -> bool {
    let (ends_p, ends_q) = (Ends::new(p.0, p.1), Ends::new(q.0, q.1));
    if ends_p.beside(q.0) || ends_q.beside(p.0) {
        return false;
    }
    ends_p.meet(q.0) || ends_q.meet(p.0)
}

/// Where rays from a corner leave a triangle: the opposite side, or its other corners if it has no
/// area.
struct Ends {
    points: Corners,
    /// Whether the points are the ends of the side.
    side: bool,
}

impl Ends {
    fn new(t: &Triangle, points: Corners) -> Self {
        Self { points, side: points.number == 2 && has_area(t) }
    }

    /// Whether the whole side is strictly on one side of the plane of `t`.
    fn beside(&self, t: &Triangle) -> bool {
        let sign = |x: &Point| orient3d(&t[0], &t[1], &t[2], x);
        let [x, y, _] = &self.points.points;
        self.side && {
            let s = sign(x);
            !s.is_zero() && s == sign(y)
        }
    }

    fn meet(&self, t: &Triangle) -> bool {
        if self.side {
            let [x, y, _] = &self.points.points;
            return segment_meets_triangle(x, y, t);
        }
        self.points.as_slice().iter().any(|x| segment_meets_triangle(x, x, t))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adversarial::Random;

    /// Fans around a corner in nearly one plane, seen from anywhere: what a plane tells is so,
    /// and it tells most of what is apart.
    #[test]
    fn planes_tell_what_exact_signs_do() {
        let mut r = Random(81);
        let (mut told, mut apart, mut meet) = ([0; 2], [0; 2], [0; 2]);
        for round in 0..40_000 {
            let off = [0.0, 2f64.powi(-50), 2f64.powi(-20)][round % 3];
            let mut small = || r.below(33) as f64 - 16.0;
            let axes: [crate::Vector; 3] =
                std::array::from_fn(|_| crate::Vector::new(small(), small(), small()));
            let mut at = || {
                let (s, t) = (r.below(9) as f64 - 4.0, r.below(9) as f64 - 4.0);
                Point::from(axes[0] * s + axes[1] * t + axes[2] * (off * r.unit()))
            };
            let (v, a, b, c, d) = (at(), at(), at(), at(), at());
            let (p, q) = ([v, a, b], [v, c, d]);
            let [of_p, of_q] = [p, q].map(|t| Corners::new(&t).except(&v));
            if [of_p.number, of_q.number] != [2, 2] || [a, b].contains(&c) || [a, b].contains(&d) {
                continue;
            }
            let truth = ends_meet((&p, of_p), (&q, of_q));
            let certain = apart_around(&v, [&a, &b], [&c, &d], 0.0);
            assert!(!(truth && certain), "{p:?} {q:?}");
            assert_eq!(meet_elsewhere(&p, &q), truth, "{p:?} {q:?}");
            told[0] += u32::from(certain && off == 0.0);
            apart[0] += u32::from(!truth && off == 0.0);
            meet[0] += u32::from(truth);
            let coplanar = orient3d(&v, &a, &b, &c).is_zero();
            let truth = coplanar && meet_off_edge([&v, &a], &b, &c);
            let certain = apart_across([&v, &a], &b, &c, 0.0);
            assert!(!(truth && certain), "{p:?} {c}");
            assert_eq!(meet_elsewhere(&p, &[a, v, c]), truth, "{p:?} {c}");
            told[1] += u32::from(certain);
            apart[1] += u32::from(!truth && off < 1e-10 && coplanar);
            meet[1] += u32::from(truth);
        }
        assert!(told[0] * 10 > apart[0] * 9 && told[1] > apart[1], "{told:?} {apart:?}");
        assert!(meet.iter().all(|&n| n > 1000), "{meet:?}");
    }
}
