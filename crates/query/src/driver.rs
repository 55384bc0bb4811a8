//! The steps that all methods share around their search. Implementing [`Search`] makes a method an
//! [`Engine`].
//!
//! 1. Clear the answer. Check cancellation, the ask, and the range of B's posed vertices; for
//!    solids, check that both surfaces are closed.
//! 2. Drop what the memory holds of another pair or an older epoch.
//! 3. Run the search. A distance query first looks for one contact: where bounds overlap, a
//!    distance search has nothing to prune with.
//! 4. If solids are asked for and the surfaces are apart, test a vertex of each component for
//!    containment in the other. Whether B is wholly inside A needs all components of B.
//! 5. Fill in statistics and details.

mod containment;
mod distance;
mod memory;
mod search;

use impinge_geometry::{Mesh, Point, Pose, Triangle};

use crate::{
    Answer, Ask, BatchError, Certainty, Contact, Contacts, Control, Counter, Description, Engine,
    Hint, PairKey, PrepareError, QueryError, Question, RefitError, Side, Statistics, Subject,
    Verdict, batch, details,
};

pub use containment::winding;
pub use memory::Memory;
pub use search::{Batching, Found, Goal, MeshModel, Search};

/// One query: B placed by `pose` in A's frame.
#[derive(Debug)]
pub struct Query<'q, M> {
    /// The model in whose frame the query is asked.
    pub a: &'q M,
    /// The posed model.
    pub b: &'q M,
    /// B's pose in A's frame.
    pub pose: &'q Pose,
    /// The question and its options. Which function of the search is called says what to find.
    pub ask: &'q Ask,
    /// Cancellation and progress.
    pub control: &'q Control<'q>,
}

impl<M> Clone for Query<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Query<'_, M> {}

impl<'q, M> Query<'q, M> {
    /// The same query with other models of the same meshes.
    pub const fn of<N>(&self, a: &'q N, b: &'q N) -> Query<'q, N> {
        Query { a, b, pose: self.pose, ask: self.ask, control: self.control }
    }
}

impl<'q, M: MeshModel> Query<'q, M> {
    /// The mesh, identity and extent of one of the models.
    pub fn subject(&self, side: Side) -> &'q Subject {
        match side {
            Side::A => self.a.subject(),
            Side::B => self.b.subject(),
        }
    }

    /// Triangle `t` of B in A's frame.
    pub fn posed(&self, t: u32) -> Triangle {
        self.b.subject().mesh().triangle(t).map(|p| self.pose.apply(&p))
    }

    /// The two triangles of a contact in A's frame.
    pub fn triangles(&self, contact: Contact) -> (Triangle, Triangle) {
        (self.a.subject().mesh().triangle(contact.a), self.posed(contact.b))
    }
}

impl<S: Search> Engine for S {
    type Model = S::Model;
    type Memory = Memory<S::Memory>;

    fn describe(&self) -> &Description {
        Search::describe(self)
    }

    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<S::Model, PrepareError> {
        Search::prepare(self, mesh, control)
    }

    fn refit(
        &self,
        model: &mut S::Model,
        vertices: &[Point],
        control: &Control<'_>,
    ) -> Result<(), RefitError> {
        Search::refit(self, model, vertices, control)
    }

    fn memory(&self) -> Self::Memory {
        Memory::new(Search::memory(self))
    }

    fn hint(&self, memory: &Self::Memory) -> Hint {
        if !S::REMEMBERS {
            return Hint::default();
        }
        Hint { place: self.place(&memory.own), ..memory.hint() }
    }

    fn recall(&self, a: &S::Model, b: &S::Model, memory: &mut Self::Memory, hint: Hint) {
        let (a, b) = (a.subject(), b.subject());
        memory.recall([a, b], hint, |own| {
            self.forget(own);
            self.recall_place(own, hint.place);
        });
    }

