//! The questions of a step: which pairs to ask about, over all threads, in a fixed order.

use std::sync::Arc;

use impinge_geometry::Pose;
use impinge_query::{
    Answer, Ask, Control, Detector, Hint, Meaning, Nearest, PairMemory, QueryError, Question,
};

use super::parting::Parting;
use super::places::Place;
use super::run::{Asked, Task, Told};
use super::{Object, ObjectId, World, WorldError};

/// Two objects that a question is true of.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// The object in whose frame the answer is given.
    pub a: ObjectId,
    /// The other object.
    pub b: ObjectId,
    /// The pose of B in A's frame, which the method was asked about.
    pub b_in_a: &'a Pose,
    /// The answer.
    pub answer: &'a Answer,
}

/// How much was asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Summary {
    /// The pairs of objects whose boxes overlap: those that the method was asked about, or that a
    /// direction parts.
    pub candidates: u64,
    /// The pairs that the question is true of.
    pub found: u64,
}

/// Two objects that meet.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Meet {
    /// The object with the lower index.
    pub a: ObjectId,
    /// The other object.
    pub b: ObjectId,
    /// The pairs of triangles that meet, ascending.
    pub contacts: Vec<impinge_query::Contact>,
}

/// Two objects that are near each other.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Near {
    /// The object with the lower index.
    pub a: ObjectId,
    /// The other object.
    pub b: ObjectId,
    /// The distance and where it is attained, in A's frame.
    pub nearest: Nearest,
}

/// The result of one pair.
#[derive(Default)]
struct Outcome {
    answer: Answer,
    /// Whether the question is true of the pair.
    holds: bool,
    /// Whether it is true with B and A exchanged.
    exchanged: bool,
}

/// What the method is asked about each pair.
#[derive(Clone, Copy)]
enum Wish<'w> {
    One(&'w Ask),
    /// The distance of pairs that are at most so far apart: the ask for that, and for the distance.
    Near(&'w Ask, &'w Ask),
}

impl World {
    /// The pairs of objects whose surfaces meet, ascending by index.
    ///
    /// # Errors
    /// [`WorldError::Query`] if the method has no answer about a pair.
    pub fn colliding(&mut self) -> Result<Vec<[ObjectId; 2]>, WorldError> {
        let mut pairs = Vec::new();
        self.ask(&Ask::first_contact(), &Control::NONE, &mut |found| {
            pairs.push([found.a, found.b]);
        })?;
        Ok(pairs)
    }

    /// The pairs of objects whose surfaces meet, with all contacts.
    ///
    /// # Errors
    /// As [`World::colliding`].
    pub fn contacts(&mut self) -> Result<Vec<Meet>, WorldError> {
        let mut pairs = Vec::new();
        self.ask(&Ask::all_contacts(), &Control::NONE, &mut |Found { a, b, answer, .. }| {
            pairs.push(Meet { a, b, contacts: answer.contacts.clone() });
        })?;
        Ok(pairs)
    }

    /// The pairs of objects whose surfaces are at most `d` apart, with their distances.
    ///
    /// # Errors
    /// As [`World::colliding`]; [`WorldError::Refused`] if `d` is negative or not finite, or the
    /// method knows no distance.
    pub fn near(&mut self, d: f64) -> Result<Vec<Near>, WorldError> {
        let mut pairs = Vec::new();
        self.near_with(
            d,
            Meaning::Surfaces,
            &Control::NONE,
            &mut |Found { a, b, answer, .. }| {
                pairs.extend(answer.nearest.map(|nearest| Near { a, b, nearest }));
            },
        )?;
        Ok(pairs)
    }

