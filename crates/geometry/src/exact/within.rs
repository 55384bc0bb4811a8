//! Whether the distance of two triangles is at most a given one. Exact.
//!
//! 1. In f64: two points that are certainly near enough prove "yes"; a direction in which the
//!    projections are certainly too far apart proves "no".
//! 2. Otherwise the distance nearly equals the given one, or the triangles nearly meet, and big
//!    integers decide. A distance is attained by two features (corners, edges, faces), with the
//!    foot of each on the other. The squared distance of each such pair is a fraction, compared
//!    with `d²` without division.

use num_bigint::BigInt;

use crate::integers::{Integers, cross, dot, integers, minus, sign_of, squared};
use crate::predicates::Sign;
use crate::triangle::{Local, largest};
use crate::volume::UNIT;
use crate::{Triangle, Vector};

/// Bounds all rounding of stage 1, in units of the largest coordinate difference `S`.
///
/// The corners are off by `u S` a coordinate, so distances by `2 √3 u S`. A point of a triangle is
/// the sum of a corner and two multiples of sides: 10 u S a coordinate, `20 √3 u S` for two points;
/// its length adds `11 u S`: 50 u S in all for "yes". A projection on `n` is a sum of three
/// products, `9 u S` of the largest component of n. A gap has two projections and a difference: 24.
/// The length of `n` and the product with it add `4 u` of a distance below `2 √3 S`: 42 u S in all
/// for "no".
const MARGIN: f64 = 64.0 * UNIT;

/// Whether the distance of the closed triangles `p` and `q` is at most `d`, in the coordinates'
/// unit. Exact for all finite coordinates, degenerate triangles and any `d`. False for negative `d`
/// and NaN; for zero it is [`triangles_meet`](super::triangles_meet).
///
/// Cost: that of [`triangle::distance`](crate::triangle::distance) if the distance is not within
/// rounding of `d`; else 0.1 ms, and some milliseconds if coordinates are hundreds of orders of
/// magnitude apart.
pub fn within(p: &Triangle, q: &Triangle, d: f64) -> bool {
    if !(d > 0.0) {
        return d == 0.0 && super::triangles_meet(p, q);
    }
    if d == f64::INFINITY {
        return true;
    }
    certainly(p, q, d).unwrap_or_else(|| super::triangles_meet(p, q) || decided(p, q, d))
}

/// What f64 proves about [`within`] for a positive `d`; `None` if nothing.
fn certainly(p: &Triangle, q: &Triangle, d: f64) -> Option<bool> {
    let pair = Local::new(p, q);
    let (d, margin) = (d * pair.scale, MARGIN * pair.size);
    let (distance, x, y) = pair.distance();
    if distance + margin <= d {
        return Some(true);
    }
    let (a, b) = (&pair.a, &pair.b);
    // Skip shorter ones, since their squares underflow.
    let apart = |n: Vector| largest(&n) > 1e-140 && gap(a, b, &n) > (d + margin) * n.norm();
    if apart(y - x) || directions(a, b).any(apart) { Some(false) } else { None }
}

/// The gap between the projections of two triangles on `n`, times the length of `n`.
fn gap(a: &[Vector; 3], b: &[Vector; 3], n: &Vector) -> f64 {
    let (a, b) = (a.map(|x| n.dot(&x)), b.map(|x| n.dot(&x)));
    let low = |s: [f64; 3]| s[0].min(s[1]).min(s[2]);
    let high = |s: [f64; 3]| s[0].max(s[1]).max(s[2]);
    (low(b) - high(a)).max(low(a) - high(b))
}

/// Candidate separating directions that stay accurate however near the features are.
fn directions(a: &[Vector; 3], b: &[Vector; 3]) -> impl Iterator<Item = Vector> {
    let sides = |t: &[Vector; 3]| [t[1] - t[0], t[2] - t[1], t[0] - t[2]];
    let (e, f) = (sides(a), sides(b));
    let (a, b) = (*a, *b);
    let pairs = || (0..9).map(|i| (i / 3, i % 3));
    [e[0].cross(&e[1]), f[0].cross(&f[1])]
        .into_iter()
        .chain(pairs().map(move |(i, j)| e[i].cross(&f[j])))
        .chain(pairs().map(move |(i, j)| a[i] - b[j]))
}

/// Corners, edges from each corner to the next, and the normal, as integers.
struct Features {
    corners: [Integers; 3],
    edges: [Integers; 3],
    normal: Integers,
}

/// Whether a pair of features is at most `d > 0` apart. The triangles must not meet.
fn decided(p: &Triangle, q: &Triangle, d: f64) -> bool {
    let corner = |i: usize| if i < 3 { p[i] } else { q[i - 3] };
    let n: [BigInt; 19] =
        integers(std::array::from_fn(|i| if i < 18 { corner(i / 3)[i % 3] } else { d }));
    let at = |i: usize| [n[3 * i].clone(), n[3 * i + 1].clone(), n[3 * i + 2].clone()];
    let (a, b) = (Features::new([at(0), at(1), at(2)]), Features::new([at(3), at(4), at(5)]));
    let limit = &n[18] * &n[18];
    a.corners.iter().any(|x| b.corners.iter().any(|y| squared(&minus(x, y)) <= limit))
        || corner_near_edge(&a, &b, &limit)
        || corner_near_edge(&b, &a, &limit)
        || edges_near(&a, &b, &limit)
        || corner_near_face(&a, &b, &limit)
        || corner_near_face(&b, &a, &limit)
}

