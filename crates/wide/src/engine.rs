//! `wide`: the engine.

use std::ops::ControlFlow;

use impinge_geometry::exact::{self, meeting, triangles_meet};
use impinge_geometry::{Mesh, Point, Pose, Triangle, triangle};
use impinge_query::{
    Answer, Ask, Contact, Control, Counter, Description, Engine, Inner, Meaning, Nearest, Needs,
    PrepareError, QueryError, Question, QuestionKind, RefitError, Side, Statistics, Verdict,
    details,
};

use crate::build::{self, Quality};
use crate::contain;
use crate::memory::Memory;
use crate::model::WideModel;
use crate::placement::Placement;
use crate::search::contacts::{PULSE, Walk};
use crate::search::distance::{Goal, Search};
use crate::search::{Pair, distance, pair};
use crate::share::Shared;
use crate::simd::Width;
use crate::tree::Tree;

const DESCRIPTION: Description = Description {
    word: "wide",
    title: "sixteen oriented boxes at a time, triangles four by four",
    paper: "after li 2019 (a box per node, of the kind that fits best); Gottschalk 1996; Wald 2007",
    needs: Needs { closed: false, gpu: false },
    questions: &[
        QuestionKind::FirstContact,
        QuestionKind::AllContacts,
        QuestionKind::Distance,
        QuestionKind::NearerThan,
    ],
    meanings: &[Meaning::Surfaces, Meaning::Solids],
    exact: true,
};

/// Choices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WideParams {
    /// The instruction set; none: the fastest that the processor has. One that it lacks is replaced
    /// by [`Width::Portable`]. Answers are the same.
    pub width: Option<Width>,
    /// How trees are cut.
    pub quality: Quality,
}

/// The fast engine: exact contacts, distance and containment of any triangles.
#[derive(Clone, Copy, Debug)]
pub struct Wide {
    width: Width,
    quality: Quality,
}

/// With the fastest instructions there are.
pub fn wide() -> Wide {
    wide_with(WideParams::default())
}

/// With chosen parameters.
pub fn wide_with(params: WideParams) -> Wide {
    let width = params.width.unwrap_or_else(Width::fastest);
    let width = if width.is_present() { width } else { Width::Portable };
    Wide { width, quality: params.quality }
}

impl Wide {
    /// The instructions that it uses.
    pub const fn width(&self) -> Width {
        self.width
    }
}

impl Engine for Wide {
    type Model = WideModel;
    type Memory = Memory;

    fn describe(&self) -> &Description {
        &DESCRIPTION
    }

    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<WideModel, PrepareError> {
        let (n, most) = (mesh.triangles().len(), Tree::MAX_TRIANGLES);
        if n > most {
            let reason = format!("{n} triangles, at most {most}");
            return Err(PrepareError::Refused { word: DESCRIPTION.word, reason });
        }
        let tree = build::build(mesh, self.quality, self.width, control)?;
        Ok(WideModel::new(mesh.clone(), tree))
    }

    fn refit(
        &self,
        model: &mut WideModel,
        vertices: &[Point],
        control: &Control<'_>,
    ) -> Result<(), RefitError> {
        model.follow(self.quality, self.width, vertices, control)
    }

    fn memory(&self) -> Memory {
        Memory::default()
    }

    fn query(
        &self,
        a: &WideModel,
        b: &WideModel,
        b_in_a: &Pose,
        memory: &mut Memory,
        ask: &Ask,
        control: &Control<'_>,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        answer.clear();
        control.check()?;
        b.subject().check_range(b_in_a)?;
        if ask.meaning == Meaning::Solids {
            a.subject().check_closed(Side::A, control)?;
            b.subject().check_closed(Side::B, control)?;
        }
        let asked = Asked { engine: self, models: [a, b], pose: b_in_a, ask, control };
        answer.statistics = if ask.count {
            asked.answer(Statistics::default(), memory, answer)?
        } else {
            asked.answer((), memory, answer)?
        };
        if ask.details {
            details::describe(answer, control, |contact| triangles([a, b], b_in_a, *contact))?;
        }
        Ok(())
    }

    fn batch(
        &self,
        a: &WideModel,
        b: &WideModel,
        poses: &[Pose],
        memory: &mut Memory,
        ask: &Ask,
        control: &Control<'_>,
        each: &mut dyn FnMut(usize, &Answer),
    ) -> Result<(), impinge_query::BatchError> {
        let query = |index: usize, memory: &mut Memory, answer: &mut Answer| {
            self.query(a, b, &poses[index], memory, ask, control, answer)
        };
        let fresh = Memory::default;
        impinge_query::batch::over_threads(poses.len(), memory, fresh, control, each, query)
    }
}

