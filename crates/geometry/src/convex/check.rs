//! Exact test whether a closed surface is the boundary of a convex body, in near-linear time.
//!
//! **Theorem.** Let M be a closed surface of triangles with area, with exactly two triangles at
//! each edge, which run through it in opposite directions. Let O be the mean of four of its points
//! that are not coplanar. If
//! 1. at every edge the apex of one triangle is not in front of the plane of the other,
//! 2. none of the four points is in front of the plane of any triangle,
//! 3. some ray from O, in general position, meets exactly one triangle,
//!
//! then M is the boundary of a convex body and every triangle faces outward. Every convex boundary
//! fulfils all three.
//!
//! *Proof.* By 2, and since no plane contains all four points, O is strictly behind every triangle.
//! So each triangle, seen from O, runs counter-clockwise and covers a cone with its own
//! orientation; two triangles at an edge cover cones on either side of it. The central projection
//! of M to the sphere of directions is thus a local homeomorphism except at the vertices: a
//! branched covering, which covers almost every direction equally often in total, each component of
//! M at least once. By 3 that is once. A branched covering with one sheet has no branch points: M
//! is embedded, connected, and bounds a body K that is star-shaped about O. Take two points x, y
//! inside K whose plane with O misses every vertex of M; almost all pairs qualify. The plane cuts K
//! in a polygon that is star-shaped about O. Its corners lie on edges of M and have interior angles
//! of at most π by 1. A simple polygon with such angles is convex, so the segment from x to y is in
//! K. K is closed, so this holds for all pairs. ∎
//!
//! The four signs of condition 2 replace the sign of O, which has no exact coordinates in f64.
//! Condition 3 uses a ray through a corner of the first triangle, perturbed symbolically by an
//! infinitesimal step towards the second corner and a smaller one towards the third. The idea of
//! local convexity plus one ray is that of K. Mehlhorn et al., Checking Geometric Programs or
//! Verification of Geometric Structures, Computational Geometry 12 (1999); flat edges are added.

use num_bigint::BigInt;

use super::error::End;
use super::surface::Surface;
use super::{NotConvex, looking};
use crate::Point;
use crate::integers::{determinant, integers, sign_of};
use crate::predicates::{Sign, orient3d, orient3d_estimate};
use crate::triangle::above;
use crate::volume::power_below_inverse;

/// The deepest notch at an edge that counts as rounding of the vertices, relative to the largest
/// coordinate: 2⁻⁴⁴ (512 units of rounding).
pub(super) const NOTCH: f64 = 1.0 / (1u64 << 44) as f64;

/// The outcome of condition 1.
pub(super) enum Edges {
    Convex,
    /// Some are reflex, none deeper than [`NOTCH`].
    Notched,
}

/// Tests condition 1, up to notches.
pub(super) fn edges<E>(
    surface: &Surface,
    look: &mut impl FnMut() -> Result<(), End<E>>,
) -> Result<Edges, End<E>> {
    let size = largest(&surface.points);
    let (mut convex, mut notched, mut reflex) = (false, None, None);
    looking(surface.triangles.len(), look, |t| {
        let corners = surface.triangles[t as usize];
        for side in 0..3 {
            let u = surface.across[t as usize][side];
            let (from, to) = (corners[side], corners[(side + 1) % 3]);
            // Each edge once, from the triangle with the smaller index.
            let Some(apex) = apex(surface, u, from, to).filter(|_| t < u) else { continue };
            let ([a, b, c], e) = (surface.corners(t), surface.points[apex as usize]);
            match orient3d(&a, &b, &c, &e) {
                Sign::Negative => convex = true,
                Sign::Zero => {}
                Sign::Positive => {
                    let opposite = corners[(side + 2) % 3];
                    let four = [from, to, opposite, apex].map(|p| surface.points[p as usize]);
                    let slot = if notch(&four, size) <= NOTCH { &mut notched } else { &mut reflex };
                    slot.get_or_insert(([from, to], [t, u]));
                }
            }
        }
        Ok(())
    })?;
    let end = match (convex, notched, reflex) {
        (true, None, None) => return Ok(Edges::Convex),
        (true, Some(_), None) => return Ok(Edges::Notched),
        (true, _, Some((edge, triangles))) => {
            let [from, to] = edge.map(|p| surface.vertex[p as usize]);
            NotConvex::Reflex { from, to, triangles }
        }
        (false, None, None) => NotConvex::Flat,
        (false, Some((_, triangles)), _) | (false, None, Some((_, triangles))) => {
            NotConvex::InsideOut { triangles }
        }
    };
    Err(end.into())
}

/// The corner of `u` that is no end of the edge, if there is one.
fn apex(surface: &Surface, u: u32, from: u32, to: u32) -> Option<u32> {
    surface.triangles[u as usize].into_iter().find(|&p| p != from && p != to)
}

/// Depth of the notch at the edge `p q` below the segment that joins the apexes `c` and `e`: the
/// distance of the two lines, relative to the largest coordinate.
fn notch([p, q, c, e]: &[Point; 4], largest: f64) -> f64 {
    let scale = power_below_inverse(largest);
    let [edge, bridge, between] = [q - p, e - c, c - p].map(|v| v * scale);
    let across = edge.cross(&bridge);
    let depth = across.dot(&between).abs() / across.norm() / (largest * scale);
    // Parallel lines give no bound on the depth.
    if depth.is_finite() { depth } else { f64::INFINITY }
}

pub(super) fn largest(points: &[Point]) -> f64 {
    points.iter().fold(0.0, |m, p| m.max(p.coords.amax()))
}

