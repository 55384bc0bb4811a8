//! Proof that a hierarchy is one of a decomposition's pieces.
//!
//! 1. Nodes form a binary tree from node 0, children after their parents; its leaves are the
//!    patches, each once, with their hulls.
//! 2. The hull of an inner node is a closed convex surface, or a convex polygon, on vertices of its
//!    children's hulls, and none of those is outside of it: it is their convex hull.
//! 3. Every box contains its node's hull, by an error bound.

use std::collections::BTreeSet;

use impinge_geometry::exact::{Crossing, crossing};
use impinge_geometry::predicates::{Sign, orient2d};
use impinge_geometry::{Mesh, Point};

use super::Judge;
use super::convex::{BRUTE, border};
use crate::surface::projection;
use crate::tree::{FaceTree, LEAF, reaches_above};
use crate::{Content, Decomposition, Node, PatchTree};

impl PatchTree {
    /// Proves, in exact arithmetic, that this is a hierarchy of the decomposition's pieces: its
    /// leaves are the patches, every node's hull is the convex hull of its children's, and every
    /// box contains its hull. It does not prove the decomposition; [`Decomposition::validate`]
    /// does.
    ///
    /// Near-linear in the number of all hulls' triangles.
    ///
    /// # Errors
    /// What is wrong, and at which node.
    pub fn validate(&self, mesh: &Mesh, decomposition: &Decomposition) -> Result<(), String> {
        let judge = Judge::new(mesh, decomposition)?;
        self.is_tree()?;
        self.leaves_are_patches(decomposition)?;
        for (k, node) in self.nodes.iter().enumerate() {
            let at = |what: String| format!("node {k}: {what}");
            judge.is_hull_of_children(self, node).map_err(at)?;
            if !holds(mesh, node) {
                return Err(at("a vertex of its hull is outside of its box".to_owned()));
            }
        }
        Ok(())
    }

    fn is_tree(&self) -> Result<(), String> {
        let mut parents = vec![0; self.nodes.len()];
        for (k, node) in self.nodes.iter().enumerate() {
            if let Content::Children(pair) = node.content {
                for c in pair.map(|c| c as usize) {
                    if c <= k || c >= self.nodes.len() {
                        return Err(format!("node {k}: a child is not after its parent"));
                    }
                    parents[c] += 1;
                }
            }
        }
        match parents.split_first() {
            Some((0, rest)) if rest.iter().all(|&n| n == 1) => Ok(()),
            _ => Err("the nodes do not form a tree".to_owned()),
        }
    }

    fn leaves_are_patches(&self, decomposition: &Decomposition) -> Result<(), String> {
        let mut seen = vec![false; decomposition.patches.len()];
        for (k, node) in self.nodes.iter().enumerate() {
            let Content::Patch(p) = node.content else { continue };
            let Some(patch) = decomposition.patches.get(p as usize) else {
                return Err(format!("node {k}: there is no patch {p}"));
            };
            if std::mem::replace(&mut seen[p as usize], true) {
                return Err(format!("node {k}: patch {p} is in two leaves"));
            }
            if node.hull != patch.hull || node.flat != patch.flat {
                return Err(format!("node {k}: its hull differs from that of patch {p}"));
            }
        }
        let missing = seen.iter().position(|s| !s);
        missing.map_or(Ok(()), |p| Err(format!("patch {p} is in no leaf")))
    }
}

impl Judge<'_> {
    fn is_hull_of_children(&self, tree: &PatchTree, node: &Node) -> Result<(), String> {
        let Content::Children(pair) = node.content else { return Ok(()) };
        let mut below = BTreeSet::new();
        for child in pair {
            let faces = self.points_of(&tree.nodes[child as usize].hull)?;
            below.extend(faces.into_iter().flatten());
        }
        let hull = self.points_of(&node.hull)?;
        let own: BTreeSet<u32> = hull.iter().flatten().copied().collect();
        if hull.is_empty() {
            return Err("it has no hull".to_owned());
        }
        if !own.is_subset(&below) {
            return Err("its hull has a vertex that no child's hull has".to_owned());
        }
        if node.flat {
            return self.is_polygon_around(&hull, &below);
        }
        self.is_closed(&hull)?;
        self.is_convex(&hull, &own)?;
        let rest: Vec<u32> = below.difference(&own).copied().collect();
        match self.outside(&hull, &rest) {
            Some(v) => {
                let v = self.surface.vertex[v as usize];
                Err(format!("vertex {v} of a child's hull is outside of its hull"))
            }
            None => Ok(()),
        }
    }

    /// One of these points that is outside of a closed convex surface, if any.
    fn outside(&self, hull: &[[u32; 3]], points: &[u32]) -> Option<u32> {
        if hull.len() * points.len() <= BRUTE {
            let out = |&&v: &&u32| hull.iter().any(|&f| self.side(f, v) == Sign::Positive);
            return points.iter().find(out).copied();
        }
        let corners = |f: &[u32; 3]| f.map(|v| *self.surface.point(v));
        let tree = FaceTree::over(hull.iter().map(corners), LEAF);
        let inside = |v: u32| {
            let p = self.surface.point(v);
            let (mut winding, mut on) = (0, false);
            tree.visit(
                |node| reaches_above(node, p),
                |f| match crossing(&corners(&hull[f as usize]), p) {
                    Crossing::Adds(n) => winding += n,
                    Crossing::On => on = true,
                },
            );
            // A point on a vertical face may count as outside; test all faces then.
            on || winding == 1 || hull.iter().all(|&f| self.side(f, v) != Sign::Positive)
        };
        points.iter().copied().find(|&v| !inside(v))
    }

    /// Checks that a flat hull is a convex polygon that contains all these points of its plane.
    fn is_polygon_around(&self, hull: &[[u32; 3]], points: &BTreeSet<u32>) -> Result<(), String> {
        let plane = hull[0];
        let drop = projection(&plane.map(|v| *self.surface.point(v)));
        let turn = |f: [u32; 3]| {
            let [a, b, c] = f.map(|v| self.surface.point(v));
            orient2d(a, b, c, drop)
        };
        let up = turn(plane);
        if up.is_zero() || points.iter().any(|&v| !self.side(plane, v).is_zero()) {
            return Err("its hull is not flat".to_owned());
        }
        if hull.iter().any(|&f| turn(f) != up) {
            return Err("its hull has a reversed triangle".to_owned());
        }
        for (a, b) in border(hull)? {
            if points.iter().any(|&v| turn([a, b, v]).is_opposite(up)) {
                return Err("a vertex of a child's hull is beyond its hull's border".to_owned());
            }
        }
        Ok(())
    }
}

/// Whether every vertex of the hull is certainly in the box. A projection in f64 is off by at most
/// 4 u of the absolute sum of its products, enlarged to 5 u.
fn holds(mesh: &Mesh, node: &Node) -> bool {
    let obb = &node.obb;
    let inside = |p: &Point| {
        let d = p - obb.center;
        (0..3).all(|k| {
            let products = obb.axes.column(k).component_mul(&d);
            let error = 2.5 * f64::EPSILON * products.abs().sum() + 0.5 * f64::MIN_POSITIVE;
            products.sum().abs() + error <= obb.half[k]
        })
    };
    // A hull of another mesh may name vertices that this one lacks.
    let known = |&v: &u32| mesh.vertices().get(v as usize).is_some_and(inside);
    obb.validate() && node.hull.vertices.iter().all(known)
}