    fn query(
        &self,
        a: &S::Model,
        b: &S::Model,
        b_in_a: &Pose,
        memory: &mut Self::Memory,
        ask: &Ask,
        control: &Control<'_>,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        let query = Query { a, b, pose: b_in_a, ask, control };
        self.answer(&query, memory, answer)
    }

    fn query_self(
        &self,
        model: &S::Model,
        memory: &mut Self::Memory,
        ask: &Ask,
        control: &Control<'_>,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        let counter = ask.count.then(Statistics::default);
        self_contacts(self, model, counter, (memory, answer), ask, control)
    }

    fn batch(
        &self,
        a: &S::Model,
        b: &S::Model,
        poses: &[Pose],
        memory: &mut Self::Memory,
        ask: &Ask,
        control: &Control<'_>,
        each: &mut dyn FnMut(usize, &Answer),
    ) -> Result<(), BatchError> {
        let query = |index: usize, memory: &mut Self::Memory, answer: &mut Answer| {
            self.query(a, b, &poses[index], memory, ask, control, answer)
        };
        match self.batching() {
            Batching::InOrder => batch::in_order(poses.len(), control, each, |index, answer| {
                query(index, memory, answer)
            }),
            Batching::OverThreads => {
                let fresh = || Engine::memory(self);
                batch::over_threads(poses.len(), memory, fresh, control, each, query)
            }
            Batching::Ahead => {
                let mut ahead = 0;
                batch::in_order(poses.len(), control, each, |index, answer| {
                    if index == ahead {
                        let next = Query { a, b, pose: &poses[index], ask, control };
                        ahead += look_ahead(self, &next, &poses[index..], memory)?;
                    }
                    query(index, memory, answer)
                })
            }
        }
    }
}

/// Whether a query may be asked.
#[inline]
fn check<S: Search>(search: &S, query: &Query<'_, S::Model>) -> Result<(), QueryError> {
    query.control.check()?;
    Search::describe(search).check(query.ask)?;
    query.b.subject().check_range(query.pose)?;
    if query.ask.needs_solids() {
        query.a.subject().check_closed(Side::A, query.control)?;
        query.b.subject().check_closed(Side::B, query.control)?;
    }
    Ok(())
}

/// Most poses that a search sees ahead.
const AHEAD: usize = 1 << 12;

/// Lets a search prepare the next queries of a batch, as far as their poses are in range; returns
/// how many it has seen, at least one.
fn look_ahead<S: Search>(
    search: &S,
    query: &Query<'_, S::Model>,
    poses: &[Pose],
    memory: &mut Memory<S::Memory>,
) -> Result<usize, QueryError> {
    check(search, query)?;
    let first = match query.ask.question {
        Question::FirstContact | Question::ContainedIn => true,
        Question::AllContacts => false,
        Question::Distance | Question::NearerThan(_) => return Ok(poses.len()),
    };
    let (subject, next) = (query.b.subject(), poses.iter().take(AHEAD));
    let in_range = next.take_while(|pose| subject.check_range(pose).is_ok()).count();
    let pair = PairKey { a: query.a.subject().id(), b: subject.id() };
    memory.belong_to(pair, |own| search.forget(own));
    Ok(search.look_ahead(query, &poses[..in_range], first, &mut memory.own)?.max(1))
}

/// Answers a query with the caller's own counter: [`Engine::query`] of every [`Search`].
///
/// # Errors
/// As [`Engine::query`].
#[inline]
pub fn answer<S: Search, C: Counter>(
    search: &S,
    query: &Query<'_, S::Model>,
    counter: C,
    memory: &mut Memory<S::Memory>,
    answer: &mut Answer,
) -> Result<(), QueryError> {
    answer.clear();
    check(search, query)?;
    let pair = PairKey { a: query.a.subject().id(), b: query.b.subject().id() };
    memory.belong_to(pair, |own| search.forget(own));
    let mut run = Run { search, query, counter, memory, answer };
    run.whole()?;
    run.end()
}

