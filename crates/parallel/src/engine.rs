//! One engine for all parallel methods: *model and tasks × schedule × pool*.

use std::any::Any;
use std::fmt::Debug;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use impinge_geometry::{Mesh, Pose};
use impinge_hierarchy::containment;
use impinge_query::{
    Answer, Ask, Backend, Control, Counter, Description, Engine, Inner, Meaning, PrepareError,
    QueryError, Question, Side, Statistics, Verdict, details, order,
};

use rayon::slice::ParallelSliceMut;

use crate::crew::{Crew, Found};
use crate::model::OnTree;
use crate::pool::Pool;
use crate::schedule::Schedule;
use crate::task::Tasks;
use crate::trace::Trace;

/// What a method does: how it prepares a mesh, and what its tasks are.
pub trait Form: Copy + Debug + Send + Sync + 'static {
    /// A prepared mesh.
    type Model: OnTree;
    /// What lasts from query to query: allocations.
    type Scratch: Default + Send + 'static;
    /// The tasks of one query.
    type Tasks<'q>: Tasks;

    /// May a contact be reported several times?
    const REPEATS: bool;

    /// Makes a mesh ready.
    ///
    /// # Errors
    /// [`PrepareError`] if it cannot, or the caller cancelled.
    fn prepare(
        &self,
        word: &'static str,
        mesh: &Mesh,
        control: &Control<'_>,
    ) -> Result<Self::Model, PrepareError>;

    /// The tasks of one query. `alone`: one thread will do them all, so that none need be left for
    /// others.
    fn tasks<'q>(
        &self,
        a: &'q Self::Model,
        b: &'q Self::Model,
        pose: &'q Pose,
        alone: bool,
        scratch: &mut Self::Scratch,
    ) -> Self::Tasks<'q>;

    /// Takes allocations back from what a query is done with.
    fn give_back(&self, tasks: Self::Tasks<'_>, scratch: &mut Self::Scratch) {
        let _ = (tasks, scratch);
    }
}

/// A parallel method.
#[derive(Clone, Debug)]
pub struct ParallelEngine<F> {
    /// What it says of itself.
    pub description: Description,
    /// What it does.
    pub form: F,
    /// Who does it when.
    pub schedule: Schedule,
    /// The threads.
    pub pool: Pool,
}

impl<F: Form> Engine for ParallelEngine<F> {
    type Model = F::Model;
    type Memory = F::Scratch;

    fn describe(&self) -> &Description {
        &self.description
    }

    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<F::Model, PrepareError> {
        self.form.prepare(self.description.word, mesh, control)
    }

    fn memory(&self) -> F::Scratch {
        F::Scratch::default()
    }

    fn query(
        &self,
        a: &F::Model,
        b: &F::Model,
        b_in_a: &Pose,
        memory: &mut F::Scratch,
        ask: &Ask,
        control: &Control<'_>,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        answer.clear();
        control.check()?;
        b.tree().subject().check_range(b_in_a)?;
        if ask.meaning == Meaning::Solids {
            a.tree().subject().check_closed(Side::A, control)?;
            b.tree().subject().check_closed(Side::B, control)?;
        }
        let first = match ask.question {
            Question::FirstContact => true,
            Question::AllContacts => false,
            Question::Distance | Question::NearerThan(_) => {
                self.description.check(ask)?;
                let (word, what) = (self.description.word, "distance");
                return Err(QueryError::Unanswered { word, what });
            }
        };
        let pair = Pair { engine: self, a, b, pose: b_in_a, ask, control, first };
        answer.statistics = if ask.count {
            pair.answer(Statistics::default(), memory, answer)?
        } else {
            pair.answer((), memory, answer)?
        };
        if ask.details {
            let (p, q) = (a.tree().mesh(), b.tree().mesh());
            details::describe(answer, control, |contact| {
                (p.triangle(contact.a), q.triangle(contact.b).map(|x| b_in_a.apply(&x)))
            })?;
        }
        Ok(())
    }
}