    /// Answers `ask` about every pair of objects that is asked about, and calls `each` for those of
    /// which it is true: pairs that collide, are nearer than a distance, or of which B is inside A.
    /// Pairs come in ascending order of their indices, A with the lower one; for
    /// [`Question::ContainedIn`], A is the object that contains B. Answers are the same for every
    /// number of threads, as far as the method's own do not depend on it. They are those of the
    /// method about the pose of B in A's frame, [`Pose::relative`]; where A has the higher index, its
    /// inverse.
    ///
    /// Uses all threads of the caller's rayon pool, or of the global one. Reports progress as the
    /// stage `"pairs"`.
    ///
    /// # Errors
    /// [`WorldError::Refused`] for [`Question::Distance`], which has an answer for every pair (see
    /// [`World::near_with`]), and for what the method does not answer; [`WorldError::Query`]: `each`
    /// has been called for the pairs before that one; [`WorldError::Cancelled`].
    pub fn ask(
        &mut self,
        ask: &Ask,
        control: &Control<'_>,
        each: &mut dyn FnMut(Found<'_>),
    ) -> Result<Summary, WorldError> {
        let room = self.room(ask)?;
        self.search(room, control)?;
        self.answers(Wish::One(ask), control, each)
    }

    /// Calls `each` for every pair of objects that are at most `d` apart, with the distance as the
    /// answer, otherwise as [`World::ask`].
    ///
    /// # Errors
    /// As [`World::ask`].
    pub fn near_with(
        &mut self,
        d: f64,
        meaning: Meaning,
        control: &Control<'_>,
        each: &mut dyn FnMut(Found<'_>),
    ) -> Result<Summary, WorldError> {
        let within = Ask { meaning, ..Ask::nearer_than(d) };
        let distance = Ask { meaning, ..Ask::distance() };
        self.detector.describe().check(&distance).map_err(WorldError::Refused)?;
        let room = self.room(&within)?;
        self.search(room, control)?;
        self.answers(Wish::Near(&within, &distance), control, each)
    }

    /// Answers `ask` about one object of the world and all others that it is asked about; A is that
    /// object, for [`Question::ContainedIn`] too. Otherwise as [`World::ask`], without progress. If
    /// anything has changed since the last question, all boxes go to the broad phase first, O(n).
    ///
    /// # Errors
    /// As [`World::ask`]; [`WorldError::NoObject`].
    pub fn ask_one(
        &mut self,
        id: ObjectId,
        ask: &Ask,
        control: &Control<'_>,
        each: &mut dyn FnMut(ObjectId, &Answer),
    ) -> Result<Summary, WorldError> {
        let object = self.objects.get(id)?.clone();
        self.ask_around(&object, Some(id), ask, control, each)
    }

    /// As [`World::ask_one`], about an object that is not in the world.
    ///
    /// # Errors
    /// As [`World::ask`], with [`WorldError::Outside`] for a failed query;
    /// [`WorldError::ForeignShape`], [`WorldError::Pose`].
    pub fn ask_object(
        &mut self,
        object: &Object,
        ask: &Ask,
        control: &Control<'_>,
        each: &mut dyn FnMut(ObjectId, &Answer),
    ) -> Result<Summary, WorldError> {
        self.check(&object.shape)?;
        super::check_pose(&object.pose)?;
        self.ask_around(object, None, ask, control, each)
    }

    /// Half of the distance that the question is about.
    pub(crate) fn room(&self, ask: &Ask) -> Result<f64, WorldError> {
        self.detector.describe().check(ask).map_err(WorldError::Refused)?;
        match ask.question {
            Question::NearerThan(d) => Ok(d * 0.5),
            Question::Distance => {
                let (word, what) = (self.detector.describe().word, "distance of all pairs");
                Err(WorldError::Refused(QueryError::Unanswered { word, what }))
            }
            Question::FirstContact | Question::AllContacts | Question::ContainedIn => Ok(0.0),
        }
    }

    /// Answers `wish` about all candidates.
    fn answers(
        &mut self,
        wish: Wish<'_>,
        control: &Control<'_>,
        each: &mut dyn FnMut(Found<'_>),
    ) -> Result<Summary, WorldError> {
        let detector = Arc::clone(&self.detector);
        let answers = Answers { detector: &*detector, wish, room: self.room, control };
        let mut summary = Summary::default();
        let mut deliver = |pair: &Told<'_>, Outcome { answer, holds, exchanged }: &Outcome| {
            summary.candidates += 1;
            summary.found += u64::from(*holds);
            if !holds {
                return;
            }
            let Some([a, b]) = pair.ids() else { return };
            if *exchanged {
                each(Found { a: b, b: a, b_in_a: &pair.b_in_a.inverse(), answer });
            } else {
                each(Found { a, b, b_in_a: pair.b_in_a, answer });
            }
        };
        self.run(control, &answers, &mut deliver)?;
        Ok(summary)
    }

    /// The objects that one is asked about, ascending; `own` if it is in the world.
    fn neighbours(&self, object: &Object, own: Option<ObjectId>, room: f64) -> Vec<u32> {
        let mut near = Vec::new();
        self.phase.overlapping(&object.shape.posed(&object.pose, room), &mut near);
        near.sort_unstable();
        near.retain(|&i| match (own, self.objects.at(i)) {
            (Some(own), _) => self.objects.are_asked([own.index().min(i), own.index().max(i)]),
            (None, other) => other.is_some_and(|(_, other)| object.is_asked_with(other)),
        });
        near
    }

    fn ask_around(
        &mut self,
        object: &Object,
        own: Option<ObjectId>,
        ask: &Ask,
        control: &Control<'_>,
        each: &mut dyn FnMut(ObjectId, &Answer),
    ) -> Result<Summary, WorldError> {
        // The boxes of the others keep the room they have; that of the object makes up for it.
        let room = (2.0 * self.room(ask)? - self.room).max(0.0);
        self.update(self.room, control)?;
        // Here, since there may be nothing to take in, and nothing near.
        control.check()?;
        let near = self.neighbours(object, own, room);
        let (detector, objects) = (&*self.detector, &self.objects);
        let work = |index: usize, memory: &mut PairMemory, out: &mut Outcome| {
            let Some((_, other)) = objects.at(near[index]) else { return Ok(0) };
            let b_in_a = Pose::relative(&object.pose, &other.pose);
            let (a, b) = (&**object.shape.prepared(), &**other.shape.prepared());
            detector.recall(a, b, memory, Hint::default())?;
            detector.query(a, b, &b_in_a, memory, ask, control, &mut out.answer)?;
            out.holds = holds(&out.answer);
            Ok(out.answer.contacts.len() + 16 * out.answer.details.len())
        };
        let mut found = 0;
        let mut deliver = |index: usize, out: &Outcome| {
            control.check()?;
            if out.holds
                && let Some((id, _)) = objects.at(near[index])
            {
                found += 1;
                each(id, &out.answer);
            }
            Ok(())
        };
        let fresh = || detector.memory();
        let count = near.len();
        impinge_threads::ordered(count, &mut self.memory, fresh, work, &mut deliver).map_err(
            |(index, source)| match (own, source) {
                (_, QueryError::Cancelled(cancelled)) => WorldError::Cancelled(cancelled),
                (Some(own), source) => self.failed([own.index(), near[index]], source),
                (None, source) => match self.objects.at(near[index]) {
                    Some((b, _)) => WorldError::Outside { b, source },
                    None => WorldError::Refused(source),
                },
            },
        )?;
        Ok(Summary { candidates: count as u64, found })
    }
}

/// Whether the question of an answer is true of the pair.
fn holds(answer: &Answer) -> bool {
    answer.contained.or(answer.nearer).unwrap_or_else(|| answer.verdict.is_hit())
}

/// The answers about all candidates.
struct Answers<'w> {
    detector: &'w dyn Detector,
    wish: Wish<'w>,
    /// Half of the distance that the question is about.
    room: f64,
    control: &'w Control<'w>,
}

impl Answers<'_> {
    const fn ask(&self) -> &Ask {
        match self.wish {
            Wish::One(ask) | Wish::Near(ask, _) => ask,
        }
    }
}

