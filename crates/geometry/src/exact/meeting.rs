//! Where two triangles meet: which features meet is decided exactly, the coordinates of a crossing
//! are computed from them and rounded.

use num_bigint::BigInt;

use super::flat::{cross_properly, edges, extremes, flat_projection, point_on_triangle};
use super::transversal::{crosses, pierce};
use super::{all_zero, boxes_meet, sides, triangles_meet};
use crate::predicates::{Drop, Sign, integers, orient2d, orient3d, orient3d_estimate};
use crate::{Point, Triangle};

/// The common set of two triangles. Its kind is exact; a corner that is a mesh vertex has that
/// vertex's bits, and any other lies on its edge to within 4 ulps of the edge's largest coordinate
/// and, along the edge, to within 2⁻⁴⁴ of the edge's length.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Meeting {
    /// They touch in one point.
    Point(Point),
    /// They share a segment.
    Segment([Point; 2]),
    /// They are coplanar and share a convex polygon; 3 to 6 corners, counter-clockwise seen from
    /// the first triangle's outside.
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

/// The common set of the closed triangles `p` and `q`, or `None` if they share no point. Exact in
/// the decision and in the kind.
pub fn meeting(p: &Triangle, q: &Triangle) -> Option<Meeting> {
    if !boxes_meet(p, q) {
        return None;
    }
    let (side_p, side_q) = sides(p, q)?;
    let points = if all_zero(side_p) || all_zero(side_q) {
        if !triangles_meet(p, q) {
            return None;
        }
        flat_points(p, q)
    } else {
        transversal_points(p, q, side_p, side_q)
    };
    assemble(points, p)
}

/// Corners of the common segment of triangles in planes that cross: where an edge of one pierces
/// the other. A crossing of two edges is found from p's edge and left out on q's.
fn transversal_points(
    p: &Triangle,
    q: &Triangle,
    side_p: [Sign; 3],
    side_q: [Sign; 3],
) -> Vec<Point> {
    let mut points = Vec::new();
    let mut done = [false; 3];
    for i in 0..3 {
        let j = (i + 1) % 3;
        if !crosses(side_p[i], side_p[j]) {
            continue;
        }
        let Some(hit) = pierce(&p[i], &p[j], q) else { continue };
        (0..3).for_each(|k| done[k] |= hit.on_side[k]);
        push(&mut points, snapped([&p[i], &p[j]], [side_p[i], side_p[j]], q, hit.on_side));
    }
    for i in 0..3 {
        let j = (i + 1) % 3;
        if done[i] || !crosses(side_q[i], side_q[j]) {
            continue;
        }
        let Some(hit) = pierce(&q[i], &q[j], p) else { continue };
        push(&mut points, snapped([&q[i], &q[j]], [side_q[i], side_q[j]], p, hit.on_side));
    }
    points
}

/// The point where the edge `u, v` pierces `other`: a corner's own bits if it is a corner.
fn snapped([u, v]: [&Point; 2], side: [Sign; 2], other: &Triangle, on: [bool; 3]) -> Point {
    if side[0].is_zero() {
        return *u;
    }
    if side[1].is_zero() {
        return *v;
    }
    for k in 0..3 {
        // Through sides k and k + 1 at once: through corner k + 1.
        if on[k] && on[(k + 1) % 3] {
            return other[(k + 1) % 3];
        }
    }
    along(u, v, crossing_parameter(u, v, other))
}

/// Relative error up to which determinants in f64 place a crossing.
const ACCURATE: f64 = f64::EPSILON * 256.0;

/// Where between `u` (0) and `v` (1) the plane of `t` is crossed, within 2⁻⁴⁴: from the
/// determinants in f64 where these are accurate, else from exact ones.
fn crossing_parameter(u: &Point, v: &Point, t: &Triangle) -> f64 {
    let (du, eu) = orient3d_estimate(&t[0], &t[1], &t[2], u);
    let (dv, ev) = orient3d_estimate(&t[0], &t[1], &t[2], v);
    let whole = (du - dv).abs();
    // Where the products overflowed, both sides are infinite and say nothing.
    if whole.is_finite() && eu + ev <= ACCURATE * whole {
        return (du / (du - dv)).clamp(0.0, 1.0);
    }
    // All five points on one scale, so that the two determinants can be compared.
    let all = [&t[0], &t[1], &t[2], u, v];
    let n: [BigInt; 15] = integers(std::array::from_fn(|i| all[i / 3][i % 3]));
    let shifts = |k: usize| [&n[3 * k], &n[3 * k + 1], &n[3 * k + 2]];
    let det = |k: usize| determinant(shifts(0), shifts(1), shifts(2), shifts(k));
    let (du, dv) = (det(3), det(4));
    let whole = &du - &dv;
    ratio(&du, &whole).clamp(0.0, 1.0)
}

