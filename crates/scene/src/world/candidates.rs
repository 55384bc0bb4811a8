//! The pairs of objects whose boxes overlap, in order, and what is kept of each between steps.

use std::sync::Mutex;

use impinge_query::{Cancelled, Control, Hint, PairMemory};

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

/// Pairs between two looks at the caller's flag.
const BETWEEN: usize = 1 << 16;

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

    /// Takes in the pairs of [`Candidates::fresh`]: those that are asked about, of indices below `places`,
    /// each once. What was kept of a pair goes on unless `is_new` says that one of the objects is not
    /// what it was.
    ///
    /// # Errors
    /// [`Cancelled`]: the pairs are then those of the last step.
    pub(super) fn renew(
        &mut self,
        places: usize,
        keep: Keep,
        control: &Control<'_>,
        is_asked: impl Fn([u32; 2]) -> bool,
        is_new: impl Fn(u32) -> bool,
    ) -> Result<(), Cancelled> {
        let (mut seen, mut done) = (0_usize, Ok(()));
        self.found.retain(|pair| {
            if seen.is_multiple_of(BETWEEN) && done.is_ok() {
                done = control.check();
            }
            seen += 1;
            done.is_ok() && is_asked(*pair)
        });
        done?;
        self.order(places, control)?;
        self.found.dedup();
        control.check()?;
        let mut memories = Vec::new();
        let (hints, partings) = &mut self.next;
        hints.clear();
        partings.clear();
        let mut old = 0;
        for (number, pair) in self.found.iter().enumerate() {
            // Memories that have moved would be lost.
            if keep == Keep::Hints && number.is_multiple_of(BETWEEN) {
                control.check()?;
            }
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
        Ok(())
    }

    /// Sorts the pairs: by counting, twice, if there are many for the number of places.
    fn order(&mut self, places: usize, control: &Control<'_>) -> Result<(), Cancelled> {
        let Self { found, space, starts, .. } = self;
        if found.len() < places / 4 || u32::try_from(found.len()).is_err() {
            found.sort_unstable();
            return Ok(());
        }
        for key in [1, 0] {
            starts.clear();
            starts.resize(places + 1, 0);
            for pairs in found.chunks(BETWEEN) {
                control.check()?;
                for pair in pairs {
                    starts[pair[key] as usize + 1] += 1;
                }
            }
            for place in 0..places {
                starts[place + 1] += starts[place];
            }
            space.clear();
            space.resize(found.len(), [0; 2]);
            for pairs in found.chunks(BETWEEN) {
                control.check()?;
                for pair in pairs {
                    let start = &mut starts[pair[key] as usize];
                    space[*start as usize] = *pair;
                    *start += 1;
                }
            }
            std::mem::swap(found, space);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use impinge_models::Random;
    use impinge_query::{Cancel, Contact};

    use super::*;
    use crate::World;

    /// With as many pairs as places, which are counted, and with few, which are sorted.
    #[test]
    fn a_cancelled_list_leaves_the_last_one() {
        for (places, keep, wanted) in
            [(100, Keep::Hints, 7), (10_000, Keep::Hints, 3), (10_000, Keep::Memories, 2)]
        {
            let (world, mut candidates) = (World::new(), Candidates::default());
            let pairs: Vec<[u32; 2]> = (0..99).map(|i| [i, i + 1]).collect();
            candidates.fresh().extend(pairs.iter().rev());
            let is_kept = |memory: &mut Mutex<Option<PairMemory>>| {
                memory.get_mut().is_ok_and(|memory| memory.is_some())
            };
            let all = |_: [u32; 2]| true;
            let renewed = |candidates: &mut Candidates, control: &Control<'_>| {
                candidates.renew(places, keep, control, all, |_| false)
            };
            renewed(&mut candidates, &Control::NONE).expect("not cancelled");
            assert_eq!(candidates.pairs, pairs);
            candidates.hints[7].met = Some(Contact { a: 1, b: 2 });
            for memory in &mut candidates.memories {
                *memory = Mutex::new(Some(world.detector().memory()));
            }
            let mut looks = 0;
            loop {
                let cancel = Cancel::at_look(looks + 1);
                candidates.fresh().extend([[3, 9], [7, 8], [0, 1]]);
                candidates.found.extend((10..98).map(|i| [i, i + 1]));
                if renewed(&mut candidates, &Control::NONE.cancelled_by(&cancel)).is_ok() {
                    break;
                }
                assert_eq!(candidates.pairs, pairs);
                assert!(candidates.hints[7].met.is_some());
                assert!(candidates.memories.iter_mut().all(is_kept));
                looks += 1;
            }
            assert_eq!(looks, wanted);
            assert_eq!(candidates.pairs[..3], [[0, 1], [3, 9], [7, 8]]);
            assert!(candidates.hints[2].met.is_some(), "what was kept goes on");
        }
    }

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
            candidates
                .renew(places as usize, Keep::Hints, &Control::NONE, asked, new)
                .expect("not cancelled");
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
