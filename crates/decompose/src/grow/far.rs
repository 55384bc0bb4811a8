//! Finds the faces without a corner in the hull that the hull meets.
//!
//! What a vertex has added to the hull is a union of tetrahedra, from it over the faces it removed;
//! for a flat hull, of triangles. The tree of the surface's faces is traversed. A box is skipped if
//! it misses the box of all that is new, or a slab around it. A subtree all of whose faces have a
//! corner in the hull is skipped. The rest is tested exactly.
//!
//! Usually there is no such face, and [`guard`](super::guard) proves that at less cost.

use impinge_geometry::exact::triangles_meet;
use impinge_geometry::predicates::{Sign, orient3d};
use impinge_geometry::volume::Aabb;
use impinge_geometry::{Point, Triangle};

use super::Grower;
use super::heights::{Plane, Slab, thin};
use crate::tree;

impl Grower<'_> {
    /// The faces without a corner in the hull that meet what the vertex `v` has added to it: the
    /// tetrahedra from `v` over `faces`, which it removed, or the new triangles `faces` of a flat
    /// hull.
    pub(super) fn strangers(&self, v: u32, faces: &[u32], solid: bool, found: &mut Vec<u32>) {
        let apex = *self.surface.point(v);
        let parts = || faces.iter().map(|&f| self.at(&self.hull.faces[f as usize]));
        let corners = || parts().flatten().chain([apex]);
        let around = tree::around(corners());
        let slab = Slab::around(thin(parts()), corners(), &self.size);
        let mut near = Vec::new();
        self.tree.visit_free(
            |node| node.overlaps(&around) && !slab.misses(node),
            |g| {
                if self.touched_in[g as usize] != self.growth {
                    let t = self.surface.corners(g);
                    near.push((g, Aabb::of_triangle(&t), t));
                }
            },
        );
        for face in parts() {
            let part = Part::new(face, apex, solid, &self.size);
            near.retain(|(g, bounds, t)| {
                let meets = bounds.overlaps(&part.around) && part.meets(t);
                if meets {
                    found.push(*g);
                }
                !meets
            });
        }
    }
}

/// A tetrahedron added to the hull, or a triangle added to a flat one.
pub(super) struct Part {
    sides: [Triangle; 4],
    /// The same sides, wound to face outward.
    outward: [Triangle; 4],
    planes: [Plane; 4],
    around: Aabb,
    solid: bool,
}

impl Part {
    /// The tetrahedron between a face and the vertex that sees it; if not `solid`, only the face.
    pub(super) fn new(face: Triangle, apex: Point, solid: bool, size: &[f64; 3]) -> Self {
        let [a, b, c] = face;
        let sides = [face, [b, a, apex], [c, b, apex], [a, c, apex]];
        // The tetrahedron is in front of the face, so the face is reversed.
        let outward = [[a, c, b], [a, b, apex], [b, c, apex], [c, a, apex]];
        let around = tree::around([a, b, c, apex].into_iter());
        Self { sides, outward, planes: outward.map(|t| Plane::of(&t, size)), around, solid }
    }

    /// Whether it meets the triangle, whose box must overlap its box. Exact.
    pub(super) fn meets(&self, t: &Triangle) -> bool {
        if !self.solid {
            return triangles_meet(&self.sides[0], t);
        }
        if self.planes.iter().any(|p| t.iter().all(|x| p.is_below_point(x))) {
            return false;
        }
        let above = |s: &Triangle, x: &Point| orient3d(&s[0], &s[1], &s[2], x) == Sign::Positive;
        if self.outward.iter().any(|s| t.iter().all(|x| above(s, x))) {
            return false;
        }
        self.sides.iter().any(|s| triangles_meet(s, t))
            || self.outward.iter().all(|s| !above(s, &t[0]))
    }
}
