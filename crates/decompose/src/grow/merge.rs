//! Merging neighbouring patches until no two can be merged.
//!
//! After growth only those pairs can be merged in which one patch has put off a face of the other.
//! At every other border a face was refused, which holds for any patch that contains both (see
//! [`grow`](super)). For the same reason, a pair that failed once is never tried again.

use std::collections::VecDeque;

use impinge_threads::Control;

use super::Grower;
use super::absorb::Outcome;
use crate::DecomposeError;
use crate::surface::NONE;

/// A face that was put off when its patch was finished.
#[derive(Clone, Debug)]
pub(super) struct PutOff {
    face: u32,
    /// One of these must be in any patch with the face; empty if it waits for a volume.
    needs: Vec<u32>,
}

impl Grower<'_> {
    /// The faces that were put off and may still join: one of those that they wait for may be in a
    /// patch with this one. Faces that were refused or have an older patch are excluded.
    pub(super) fn still_waiting(&self) -> Vec<PutOff> {
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for (&g, faces) in self.waiting.iter().filter(|(g, _)| self.may_join(**g)) {
            pairs.extend(faces.iter().map(|&f| (f, g)));
        }
        pairs.extend(self.waiting_for_volume.iter().map(|&f| (f, NONE)));
        pairs.retain(|&(f, _)| !self.is_member(f) && self.refused[f as usize] != self.growth);
        pairs.sort_unstable();
        pairs.dedup();
        let of_face = |run: &[(u32, u32)]| {
            // `NONE` sorts last; it means that the face waits for a volume.
            let any = run.iter().any(|&(_, g)| g == NONE);
            let needs = if any { Vec::new() } else { run.iter().map(|p| p.1).collect() };
            PutOff { face: run[0].0, needs }
        };
        pairs.chunk_by(|p, q| p.0 == q.0).map(of_face).collect()
    }

    /// Merges all pairs that can be merged. A merged patch is appended to the list and tried there.
    pub(crate) fn merge(&mut self, control: &Control<'_>) -> Result<(), DecomposeError> {
        let mut next = 0;
        while next < self.patches.len() {
            control.check()?;
            if next.is_multiple_of(1024) {
                control.report("merge", next as u64, self.patches.len() as u64);
            }
            if self.patches[next].is_some() {
                self.merge_one(next as u32);
            }
            next += 1;
        }
        Ok(())
    }

    fn merge_one(&mut self, patch: u32) {
        let put_off = self.put_off[patch as usize].clone();
        let owner = |f: u32| self.owner[f as usize];
        let hopeful = |p: &&PutOff| {
            let both = [patch, owner(p.face)];
            p.needs.is_empty() || p.needs.iter().any(|&g| both.contains(&owner(g)))
        };
        let mut partners: Vec<u32> =
            put_off.iter().filter(hopeful).map(|p| owner(p.face)).collect();
        partners.sort_unstable();
        partners.dedup();
        for other in partners {
            let both = [patch, other].map(|p| self.patches[p as usize].as_ref());
            let [Some(a), Some(b)] = both else { continue };
            if other == patch {
                continue;
            }
            let faces = [a.faces.as_slice(), b.faces.as_slice()].concat();
            if self.assemble(&faces) {
                let mut rest = put_off;
                rest.extend_from_slice(&self.put_off[other as usize]);
                rest.retain(|p| !self.is_member(p.face));
                self.file(rest);
                for old in [patch, other] {
                    self.patches[old as usize] = None;
                    self.put_off[old as usize] = Vec::new();
                }
                self.merges += 1;
                return;
            }
        }
    }

    /// Grows one patch of exactly these faces, if that is valid.
    pub(crate) fn assemble(&mut self, faces: &[u32]) -> bool {
        let Some(&seed) = faces.first() else { return false };
        self.begin(seed);
        self.closed = true;
        for &f in faces {
            self.allowed[f as usize] = self.growth;
        }
        let order = self.in_order(seed);
        let valid = order.len() == faces.len()
            && !order.iter().any(|&f| self.options.criteria.edges && self.is_notched(f))
            && self.absorb(&order) == Outcome::Joined;
        self.closed = false;
        valid
    }

    /// The allowed faces that are connected to the seed by edges, breadth-first.
    fn in_order(&self, seed: u32) -> Vec<u32> {
        let mut order = vec![seed];
        let mut seen = std::collections::HashSet::from([seed]);
        let mut queue = VecDeque::from([seed]);
        while let Some(f) = queue.pop_front() {
            for g in self.surface.across[f as usize] {
                if self.allowed[g as usize] == self.growth && seen.insert(g) {
                    order.push(g);
                    queue.push_back(g);
                }
            }
        }
        order
    }

    /// Whether an edge between this face and another allowed one is concave.
    fn is_notched(&self, f: u32) -> bool {
        let is_allowed = |n: u32| self.allowed[n as usize] == self.growth;
        let across = self.surface.across[f as usize];
        (0..3).any(|k| self.reflex.is_concave(f, k) && is_allowed(across[k]))
    }
}
