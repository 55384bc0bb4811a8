//! The exact squared distance of two triangles.
//!
//! It is attained between two features: vertices, open edges, open faces. Each pair of features
//! gives the distance of the nearest points of their lines or planes, if these points lie on the
//! features. Each of these is a distance between points of the triangles, and the least one is the
//! result. An edge and a face are at distance zero if one runs through the other; else a pair of
//! their borders is at least as near.

use std::cmp::Ordering;

use dashu_int::ops::{BitTest, SquareRoot};
use dashu_int::{IBig, Sign, UBig};
use dashu_ratio::RBig;
use impinge_geometry::Triangle;

use super::integers::{Vector, vectors};

/// The exact squared distance of two closed triangles; 0 if and only if they share a point.
///
/// Unit: the square of the user's. Cost: 50 to 130 µs; some milliseconds if coordinates are
/// hundreds of orders of magnitude apart.
///
/// # Panics
/// If a coordinate is not finite.
pub fn squared_distance(a: &Triangle, b: &Triangle) -> RBig {
    let (points, exponent) = vectors([a[0], a[1], a[2], b[0], b[1], b[2]]);
    let [a0, a1, a2, b0, b1, b2] = points;
    let (a, b) = (Features::new([a0, a1, a2]), Features::new([b0, b1, b2]));
    let mut least = Least(None);
    vertices_and_vertices(&a, &b, &mut least);
    vertices_and_edges(&a, &b, &mut least);
    vertices_and_edges(&b, &a, &mut least);
    vertices_and_faces(&a, &b, &mut least);
    vertices_and_faces(&b, &a, &mut least);
    edges_and_edges(&a, &b, &mut least);
    edges_through_face(&a, &b, &mut least);
    edges_through_face(&b, &a, &mut least);
    least.scaled(2 * exponent)
}

/// The distance of two closed triangles: the root of [`squared_distance`], rounded once, with a
/// relative error below 2⁻⁵²; results below 1e-307 have an absolute error below 5e-324.
///
/// # Panics
/// If a coordinate is not finite.
pub fn distance(a: &Triangle, b: &Triangle) -> f64 {
    root(&squared_distance(a, b))
}

/// A triangle by corners, with edge vectors and normal. Edge `i` runs from corner `i` to the next.
struct Features {
    corners: [Vector; 3],
    edges: [Vector; 3],
    normal: Vector,
}

impl Features {
    fn new(corners: [Vector; 3]) -> Self {
        let edges: [Vector; 3] = std::array::from_fn(|i| corners[(i + 1) % 3].minus(&corners[i]));
        let normal = edges[0].cross(&edges[1]);
        Self { corners, edges, normal }
    }

    /// Whether the point of the plane `corner 0 + foot / scale` is on the closed triangle, by
    /// barycentric coordinates over `scale · normal²`. `scale` must be positive.
    fn holds(&self, foot: &Vector, scale: &IBig) -> bool {
        let s = self.normal.dot(&self.edges[0].cross(foot));
        let t = self.normal.dot(&self.edges[2].cross(foot));
        let whole = self.normal.squared() * scale;
        !is_negative(&s) && !is_negative(&t) && s + t <= whole
    }
}

/// The least fraction so far: numerator and positive denominator.
struct Least(Option<(IBig, IBig)>);

impl Least {
    fn take(&mut self, numerator: IBig, denominator: IBig) {
        let nearer = self
            .0
            .as_ref()
            .is_none_or(|(n, d)| (&numerator * d).cmp(&(n * &denominator)) == Ordering::Less);
        if nearer {
            self.0 = Some((numerator, denominator));
        }
    }

    fn scaled(self, exponent: i32) -> RBig {
        let (numerator, denominator) = self.0.expect("vertices always give a distance");
        let shift = exponent.unsigned_abs() as usize;
        if exponent >= 0 {
            RBig::from_parts_signed(numerator << shift, denominator)
        } else {
            RBig::from_parts_signed(numerator, denominator << shift)
        }
    }
}

fn vertices_and_vertices(a: &Features, b: &Features, least: &mut Least) {
    for p in &a.corners {
        for q in &b.corners {
            least.take(p.minus(q).squared(), IBig::ONE);
        }
    }
}

