//! What is kept from one query of a pair to the next.

use crate::{Contact, PairKey};

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