fn determinant(a: [&BigInt; 3], b: [&BigInt; 3], c: [&BigInt; 3], d: [&BigInt; 3]) -> BigInt {
    let minus = |p: [&BigInt; 3]| [p[0] - d[0], p[1] - d[1], p[2] - d[2]];
    let (u, v, w) = (minus(a), minus(b), minus(c));
    &u[2] * (&v[0] * &w[1] - &v[1] * &w[0])
        + &v[2] * (&w[0] * &u[1] - &w[1] * &u[0])
        + &w[2] * (&u[0] * &v[1] - &u[1] * &v[0])
}

/// `part / whole` for `0 ≤ part/whole ≤ 1`, to 60 bits and rounded.
fn ratio(part: &BigInt, whole: &BigInt) -> f64 {
    let scaled = (part << 60u32) / whole;
    i64::try_from(scaled).map_or(1.0, |x| x as f64 / (1u64 << 60) as f64)
}

/// The point at parameter `s` from `u` to `v`, measured from the nearer end.
fn along(u: &Point, v: &Point, s: f64) -> Point {
    if s <= 0.5 { u + (v - u) * s } else { v + (u - v) * (1.0 - s) }
}

/// Corners of the common set of two triangles in one plane, or of which one is a segment or point:
/// corners of one on the other, proper crossings of edges, and piercing edges.
fn flat_points(p: &Triangle, q: &Triangle) -> Vec<Point> {
    let mut points = Vec::new();
    let (p_edges, q_edges) = (outline(p), outline(q));
    let corners = |edges: &[[Point; 2]]| edges.concat();
    corners(&p_edges)
        .iter()
        .filter(|x| point_on_triangle(x, q))
        .for_each(|x| push(&mut points, *x));
    corners(&q_edges)
        .iter()
        .filter(|x| point_on_triangle(x, p))
        .for_each(|x| push(&mut points, *x));
    for e in &p_edges {
        for f in &q_edges {
            if cross_properly([&e[0], &e[1]], [&f[0], &f[1]]) {
                push(&mut points, crossing_point(e, f));
            }
        }
    }
    if points.is_empty() {
        points.extend(piercing_point(&q_edges, p).or_else(|| piercing_point(&p_edges, q)));
    }
    points
}

/// The three edges, or the one segment that a triangle without area is.
fn outline(t: &Triangle) -> Vec<[Point; 2]> {
    match flat_projection(&t[0], &t[1], &t[2]) {
        Some(_) => edges(t).to_vec(),
        None => vec![extremes(t)],
    }
}

/// The crossing of two coplanar segments that cross properly. The plane through `f` and a point
/// off the common plane cuts `e` where `f` does.
fn crossing_point(e: &[Point; 2], f: &[Point; 2]) -> Point {
    let drop = flat_projection(&e[0], &e[1], &f[0]).unwrap_or(Drop::Z);
    let scale = [e[0], e[1], f[0], f[1]].iter().fold(0.0f64, |m, p| m.max(p.coords.amax()));
    let mut apex = f[0];
    let axis = match drop {
        Drop::X => 0,
        Drop::Y => 1,
        Drop::Z => 2,
    };
    // Far enough to differ from f[0] in the last bit or more, whatever the scale.
    apex[axis] += if scale > 0.0 { scale } else { 1.0 };
    along(&e[0], &e[1], crossing_parameter(&e[0], &e[1], &[f[0], f[1], apex]))
}

/// The point where a triangle without area, a single segment, pierces the inside of `t`.
fn piercing_point(segment: &[[Point; 2]], t: &Triangle) -> Option<Point> {
    let [[u, v]] = segment else { return None };
    flat_projection(&t[0], &t[1], &t[2])?;
    let (su, sv) = (orient3d(&t[0], &t[1], &t[2], u), orient3d(&t[0], &t[1], &t[2], v));
    let hit = su.is_opposite(sv).then(|| pierce(u, v, t))??;
    Some(snapped([u, v], [su, sv], t, hit.on_side))
}

fn push(points: &mut Vec<Point>, p: Point) {
    if !points.contains(&p) {
        points.push(p);
    }
}

fn assemble(points: Vec<Point>, p: &Triangle) -> Option<Meeting> {
    match points.as_slice() {
        [] => None,
        [x] => Some(Meeting::Point(*x)),
        [x, y] => Some(Meeting::Segment([*x, *y])),
        _ => Some(polygon(points, p)),
    }
}

/// Three or more corners, in order around their middle. Both triangles have area then, and lie in
/// one plane.
fn polygon(mut points: Vec<Point>, p: &Triangle) -> Meeting {
    let drop = flat_projection(&p[0], &p[1], &p[2]).unwrap_or(Drop::Z);
    let planar: Vec<[f64; 2]> = points.iter().map(|x| drop.keep(x)).collect();
    let n = points.len() as f64;
    let middle = planar.iter().fold([0.0; 2], |m, x| [m[0] + x[0] / n, m[1] + x[1] / n]);
    let turn = if orient2d(&p[0], &p[1], &p[2], drop) == Sign::Negative { -1.0 } else { 1.0 };
    let angle = |x: &Point| {
        let [a, b] = drop.keep(x);
        turn * (b - middle[1]).atan2(a - middle[0])
    };
    points.sort_by(|x, y| angle(x).total_cmp(&angle(y)));
    Meeting::Polygon(points)
}