/// Answers a query about a model with itself: [`Engine::query_self`] of every [`Search`].
fn self_contacts<S: Search, C: Counter>(
    search: &S,
    model: &S::Model,
    counter: C,
    (memory, answer): (&mut Memory<S::Memory>, &mut Answer),
    ask: &Ask,
    control: &Control<'_>,
) -> Result<(), QueryError> {
    answer.clear();
    control.check()?;
    Search::describe(search).check_self(ask)?;
    let id = model.subject().id();
    memory.belong_to(PairKey { a: id, b: id }, |own| search.forget(own));
    let still = Pose::identity();
    let query = &Query { a: model, b: model, pose: &still, ask, control };
    let mut run = Run { search, query, counter, memory, answer };
    let first = ask.question == Question::FirstContact;
    run.collect(first, S::self_contacts)?;
    run.end()
}

struct Run<'r, 'q, S: Search, C> {
    search: &'r S,
    query: &'r Query<'q, S::Model>,
    counter: C,
    memory: &'r mut Memory<S::Memory>,
    answer: &'r mut Answer,
}

impl<S: Search, C: Counter> Run<'_, '_, S, C> {
    #[inline]
    fn whole(&mut self) -> Result<(), QueryError> {
        let (search, query) = (self.search, self.query);
        if search.settle(query, &mut self.memory.own, &mut self.counter, self.answer)? {
            return Ok(());
        }
        match query.ask.question {
            Question::FirstContact | Question::ContainedIn => {
                let known = S::REMEMBERS
                    && self.memory.met.is_some()
                    && !search.starts_at_place(&self.memory.own);
                if !known || !self.still_meet() {
                    self.contacts(true)?;
                }
            }
            Question::AllContacts => self.contacts(false)?,
            Question::Distance => self.distance()?,
            Question::NearerThan(d) => self.nearer(d)?,
        }
        let apart = self.answer.verdict == Verdict::Separated;
        if apart && query.ask.needs_solids() && search.leaves_containment() {
            self.containment()?;
        }
        if query.ask.question == Question::ContainedIn {
            self.answer.contained = Some(self.is_wholly_inside()?);
        }
        Ok(())
    }

    #[inline(always)]
    fn contacts(&mut self, first: bool) -> Result<(), QueryError> {
        // A closure, since a function item is not inlined, which costs 30 instructions a query.
        self.collect(
            first,
            #[inline(always)]
            |search: &S,
             query: &Query<'_, S::Model>,
             own: &mut S::Memory,
             counter: &mut C,
             found: &mut Found<'_>| { search.contacts(query, own, counter, found) },
        )?;
        if S::REMEMBERS && first {
            self.memory.met = self.answer.contacts.first().copied();
        }
        Ok(())
    }

    #[inline(always)]
    fn collect(
        &mut self,
        first: bool,
        find: impl FnOnce(
            &S,
            &Query<'_, S::Model>,
            &mut S::Memory,
            &mut C,
            &mut Found<'_>,
        ) -> Result<(), QueryError>,
    ) -> Result<(), QueryError> {
        let space = std::mem::take(&mut self.answer.contacts);
        let cap = self.query.ask.cap;
        let contacts = if first { Contacts::first(space) } else { Contacts::new(space, cap) };
        let Answer { certainty, backend, .. } = &mut *self.answer;
        let mut found = Found { contacts, certainty, backend };
        find(self.search, self.query, &mut self.memory.own, &mut self.counter, &mut found)?;
        found.contacts.finish(self.answer, self.query.control)?;
        Ok(())
    }

    #[inline]
    fn end(self) -> Result<(), QueryError> {
        let Self { search, query, answer, counter, .. } = self;
        // A method that is not exact and says no more of this answer.
        if !search.describe().exact && answer.certainty == Certainty::Exact {
            answer.certainty = Certainty::Incomplete;
        }
        if counter.counts() {
            answer.statistics = counter.finish();
        }
        if query.ask.details {
            details::describe(answer, query.control, &|contact| query.triangles(*contact))?;
        }
        Ok(())
    }
}
