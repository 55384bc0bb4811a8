//! Proof that a decomposition is valid, in exact arithmetic and independent of how it was grown.
//!
//! 1. The surface is closed, embedded and faces out of the solid.
//! 2. Every triangle is in one patch, and every patch is connected by edges.
//! 3. [`convex`]: every hull is the convex hull of its patch's vertices, and every triangle of the
//!    patch lies on its boundary; a flat patch fills its hull.
//! 4. [`apart`]: no hull meets a triangle of another patch in more than common corners and edges. A
//!    flat hull is its patch by 3, and the surface does not meet itself.
//! 5. No two neighbouring patches can be merged: an edge between them is concave, a vertex of one
//!    is above a triangle of the other, or their common hull fails 4.

mod apart;
mod convex;
#[cfg(test)]
mod faults;
mod hierarchy;

use std::collections::BTreeSet;

use impinge_geometry::Mesh;
use impinge_geometry::predicates::{Sign, orient3d};
use impinge_threads::Control;

use crate::grow::Grower;
use crate::surface::{NONE, Surface};
use crate::tree::FaceTree;
use crate::{Decomposition, Hull, Options, Patch};

/// The counts of a decomposition that [`Decomposition::validate`] has proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// The number of triangles of the surface.
    pub triangles: usize,
    /// The number of patches.
    pub patches: usize,
    /// The number of patches that are plane polygons.
    pub flat: usize,
    /// The number of triangles of the largest patch.
    pub largest: usize,
    /// The number of triangles of all hulls.
    pub hull_faces: usize,
    /// The number of merges of two patches after growth.
    pub merges: usize,
}

/// A decomposition under test, with its checked surface and the tree of its faces.
struct Judge<'d> {
    surface: Surface,
    tree: FaceTree,
    /// Per vertex of the mesh, its point; `NONE` if unused or not the first at that point.
    point: Vec<u32>,
    decomposition: &'d Decomposition,
}

impl Decomposition {
    /// Proves that this is a decomposition of `mesh` into maximal patches.
    ///
    /// Costs a few times as much as making it; a pair of large neighbouring patches can cost the
    /// product of their sizes.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub fn validate(&self, mesh: &Mesh) -> Result<Report, String> {
        let judge = Judge::new(mesh, self)?;
        judge.partition()?;
        for number in 0..self.patches.len() as u32 {
            let found = judge.patch(number);
            found.map_err(|what| format!("patch {number}: {what}"))?;
        }
        judge.maximal()?;
        Ok(Report {
            triangles: judge.surface.len(),
            patches: self.patches.len(),
            flat: self.patches.iter().filter(|p| p.flat).count(),
            largest: self.patches.iter().map(|p| p.faces.len()).max().unwrap_or(0),
            hull_faces: self.patches.iter().map(|p| p.hull.faces.len()).sum(),
            merges: self.merges,
        })
    }
}

impl<'d> Judge<'d> {
    fn new(mesh: &Mesh, decomposition: &'d Decomposition) -> Result<Self, String> {
        let (surface, tree) = Surface::new(mesh, &Control::NONE).map_err(|e| e.to_string())?;
        let mut point = vec![NONE; mesh.vertices().len()];
        for (p, &v) in (0u32..).zip(&surface.vertex) {
            point[v as usize] = p;
        }
        Ok(Self { surface, tree, point, decomposition })
    }

