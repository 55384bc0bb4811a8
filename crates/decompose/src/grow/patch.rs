//! Growing one patch: candidates and their outcomes.

use std::collections::VecDeque;

use impinge_threads::Control;

use super::Grower;
use super::absorb::Outcome;
use super::merge::PutOff;
use crate::{DecomposeError, Hull, Order, Patch};

impl Grower<'_> {
    /// Grows one patch from its seed and stores it.
    pub(super) fn patch(&mut self, seed: u32, control: &Control<'_>) -> Result<(), DecomposeError> {
        self.begin(seed);
        let mut queue = VecDeque::from(self.surface.across[seed as usize]);
        let next = |queue: &mut VecDeque<u32>| match self.options.order {
            Order::Breadth => queue.pop_front(),
            Order::Depth => queue.pop_back(),
        };
        while let Some(f) = next(&mut queue) {
            if self.is_member(f) || !self.may_join(f) {
                continue;
            }
            self.watch(control)?;
            let joined = self.faces.len();
            let was_flat = !self.hull.solid;
            match self.candidate(f) {
                Outcome::Joined => {
                    self.hull.keep();
                    for k in joined..self.faces.len() {
                        let g = self.faces[k];
                        queue.extend(self.waiting.remove(&g).unwrap_or_default());
                        queue.extend(self.surface.across[g as usize]);
                    }
                    if was_flat && self.hull.solid {
                        queue.extend(self.waiting_for_volume.drain(..));
                    }
                }
                Outcome::Refused => self.refused[f as usize] = self.growth,
                Outcome::WaitsFor(faces) => {
                    for g in faces {
                        self.waiting.entry(g).or_default().push(f);
                    }
                }
                Outcome::WaitsForVolume => self.waiting_for_volume.push(f),
            }
        }
        let put_off = self.still_waiting();
        self.file(put_off);
        Ok(())
    }

    /// Reports progress and checks cancellation, every few hundred candidates.
    fn watch(&mut self, control: &Control<'_>) -> Result<(), DecomposeError> {
        if self.tried.is_multiple_of(256) {
            control.check()?;
        }
        let total = self.surface.len() as u64;
        if self.tried.is_multiple_of((total / 50).max(1000)) {
            control.report("patches", self.joined + self.faces.len() as u64, total);
        }
        self.tried += 1;
        Ok(())
    }

    /// Tests criterion 1, then tries to absorb the face.
    fn candidate(&mut self, f: u32) -> Outcome {
        if self.options.criteria.edges && self.beyond_concave_edge(f) {
            return Outcome::Refused;
        }
        self.absorb(&[f])
    }

    /// Whether a concave edge separates the face from the patch.
    fn beyond_concave_edge(&self, f: u32) -> bool {
        (0..3).any(|k| {
            self.reflex.is_concave(f, k) && self.is_member(self.surface.across[f as usize][k])
        })
    }

    pub(super) fn file(&mut self, put_off: Vec<PutOff>) {
        let number = self.patches.len() as u32;
        for &f in &self.faces {
            self.owner[f as usize] = number;
        }
        self.joined += self.faces.len() as u64;
        let patch =
            Patch { faces: self.faces.clone(), hull: self.finished_hull(), flat: !self.hull.solid };
        self.patches.push(Some(patch));
        self.put_off.push(put_off);
    }

    /// The hull over the mesh's vertices; of a flat hull the top.
    fn finished_hull(&self) -> Hull {
        let shown = |f: &&crate::hull::HullFace| f.alive && (self.hull.solid || f.real);
        let name = |v: u32| self.surface.vertex[v as usize];
        let faces = self.hull.faces.iter().filter(shown).map(|f| f.corners.map(name)).collect();
        Hull::of_faces(faces)
    }
}
