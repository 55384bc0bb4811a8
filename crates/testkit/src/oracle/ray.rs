//! The position of a point with respect to a closed mesh: a ray from it counts how often it leaves
//! and enters.
//!
//! Its direction is `(k², k, 1)` for `k = 2, 3, …`, the first that meets every triangle either in
//! its inside or not at all. Such a direction exists: a triangle's edge and the point span a plane,
//! a plane through the origin contains at most two directions of that curve, and there are finitely
//! many edges.

use dashu_int::{IBig, Sign};
use impinge_geometry::{Mesh, Point, Triangle};

use super::integers::{Vector, vectors};
use super::search::boxes_meet;
use super::triangles_meet;

/// The position of a point with respect to a closed mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Location {
    /// Winding number zero.
    Outside,
    /// Winding number other than zero; 1 inside a simple surface that faces outward.
    Inside(i32),
    /// On the surface.
    On,
}

/// The position of `p` with respect to `mesh`. Exact for a closed and consistently wound mesh,
/// meaningless for others. O(n), some 10 µs a triangle.
///
/// # Panics
/// If a coordinate of `p` is not finite.
pub fn winding(mesh: &Mesh, p: &Point) -> Location {
    let point: Triangle = [*p; 3];
    if mesh.corners().any(|t| boxes_meet(&t, &point) && triangles_meet(&t, &point)) {
        return Location::On;
    }
    let triangles: Vec<[Vector; 3]> = mesh.corners().map(|t| seen_from(p, &t)).collect();
    let count = (2u32..)
        .find_map(|k| count_along(&triangles, &Vector([k * k, k, 1].map(IBig::from))))
        .expect("all but finitely many directions are free of edges");
    if count == 0 { Location::Outside } else { Location::Inside(count) }
}

/// The corners relative to `p`, up to a positive factor.
fn seen_from(p: &Point, t: &Triangle) -> [Vector; 3] {
    let ([p, a, b, c], _) = vectors([*p, t[0], t[1], t[2]]);
    [a.minus(&p), b.minus(&p), c.minus(&p)]
}

/// The number of times the ray leaves minus the number of times it enters; `None` if it grazes an
/// edge or a triangle.
fn count_along(triangles: &[[Vector; 3]], direction: &Vector) -> Option<i32> {
    triangles.iter().try_fold(0, |sum, t| Some(sum + crossing(t, direction)?))
}

/// +1 if the ray from the origin leaves through the triangle, −1 if it enters, 0 if it misses;
/// `None` if it meets the border or lies in the plane. The origin must not be on the triangle.
///
/// `direction · s = a + u (b − a) + v (c − a)` is solved for `s`, `u`, `v` by Cramer's rule.
fn crossing(t: &[Vector; 3], direction: &Vector) -> Option<i32> {
    let [a, b, c] = t;
    let (e, f) = (b.minus(a), c.minus(a));
    let normal = e.cross(&f);
    if normal.squared().is_zero() {
        // A segment subtends no solid angle at a point off it.
        return Some(0);
    }
    let whole = direction.dot(&normal);
    if whole.is_zero() {
        return if a.dot(&normal).is_zero() { None } else { Some(0) };
    }
    let leaves = whole.sign() == Sign::Positive;
    let positive = |n: IBig| if leaves { n } else { -n };
    let whole = positive(whole);
    let s = positive(a.dot(&normal));
    let turned = a.cross(direction);
    let (u, v) = (positive(turned.dot(&f)), positive(-turned.dot(&e)));
    let w = whole - &u - &v;
    let behind = s.sign() == Sign::Negative || s.is_zero();
    if behind || [&u, &v, &w].iter().any(|n| n.sign() == Sign::Negative) {
        return Some(0);
    }
    if u.is_zero() || v.is_zero() || w.is_zero() {
        return None;
    }
    Some(if leaves { 1 } else { -1 })
}
