//! Degenerate cases: coplanar triangles, triangles that are segments or points, and segments
//! against each other.
//!
//! Coplanar points are projected along an axis in which they do not collapse; that projection is
//! one-to-one on their plane, so planar decisions are exact. Points on one line are compared in
//! lexicographic order, which is their order along the line.

use std::cmp::Ordering;

use super::polygon;
use super::transversal::pierce;
use crate::predicates::{Drop, Sign, orient2d, orient3d};
use crate::{Point, Triangle};

/// Whether two triangles meet, each of which has all corners in the other's plane (or the other has
/// no plane).
pub(super) fn coplanar_meet(p: &Triangle, q: &Triangle) -> bool {
    match flat_projection(&p[0], &p[1], &p[2]) {
        Some(drop) if !orient2d(&q[0], &q[1], &q[2], drop).is_zero() => polygon::meet(p, q, drop),
        _ => meet(p, q),
    }
}

/// Whether two triangles meet, one of which has all corners in the other's plane (or the other has
/// no plane).
pub(super) fn meet(p: &Triangle, q: &Triangle) -> bool {
    edges(p).iter().any(|[u, v]| segment_meets_triangle(u, v, q))
        || edges(q).iter().any(|[u, v]| segment_meets_triangle(u, v, p))
}

pub(super) fn edges(t: &Triangle) -> [[Point; 2]; 3] {
    [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]]
}

/// Whether the point is on the closed triangle, which may be degenerate. Exact.
pub fn point_on_triangle(p: &Point, t: &Triangle) -> bool {
    segment_meets_triangle(p, p, t)
}

/// Whether the closed segment (or point) meets the closed triangle (or segment, or point). Exact.
pub fn segment_meets_triangle(u: &Point, v: &Point, t: &Triangle) -> bool {
    let Some(drop) = flat_projection(&t[0], &t[1], &t[2]) else {
        let [a, b] = extremes(t);
        return segments_meet(u, v, &a, &b);
    };
    let (su, sv) = (orient3d(&t[0], &t[1], &t[2], u), orient3d(&t[0], &t[1], &t[2], v));
    match (su, sv) {
        (Sign::Zero, Sign::Zero) => segment_meets_triangle_2d(u, v, t, drop),
        _ if su == sv => false,
        _ => pierce(u, v, t).is_some(),
    }
}

fn segment_meets_triangle_2d(u: &Point, v: &Point, t: &Triangle, drop: Drop) -> bool {
    point_in_triangle_2d(u, t, drop)
        || edges(t).iter().any(|[a, b]| segments_meet_2d(u, v, a, b, drop))
}

/// Whether the projection of `p` is in the closed projection of `t`, which must have area.
fn point_in_triangle_2d(p: &Point, t: &Triangle, drop: Drop) -> bool {
    let s = [0, 1, 2].map(|i| orient2d(&t[i], &t[(i + 1) % 3], p, drop));
    !s.contains(&Sign::Negative) || !s.contains(&Sign::Positive)
}

/// Whether two closed segments in space meet. Either may be a point.
fn segments_meet(u: &Point, v: &Point, a: &Point, b: &Point) -> bool {
    if !orient3d(u, v, a, b).is_zero() {
        return false;
    }
    if let Some(drop) = common_projection(u, v, a, b) {
        return segments_meet_2d(u, v, a, b, drop);
    }
    let ((u, v), (a, b)) = (ordered(u, v), ordered(a, b));
    lexicographic(u, b).is_le() && lexicographic(a, v).is_le()
}

/// A projection that is one-to-one on the plane of four coplanar points; `None` if they are
/// collinear.
fn common_projection(u: &Point, v: &Point, a: &Point, b: &Point) -> Option<Drop> {
    let triples = [[u, v, a], [u, v, b], [a, b, u], [a, b, v]];
    triples.iter().find_map(|[p, q, r]| flat_projection(p, q, r))
}

/// A projection in which the three points are not collinear; `None` if they are collinear in space.
pub(super) fn flat_projection(a: &Point, b: &Point, c: &Point) -> Option<Drop> {
    Drop::ALL.into_iter().find(|&drop| !orient2d(a, b, c, drop).is_zero())
}

fn segments_meet_2d(u: &Point, v: &Point, a: &Point, b: &Point, drop: Drop) -> bool {
    let (su, sv) = (orient2d(a, b, u, drop), orient2d(a, b, v, drop));
    let (sa, sb) = (orient2d(u, v, a, drop), orient2d(u, v, b, drop));
    (su.is_opposite(sv) && sa.is_opposite(sb))
        || (su.is_zero() && in_box_2d(u, a, b, drop))
        || (sv.is_zero() && in_box_2d(v, a, b, drop))
        || (sa.is_zero() && in_box_2d(a, u, v, drop))
        || (sb.is_zero() && in_box_2d(b, u, v, drop))
}

/// Whether two open segments cross in one point, interior to both.
pub(super) fn cross_properly(a: [&Point; 2], b: [&Point; 2]) -> bool {
    let ([u, v], [a, b]) = (a, b);
    if !orient3d(u, v, a, b).is_zero() {
        return false;
    }
    common_projection(u, v, a, b).is_some_and(|drop| {
        orient2d(a, b, u, drop).is_opposite(orient2d(a, b, v, drop))
            && orient2d(u, v, a, drop).is_opposite(orient2d(u, v, b, drop))
    })
}

fn in_box_2d(p: &Point, a: &Point, b: &Point, drop: Drop) -> bool {
    let (p, a, b) = (drop.keep(p), drop.keep(a), drop.keep(b));
    (0..2).all(|k| a[k].min(b[k]) <= p[k] && p[k] <= a[k].max(b[k]))
}

/// First and last corner of a triangle without area, along its line.
pub(super) fn extremes(t: &Triangle) -> [Point; 2] {
    let mut sorted = *t;
    sorted.sort_by(lexicographic);
    [sorted[0], sorted[2]]
}

fn ordered<'p>(a: &'p Point, b: &'p Point) -> (&'p Point, &'p Point) {
    if lexicographic(a, b).is_le() { (a, b) } else { (b, a) }
}

/// Order by x, then y, then z; coordinates are finite, and −0 equals 0.
fn lexicographic(a: &Point, b: &Point) -> Ordering {
    let by = |k: usize| a[k].partial_cmp(&b[k]).unwrap_or(Ordering::Equal);
    by(0).then_with(|| by(1)).then_with(|| by(2))
}
