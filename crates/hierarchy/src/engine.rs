//! The four parts put together: one engine for every tree method.

use std::ops::ControlFlow;

use impinge_geometry::{Mesh, Point, Pose, exact};
use impinge_query::{
    Answer, Ask, Contact, Contacts, Control, Counter, Description, Engine, Inner, Meaning, Model,
    Nearest, PairKey, PrepareError, QueryError, Question, RefitError, Side, Statistics, Verdict,
    details,
};

use crate::build::{Builder, Update};
use crate::containment;
use crate::distance::{Bounded, Goal, Search};
use crate::leaf::{LeafTest, Sides};
use crate::model::TreeModel;
use crate::placement::Placement;
use crate::traverse::{Traversal, Trees, Watch};
use crate::tree::Tree;
use crate::volume::Volume;

/// A tree method: *volume × builder × traversal × leaf test*, with its description.
#[derive(Clone, Copy, Debug)]
pub struct TreeEngine<B, T, L> {
    /// What it says of itself.
    pub description: Description,
    /// Makes the tree, and with it chooses the volume.
    pub builder: B,
    /// Walks two trees.
    pub traversal: T,
    /// Tests two triangles.
    pub leaf: L,
    /// How a tree follows moved vertices.
    pub update: Update,
    /// A refit that leaves a tree this much costlier than when it was built has the next one build
    /// it anew.
    pub rebuild_above: f64,
}

impl<B, T, L> TreeEngine<B, T, L> {
    /// The four parts together; a deformed tree is built anew once it costs twice as much.
    pub const fn new(description: Description, builder: B, traversal: T, leaf: L) -> Self {
        Self { description, builder, traversal, leaf, update: Update::BottomUp, rebuild_above: 2.0 }
    }
}

/// A pair's memory: what its traversal remembers, and scratch space.
#[derive(Debug, Default)]
pub struct Memory<M> {
    pair: Option<PairKey>,
    walk: M,
    bounded: Vec<Bounded>,
}

impl<M: Default> Memory<M> {
    /// Forgets what belongs to another pair, or to models that were refitted since.
    fn belong_to(&mut self, pair: PairKey) {
        if self.pair != Some(pair) {
            (self.pair, self.walk) = (Some(pair), M::default());
        }
    }
}

impl<B: Builder, T: Traversal, L: LeafTest> Engine for TreeEngine<B, T, L> {
    type Model = TreeModel<B::Volume>;
    type Memory = Memory<T::Memory>;

    fn describe(&self) -> &Description {
        &self.description
    }

    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<Self::Model, PrepareError> {
        let most = Tree::<B::Volume>::MAX_TRIANGLES;
        check_count(self.description.word, mesh.triangles().len(), most)?;
        let tree = self.builder.build(mesh, control)?;
        Ok(TreeModel::new(mesh.clone(), tree))
    }

    fn refit(
        &self,
        model: &mut Self::Model,
        vertices: &[Point],
        control: &Control<'_>,
    ) -> Result<(), RefitError> {
        let word = self.description.word;
        let refit = self.builder.refit().ok_or(RefitError::Unsupported { word })?;
        let rule = (self.update, self.rebuild_above);
        model.follow(&self.builder, refit, rule, vertices, control)
    }

    fn memory(&self) -> Self::Memory {
        Memory::default()
    }

    fn query(
        &self,
        a: &Self::Model,
        b: &Self::Model,
        b_in_a: &Pose,
        memory: &mut Memory<T::Memory>,
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
        memory.belong_to(PairKey { a: a.id(), b: b.id() });
        let pair = Pair { engine: self, a, b, pose: b_in_a, ask, control };
        answer.statistics = if ask.count {
            pair.answer(Statistics::default(), memory, answer)?
        } else {
            pair.answer((), memory, answer)?
        };
        if ask.details {
            details::describe(answer, control, |contact| {
                (
                    a.mesh().triangle(contact.a),
                    b.mesh().triangle(contact.b).map(|x| b_in_a.apply(&x)),
                )
            })?;
        }
        Ok(())
    }
}

/// A tree takes so many triangles at most.
fn check_count(word: &'static str, count: usize, most: usize) -> Result<(), PrepareError> {
    if count <= most {
        return Ok(());
    }
    Err(PrepareError::Refused { word, reason: format!("{count} triangles, at most {most}") })
}

/// One query.
struct Pair<'q, B: Builder, T, L> {
    engine: &'q TreeEngine<B, T, L>,
    a: &'q TreeModel<B::Volume>,
    b: &'q TreeModel<B::Volume>,
    pose: &'q Pose,
    ask: &'q Ask,
    control: &'q Control<'q>,
}

