//! Proves that the hull reaches no face at a concave edge. Each such face is guarded by a face of
//! the hull.
//!
//! The hull is below the planes of all its faces, so anything strictly above one of them does not
//! meet it. Each node of the tree of [`Reflex`](super::reflex::Reflex), itself or through its
//! descendants, is on the list of such a hull face, its guard. When guards are removed, the nodes
//! on their lists are re-examined. A node gets a new guard among the new faces and those around
//! them; or it misses what is new and waits unguarded until the next examination; or it is replaced
//! by its children. Single faces are finally tested exactly. The work is thus proportional to what
//! is near removed faces, however large the patch.
//!
//! These are the conflict lists of randomized incremental construction (K. L. Clarkson, P. W. Shor,
//! Applications of random sampling in computational geometry II, 1989), with boxes.

use impinge_geometry::Triangle;
use impinge_geometry::volume::Aabb;

use super::Grower;
use super::absorb::Open;
use super::far::Part;
use super::heights::Plane;
use crate::surface::NONE;
use crate::tree;

/// Planes a node is compared with before it is split. Tuned; affects only the cost.
const TRIES: usize = 8;

/// The list of each hull face, linked through the nodes.
#[derive(Debug)]
pub(super) struct Guards {
    /// Per face of the hull, the first node on its list; per node, the next one.
    first: Vec<u32>,
    next: Vec<u32>,
    /// Nodes without a guard that do not meet the hull.
    loose: Vec<u32>,
    /// Whether the lists cover the whole tree.
    placed: bool,
}

impl Guards {
    pub(super) fn new(nodes: usize) -> Self {
        Self { first: Vec::new(), next: vec![NONE; nodes], loose: Vec::new(), placed: false }
    }

    pub(super) fn clear(&mut self) {
        self.first.clear();
        self.loose.clear();
        self.placed = false;
    }

    /// The nodes to examine once the faces `gone` are removed, and the unguarded nodes that need
    /// not be examined, since `passes` is true for them.
    fn unguarded(&self, gone: &[u32], passes: impl Fn(u32) -> bool) -> (Vec<u32>, Vec<u32>) {
        if !self.placed {
            return (vec![0], Vec::new());
        }
        let (mut nodes, kept): (Vec<u32>, Vec<u32>) = self.loose.iter().partition(|n| !passes(**n));
        for &face in gone {
            let mut n = self.first.get(face as usize).copied().unwrap_or(NONE);
            while n != NONE {
                nodes.push(n);
                n = self.next[n as usize];
            }
        }
        (nodes, kept)
    }

    /// Stores nodes with their guards, and those without; `faces` is the number of the hull's
    /// faces.
    fn place(&mut self, guarded: &[(u32, u32)], loose: Vec<u32>, faces: usize) {
        self.first.resize(faces, NONE);
        for &(node, face) in guarded {
            self.next[node as usize] = std::mem::replace(&mut self.first[face as usize], node);
        }
        self.loose = loose;
        self.placed = true;
    }
}

impl Grower<'_> {
    /// Whether the hull meets a face at a concave edge that has no corner in it. The hull must have
    /// a volume. If not, every node has its place again. `mark` is the position in the hull's
    /// journal when it last met none.
    pub(super) fn reaches(&mut self, open: &Open, mark: usize) -> bool {
        let (gone, born) = self.hull.since(mark);
        let alive = |f: &u32| self.hull.faces[*f as usize].alive;
        let beside = open.beside.iter().copied().filter(|&f| f < born.start);
        let faces: Vec<u32> = born.clone().chain(beside).filter(alive).collect();
        let corners = |f: u32| self.at(&self.hull.faces[f as usize]);
        let planes: Vec<Plane> =
            faces.iter().map(|&f| Plane::of(&corners(f), &self.size)).collect();
        let apexes = open.steps.iter().map(|step| *self.surface.point(step.v));
        let around = tree::around(open.parts.iter().flat_map(|&f| corners(f)).chain(apexes));
        let tree = self.reflex.tree();
        let misses = |n: u32| !tree.bounds_of(n).overlaps(&around);
        let (mut nodes, mut loose) = self.guards.unguarded(&gone, misses);
        let mut guarded = Vec::new();
        let mut last = 0;
        let in_turn = |last: usize| (last..planes.len()).chain(0..last);
        while let Some(n) = nodes.pop() {
            if tree.free_below(n) == 0 {
                continue;
            }
            let bounds = tree.bounds_of(n);
            let mut guard = in_turn(last).take(TRIES).find(|&k| planes[k].is_below(bounds));
            if guard.is_none() && !misses(n) {
                if let Some(children) = tree.children(n) {
                    nodes.extend(children);
                    continue;
                }
                let t = self.surface.corners(self.reflex.face(n));
                guard = in_turn(last).find(|&k| t.iter().all(|x| planes[k].is_below_point(x)));
                if guard.is_none() && self.meets_new(open, &t) {
                    return true;
                }
            }
            match guard {
                Some(k) => {
                    last = k;
                    guarded.push((n, faces[k]));
                }
                None => loose.push(n),
            }
        }
        self.guards.place(&guarded, loose, self.hull.faces.len());
        false
    }

    /// Whether a triangle meets what is new of a hull with a volume. Exact.
    fn meets_new(&self, open: &Open, t: &Triangle) -> bool {
        open.steps.iter().filter(|step| step.solid).any(|step| {
            let apex = *self.surface.point(step.v);
            open.parts[step.parts.clone()].iter().any(|&f| {
                let face = self.at(&self.hull.faces[f as usize]);
                tree::around(face.into_iter().chain([apex])).overlaps(&Aabb::of_triangle(t))
                    && Part::new(face, apex, true, &self.size).meets(t)
            })
        })
    }
}
