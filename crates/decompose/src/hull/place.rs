//! Locating a new vertex with respect to the hull.
//!
//! The vertex belongs to a face of the surface with another corner `a` in the hull, and must be on
//! the boundary of the new hull. 1. If a face at `a` sees the vertex, it is outside. 2. If a face
//! at `a` is coplanar with it, a walk in that flat side ends in the triangle that contains it, or
//! leaves the side over an edge beyond which the vertex is visible. 3. Otherwise the segment from
//! `a` to the vertex runs through the inside of the hull, and no plane through it supports the
//! hull.

use impinge_geometry::predicates::{Drop, Sign, orient2d};

use super::GrowingHull;
use crate::surface::{NONE, Surface, projection};

/// The position of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Strictly in front of this face.
    Outside(u32),
    /// In the plane of a flat hull, strictly beyond this side of this top face.
    Beyond(u32, usize),
    /// In the interior of this face.
    InFace(u32),
    /// In the interior of this side of this face.
    OnSide(u32, usize),
    /// No face through it and the corner could support the hull.
    Never,
}

impl GrowingHull {
    /// Locates `v`, which must not be a vertex of the hull; `a` must be one.
    pub(crate) fn place(&self, surface: &Surface, v: u32, a: u32) -> Place {
        let mut level = NONE;
        for f in self.around(a) {
            match self.side(surface, f, v) {
                Sign::Positive => return Place::Outside(f),
                // In a flat hull, walk on the top.
                Sign::Zero if self.solid || self.faces[f as usize].real => level = f,
                _ => {}
            }
        }
        if level == NONE { Place::Never } else { self.walk(surface, v, level) }
    }

    /// Walks towards `v` from a face coplanar with it.
    fn walk(&self, surface: &Surface, v: u32, from: u32) -> Place {
        let corners = self.faces[from as usize].corners.map(|c| *surface.point(c));
        let drop = projection(&corners);
        let [a, b, c] = &corners;
        let left = orient2d(a, b, c, drop);
        let mut at = from;
        // A visibility walk can cycle, but not if the order of sides varies.
        for step in 0..4 * self.faces.len() + 16 {
            match self.step(surface, v, at, (drop, left), step) {
                Ok(next) => at = next,
                Err(place) => return place,
            }
        }
        // Fall back to every face of the plane.
        for f in (0..self.faces.len() as u32).filter(|&f| self.faces[f as usize].alive) {
            match self.side(surface, f, v) {
                Sign::Positive => return Place::Outside(f),
                Sign::Zero if self.solid || self.faces[f as usize].real => {
                    if let Err(place) = self.step(surface, v, f, (drop, left), 0) {
                        return place;
                    }
                }
                _ => {}
            }
        }
        Place::Never
    }

    /// The next face of the walk, or the place where it ends.
    fn step(
        &self,
        surface: &Surface,
        v: u32,
        at: u32,
        (drop, left): (Drop, Sign),
        step: usize,
    ) -> Result<u32, Place> {
        let face = &self.faces[at as usize];
        let mut on = None;
        let turn = (step.wrapping_mul(0x9E37_79B9) >> 16) % 3;
        for i in (0..3).map(|i| (i + turn) % 3) {
            let (p, q) = (face.corners[i], face.corners[(i + 1) % 3]);
            let s = orient2d(surface.point(p), surface.point(q), surface.point(v), drop);
            if s.is_zero() {
                on = Some(i);
            } else if s != left {
                let n = face.across[i];
                let same = self.solid || self.faces[n as usize].real;
                return match self.side(surface, n, v) {
                    Sign::Positive => Err(Place::Outside(n)),
                    Sign::Zero if same => Ok(n),
                    Sign::Zero => Err(Place::Beyond(at, i)),
                    Sign::Negative => Err(Place::Never),
                };
            }
        }
        Err(on.map_or(Place::InFace(at), |i| Place::OnSide(at, i)))
    }
}