impl<B: Builder, T: Traversal, L: LeafTest> Pair<'_, B, T, L> {
    fn answer<C: Counter>(
        &self,
        mut counter: C,
        memory: &mut Memory<T::Memory>,
        answer: &mut Answer,
    ) -> Result<Option<Statistics>, QueryError> {
        match self.ask.question {
            Question::FirstContact => {
                counter.stage("descent", |counter| self.contacts(true, memory, counter, answer))?;
            }
            Question::AllContacts => {
                counter
                    .stage("descent", |counter| self.contacts(false, memory, counter, answer))?;
            }
            Question::Distance => self.distance(memory, &mut counter, answer)?,
            Question::NearerThan(d) => self.nearer(d, memory, &mut counter, answer)?,
        }
        if self.ask.meaning == Meaning::Solids && answer.verdict == Verdict::Separated {
            counter.stage("containment", |counter| self.containment(counter, answer))?;
        }
        Ok(counter.finish())
    }

    fn contacts(
        &self,
        first: bool,
        memory: &mut Memory<T::Memory>,
        counter: &mut impl Counter,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        let placement = Placement::new(self.pose, self.a.max_abs(), self.b.max_abs());
        let (m, n) = (self.a.mesh(), self.b.mesh());
        let cap = self.ask.cap.filter(|_| !first);
        let mut found = Contacts::new(std::mem::take(&mut answer.contacts), cap);
        let trees = Trees::new(self.a.tree(), self.b.tree(), &placement).of_firsts(first);
        let (pose, tree_a, tree_b, frame) = (self.pose, trees.a, trees.b, trees.frame);
        let sides = Sides { a: m, b: n, pose, tree_a, tree_b, frame, firsts: first };
        let mut hit = |contact| {
            found.push(contact);
            if first { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let test = self.engine.leaf;
        let mut watch = Watch::new(self.control);
        let leaf = |pair, counter: &mut _| {
            test.leaves(&sides, pair, first, (counter, &mut watch), &mut hit)
        };
        self.engine.traversal.walk(&trees, &mut memory.walk, counter, self.control, leaf)?;
        watch.end()?;
        found.finish(answer, self.control)?;
        Ok(())
    }

    /// Contact first: where boxes overlap, a search for the distance has no bound to prune with.
    /// If they meet, a contact; the answer then holds the verdict alone.
    fn touches(
        &self,
        memory: &mut Memory<T::Memory>,
        counter: &mut impl Counter,
        answer: &mut Answer,
    ) -> Result<Option<Contact>, QueryError> {
        counter.stage("descent", |counter| self.contacts(true, memory, counter, answer))?;
        answer.contacts_found = 0;
        Ok(answer.contacts.pop())
    }

    fn distance(
        &self,
        memory: &mut Memory<T::Memory>,
        counter: &mut impl Counter,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        if let Some(triangles) = self.touches(memory, counter, answer)? {
            let at = a_common_point(self.a, self.b, self.pose, triangles);
            answer.nearest = Some(Nearest { distance: 0.0, on_a: at, on_b: at, triangles });
            return Ok(());
        }
        answer.nearest = self.search(Goal::Minimum, memory, counter)?;
        Ok(())
    }

    fn nearer(
        &self,
        d: f64,
        memory: &mut Memory<T::Memory>,
        counter: &mut impl Counter,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        let nearer = self.touches(memory, counter, answer)?.is_some()
            || self.search(Goal::Within(d), memory, counter)?.is_some();
        answer.nearer = Some(nearer);
        Ok(())
    }

    fn search(
        &self,
        goal: Goal,
        memory: &mut Memory<T::Memory>,
        counter: &mut impl Counter,
    ) -> Result<Option<Nearest>, QueryError> {
        let search = Search { a: self.a, b: self.b, pose: self.pose };
        let stack = &mut memory.bounded;
        let run = |counter: &mut _| search.run(goal, stack, counter, self.control);
        Ok(counter.stage("distance", run)?)
    }

    fn containment(
        &self,
        counter: &mut impl Counter,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        let found = containment::find(self.a, self.b, self.pose, counter, self.control)?;
        let Some((inner, at)): Option<(Inner, _)> = found else { return Ok(()) };
        answer.verdict = Verdict::Contained(inner);
        answer.nearer = answer.nearer.map(|_| true);
        if let Some(nearest) = &mut answer.nearest {
            *nearest = Nearest { distance: 0.0, on_a: at, on_b: at, ..*nearest };
        }
        Ok(())
    }
}

/// A point of both triangles of a contact.
fn a_common_point<V: Volume>(
    a: &TreeModel<V>,
    b: &TreeModel<V>,
    pose: &Pose,
    contact: Contact,
) -> Point {
    let p = a.mesh().triangle(contact.a);
    let q = b.mesh().triangle(contact.b).map(|x| pose.apply(&x));
    exact::meeting(&p, &q).map_or(p[0], |meeting| meeting.points()[0])
}

#[cfg(test)]
mod tests;
