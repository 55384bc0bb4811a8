//! What stays on the adapter between queries of a pair, and the lengths of lists.

use impinge_query::{ModelId, Side};

use super::adapter::{Adapter, Trouble};

/// Lengths of lists, as queries of the pair needed them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rooms {
    /// Pairs that are not a miss.
    pub(crate) found: u32,
    /// Pairs of an edge and a triangle, or of two triangles, that boxes leave.
    pub(crate) pairs: u32,
    /// Pairs of an edge and a node, or of two nodes, of one depth.
    pub(crate) level: u32,
    /// Most tests, edges or poses of a submission, if with more it was too long for the lists or
    /// did not end in time.
    pub(crate) at_once: u64,
    most: u32,
}

/// Whether lists were long enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// They were.
    Whole,
    /// Now they are longer: the pass is done again.
    Grown,
    /// They cannot be as long as that.
    TooMany,
}

impl Rooms {
    pub(super) const fn new(room: u32, most: u32) -> Self {
        Self { found: room, pairs: room, level: room, at_once: u64::MAX, most }
    }

    /// Grows lists that were too short for these counts.
    pub(crate) fn fit(&mut self, found: u32, pairs: u32, level: u32) -> Fit {
        let Self { most, .. } = *self;
        let mut fit = Fit::Whole;
        let rooms = [&mut self.found, &mut self.pairs, &mut self.level];
        for (room, count) in rooms.into_iter().zip([found, pairs, level]) {
            if count > most {
                return Fit::TooMany;
            }
            if count > *room {
                (*room, fit) = (count.next_power_of_two().min(most), Fit::Grown);
            }
        }
        fit
    }
}

/// Buffers of a pair of models on one adapter; `S` are those of one model.
#[derive(Debug)]
pub(crate) struct Kept<S>(Option<OnAdapter<S>>);

impl<S> Default for Kept<S> {
    fn default() -> Self {
        Self(None)
    }
}

#[derive(Debug)]
struct OnAdapter<S> {
    adapter: ModelId,
    models: [Option<(ModelId, S)>; 2],
    rooms: Rooms,
}

impl<S: Clone> Kept<S> {
    /// Drops all buffers.
    pub(crate) fn forget(&mut self) {
        self.0 = None;
    }

    /// The buffers of a model, sent unless they are there; and the lengths of lists. `place` tells
    /// the two models of a pair apart.
    pub(crate) fn sent(
        &mut self,
        adapter: &Adapter,
        place: Side,
        id: ModelId,
        send: impl FnOnce() -> Result<S, Trouble>,
    ) -> Result<(S, &mut Rooms), Trouble> {
        if self.0.as_ref().is_some_and(|kept| kept.adapter != adapter.id) {
            self.0 = None;
        }
        let OnAdapter { models, rooms, .. } = self.0.get_or_insert_with(|| OnAdapter {
            adapter: adapter.id,
            models: [None, None],
            rooms: Rooms::new(adapter.sizes.room, adapter.sizes.most),
        });
        let model = &mut models[usize::from(place == Side::B)];
        let sent = match model.take() {
            Some((of, sent)) if of == id => sent,
            _ => send()?,
        };
        *model = Some((id, sent.clone()));
        Ok((sent, rooms))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_kept_of_another_pair() {
        let rooms = Rooms::new(1, 1000);
        let on_adapter: OnAdapter<()> =
            OnAdapter { adapter: ModelId::fresh(), models: [None, None], rooms };
        let mut kept = Kept(Some(on_adapter));
        kept.forget();
        assert!(kept.0.is_none());
    }

    #[test]
    fn lists_grow_to_what_was_counted_and_not_beyond_the_most() {
        let mut rooms = Rooms::new(1, 1000);
        assert_eq!(rooms.fit(1, 0, 1), Fit::Whole);
        assert_eq!(rooms.fit(3, 1, 700), Fit::Grown);
        assert_eq!((rooms.found, rooms.pairs, rooms.level), (4, 1, 1000));
        assert_eq!(rooms.fit(4, 1, 1000), Fit::Whole);
        assert_eq!(rooms.fit(4, 1001, 1000), Fit::TooMany);
    }
}
