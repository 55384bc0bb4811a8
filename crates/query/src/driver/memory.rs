//! What lasts from one query of a pair to the next.

use crate::{Contact, PairKey};

/// A pair's memory: the search's own, and the triangles that met and were nearest last.
///
/// None of it changes an answer: triangles that are remembered are tested in their new places. So
/// they stay when a model is refitted; what the search remembers goes.
#[derive(Clone, Debug, Default)]
pub struct Memory<M> {
    pair: Option<PairKey>,
    /// They met in the last query for a contact.
    pub(super) met: Option<Contact>,
    /// They were nearest in the last query for a distance.
    pub(super) nearest: Option<Contact>,
    pub(super) own: M,
}

impl<M> Memory<M> {
    pub(super) const fn new(own: M) -> Self {
        Self { pair: None, met: None, nearest: None, own }
    }

    /// What the search keeps.
    pub const fn own(&mut self) -> &mut M {
        &mut self.own
    }

    /// Forgets what belongs to another pair, or to models that were refitted since.
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