impl<F: Form> ParallelEngine<F> {
    /// Answers a contact question on this thread, doing its tasks in the portions that several
    /// threads would take, and times each of them. What `FirstContact` stops at depends on the order.
    ///
    /// # Errors
    /// As [`Engine::query`].
    pub fn trace(
        &self,
        a: &F::Model,
        b: &F::Model,
        b_in_a: &Pose,
        ask: &Ask,
    ) -> Result<Trace, QueryError> {
        self.description.check(ask)?;
        b.tree().subject().check_range(b_in_a)?;
        let first = ask.question == Question::FirstContact;
        let start = Instant::now();
        let mut scratch = F::Scratch::default();
        let tasks = self.form.tasks(a, b, b_in_a, false, &mut scratch);
        let mut trace = Trace::default();
        let mut after = None;
        let mut before = start.elapsed();
        if !tasks.apart(&mut ()) {
            let begin = (&(), Vec::new());
            let crew = Crew::new(&tasks, &Pool::Caller, &Control::NONE, (first, None), begin);
            before = start.elapsed();
            trace.tasks = self.schedule.trace(&crew);
            after = Some(Instant::now());
            crew.finish()?.contacts.sort_unstable_by_key(|contact| order::key(*contact));
        }
        let serial = before + after.map_or(Duration::ZERO, |after| after.elapsed());
        trace.serial_nanoseconds = u64::try_from(serial.as_nanos()).unwrap_or(u64::MAX);
        Ok(trace)
    }
}

/// One query.
struct Pair<'q, F: Form> {
    engine: &'q ParallelEngine<F>,
    a: &'q F::Model,
    b: &'q F::Model,
    pose: &'q Pose,
    ask: &'q Ask,
    control: &'q Control<'q>,
    first: bool,
}

impl<F: Form> Pair<'_, F> {
    fn answer<C: Counter>(
        &self,
        mut counter: C,
        scratch: &mut F::Scratch,
        answer: &mut Answer,
    ) -> Result<Option<Statistics>, QueryError> {
        counter.stage("descent", |counter| self.contacts(counter, scratch, answer))?;
        if self.ask.meaning == Meaning::Solids && answer.verdict == Verdict::Separated {
            counter.stage("containment", |counter| self.containment(counter, answer))?;
        }
        Ok(counter.finish())
    }

    fn contacts<C: Counter>(
        &self,
        counter: &mut C,
        scratch: &mut F::Scratch,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        let engine = self.engine;
        let pool = match engine.schedule {
            Schedule::Queue => &Pool::Caller,
            Schedule::Levels(_) | Schedule::Stealing => &engine.pool,
        };
        let threads = pool.threads();
        let tasks = engine.form.tasks(self.a, self.b, self.pose, threads == 1, scratch);
        if threads > 1 {
            answer.backend = Backend::Threads(threads as u32);
        }
        if tasks.apart(counter) {
            engine.form.give_back(tasks, scratch);
            return Ok(());
        }
        let cap = self.ask.cap.filter(|_| !self.first);
        let stop = (self.first, cap.filter(|_| !F::REPEATS));
        let start = (&*counter, std::mem::take(&mut answer.contacts));
        let crew = Crew::new(&tasks, pool, self.control, stop, start);
        let done = catch_unwind(AssertUnwindSafe(|| engine.schedule.run(&crew)));
        let found = crew.finish();
        engine.form.give_back(tasks, scratch);
        if let Err(payload) = done {
            let (word, reason) = (engine.description.word, reason(payload.as_ref()));
            return Err(QueryError::Backend { word, reason });
        }
        let Found { contacts, reports, counter: counted } = found?;
        counter.merge(counted);
        answer.contacts = contacts;
        if threads > 1 && PARALLEL_SORT.contains(&answer.contacts.len()) {
            pool.enter(|| answer.contacts.par_sort_unstable_by_key(|contact| order::key(*contact)));
        } else {
            order::sort(&mut answer.contacts, self.control)?;
        }
        answer.contacts_found = reports;
        if F::REPEATS {
            answer.contacts.dedup();
            answer.contacts_found = answer.contacts.len() as u64;
        }
        if self.first {
            answer.contacts_found = reports.min(1);
        }
        answer.contacts.truncate(if self.first { 1 } else { cap.unwrap_or(usize::MAX) });
        if answer.contacts_found > 0 {
            answer.verdict = Verdict::Intersecting;
        }
        Ok(())
    }

    fn containment(
        &self,
        counter: &mut impl Counter,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        let (a, b) = (self.a.tree(), self.b.tree());
        let found = containment::find(a, b, self.pose, counter, self.control)?;
        if let Some((inner, _)) = found as Option<(Inner, _)> {
            answer.verdict = Verdict::Contained(inner);
        }
        Ok(())
    }
}

/// So many contacts several threads sort together. More are sorted by one, which looks whether the
/// caller has cancelled.
const PARALLEL_SORT: Range<usize> = 1 << 13..1 << 19;

/// What a panic said.
fn reason(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
    format!("a task panicked: {}", text.unwrap_or_else(|| "it did not say why".to_owned()))
}
