//! Whether a point is inside a closed mesh, by its winding number, counted along the ray in
//! direction +z with exact signs.
//!
//! The projection of the point along z is perturbed symbolically by an infinitesimal step up in y
//! and a smaller one in x. Half-open comparisons do that consistently for every edge. A ray through
//! an edge or a vertex is therefore counted once for the surface as a whole, and triangles parallel
//! to the ray never count.

use crate::predicates::{Drop, Sign, orient2d, orient3d};
use crate::{Mesh, Point, Triangle};

use super::point_on_triangle;

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

/// The contribution of one triangle to the winding number of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Crossing {
    /// The contribution: 1, −1, or 0.
    Adds(i32),
    /// The point is on the triangle.
    On,
}

/// The triangle's contribution to the winding number of `p`: +1 if the ray from `p` in direction +z
/// leaves through it, −1 if it enters, else 0. Exact.
pub fn crossing(t: &Triangle, p: &Point) -> Crossing {
    let turns = winding_2d(t, p);
    if turns == 0 {
        return Crossing::Adds(0);
    }
    match orient3d(&t[0], &t[1], &t[2], p) {
        Sign::Zero => Crossing::On,
        Sign::Negative => Crossing::Adds(turns.max(0)),
        Sign::Positive => Crossing::Adds(turns.min(0)),
    }
}

/// The winding number of the triangle's projection along z about that of `p`: 1 if
/// counter-clockwise, −1 if clockwise, 0 if outside.
fn winding_2d(t: &Triangle, p: &Point) -> i32 {
    let mut turns = 0;
    for i in 0..3 {
        let (u, v) = (&t[i], &t[(i + 1) % 3]);
        if u.y <= p.y && p.y < v.y {
            turns += i32::from(orient2d(u, v, p, Drop::Z) == Sign::Positive);
        } else if v.y <= p.y && p.y < u.y {
            turns -= i32::from(orient2d(u, v, p, Drop::Z) == Sign::Negative);
        }
    }
    turns
}

/// The position of `p` with respect to `mesh`. Exact for a surface that
/// [`Topology::closed`](crate::Topology::closed) accepts; meaningless for others. O(n).
pub fn locate(mesh: &Mesh, p: &Point) -> Location {
    let mut winding = 0;
    for t in mesh.corners() {
        if box_holds(&t, p) && point_on_triangle(p, &t) {
            return Location::On;
        }
        match crossing(&t, p) {
            Crossing::On => return Location::On,
            Crossing::Adds(n) => winding += n,
        }
    }
    if winding == 0 { Location::Outside } else { Location::Inside(winding) }
}

fn box_holds(t: &Triangle, p: &Point) -> bool {
    (0..3).all(|k| {
        let (a, b, c) = (t[0][k], t[1][k], t[2][k]);
        a.min(b).min(c) <= p[k] && p[k] <= a.max(b).max(c)
    })
}
