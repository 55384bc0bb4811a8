//! The pairs of objects whose boxes overlap, in order, and what is kept of each between steps.

use std::sync::Mutex;

use impinge_query::{Hint, PairMemory};

use super::parting::Parting;

/// What a world keeps of a pair of objects between two questions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Keep {
    /// The triangles that last met, where in the meshes that was, those that were last nearest, and a
    /// direction that parts the objects: 56 bytes a pair.
    #[default]
    Hints,
    /// All that the method remembers: fronts, the place where a search ended, planes between two
    /// meshes. Some hundred bytes a pair and more. For slow motions, also with the default method.
    Memories,
}

/// What [`Keep::Hints`] says.
const _: () = assert!(size_of::<Hint>() + size_of::<Parting>() == 56);

/// The pairs, ascending.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    pub(super) pairs: Vec<[u32; 2]>,
    /// One for each pair.
    pub(super) hints: Vec<Hint>,
    /// Likewise.
    pub(super) partings: Vec<Parting>,
    /// One for each pair with [`Keep::Memories`], else none. `None` until the pair is asked about.
    pub(super) memories: Vec<Mutex<Option<PairMemory>>>,
    /// The pairs of this step, and space to order them.
    found: Vec<[u32; 2]>,
    space: Vec<[u32; 2]>,
    starts: Vec<u32>,
    /// The hints and the partings to come.
    next: (Vec<Hint>, Vec<Parting>),
}

impl Candidates {
    /// An empty list for the pairs of this step.
    pub(super) fn fresh(&mut self) -> &mut Vec<[u32; 2]> {
        self.found.clear();
        &mut self.found
    }

    /// Takes in the pairs of [`Candidates::fresh`]: those that are asked about, each once, of indices
    /// below `places`. What was kept of a pair goes on unless `is_new` says that one of the objects
    /// is not what it was.
    pub(super) fn renew(
        &mut self,
        places: usize,
        keep: Keep,
        is_asked: impl Fn([u32; 2]) -> bool,
        is_new: impl Fn(u32) -> bool,
    ) {
        self.found.retain(|pair| is_asked(*pair));
        self.order(places);
        let mut memories = Vec::new();
        let (hints, partings) = &mut self.next;
        hints.clear();
        partings.clear();
        let mut old = 0;
        for pair in &self.found {
            while self.pairs.get(old).is_some_and(|before| before < pair) {
                old += 1;
            }
            let before = self.pairs.get(old).filter(|before| *before == pair);
            let known = before.is_some() && !pair.iter().any(|i| is_new(*i));
            hints.push(if known { self.hints[old] } else { Hint::default() });
            partings.push(if known { self.partings[old] } else { Parting::default() });
            if keep == Keep::Memories {
                let memory = self.memories.get_mut(old).filter(|_| known);
                memories.push(memory.map(std::mem::take).unwrap_or_default());
            }
        }
        std::mem::swap(&mut self.pairs, &mut self.found);
        std::mem::swap(&mut self.hints, hints);
        std::mem::swap(&mut self.partings, partings);
        self.memories = memories;
    }

    /// Sorts the pairs: by counting, twice, if there are many for the number of places.
    fn order(&mut self, places: usize) {
        let Self { found, space, starts, .. } = self;
        if found.len() < places / 4 || u32::try_from(found.len()).is_err() {
            found.sort_unstable();
            return;
        }
        for key in [1, 0] {
            starts.clear();
            starts.resize(places + 1, 0);
            for pair in found.iter() {
                starts[pair[key] as usize + 1] += 1;
            }
            for place in 0..places {
                starts[place + 1] += starts[place];
            }
            space.clear();
            space.resize(found.len(), [0; 2]);
            for pair in found.iter() {
                let start = &mut starts[pair[key] as usize];
                space[*start as usize] = *pair;
                *start += 1;
            }
            std::mem::swap(found, space);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_models::Random;
    use impinge_query::Contact;

    #[test]
    fn pairs_are_ordered_and_keep_their_hints() {
        let mut random = Random::stream(0xca4d, 0);
        let mut candidates = Candidates::default();
        for step in 0..200u32 {
            let places = 2 + random.below(60);
            let mut pairs = std::collections::BTreeSet::new();
            for _ in 0..random.below(places * places / 2) {
                let (a, b) = (random.below(places) as u32, random.below(places) as u32);
                pairs.extend((a != b).then(|| [a.min(b), a.max(b)]));
            }
            let mut mixed: Vec<_> = pairs.iter().copied().collect();
            random.shuffle(&mut mixed);
            candidates.fresh().extend(mixed);
            let before: Vec<_> =
                candidates.pairs.iter().copied().zip(candidates.hints.iter().copied()).collect();
            let asked = |[a, b]: [u32; 2]| (a + b) % 5 != 0;
            let new = |i: u32| (i + step).is_multiple_of(7);
            candidates.renew(places as usize, Keep::Hints, asked, new);
            let truth: Vec<_> = pairs.into_iter().filter(|pair| asked(*pair)).collect();
            assert_eq!(candidates.pairs, truth);
            for (pair, hint) in candidates.pairs.iter().zip(&candidates.hints) {
                let kept =
                    before.iter().find(|(old, _)| old == pair && !pair.iter().any(|i| new(*i)));
                assert_eq!(*hint, kept.map_or_else(Hint::default, |(_, hint)| *hint));
            }
            for (hint, [a, b]) in candidates.hints.iter_mut().zip(&candidates.pairs) {
                hint.met = Some(Contact { a: *a, b: *b });
            }
        }
    }
}