/// Four points that are not coplanar.
pub(super) fn tetrahedron(points: &[Point], triangle: [u32; 3]) -> Result<[u32; 4], NotConvex> {
    let [a, b, c] = triangle.map(|p| points[p as usize]);
    let off = points.iter().position(|p| !orient3d(&a, &b, &c, p).is_zero());
    off.map(|d| [triangle[0], triangle[1], triangle[2], d as u32]).ok_or(NotConvex::Flat)
}

/// Tests conditions 2 and 3, given condition 1.
pub(super) fn whole<E>(
    surface: &Surface,
    tetrahedron: [u32; 4],
    look: &mut impl FnMut() -> Result<(), End<E>>,
) -> Result<(), End<E>> {
    let four = tetrahedron.map(|p| surface.points[p as usize]);
    looking(surface.triangles.len(), look, |t| {
        let [a, b, c] = surface.corners(t);
        for (p, index) in four.iter().zip(tetrahedron) {
            if orient3d(&a, &b, &c, p) == Sign::Positive {
                let vertex = surface.vertex[index as usize];
                return Err(NotConvex::InFront { vertex, triangle: t }.into());
            }
        }
        Ok(())
    })?;
    match sheets(surface, &four, look)? {
        1 => Ok(()),
        times => Err(NotConvex::Wraps { times }.into()),
    }
}

/// The number of triangles that the ray from the mean of the four points meets.
fn sheets<E>(
    surface: &Surface,
    four: &[Point; 4],
    look: &mut impl FnMut() -> Result<(), E>,
) -> Result<usize, E> {
    let (ray, mut meet) = (surface.corners(0), 0);
    looking(surface.triangles.len(), look, |t| {
        let [a, b, c] = surface.corners(t);
        let sides = [[a, b], [b, c], [c, a]];
        let meets = |[p, q]: &[Point; 2]| beside(four, p, q, &ray) == Sign::Positive;
        meet += usize::from(sides.iter().all(meets));
        Ok(())
    })?;
    Ok(meet)
}

/// The side of the plane through O, `p` and `q` on which the perturbed ray runs.
fn beside(four: &[Point; 4], p: &Point, q: &Point, ray: &[Point; 3]) -> Sign {
    let signs = ray.iter().map(|x| sum_of_four(four, p, q, x));
    signs.into_iter().find(|s| !s.is_zero()).unwrap_or(Sign::Zero)
}

/// The sign of `Σ orient3d(v, p, q, x)` over the four `v`, which is four times the value at their
/// mean.
fn sum_of_four(four: &[Point; 4], p: &Point, q: &Point, x: &Point) -> Sign {
    let (sum, error) = estimate_of_four(four, p, q, x);
    if above(sum.abs(), error) {
        return Sign::of(sum);
    }
    let n: [BigInt; 21] = integers(std::array::from_fn(|i| {
        [four[0], four[1], four[2], four[3], *p, *q, *x][i / 3][i % 3]
    }));
    let at = |i: usize| [&n[3 * i], &n[3 * i + 1], &n[3 * i + 2]];
    sign_of(&(0..4).map(|v| determinant(at(4), at(5), at(6), at(v))).sum())
}

/// The sum in f64 and a bound on its error. Each of three additions has an error of u times a
/// partial sum.
fn estimate_of_four(four: &[Point; 4], p: &Point, q: &Point, x: &Point) -> (f64, f64) {
    let parts = four.map(|v| orient3d_estimate(&v, p, q, x));
    let sum = parts.iter().map(|(det, _)| det).sum();
    let size: f64 = parts.iter().map(|(det, _)| det.abs()).sum();
    let error: f64 = parts.iter().map(|(_, bound)| bound).sum();
    (sum, 1.01 * error + 4.0 * f64::EPSILON * size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adversarial::{Random, between, integer, points, triple};

    #[test]
    fn sums_of_four_are_certain_where_rounding_does_not_count() {
        let mut r = Random(181);
        let mut decided = 0;
        for k in 0..2000 {
            // Ordinary sums, and sums that cancel in all but the last digits.
            let mut c: [f64; 21] = std::array::from_fn(|_| (r.unit() * 2f64.powi(30)).round());
            if k % 2 == 1 {
                for i in 0..3 {
                    let from = |v: usize| c[3 * v + i];
                    c[18 + i] = ((from(0) + from(1) + from(2) + from(3)) / 4.0).round();
                }
            }
            let [a, b, d, e, p, q, x] = points(&c);
            let four = [a, b, d, e];
            let exact = |v: &Point| triple(&between(v, &p), &between(v, &q), &between(v, &x));
            let truth: BigInt = four.iter().map(exact).sum();
            assert_eq!(sum_of_four(&four, &p, &q, &x), sign_of(&truth));
            let (sum, error) = estimate_of_four(&four, &p, &q, &x);
            let parts = four.map(|v| orient3d_estimate(&v, &p, &q, &x));
            let errors: f64 = parts.iter().map(|(_, error)| error).sum();
            let size: f64 = parts.iter().map(|(det, _)| det.abs()).sum();
            assert!(error >= errors + 6.0 * f64::EPSILON / 2.0 * size);
            assert!(error <= 1.02 * errors + 10.0 * f64::EPSILON / 2.0 * size);
            assert!(integer(sum.round()) - &truth <= integer(error.round()));
            // Scaling by a power of two scales all results by its cube.
            let small = |p: &Point| p * 2f64.powi(-60);
            let [p, q, x] = [&p, &q, &x].map(small);
            let (s, e) = estimate_of_four(&four.map(|v| small(&v)), &p, &q, &x);
            assert_eq!((s, e), (sum * 2f64.powi(-180), error * 2f64.powi(-180)));
            decided += u32::from(sum.abs() > error);
        }
        assert!(decided > 1000, "{decided}");
    }
}
