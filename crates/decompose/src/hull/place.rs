//! Where a new vertex is with respect to the hull.
//!
//! The vertex belongs to a face of the surface that has another corner `a` in the hull and must end
//! up on the boundary of the new hull. 1. A face at `a` sees the vertex: it is outside. 2. A face
//! at `a` is in one plane with it: a walk in that flat side ends in the triangle that holds it, or
//! leaves the side over an edge beyond which the vertex is visible. 3. Else the segment from `a` to
//! the vertex runs through the inside of the hull, and no plane through it supports the hull.

use impinge_geometry::predicates::{Drop, Sign, orient2d};

use super::GrowingHull;
use crate::surface::{NONE, Surface, projection};

/// Where a vertex is.
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
    /// Nowhere that a face through it and the corner could support the hull.
    Never,
}

impl GrowingHull {
    /// Where is `v`, which is no vertex of the hull? `a` is one.
    pub(crate) fn place(&self, surface: &Surface, v: u32, a: u32) -> Place {
        let mut level = NONE;
        for f in self.around(a) {
            match self.side(surface, f, v) {
                Sign::Positive => return Place::Outside(f),
                // Of a flat hull, walk on the top.
                Sign::Zero if self.solid || self.faces[f as usize].real => level = f,
                _ => {}
            }
        }
        if level == NONE { Place::Never } else { self.walk(surface, v, level) }
    }

    /// From a face in one plane with `v` towards it.
    fn walk(&self, surface: &Surface, v: u32, from: u32) -> Place {
        let corners = self.faces[from as usize].corners.map(|c| *surface.point(c));
        let drop = projection(&corners);
        let [a, b, c] = &corners;
        let left = orient2d(a, b, c, drop);
        let mut at = from;
        // A walk by visibility can turn in circles, though not if its choices vary.
        for step in 0..4 * self.faces.len() + 16 {
            match self.step(surface, v, at, (drop, left), step) {
                Ok(next) => at = next,
                Err(place) => return place,
            }
        }
        // Every face of the plane, then.
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

    /// The next face of the walk, or where it ends.
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
