//! The engine of all parallel methods: *model and tasks × schedule × pool*.

use std::any::Any;
use std::fmt::Debug;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use impinge_geometry::{Mesh, Point, Pose};
use impinge_hierarchy::containment::Surface;
use impinge_query::{
    Ask, Backend, Cancelled, Contact, Contacts, Control, Counter, Description, Found, MeshModel,
    Moment, PrepareError, Query, QueryError, Question, Search, Side, order,
};

use rayon::slice::ParallelSliceMut;

use crate::model::OnTree;
use crate::pool::Pool;
use crate::schedule::Schedule;
use crate::task::Tasks;
use crate::trace::Trace;
use crate::workers::Workers;

/// The specific part of a method: its models and its tasks.
pub trait Form: Copy + Debug + Send + Sync + 'static {
    /// A prepared mesh.
    type Model: OnTree;
    /// Allocations kept between queries.
    type Scratch: Default + Send + Sync + 'static;
    /// The tasks of one query.
    type Tasks<'q>: Tasks;

    /// Whether a contact may be reported several times.
    const REPEATS: bool;

    /// Prepares a mesh.
    ///
    /// # Errors
    /// [`PrepareError`] if it cannot, or the caller cancelled.
    fn prepare(
        &self,
        word: &'static str,
        mesh: &Mesh,
        control: &Control<'_>,
    ) -> Result<Self::Model, PrepareError>;

    /// The tasks of one query. `alone`: one thread will do them all, so tasks need not be split for
    /// others.
    fn tasks<'q>(
        &self,
        a: &'q Self::Model,
        b: &'q Self::Model,
        pose: &'q Pose,
        alone: bool,
        scratch: &mut Self::Scratch,
    ) -> Self::Tasks<'q>;

    /// Returns the allocations of a finished query.
    fn give_back(&self, tasks: Self::Tasks<'_>, scratch: &mut Self::Scratch) {
        let _ = (tasks, scratch);
    }
}

/// A parallel method.
#[derive(Clone, Debug)]
pub struct ParallelEngine<F> {
    /// Name, source and abilities of the method.
    pub description: Description,
    /// The method's models and tasks.
    pub form: F,
    /// The order of tasks, and which run at the same time.
    pub schedule: Schedule,
    /// Where the threads come from.
    pub pool: Pool,
}

impl<F: Form> Search for ParallelEngine<F> {
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

    /// Nothing to do: the memory holds only allocations.
    fn forget(&self, _: &mut F::Scratch) {}

    fn contacts<C: Counter>(
        &self,
        query: &Query<'_, F::Model>,
        scratch: &mut F::Scratch,
        counter: &mut C,
        found: &mut Found<'_>,
    ) -> Result<(), QueryError> {
        counter.stage("descent", |counter| self.descend(query, scratch, counter, found))
    }

    fn winding<'q, C: Counter>(
        &'q self,
        query: Query<'q, F::Model>,
        solid: Side,
    ) -> impl FnMut(&Point, &mut C) -> Result<i32, Cancelled> {
        Surface::about(&query.of(query.a.tree(), query.b.tree()), solid)
    }
}

impl<F: Form> ParallelEngine<F> {
    /// Answers a contact question on this thread, running its tasks in the portions that several
    /// threads would take, and times each. For `FirstContact`, the tasks run depend on the order.
    ///
    /// # Errors
    /// Those of [`Engine::query`](impinge_query::Engine::query).
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
        let start = Moment::now();
        let mut scratch = F::Scratch::default();
        let tasks = self.form.tasks(a, b, b_in_a, false, &mut scratch);
        let mut trace = Trace::default();
        let mut after = None;
        let mut before = start.elapsed();
        if !tasks.apart(&mut ()) {
            let found =
                if first { Contacts::first(Vec::new()) } else { Contacts::new(Vec::new(), None) };
            let workers = Workers::new(&tasks, &Pool::Caller, &Control::NONE, (&(), found));
            before = start.elapsed();
            trace.tasks = self.schedule.trace(&workers);
            after = Some(Moment::now());
            let mut contacts = workers.finish()?.0.into_list();
            contacts.sort_unstable_by_key(|contact| order::key(*contact));
        }
        let serial = before + after.map_or(Duration::ZERO, Moment::elapsed);
        trace.serial_nanoseconds = u64::try_from(serial.as_nanos()).unwrap_or(u64::MAX);
        Ok(trace)
    }
}

impl<F: Form> ParallelEngine<F> {
    fn descend<C: Counter>(
        &self,
        query: &Query<'_, F::Model>,
        scratch: &mut F::Scratch,
        counter: &mut C,
        found: &mut Found<'_>,
    ) -> Result<(), QueryError> {
        let pool = match self.schedule {
            Schedule::Queue => &Pool::Caller,
            Schedule::Levels(_) | Schedule::Stealing => &self.pool,
        };
        let threads = pool.threads();
        let pool = if threads > 1 { pool } else { &Pool::Caller };
        let tasks = self.form.tasks(query.a, query.b, query.pose, threads == 1, scratch);
        if threads > 1 {
            *found.backend = Backend::Threads(threads as u32);
        }
        if tasks.apart(counter) {
            self.form.give_back(tasks, scratch);
            return Ok(());
        }
        let found = &mut found.contacts;
        if F::REPEATS {
            found.expect_repeats();
        }
        let empty = found.fork();
        let start = (&*counter, std::mem::replace(found, empty));
        let workers = Workers::new(&tasks, pool, query.control, start);
        let done = catch_unwind(AssertUnwindSafe(|| self.schedule.run(&workers)));
        let all = workers.finish();
        self.form.give_back(tasks, scratch);
        if let Err(payload) = done {
            let (word, reason) = (self.description.word, reason(payload.as_ref()));
            return Err(QueryError::Backend { word, reason });
        }
        let (contacts, counted) = all?;
        counter.merge(counted);
        *found = contacts;
        if threads > 1 && PARALLEL_SORT.contains(&found.held()) {
            let sort = |list: &mut [Contact]| list.par_sort_unstable_by_key(|c| order::key(*c));
            pool.enter(|| found.sort_with(sort));
        }
        Ok(())
    }
}

/// Numbers of contacts that several threads sort together. More are sorted by one thread, which
/// polls the caller's flag.
const PARALLEL_SORT: Range<usize> = 1 << 13..1 << 19;

/// The message of a panic.
fn reason(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
    format!("a task panicked: {}", text.unwrap_or_else(|| "it did not say why".to_owned()))
}