/// One query.
pub(crate) struct Asked<'q> {
    pub(crate) engine: &'q Wide,
    pub(crate) models: [&'q WideModel; 2],
    pub(crate) pose: &'q Pose,
    pub(crate) ask: &'q Ask,
    pub(crate) control: &'q Control<'q>,
}

impl Asked<'_> {
    pub(crate) fn answer<C: Counter>(
        &self,
        mut counter: C,
        memory: &mut Memory,
        answer: &mut Answer,
    ) -> Result<Option<Statistics>, QueryError> {
        let units = self.models.map(|model| &model.tree.units);
        let max_abs = self.models.map(WideModel::max_abs);
        memory.recall(self.models);
        if self.ask.question == Question::FirstContact && memory.met.is_some() {
            let met = counter.stage("memory", |counter| self.still_meet(memory, counter));
            if let Some(contact) = met {
                answer.contacts.push(contact);
                answer.contacts_found = 1;
                answer.verdict = Verdict::Intersecting;
                return Ok(counter.finish());
            }
        }
        let near = Placement::new(self.pose, units, max_abs);
        match self.ask.question {
            Question::FirstContact => {
                if let Some(placement) = &near {
                    let pair = Pair { models: self.models, pose: self.pose, placement };
                    counter.stage("descent", |c| self.first(pair, memory, c, answer))?;
                }
            }
            Question::AllContacts => {
                if let Some(placement) = &near {
                    let pair = Pair { models: self.models, pose: self.pose, placement };
                    counter.stage("descent", |c| self.all(pair, memory, c, answer))?;
                }
            }
            Question::Distance => self.distance(near.as_ref(), memory, &mut counter, answer)?,
            Question::NearerThan(d) => {
                self.nearer(d, near.as_ref(), memory, &mut counter, answer)?;
            }
        }
        if self.ask.meaning == Meaning::Solids && answer.verdict == Verdict::Separated {
            counter.stage("containment", |counter| self.containment(counter, answer))?;
        }
        Ok(counter.finish())
    }

    /// The contact of the last query, if it is one in this pose too.
    fn still_meet<C: Counter>(&self, memory: &mut Memory, counter: &mut C) -> Option<Contact> {
        let contact = memory.met.take()?;
        counter.primitives(1);
        let (p, q) = triangles(self.models, self.pose, contact);
        memory.met = triangles_meet(&p, &q).then_some(contact);
        memory.met
    }

    /// The triangles that were nearest in the last query, in this pose.
    fn remembered<C: Counter>(
        &self,
        memory: &Memory,
        counter: &mut C,
    ) -> Option<(Triangle, Triangle)> {
        let contact = memory.nearest?;
        counter.primitives(1);
        Some(triangles(self.models, self.pose, contact))
    }

    /// How far apart they are, and what rounding may add to that, generously: pairs beyond cannot be what
    /// a search without memory would find.
    fn still_near<C: Counter>(&self, memory: &Memory, counter: &mut C) -> Option<f64> {
        let (p, q) = self.remembered(memory, counter)?;
        let distance = triangle::distance_apart(&p, &q).0;
        let edge = |t: &Triangle| (t[1] - t[0]).amax().max((t[2] - t[0]).amax());
        let rounding = 1e-6 * distance + 1e-12 * edge(&p).max(edge(&q)) + f64::MIN_POSITIVE;
        Some(distance + rounding)
    }

    fn first<C: Counter>(
        &self,
        pair: Pair<'_>,
        memory: &mut Memory,
        counter: &mut C,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        let contacts = &mut answer.contacts;
        let hit = |contact| {
            contacts.push(contact);
            ControlFlow::Break(())
        };
        memory.stack.begin(&pair);
        let (stack, control) = (&mut memory.stack, self.control);
        let (pulses, pulse, decide) = (u32::MAX, PULSE, pair::meet);
        let walk =
            Walk::<_, _, _, true> { pair, pulses, pulse, stack, counter, control, hit, decide };
        self.engine.width.run(walk)?;
        memory.met = answer.contacts.last().copied();
        if memory.met.is_some() {
            answer.contacts_found = 1;
            answer.verdict = Verdict::Intersecting;
        }
        Ok(())
    }

    fn all<C: Counter>(
        &self,
        pair: Pair<'_>,
        memory: &mut Memory,
        counter: &mut C,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        let cap = self.ask.cap.unwrap_or(usize::MAX);
        let (width, control) = (self.engine.width, self.control);
        let space = std::mem::take(&mut answer.contacts);
        let shared = Shared { width, pair, control, cap };
        Ok(shared.all(&mut memory.stack, space, counter)?.finish(answer, control)?)
    }

    /// A contact, if they meet: a search for the distance would have no bound to prune with.
    fn touches<C: Counter>(
        &self,
        near: Option<&Placement>,
        memory: &mut Memory,
        counter: &mut C,
        answer: &mut Answer,
    ) -> Result<Option<Contact>, QueryError> {
        let Some(placement) = near else { return Ok(None) };
        let pair = Pair { models: self.models, pose: self.pose, placement };
        counter.stage("descent", |counter| self.first(pair, memory, counter, answer))?;
        answer.contacts_found = 0;
        Ok(answer.contacts.pop())
    }

    fn distance<C: Counter>(
        &self,
        near: Option<&Placement>,
        memory: &mut Memory,
        counter: &mut C,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        answer.nearest = if let Some(triangles) = self.touches(near, memory, counter, answer)? {
            let at = self.a_common_point(triangles);
            Some(Nearest { distance: 0.0, on_a: at, on_b: at, triangles })
        } else {
            let most = self.still_near(memory, counter);
            let found = self.search(Goal::Minimum, most, memory, counter)?;
            // Where rounding was greater than it can be.
            if found.is_none() { self.search(Goal::Minimum, None, memory, counter)? } else { found }
        };
        memory.nearest = answer.nearest.map(|nearest| nearest.triangles);
        Ok(())
    }

    fn nearer<C: Counter>(
        &self,
        d: f64,
        near: Option<&Placement>,
        memory: &mut Memory,
        counter: &mut C,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        // Where surfaces meet the verdict says so: only a pair that is apart can be remembered here.
        if self.touches(near, memory, counter, answer)?.is_some() {
            answer.nearer = Some(d >= 0.0);
            return Ok(());
        }
        answer.nearer = Some(false);
        // Surfaces that are apart are at no distance of zero, less, or no number.
        if !(d > 0.0) {
            return Ok(());
        }
        let known = self.remembered(memory, counter).is_some_and(|(p, q)| exact::within(&p, &q, d));
        if !known {
            let found = self.search(Goal::Within(d), Some(d), memory, counter)?;
            let Some(nearest) = found else { return Ok(()) };
            memory.nearest = Some(nearest.triangles);
        }
        answer.nearer = Some(true);
        Ok(())
    }

    fn search<C: Counter>(
        &self,
        goal: Goal,
        most: Option<f64>,
        memory: &mut Memory,
        counter: &mut C,
    ) -> Result<Option<Nearest>, QueryError> {
        let units = self.models.map(|model| &model.tree.units);
        let max_abs = self.models.map(WideModel::max_abs);
        let placement = &Placement::however_far(self.pose, units, max_abs);
        let pair = Pair { models: self.models, pose: self.pose, placement };
        let (stack, control) = (&mut memory.bounded, self.control);
        let run = |counter: &mut C| {
            let pulse = distance::PULSE;
            self.engine.width.run(Search { pair, goal, most, pulse, stack, counter, control })
        };
        Ok(counter.stage("distance", run)?)
    }

    fn containment<C: Counter>(
        &self,
        counter: &mut C,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        let found = contain::find(self.models, self.pose, counter, self.control)?;
        let Some((inner, at)): Option<(Inner, _)> = found else { return Ok(()) };
        answer.verdict = Verdict::Contained(inner);
        if let Question::NearerThan(d) = self.ask.question {
            answer.nearer = Some(d >= 0.0);
        }
        if let Some(nearest) = &mut answer.nearest {
            *nearest = Nearest { distance: 0.0, on_a: at, on_b: at, ..*nearest };
        }
        Ok(())
    }

    fn a_common_point(&self, contact: Contact) -> Point {
        let (p, q) = triangles(self.models, self.pose, contact);
        meeting(&p, &q).map_or(p[0], |meeting| meeting.points()[0])
    }
}

/// A contact's triangles, B's posed.
pub(crate) fn triangles(
    [a, b]: [&WideModel; 2],
    pose: &Pose,
    contact: Contact,
) -> (Triangle, Triangle) {
    let q = b.mesh().triangle(contact.b).map(|x| pose.apply(&x));
    (a.mesh().triangle(contact.a), q)
}
