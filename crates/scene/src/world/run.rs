//! The run over all candidates: over all threads, in a fixed order, with what is kept of each pair.

use std::sync::PoisonError;

use impinge_geometry::Pose;
use impinge_query::{Control, Hint, PairMemory, Prepared, QueryError};

use super::objects::Objects;
use super::parting::Parting;
use super::places::Place;
use super::{Keep, Object, ObjectId, World, WorldError};

/// Pairs between the one that is worked on and the one whose objects are prefetched.
const AHEAD: usize = 8;

/// A pair of objects that a method is asked about.
pub(crate) struct Asked<'a> {
    pub(crate) a: &'a Object,
    pub(crate) b: &'a Object,
    pub(crate) places: [&'a Place; 2],
    pub(crate) b_in_a: &'a Pose,
}

impl Asked<'_> {
    /// The prepared meshes.
    pub(crate) fn models(&self) -> (&Prepared, &Prepared) {
        (self.a.shape.prepared(), self.b.shape.prepared())
    }

    /// Whether both are one body in one place.
    pub(crate) fn is_same_placed_twice(&self) -> bool {
        self.a.shape.is_same(&self.b.shape) && *self.b_in_a == Pose::identity()
    }
}

/// A pair whose result is handed over. Its objects are read when they are asked for.
pub(crate) struct Told<'a> {
    objects: &'a Objects,
    pair: [u32; 2],
    /// What the method was asked about; not set if [`Task::is_apart`].
    pub(crate) b_in_a: &'a Pose,
}

impl Told<'_> {
    /// The ids of both objects, A first; `None` if they are not in the world.
    pub(crate) fn ids(&self) -> Option<[ObjectId; 2]> {
        let [a, b] = self.pair.map(|index| self.objects.at(index));
        Some([a?.0, b?.0])
    }
}

/// What is done with each pair.
pub(crate) trait Task: Sync {
    /// The result of a pair.
    type Out: Default + Send;

    /// Whether the objects, which are at these places, are so far apart that nothing is to be done. Then
    /// sets the result.
    fn is_apart<'a>(
        &self,
        _: [&Place; 2],
        _: impl FnOnce() -> Option<[&'a Object; 2]>,
        _: &mut Parting,
        _: &mut Self::Out,
    ) -> bool {
        false
    }

    /// Sets the result, with a memory seeded for the pair. Returns the weight of the result.
    fn work(
        &self,
        pair: &Asked<'_>,
        memory: &mut PairMemory,
        parting: &mut Parting,
        out: &mut Self::Out,
    ) -> Result<usize, QueryError>;
}

/// Takes the results: the pair, and the result.
type Each<'e, T> = dyn FnMut(&Told<'_>, &T) + 'e;

/// The result of a pair, and what is kept of it.
#[derive(Default)]
struct Done<T> {
    result: T,
    hint: Hint,
    parting: Parting,
    b_in_a: Pose,
}

impl World {
    /// Does `task` with every candidate over all threads, and hands the results over in order.
    pub(crate) fn run<T: Task>(
        &mut self,
        control: &Control<'_>,
        task: &T,
        each: &mut Each<'_, T::Out>,
    ) -> Result<(), WorldError> {
        // Here, since there may be no candidates.
        control.check()?;
        let Self { detector, objects, places, candidates, memory, keep, .. } = self;
        let (pairs, hints, partings) = (&candidates.pairs, &candidates.hints, &candidates.partings);
        let (detector, memories, keep) = (&**detector, &candidates.memories, *keep);
        let two = |index: usize| {
            let [a, b] = pairs[index].map(|i| objects.at(i));
            Some([a?.1, b?.1])
        };
        let one = |index: usize, memory: &mut PairMemory, out: &mut Done<T::Out>| {
            if let Some(soon) = pairs.get(index + AHEAD) {
                for i in soon {
                    places.prefetch(*i);
                    objects.prefetch(*i);
                }
            }
            (out.hint, out.parting) = (hints[index], partings[index]);
            let places = pairs[index].map(|i| places.at(i));
            if task.is_apart(places, || two(index), &mut out.parting, &mut out.result) {
                return Ok(0);
            }
            let Some([a, b]) = two(index) else { return Ok(0) };
            out.b_in_a = Pose::relative(&a.pose, &b.pose);
            let pair = Asked { a, b, places, b_in_a: &out.b_in_a };
            if keep == Keep::Memories {
                let mut own = memories[index].lock().unwrap_or_else(PoisonError::into_inner);
                let own = own.get_or_insert_with(|| detector.memory());
                return task.work(&pair, own, &mut out.parting, &mut out.result);
            }
            let (a, b) = pair.models();
            detector.recall(a, b, memory, out.hint)?;
            let weight = task.work(&pair, memory, &mut out.parting, &mut out.result)?;
            out.hint = detector.hint(memory);
            Ok(weight)
        };
        let count = pairs.len();
        let mut next = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut deliver = |index: usize, done: &Done<T::Out>| {
            control.check()?;
            next.0.push(done.hint);
            next.1.push(done.parting);
            each(&Told { objects, pair: pairs[index], b_in_a: &done.b_in_a }, &done.result);
            control.report_item("pairs", index, count);
            Ok(())
        };
        let fresh = || detector.memory();
        let outcome = impinge_threads::ordered(count, memory, fresh, one, &mut deliver);
        // Without an answer, later pairs keep what they had.
        let (hints, partings) = next;
        candidates.hints[..hints.len()].copy_from_slice(&hints);
        candidates.partings[..partings.len()].copy_from_slice(&partings);
        outcome.map_err(|(index, source)| self.failed(self.candidates.pairs[index], source))
    }

    pub(super) fn failed(&self, [a, b]: [u32; 2], source: QueryError) -> WorldError {
        match (source, self.objects.at(a), self.objects.at(b)) {
            (QueryError::Cancelled(cancelled), ..) => WorldError::Cancelled(cancelled),
            (source, Some((a, _)), Some((b, _))) => WorldError::Query { a, b, source },
            (source, ..) => WorldError::Refused(source),
        }
    }
}
