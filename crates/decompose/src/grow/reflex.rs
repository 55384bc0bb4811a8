//! Shows that the hull can meet the surface away from its patch only near a concave edge.
//!
//! **Claim.** Let `K` be the hull, with a volume, of a connected patch `c` that is below the planes
//! of all its faces, and let the other faces with a corner in `c` share only features of `c` with
//! `K`. If a face without a corner in `c` meets `K`, then so does a concave edge between two such
//! faces.
//!
//! *Proof.* Suppose no such edge does. Where `K` meets the surface outside `c`, it meets faces
//! without a corner in `c`, at no concave edge, so there the solid is locally convex. Near `c`, the
//! interior of `K` does not meet the surface and is in the solid; `c` is connected, so this is all
//! in one component `G` of the interior of `K` minus the surface. The closure of `G` is locally
//! convex: in `c` it is `K`, elsewhere `K` or the intersection of `K` with a convex cone. A closed,
//! connected, locally convex set is convex (Tietze, Nakajima). It contains `c`, so it is `K`, and
//! the interior of `K` is in the solid. Only contact remains: a point `x` outside `c`, inside a
//! side or edge `F` of `K` (a corner of `K` is one of `c`). The solid at `x` is a convex cone that
//! contains `K`, hence `F` on both sides of `x`, hence the surface contains `F` near `x`. So the
//! part of surface and `F` around `x` extends until it reaches `c`, at the latest in the corners of
//! `F`; there a face beside `c` shares more with `K` than a feature of `c`.
//!
//! So it is enough to watch one face at every concave edge; a convex body has none.
//! [`guard`](super::guard) does so.

use impinge_geometry::predicates::{Sign, orient3d};

use crate::surface::{NONE, Surface};
use crate::tree::FaceTree;

/// The concave edges of a surface, and a tree of faces with at least one at each of them.
pub(super) struct Reflex {
    /// Per face, whether the edge from its corner `k` to the next is concave.
    concave: Vec<[bool; 3]>,
    /// The faces in the tree, and per face of the surface its position among them.
    chosen: Vec<u32>,
    place: Vec<u32>,
    tree: FaceTree,
}

impl Reflex {
    pub(super) fn new(surface: &Surface) -> Self {
        let concave = concave(surface);
        let chosen = chosen(surface, &concave);
        let mut place = vec![NONE; surface.len()];
        for (k, &f) in (0u32..).zip(&chosen) {
            place[f as usize] = k;
        }
        let tree = FaceTree::over(chosen.iter().map(|&f| surface.corners(f)), 1);
        Self { concave, chosen, place, tree }
    }

    /// Whether the edge from corner `k` of the face to the next is concave.
    #[inline]
    pub(super) fn is_concave(&self, f: u32, k: usize) -> bool {
        self.concave[f as usize][k]
    }

    /// Counts a face as taken in the tree, if it is there.
    pub(super) fn take(&mut self, f: u32) {
        let k = self.place[f as usize];
        if k != NONE {
            self.tree.take(k);
        }
    }

    /// Counts a face as free again.
    pub(super) fn give(&mut self, f: u32) {
        let k = self.place[f as usize];
        if k != NONE {
            self.tree.give(k);
        }
    }

    /// The tree, with one face in each leaf.
    pub(super) fn tree(&self) -> &FaceTree {
        &self.tree
    }

    /// The face of the surface in this leaf.
    pub(super) fn face(&self, leaf: u32) -> u32 {
        self.chosen[self.tree.faces_below(leaf)[0] as usize]
    }
}

fn concave(surface: &Surface) -> Vec<[bool; 3]> {
    let mut concave = vec![[false; 3]; surface.len()];
    for f in 0..surface.len() as u32 {
        let (numbers, [a, b, c]) = (surface.triangles[f as usize], surface.corners(f));
        for k in 0..3 {
            let (p, q) = (numbers[k], numbers[(k + 1) % 3]);
            let n = surface.across[f as usize][k];
            let apex = surface.point(surface.apex(n, p, q));
            if f < n && orient3d(&a, &b, &c, apex) == Sign::Positive {
                let back = surface.triangles[n as usize].iter().position(|&v| v == q).unwrap_or(0);
                concave[f as usize][k] = true;
                concave[n as usize][back] = true;
            }
        }
    }
    concave
}

/// A set of faces with at least one at every concave edge; greedy, faces with the most first.
fn chosen(surface: &Surface, concave: &[[bool; 3]]) -> Vec<u32> {
    let mut is_chosen = vec![false; surface.len()];
    for least in [3, 2, 1] {
        for f in 0..surface.len() {
            let across = surface.across[f];
            let open = |k: &usize| concave[f][*k] && !is_chosen[across[*k] as usize];
            is_chosen[f] = is_chosen[f] || (0..3).filter(open).count() >= least;
        }
    }
    (0..surface.len() as u32).filter(|&f| is_chosen[f as usize]).collect()
}