impl Features {
    fn new(corners: [Integers; 3]) -> Self {
        let edges: [Integers; 3] =
            std::array::from_fn(|i| minus(&corners[(i + 1) % 3], &corners[i]));
        let normal = cross(&edges[0], &edges[1]);
        Self { corners, edges, normal }
    }

    fn lines(&self) -> impl Iterator<Item = (&Integers, &Integers)> {
        self.corners.iter().zip(&self.edges)
    }
}

/// Whether a corner of `a` is near an edge of `b` that contains its foot. An edge without length
/// has `whole == 0`; its corners cover that case.
fn corner_near_edge(a: &Features, b: &Features, limit: &BigInt) -> bool {
    b.lines().any(|(start, edge)| {
        let whole = squared(edge);
        a.corners.iter().any(|x| {
            let from = minus(x, start);
            let part = dot(&from, edge);
            !sign_of(&whole).is_zero()
                && in_range(&part, &whole)
                && squared(&from) * &whole - &part * &part <= limit * &whole
        })
    })
}

/// Whether two edges are near, with their common perpendicular ending on both. Parallel edges have
/// none; a corner is as near.
fn edges_near(a: &Features, b: &Features, limit: &BigInt) -> bool {
    a.lines().any(|(p, e)| {
        b.lines().any(|(q, f)| {
            let normal = cross(e, f);
            let whole = squared(&normal);
            if sign_of(&whole).is_zero() {
                return false;
            }
            let between = minus(q, p);
            let height = dot(&between, &normal);
            &height * &height <= limit * &whole
                && in_range(&dot(&cross(&between, f), &normal), &whole)
                && in_range(&dot(&cross(&between, e), &normal), &whole)
        })
    })
}

/// Whether a corner of `a` is near the face of `b` and its foot is on that face.
fn corner_near_face(a: &Features, b: &Features, limit: &BigInt) -> bool {
    let whole = squared(&b.normal);
    !sign_of(&whole).is_zero()
        && a.corners.iter().any(|x| {
            let height = dot(&minus(x, &b.corners[0]), &b.normal);
            &height * &height <= limit * &whole
                && b.lines().all(|(start, edge)| {
                    let turn = dot(&cross(edge, &minus(x, start)), &b.normal);
                    sign_of(&turn) != Sign::Negative
                })
        })
}

fn in_range(part: &BigInt, whole: &BigInt) -> bool {
    sign_of(part) != Sign::Negative && part <= whole
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Point;
    use crate::adversarial::Random;

    /// Big integers are needed only within rounding of the distance.
    #[test]
    fn all_but_the_distance_itself_is_certain_in_f64() {
        let mut r = Random(221);
        for k in 0..2000 {
            let scale = 2f64.powi([0, 500, -500][k % 3]);
            let far = [2.5, 40.0][k / 3 % 2];
            let mut point = |x: f64| Point::new(r.unit() + x, r.unit(), r.unit());
            let p = [point(0.0), point(0.0), point(0.0)];
            let q = [point(far), point(far), point(far)];
            let (p, q) = (p.map(|x| x * scale), q.map(|x| x * scale));
            let local = Local::new(&p, &q);
            let distance = local.distance().0 / local.scale;
            let unit = UNIT * local.size / local.scale;
            for (units, expected) in [
                (-200.0, Some(false)),
                (-100.0, Some(false)),
                (-40.0, None),
                (0.0, None),
                (40.0, None),
                (80.0, Some(true)),
                (1e6, Some(true)),
            ] {
                assert_eq!(certainly(&p, &q, distance + units * unit), expected, "{units}");
            }
        }
    }

    #[test]
    fn gaps_are_those_of_the_projections() {
        let t = |x: [f64; 3]| x.map(|x| Vector::new(x, 7.0, -x));
        let n = Vector::new(2.0, 0.0, 0.0);
        let (a, b) = (t([-1.0, 3.0, 0.5]), t([5.0, 4.5, 9.0]));
        assert_eq!((gap(&a, &b, &n), gap(&b, &a, &n)), (3.0, 3.0));
        assert_eq!(gap(&a, &t([2.0, 8.0, 4.0]), &n), -2.0);
        // Two normals, nine products of sides, nine differences of corners.
        let (a, b) = (
            [[0., 0., 0.], [1., 0., 0.], [0., 2., 0.]],
            [[5., 0., 1.], [5., 3., 1.], [5., 0., 4.]],
        );
        let found: Vec<Vector> = directions(&a.map(Vector::from), &b.map(Vector::from)).collect();
        assert_eq!(found.len(), 20);
        assert_eq!(found[..2], [[0., 0., 2.], [9., 0., 0.]].map(Vector::from));
        assert_eq!(found[2], Vector::new(0.0, 0.0, 3.0));
        assert_eq!(found[11], Vector::new(-5.0, 0.0, -1.0));
        assert_eq!(found[18], Vector::new(-5.0, -1.0, -1.0));
    }
}
