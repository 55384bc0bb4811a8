//! What is kept from one query of a pair to the next.

use crate::{Contact, Hint, PairKey, Subject};

/// A pair's memory: the search's own state, and the triangles that last met and were last nearest.
///
/// It never changes an answer, since remembered triangles are tested in their new places. They
/// therefore survive a refit of a model; the search's own state does not.
#[derive(Clone, Debug, Default)]
pub struct Memory<M> {
    pair: Option<PairKey>,
    /// The contact of the last query for a contact.
    pub(super) met: Option<Contact>,
    pub(super) nearest: Option<Contact>,
    pub(super) own: M,
}

impl<M> Memory<M> {
    pub(super) const fn new(own: M) -> Self {
        Self { pair: None, met: None, nearest: None, own }
    }

    /// The search's own state.
    pub const fn own(&mut self) -> &mut M {
        &mut self.own
    }

    pub(super) const fn hint(&self) -> Hint {
        Hint { met: self.met, nearest: self.nearest, place: None }
    }

    /// Keeps nothing but a hint about a pair. Triangles that the meshes do not have are dropped.
    pub(super) fn recall(
        &mut self,
        [a, b]: [&Subject; 2],
        hint: Hint,
        forget: impl FnOnce(&mut M),
    ) {
        let [m, n] = [a, b].map(|subject| subject.mesh().triangles().len());
        let known = |contact: &Contact| (contact.a as usize) < m && (contact.b as usize) < n;
        self.pair = Some(PairKey { a: a.id(), b: b.id() });
        (self.met, self.nearest) = (hint.met.filter(known), hint.nearest.filter(known));
        forget(&mut self.own);
    }

    /// Drops what belongs to another pair, or to an earlier epoch of the models.
    pub(super) fn belong_to(&mut self, pair: PairKey, forget: impl FnOnce(&mut M)) {
        if self.pair == Some(pair) {
            return;
        }
        if !self.pair.is_some_and(|before| before.same_bodies(pair)) {
            (self.met, self.nearest) = (None, None);
        }
        self.pair = Some(pair);
        forget(&mut self.own);
    }
}