/// Uses the vertex's foot on the line, if it is between the ends.
fn vertices_and_edges(a: &Features, b: &Features, least: &mut Least) {
    for p in &a.corners {
        for (q, along) in b.corners.iter().zip(&b.edges) {
            let from = p.minus(q);
            let (part, whole) = (from.dot(along), along.squared());
            if !is_negative(&part) && part <= whole && !whole.is_zero() {
                least.take(from.squared() * &whole - &part * &part, whole);
            }
        }
    }
}

/// Uses the vertex's foot on the plane, if it is on the face.
fn vertices_and_faces(a: &Features, b: &Features, least: &mut Least) {
    let whole = b.normal.squared();
    if whole.is_zero() {
        return;
    }
    for p in &a.corners {
        let from = p.minus(&b.corners[0]);
        let height = from.dot(&b.normal);
        let foot = from.times(&whole).minus(&b.normal.times(&height));
        if b.holds(&foot, &whole) {
            least.take(&height * &height, whole.clone());
        }
    }
}

/// Uses the common perpendicular of two lines, if it ends on both edges. Parallel edges are as near
/// at an end.
fn edges_and_edges(a: &Features, b: &Features, least: &mut Least) {
    for (p, u) in a.corners.iter().zip(&a.edges) {
        for (q, v) in b.corners.iter().zip(&b.edges) {
            let normal = u.cross(v);
            let whole = normal.squared();
            if whole.is_zero() {
                continue;
            }
            let between = q.minus(p);
            let on_u = between.cross(v).dot(&normal);
            let on_v = between.cross(u).dot(&normal);
            if in_range(&on_u, &whole) && in_range(&on_v, &whole) {
                let gap = between.dot(&normal);
                least.take(&gap * &gap, whole);
            }
        }
    }
}

/// Gives zero if an edge of `a` crosses `b`'s plane inside the face.
fn edges_through_face(a: &Features, b: &Features, least: &mut Least) {
    if b.normal.squared().is_zero() {
        return;
    }
    for (p, along) in a.corners.iter().zip(&a.edges) {
        let from = p.minus(&b.corners[0]);
        let (start, fall) = (from.dot(&b.normal), -along.dot(&b.normal));
        // The line is at height zero after the fraction start / fall of the edge.
        let (start, fall) = if is_negative(&fall) { (-start, -fall) } else { (start, fall) };
        if fall.is_zero() || !in_range(&start, &fall) {
            continue;
        }
        let foot = from.times(&fall).plus(&along.times(&start));
        if b.holds(&foot, &fall) {
            least.take(IBig::ZERO, IBig::ONE);
        }
    }
}

fn is_negative(n: &IBig) -> bool {
    n.sign() == Sign::Negative
}

fn in_range(part: &IBig, whole: &IBig) -> bool {
    !is_negative(part) && part <= whole
}

/// Whether the distance whose square is `square` is at most `d`, which must not be negative. Exact.
///
/// # Panics
/// If `d` is not finite.
pub fn at_most(square: &RBig, d: f64) -> bool {
    let d = RBig::try_from(d).expect("a finite number");
    *square <= &d * &d
}

/// The square root of a non-negative fraction, to 64 bits and then rounded to f64.
pub fn root(square: &RBig) -> f64 {
    if square.is_zero() {
        return 0.0;
    }
    let (numerator, denominator) = square.clone().into_parts();
    let (_, numerator) = numerator.into_parts();
    // numerator · 4^shift / denominator has 128 bits or more, its root 64 or more.
    let bits = numerator.bit_len() as i64 - denominator.bit_len() as i64;
    let shift = (130 - bits).div_euclid(2) + 1;
    let scaled: UBig = if shift >= 0 {
        (numerator << (2 * shift) as usize) / denominator
    } else {
        numerator / (denominator << (-2 * shift) as usize)
    };
    times_power_of_two(scaled.sqrt().to_f64().value(), -shift)
}

/// `x · 2^exponent`, in steps that stay in range.
fn times_power_of_two(mut x: f64, mut exponent: i64) -> f64 {
    while exponent != 0 {
        let step = exponent.clamp(-900, 900);
        x *= 2f64.powi(step as i32);
        exponent -= step;
    }
    x
}