impl Task for Answers<'_> {
    type Out = Outcome;

    /// Of solids, the method also finds out whether they are closed.
    fn is_apart<'a>(
        &self,
        places: [&Place; 2],
        objects: impl FnOnce() -> Option<[&'a Object; 2]>,
        parting: &mut Parting,
        out: &mut Outcome,
    ) -> bool {
        let apart = !self.ask().needs_solids() && parting.parts(places, objects, self.room);
        if apart {
            (out.holds, out.exchanged) = (false, false);
        }
        apart
    }

    fn work(
        &self,
        pair: &Asked<'_>,
        memory: &mut PairMemory,
        parting: &mut Parting,
        out: &mut Outcome,
    ) -> Result<usize, QueryError> {
        answer(self.detector, self.wish, pair, memory, self.control, out)?;
        if self.ask().question != Question::ContainedIn {
            parting.learn(pair.places, [pair.a, pair.b], self.room, !out.holds);
        }
        Ok(out.answer.contacts.len() + 16 * out.answer.details.len())
    }
}

/// Asks the method about one pair.
fn answer(
    detector: &dyn Detector,
    wish: Wish<'_>,
    pair: &Asked<'_>,
    memory: &mut PairMemory,
    control: &Control<'_>,
    out: &mut Outcome,
) -> Result<(), QueryError> {
    let ((a, b), b_in_a) = (pair.models(), pair.b_in_a);
    let first = match wish {
        Wish::One(ask) | Wish::Near(ask, _) => ask,
    };
    detector.query(a, b, b_in_a, memory, first, control, &mut out.answer)?;
    (out.holds, out.exchanged) = (holds(&out.answer), false);
    match wish {
        Wish::Near(_, distance) if out.holds => {
            detector.query(a, b, b_in_a, memory, distance, control, &mut out.answer)
        }
        Wish::One(Ask { question: Question::ContainedIn, .. }) if !out.holds => {
            // A memory of its own, since that of the pair is about A and B.
            let (a_in_b, mut exchanged) = (b_in_a.inverse(), detector.memory());
            detector.query(b, a, &a_in_b, &mut exchanged, first, control, &mut out.answer)?;
            (out.holds, out.exchanged) = (holds(&out.answer), true);
            Ok(())
        }
        Wish::One(_) | Wish::Near(..) => Ok(()),
    }
}