    fn patches(&self) -> &'d [Patch] {
        &self.decomposition.patches
    }

    fn partition(&self) -> Result<(), String> {
        let n = self.surface.len();
        let of = &self.decomposition.patch_of;
        if of.len() != n {
            return Err(format!("the decomposition has {} triangles, the mesh {n}", of.len()));
        }
        let mut seen = vec![false; n];
        for (number, patch) in (0u32..).zip(self.patches()) {
            for &f in &patch.faces {
                let slot = seen.get_mut(f as usize);
                let slot = slot.ok_or_else(|| format!("there is no triangle {f}"))?;
                if std::mem::replace(slot, true) || of[f as usize] != number {
                    return Err(format!("triangle {f} is in two patches"));
                }
            }
        }
        let missing = seen.iter().position(|s| !s);
        missing.map_or(Ok(()), |f| Err(format!("triangle {f} is in no patch")))
    }

    fn patch(&self, number: u32) -> Result<(), String> {
        let patch = &self.patches()[number as usize];
        self.connected(number)?;
        let hull = self.points_of(&patch.hull)?;
        self.is_hull_of(patch, &hull)?;
        if patch.flat { Ok(()) } else { self.is_apart(number, &hull) }
    }

    fn is_in(&self, f: u32, patch: u32) -> bool {
        self.decomposition.patch_of[f as usize] == patch
    }

    fn connected(&self, number: u32) -> Result<(), String> {
        let faces = &self.patches()[number as usize].faces;
        let first = *faces.first().ok_or("it has no triangle")?;
        let mut reached = BTreeSet::from([first]);
        let mut stack = vec![first];
        while let Some(f) = stack.pop() {
            for g in self.surface.across[f as usize] {
                if self.is_in(g, number) && reached.insert(g) {
                    stack.push(g);
                }
            }
        }
        if reached.len() == faces.len() { Ok(()) } else { Err("it is not connected".to_owned()) }
    }

    /// A hull's faces as indices of points of the surface.
    fn points_of(&self, hull: &Hull) -> Result<Vec<[u32; 3]>, String> {
        let named = |v: u32| self.point.get(v as usize).copied().filter(|&p| p != NONE);
        let face = |f: &[u32; 3]| {
            let points = f.map(named);
            let all = [points[0]?, points[1]?, points[2]?];
            Some(all)
        };
        let all: Option<Vec<[u32; 3]>> = hull.faces.iter().map(face).collect();
        all.ok_or_else(|| "the hull has a vertex that the surface does not use".to_owned())
    }

    /// The side of the plane through three points on which a fourth is.
    fn side(&self, t: [u32; 3], v: u32) -> Sign {
        let [a, b, c] = t.map(|v| self.surface.point(v));
        orient3d(a, b, c, self.surface.point(v))
    }

    fn maximal(&self) -> Result<(), String> {
        let of = &self.decomposition.patch_of;
        let mut pairs = BTreeSet::new();
        let mut apart = BTreeSet::new();
        for f in 0..self.surface.len() as u32 {
            for (k, &g) in self.surface.across[f as usize].iter().enumerate() {
                let pair = (of[f as usize], of[g as usize]);
                if pair.0 < pair.1 {
                    pairs.insert(pair);
                    let corners = self.surface.triangles[f as usize];
                    let apex = self.surface.apex(g, corners[k], corners[(k + 1) % 3]);
                    if self.side(corners, apex) == Sign::Positive {
                        apart.insert(pair);
                    }
                }
            }
        }
        let options = Options::default();
        let mut grower = Grower::new(&self.surface, self.tree.clone(), &options);
        for &(a, b) in pairs.difference(&apart) {
            let [p, q] = [a, b].map(|n| &self.patches()[n as usize]);
            if self.in_front(p, q) || self.in_front(q, p) {
                continue;
            }
            if grower.assemble(&[p.faces.as_slice(), q.faces.as_slice()].concat()) {
                return Err(format!("patches {a} and {b} could be merged"));
            }
        }
        Ok(())
    }

    /// Whether a vertex of `q` is in front of a triangle of `p`.
    fn in_front(&self, p: &Patch, q: &Patch) -> bool {
        p.faces.iter().any(|&f| {
            let t = self.surface.triangles[f as usize];
            let vertices = q.hull.vertices.iter().map(|&v| self.point[v as usize]);
            vertices.into_iter().any(|v| self.side(t, v) == Sign::Positive)
        })
    }
}
