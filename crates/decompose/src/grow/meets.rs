//! Whether a face outside the patch meets the hull in more than it shares with the patch.
//!
//! The hull `C` is convex, so its intersection with a face `g` is convex, and is determined by its
//! neighbourhood at any of its points:
//! - *Three corners in the hull*: `g` is in it.
//! - *Two, a and b*: in the middle of the edge the hull is the intersection of the half-spaces of
//!   its facets that contain the edge. If the third corner is strictly above one of them, `g` and
//!   `C` share only the edge. All these facets have triangles at `a`.
//! - *One, a*: near `a` both are cones. They share only `a`, unless one of the triangles around `a`
//!   shares more than `a` with `g`, or a side of `g` starts inside all their planes. If they share
//!   part of a side, either face at that side could bring it into the patch.
//! - *None*: only what the new vertex has added can meet `g`: the union of tetrahedra from it over
//!   the faces it removed, see [`far`](super::far).
//!
//! A flat hull has no inside; it is bounded by its outline as well as by its plane.

use impinge_geometry::Point;
use impinge_geometry::predicates::{Sign, orient2d};

use super::Grower;
use super::witness::Witness;
use crate::hull::HullFace;
use crate::surface::{meet_in_corner_only, projection};

/// What a face with a corner in the hull shares with the hull.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meets {
    /// Only features of the patch.
    Shared,
    /// More than a corner or an edge.
    More,
    /// The edge between these vertices or a part of it, which is not an edge of the patch.
    Chord(u32, u32),
}

impl Grower<'_> {
    /// Classifies a face outside the patch with at least one corner in the hull.
    pub(super) fn meets_at(&self, g: u32) -> Meets {
        let corners = self.surface.triangles[g as usize];
        let first =
            (0..3).find(|&k| self.hull.has(corners[k]) && !self.hull.has(corners[(k + 2) % 3]));
        let Some(k) = first else { return Meets::More };
        let [a, b, c] = [0, 1, 2].map(|i| corners[(k + i) % 3]);
        if !self.hull.has(b) {
            return self.meets_beside(g, [a, b, c]);
        }
        if !self.remembers(g, 2) {
            match self.facet_below(a, b, c) {
                Some(f) => self.remember(g, f, 2),
                None if !self.hull.solid && self.beyond_outline(a, b, c) => {}
                None => return Meets::More,
            }
        }
        if self.is_member(self.surface.across[g as usize][k]) {
            Meets::Shared
        } else {
            Meets::Chord(a, b)
        }
    }

    /// Classifies a face with the corner `a` in the hull and `b`, `c` not.
    fn meets_beside(&self, g: u32, [a, b, c]: [u32; 3]) -> Meets {
        if self.shares_corner_only(g, a, b, c) {
            return Meets::Shared;
        }
        // Part of a side: the face across it could also bring that side into the patch.
        if self.shares_edge_only(a, b, c) {
            return Meets::Chord(a, b);
        }
        if self.shares_edge_only(a, c, b) { Meets::Chord(a, c) } else { Meets::More }
    }

    /// Whether what the face `a b apex` shares with the hull is on the line `a b`. The corner `a`
    /// must be in the hull.
    fn shares_edge_only(&self, a: u32, b: u32, apex: u32) -> bool {
        self.facet_below(a, b, apex).is_some()
            || (!self.hull.solid && self.beyond_outline(a, b, apex))
    }

    /// A face of the hull at `a` with `b` in its plane and the apex above it.
    fn facet_below(&self, a: u32, b: u32, apex: u32) -> Option<u32> {
        self.hull.around(a).find(|&f| {
            self.hull.side(self.surface, f, b).is_zero()
                && self.hull.side(self.surface, f, apex) == Sign::Positive
        })
    }

    fn remembers(&self, g: u32, shared: u32) -> bool {
        self.witness[g as usize].get().holds(&self.hull, shared)
    }

    fn remember(&self, g: u32, face: u32, shared: u32) {
        self.witness[g as usize].set(Witness::new(&self.hull, face, shared));
    }

    /// Whether the edge is on the outline of a flat hull, and the apex beyond it.
    fn beyond_outline(&self, a: u32, b: u32, apex: u32) -> bool {
        let [p, q, x] = [a, b, apex].map(|v| *self.surface.point(v));
        let drop = projection(&[p, q, x]);
        let out = orient2d(&p, &q, &x, drop);
        self.hull.around(a).all(|f| {
            let next = self.surface.point(self.hull.others(f, a)[0]);
            orient2d(&p, &q, next, drop) != out
        })
    }

    fn shares_corner_only(&self, g: u32, a: u32, b: u32, c: u32) -> bool {
        if self.remembers(g, 1) {
            return true;
        }
        let strictly_beside = self.hull.around(a).find(|&f| {
            self.hull.side(self.surface, f, b) == Sign::Positive
                && self.hull.side(self.surface, f, c) == Sign::Positive
        });
        if let Some(f) = strictly_beside {
            self.remember(g, f, 1);
            return true;
        }
        let inside = |v: u32| {
            self.hull.around(a).all(|f| self.hull.side(self.surface, f, v) != Sign::Positive)
        };
        if self.hull.solid && (inside(b) || inside(c)) {
            return false;
        }
        let (t, v) = (self.surface.corners(g), self.surface.point(a));
        let mut shown = self.hull.around(a).map(|f| &self.hull.faces[f as usize]);
        shown.all(|f| (!self.hull.solid && !f.real) || meet_in_corner_only(&self.at(f), &t, v))
    }

    pub(super) fn at(&self, face: &HullFace) -> [Point; 3] {
        face.corners.map(|v| *self.surface.point(v))
    }
}
