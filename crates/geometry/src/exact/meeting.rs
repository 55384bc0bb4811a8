//! Where two triangles meet. Which features meet is decided exactly; the coordinates of a crossing
//! are computed from them and rounded.

use num_bigint::BigInt;

use super::flat::{cross_properly, edges, extremes, flat_projection, point_on_triangle};
use super::transversal::{crosses, pierce};
use super::{all_zero, boxes_meet, polygon, sides, triangles_meet};
use crate::integers::{determinant, integers};
use crate::predicates::{Drop, Sign, orient3d_estimate};
use crate::{Point, Triangle};

/// The common set of two triangles.
///
/// Its kind, the number of its corners and their order are exact: they follow from signs, not from
/// coordinates. A corner that is a mesh vertex has that vertex's bits. Any other is rounded: it
/// lies on its edge to within 4 ulps of the edge's largest coordinate and, along the edge, to
/// within 2⁻⁴⁴ of the edge's length. Distinct corners that near to each other may therefore be
/// rounded to the same coordinates, and a polygon that thin need not be convex after rounding.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Meeting {
    /// They share one point.
    Point(Point),
    /// They share a segment.
    Segment([Point; 2]),
    /// They are coplanar and share a convex polygon with 3 to 6 corners, counter-clockwise seen
    /// from the first triangle's outside.
    Polygon(Vec<Point>),
}

impl Meeting {
    /// The corners: one, two, or three to six.
    pub fn points(&self) -> &[Point] {
        match self {
            Self::Point(p) => std::slice::from_ref(p),
            Self::Segment(s) => s,
            Self::Polygon(p) => p,
        }
    }
}

/// The common set of the closed triangles `p` and `q`, or `None` if they share no point. The
/// decision and the kind are exact.
pub fn meeting(p: &Triangle, q: &Triangle) -> Option<Meeting> {
    if !boxes_meet(p, q) {
        return None;
    }
    let (side_p, side_q) = sides(p, q)?;
    if !all_zero(side_p) && !all_zero(side_q) {
        return segment_or_point(&transversal_points(p, q, side_p, side_q));
    }
    let (drop_p, drop_q) = (projection(p), projection(q));
    if let (Some(drop), Some(_)) = (drop_p, drop_q) {
        return polygon::common(p, q, drop);
    }
    if !triangles_meet(p, q) {
        return None;
    }
    segment_or_point(&degenerate_points(p, q, drop_p.is_some(), drop_q.is_some()))
}

/// A projection in which the triangle has area, if it has any.
fn projection(t: &Triangle) -> Option<Drop> {
    flat_projection(&t[0], &t[1], &t[2])
}

fn segment_or_point(points: &[Point]) -> Option<Meeting> {
    match points {
        [] => None,
        [x] => Some(Meeting::Point(*x)),
        [x, y, ..] => Some(Meeting::Segment([*x, *y])),
    }
}

/// A feature of a triangle: a corner, the interior of the side after it, or the triangle's
/// interior. Every point of a triangle with area is in exactly one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Corner(usize),
    Side(usize),
    Inside,
}

impl Part {
    /// Where the side `i`, whose ends have these signs, meets the other plane.
    fn of_side(i: usize, signs: [Sign; 2]) -> Self {
        match signs {
            [Sign::Zero, _] => Self::Corner(i),
            [_, Sign::Zero] => Self::Corner((i + 1) % 3),
            _ => Self::Side(i),
        }
    }

    /// The feature in which a line crosses a triangle; `on` says on which sides it does.
    fn pierced(on: [bool; 3]) -> Self {
        let both = (0..3).find(|&k| on[k] && on[(k + 2) % 3]).map(Self::Corner);
        both.or_else(|| (0..3).find(|&k| on[k]).map(Self::Side)).unwrap_or(Self::Inside)
    }
}

/// The ends of the common segment of triangles in planes that cross, or the common point. Each is
/// where an edge of one triangle pierces the other. Points in the same feature of p and the same
/// feature of q are equal: a feature of one meets the other's plane in at most one point, or both
/// features are collinear. Points in different features are distinct.
fn transversal_points(
    p: &Triangle,
    q: &Triangle,
    side_p: [Sign; 3],
    side_q: [Sign; 3],
) -> Vec<Point> {
    let (mut points, mut parts) = (Vec::new(), Vec::new());
    let mut push = |part: [Part; 2], point: Point| {
        if !parts.contains(&part) {
            parts.push(part);
            points.push(point);
        }
    };
    for (on_p, on_q, point) in piercings(p, side_p, q) {
        push([on_p, on_q], point);
    }
    for (on_q, on_p, point) in piercings(q, side_q, p) {
        push([on_p, on_q], point);
    }
    points
}

/// Where the edges of `t` pierce `other`: the feature of each, and the point. `side` has the sides
/// of `t`'s corners with respect to `other`'s plane.
fn piercings(
    t: &Triangle,
    side: [Sign; 3],
    other: &Triangle,
) -> impl Iterator<Item = (Part, Part, Point)> {
    (0..3).filter_map(move |i| {
        let j = (i + 1) % 3;
        if !crosses(side[i], side[j]) {
            return None;
        }
        let on = pierce(&t[i], &t[j], other)?.on_side;
        let (of_t, of_other) = (Part::of_side(i, [side[i], side[j]]), Part::pierced(on));
        let point = match (of_t, of_other) {
            (Part::Corner(k), _) => t[k],
            (_, Part::Corner(k)) => other[k],
            _ => along(&t[i], &t[j], crossing_parameter(&t[i], &t[j], other)),
        };
        Some((of_t, of_other, point))
    })
}

