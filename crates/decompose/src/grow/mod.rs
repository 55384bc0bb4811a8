//! Growing patches over the dual graph of the surface.
//!
//! 1. The face with the smallest index that has no patch is the seed of one.
//! 2. Its neighbours are candidates; breadth-first or depth-first, each is tried once.
//! 3. [`absorb`]: a candidate is adopted with every face that must join with it, or refused.
//! 4. Neighbours of adopted faces become candidates.
//! 5. When no candidate is left, the patch is done.
//!
//! **A refusal is final.** Criteria (1), (2), (3) and "below" all compare the patch's hull with the
//! surface, and the hull only grows. A candidate that could join with other faces in the patch is
//! not refused but *put off*: it names the faces it waits for, and is tried again when one of them
//! has joined. So when a patch is done, every face at its border was refused, belongs to an earlier
//! patch, or was put off; only the last kind can take part in a merge later.

mod absorb;
mod far;
mod guard;
mod heights;
mod meets;
mod merge;
mod patch;
mod reflex;
mod settle;
mod witness;

use std::cell::Cell;
use std::collections::HashMap;

use impinge_threads::Control;

use crate::hull::GrowingHull;
use crate::surface::{NONE, Surface};
use crate::tree::{self, FaceTree};
use crate::{DecomposeError, Options, Patch};
use guard::Guards;
use merge::PutOff;
use reflex::Reflex;
use witness::Witness;

/// All patches of a surface, and the number of merges after growth.
pub(crate) fn decompose(
    surface: &Surface,
    tree: FaceTree,
    options: &Options,
    control: &Control<'_>,
) -> Result<(Vec<Patch>, usize), DecomposeError> {
    let mut grower = Grower::new(surface, tree, options);
    grower.grow(control)?;
    grower.merge(control)?;
    Ok(grower.finished())
}

/// The current patch and the finished ones.
pub(crate) struct Grower<'s> {
    surface: &'s Surface,
    tree: FaceTree,
    /// Bounds of the coordinates' absolute values.
    size: [f64; 3],
    reflex: Reflex,
    guards: Guards,
    /// Per face, the hull face that last separated it from the hull.
    witness: Vec<Cell<Witness>>,
    /// Overrides `may_reach`, which consults [`Reflex`]: whether hulls may reach far.
    #[cfg(test)]
    doubt: Option<bool>,
    options: &'s Options,
    hull: GrowingHull,
    /// Per face, its finished patch.
    owner: Vec<u32>,
    /// Per face, the number of the growth in which it is a member, was refused, or may join.
    member: Vec<u32>,
    refused: Vec<u32>,
    allowed: Vec<u32>,
    /// The number of the current growth; 0 is none.
    growth: u32,
    /// Whether only faces marked in `allowed` may join.
    closed: bool,
    /// The faces of the current patch, in the order in which they joined.
    faces: Vec<u32>,
    /// The faces with a corner in the hull, in the order of those corners; the tree counts them as
    /// taken. Per face, the last growth in which it is one.
    touched: Vec<u32>,
    touched_in: Vec<u32>,
    /// The number of sides between the patch and faces outside it.
    border: i64,
    /// Candidates by the faces they wait for, and those that wait for a hull with a volume.
    waiting: HashMap<u32, Vec<u32>>,
    waiting_for_volume: Vec<u32>,
    patches: Vec<Option<Patch>>,
    /// Per patch, the faces that were put off at its end.
    put_off: Vec<Vec<PutOff>>,
    merges: usize,
    tried: u64,
    joined: u64,
}

impl<'s> Grower<'s> {
    pub(crate) fn new(surface: &'s Surface, tree: FaceTree, options: &'s Options) -> Self {
        let n = surface.len();
        let size = tree::largest(tree.bounds());
        let reflex = Reflex::new(surface);
        Self {
            surface,
            tree,
            size,
            guards: Guards::new(reflex.tree().len()),
            reflex,
            witness: vec![Cell::new(Witness::NONE); n],
            #[cfg(test)]
            doubt: None,
            options,
            hull: GrowingHull::new(surface.points.len()),
            owner: vec![NONE; n],
            member: vec![0; n],
            refused: vec![0; n],
            allowed: vec![0; n],
            growth: 0,
            closed: false,
            faces: Vec::new(),
            touched: Vec::new(),
            touched_in: vec![0; n],
            border: 0,
            waiting: HashMap::new(),
            waiting_for_volume: Vec::new(),
            patches: Vec::new(),
            put_off: Vec::new(),
            merges: 0,
            tried: 0,
            joined: 0,
        }
    }

    /// All patches, and the number of merges.
    pub(crate) fn finished(self) -> (Vec<Patch>, usize) {
        (self.patches.into_iter().flatten().collect(), self.merges)
    }

    /// Grows patches until every face has one.
    pub(crate) fn grow(&mut self, control: &Control<'_>) -> Result<(), DecomposeError> {
        for seed in 0..self.surface.len() as u32 {
            if self.owner[seed as usize] == NONE {
                self.patch(seed, control)?;
            }
        }
        Ok(())
    }

    fn begin(&mut self, seed: u32) {
        self.release(0);
        self.guards.clear();
        self.faces.clear();
        self.growth += 1;
        self.border = 0;
        self.waiting.clear();
        self.waiting_for_volume.clear();
        let corners = self.surface.triangles[seed as usize];
        self.hull.begin(corners);
        for v in corners {
            self.touch(v);
        }
        self.join(seed);
    }

    /// Records that a vertex is in the hull now.
    fn touch(&mut self, v: u32) {
        let surface = self.surface;
        for &f in surface.at(v) {
            if std::mem::replace(&mut self.touched_in[f as usize], self.growth) != self.growth {
                self.touched.push(f);
                self.tree.take(f);
                self.reflex.take(f);
            }
        }
    }

    /// Undoes [`touch`](Self::touch) for all but the first `kept` faces.
    fn release(&mut self, kept: usize) {
        for f in self.touched.drain(kept..) {
            self.touched_in[f as usize] = 0;
            self.tree.give(f);
            self.reflex.give(f);
        }
    }

    #[inline]
    fn is_member(&self, f: u32) -> bool {
        self.member[f as usize] == self.growth
    }

    /// Whether the face may join the current patch.
    #[inline]
    fn may_join(&self, f: u32) -> bool {
        if self.closed {
            self.allowed[f as usize] == self.growth
        } else {
            self.owner[f as usize] == NONE && self.refused[f as usize] != self.growth
        }
    }

    fn join(&mut self, f: u32) {
        self.member[f as usize] = self.growth;
        self.faces.push(f);
        for n in self.surface.across[f as usize] {
            self.border += if self.is_member(n) { -1 } else { 1 };
        }
    }

    fn part(&mut self) {
        if let Some(f) = self.faces.pop() {
            for n in self.surface.across[f as usize] {
                self.border -= if self.is_member(n) { -1 } else { 1 };
            }
            self.member[f as usize] = 0;
        }
    }
}
