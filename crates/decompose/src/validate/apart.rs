//! Whether a hull with a volume meets a triangle of another patch beyond common corners and edges.
//!
//! Every such triangle whose box meets the hull's is tested against the faces of the hull near it,
//! and against all of them if it could be inside.

use std::collections::HashMap;

use impinge_geometry::exact::triangles_meet;
use impinge_geometry::predicates::Sign;
use impinge_geometry::volume::Aabb;

use super::Judge;
use crate::surface::meet_in_corner_only;
use crate::tree::{FaceTree, LEAF, around};

/// A hull, the faces at its vertices, and the tree of its faces.
struct Body<'h> {
    faces: &'h [[u32; 3]],
    at: HashMap<u32, Vec<u32>>,
    tree: FaceTree,
    bounds: Aabb,
}

impl Judge<'_> {
    /// Step 4 for a hull with a volume, given as indices of points.
    pub(super) fn is_apart(&self, number: u32, hull: &[[u32; 3]]) -> Result<(), String> {
        let mut at: HashMap<u32, Vec<u32>> = HashMap::new();
        for (f, corners) in (0u32..).zip(hull) {
            for &v in corners {
                at.entry(v).or_default().push(f);
            }
        }
        let corners = |f: &[u32; 3]| f.map(|v| *self.surface.point(v));
        let tree = FaceTree::over(hull.iter().map(corners), LEAF);
        let bounds = around(at.keys().map(|&v| *self.surface.point(v)));
        let body = Body { faces: hull, at, tree, bounds };
        let mut found = None;
        self.tree.visit(
            |node| node.overlaps(&body.bounds),
            |g| {
                if found.is_none() && !self.is_in(g, number) && self.meets(&body, number, g) {
                    found = Some(g);
                }
            },
        );
        found.map_or(Ok(()), |g| Err(format!("its hull meets triangle {g}")))
    }

    fn meets(&self, body: &Body<'_>, number: u32, g: u32) -> bool {
        let corners = self.surface.triangles[g as usize];
        let shared: Vec<u32> = corners.into_iter().filter(|v| body.at.contains_key(v)).collect();
        let outside: Vec<u32> = corners.into_iter().filter(|v| !body.at.contains_key(v)).collect();
        if outside.iter().any(|&v| self.holds(body, v)) {
            return true;
        }
        match shared.as_slice() {
            [] => self.any_near(body, g, |t| triangles_meet(&t, &self.surface.corners(g))),
            [a] => self.meets_beside(body, g, *a),
            [a, b] => {
                let across = self.surface.across_edge(g, *a, *b);
                !self.is_in(across, number) || !self.leaves_at(body, [*a, *b], outside[0])
            }
            _ => true,
        }
    }

    /// Whether the point is in the hull or on its boundary.
    fn holds(&self, body: &Body<'_>, v: u32) -> bool {
        body.bounds.contains(self.surface.point(v))
            && body.faces.iter().all(|&f| self.side(f, v) != Sign::Positive)
    }

    fn any_near(
        &self,
        body: &Body<'_>,
        g: u32,
        mut meets: impl FnMut([impinge_geometry::Point; 3]) -> bool,
    ) -> bool {
        let around = Aabb::of_triangle(&self.surface.corners(g));
        let mut any = false;
        body.tree.visit(
            |node| node.overlaps(&around),
            |f| any = any || meets(body.faces[f as usize].map(|v| *self.surface.point(v))),
        );
        any
    }

    /// Whether a triangle that shares the corner `a` with the hull meets more of it.
    fn meets_beside(&self, body: &Body<'_>, g: u32, a: u32) -> bool {
        let (t, v) = (self.surface.corners(g), self.surface.point(a));
        self.any_near(body, g, |face| {
            if face.contains(v) {
                !meet_in_corner_only(&face, &t, v)
            } else {
                triangles_meet(&face, &t)
            }
        })
    }

    /// Whether the triangle from an edge of the hull to `apex` leaves the hull at that edge.
    fn leaves_at(&self, body: &Body<'_>, [a, b]: [u32; 2], apex: u32) -> bool {
        body.at[&a].iter().any(|&f| {
            let face = body.faces[f as usize];
            self.side(face, b).is_zero() && self.side(face, apex) == Sign::Positive
        })
    }
}