/// The relative error up to which f64 determinants may place a crossing.
const ACCURATE: f64 = f64::EPSILON * 256.0;

/// The parameter between `u` (0) and `v` (1) at which the plane of `t` is crossed, within 2⁻⁴⁴:
/// from f64 determinants where these are accurate enough, else from exact ones.
fn crossing_parameter(u: &Point, v: &Point, t: &Triangle) -> f64 {
    let (du, eu) = orient3d_estimate(&t[0], &t[1], &t[2], u);
    let (dv, ev) = orient3d_estimate(&t[0], &t[1], &t[2], v);
    let whole = (du - dv).abs();
    // If the products overflow, both sides are infinite and the comparison is void.
    if whole.is_finite() && eu + ev <= ACCURATE * whole {
        return (du / (du - dv)).clamp(0.0, 1.0);
    }
    // Convert all five points on one scale, so that the two determinants are comparable.
    let all = [&t[0], &t[1], &t[2], u, v];
    let n: [BigInt; 15] = integers(std::array::from_fn(|i| all[i / 3][i % 3]));
    let shifts = |k: usize| [&n[3 * k], &n[3 * k + 1], &n[3 * k + 2]];
    let det = |k: usize| determinant(shifts(0), shifts(1), shifts(2), shifts(k));
    let (du, dv) = (det(3), det(4));
    let whole = &du - &dv;
    ratio(&du, &whole).clamp(0.0, 1.0)
}

/// `part / whole`, which must be in [0, 1], truncated to 60 bits and rounded.
fn ratio(part: &BigInt, whole: &BigInt) -> f64 {
    let scaled = (part << 60u32) / whole;
    i64::try_from(scaled).map_or(1.0, |x| x as f64 / (1u64 << 60) as f64)
}

/// The point at parameter `s` from `u` to `v`, computed from the nearer end.
fn along(u: &Point, v: &Point, s: f64) -> Point {
    if s <= 0.5 { u + (v - u) * s } else { v + (u - v) * (1.0 - s) }
}

/// The ends of the common segment of two triangles that meet, at least one of which is a segment or
/// a point; or their common point. These are ends of edges on the other triangle, with exact
/// coordinates, and at most one proper crossing of edges or piercing edge, which differs from all
/// of them.
fn degenerate_points(p: &Triangle, q: &Triangle, p_has_area: bool, q_has_area: bool) -> Vec<Point> {
    let mut points = Vec::new();
    let (p_edges, q_edges) = (outline(p, p_has_area), outline(q, q_has_area));
    for (edges, other) in [(&p_edges, q), (&q_edges, p)] {
        for x in edges.iter().flatten() {
            if !points.contains(x) && point_on_triangle(x, other) {
                points.push(*x);
            }
        }
    }
    for e in &p_edges {
        for f in &q_edges {
            if cross_properly([&e[0], &e[1]], [&f[0], &f[1]]) {
                points.push(crossing_point(e, f));
            }
        }
    }
    if points.is_empty() {
        points.extend(piercing_point(&q_edges, p).or_else(|| piercing_point(&p_edges, q)));
    }
    points
}

/// The three edges, or the one segment of a triangle without area.
fn outline(t: &Triangle, has_area: bool) -> Vec<[Point; 2]> {
    if has_area { edges(t).to_vec() } else { vec![extremes(t)] }
}

/// The crossing of two coplanar segments that cross properly. The plane through `f` and a point off
/// the common plane cuts `e` where `f` does.
pub(super) fn crossing_point(e: &[Point; 2], f: &[Point; 2]) -> Point {
    let drop = flat_projection(&e[0], &e[1], &f[0]).unwrap_or(Drop::Z);
    let scale = [e[0], e[1], f[0], f[1]].iter().fold(0.0f64, |m, p| m.max(p.coords.amax()));
    let mut apex = f[0];
    let axis = match drop {
        Drop::X => 0,
        Drop::Y => 1,
        Drop::Z => 2,
    };
    // Far enough to change f[0] at least in the last bit, whatever the scale; not all coordinates
    // are zero.
    apex[axis] += scale;
    along(&e[0], &e[1], crossing_parameter(&e[0], &e[1], &[f[0], f[1], apex]))
}

/// The point where a triangle without area, given as one segment, pierces the inside of `t`.
fn piercing_point(segment: &[[Point; 2]], t: &Triangle) -> Option<Point> {
    let [[u, v]] = segment else { return None };
    pierce(u, v, t).map(|_| along(u, v, crossing_parameter(u, v, t)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adversarial::{between, climb, points, share, triple};

    #[test]
    fn crossings_in_f64_are_accurate_and_hardly_more() {
        let found = climb(
            82,
            20_000,
            |r| std::array::from_fn(|_| r.about(2f64.powi(52))),
            |x: &[f64; 15]| {
                let [a, b, c, u, v] = points(x);
                let height =
                    |x: &Point| triple(&between(&a, &b), &between(&a, &c), &between(&a, x));
                let (start, end) = (height(&u), height(&v));
                let whole: BigInt = &start - &end;
                let s = crossing_parameter(&u, &v, &[a, b, c]);
                if start.sign() == end.sign() || !(1e-9..=1.0).contains(&s) {
                    return 0.0;
                }
                // The promise of 2⁻⁴⁴, whatever the constant is.
                share(s * 2f64.powi(120), &((start << 120u32) / whole), 2f64.powi(120 - 44))
            },
        );
        assert!(found > 0.25, "{found}");
    }
}
