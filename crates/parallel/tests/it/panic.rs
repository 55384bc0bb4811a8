//! A task panics while several threads work on a query.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use impinge_geometry::{Mesh, Pose};
use impinge_models::{Random, Shape};
use impinge_parallel::methods::{EdgeBoxParams, EdgeStealParams, edge_steal_with, epcd_with};
use impinge_parallel::task::Tasks;
use impinge_parallel::{Form, ParallelEngine, Pool, Schedule, Work};
use impinge_query::{Answer, Ask, Control, Counter, Engine, PrepareError, QueryError};

/// A method whose tasks panic now and then.
#[derive(Clone, Copy, Debug)]
struct Fragile<F> {
    form: F,
    /// Every so many tasks.
    every: u64,
}

static DONE: AtomicU64 = AtomicU64::new(0);

struct FragileTasks<T> {
    tasks: T,
    every: u64,
}

impl<T: Tasks> Tasks for FragileTasks<T> {
    type Task = T::Task;
    const GRAIN: usize = T::GRAIN;

    fn phases(&self) -> u32 {
        self.tasks.phases()
    }

    fn root(&self, phase: u32) -> Option<T::Task> {
        self.tasks.root(phase)
    }

    fn run<C: Counter>(
        &self,
        task: T::Task,
        work: &mut Work<'_, C>,
        next: &mut Vec<T::Task>,
    ) -> ControlFlow<()> {
        let done = 1 + DONE.fetch_add(1, Ordering::Relaxed);
        assert!(!done.is_multiple_of(self.every), "task {done} breaks");
        self.tasks.run(task, work, next)
    }
}

impl<F: Form> Form for Fragile<F> {
    type Model = F::Model;
    type Scratch = F::Scratch;
    type Tasks<'q> = FragileTasks<F::Tasks<'q>>;
    const REPEATS: bool = F::REPEATS;

    fn prepare(
        &self,
        word: &'static str,
        mesh: &Mesh,
        control: &Control<'_>,
    ) -> Result<F::Model, PrepareError> {
        self.form.prepare(word, mesh, control)
    }

    fn tasks<'q>(
        &self,
        a: &'q F::Model,
        b: &'q F::Model,
        pose: &'q Pose,
        alone: bool,
        scratch: &mut F::Scratch,
    ) -> Self::Tasks<'q> {
        FragileTasks { tasks: self.form.tasks(a, b, pose, alone, scratch), every: self.every }
    }
}

/// Asks 60 queries of an engine that breaks now and then, and of one that does not.
fn panics_are_errors<F: Form>(sound: &ParallelEngine<F>, every: u64, schedule: Schedule) {
    let form = Fragile { form: sound.form, every };
    let (description, pool) = (sound.description, sound.pool.clone());
    let fragile = ParallelEngine { description, form, schedule, pool };
    let mesh = Shape::Trefoil.mesh(400, 3);
    let model = sound.prepare(&mesh, &Control::NONE).expect("a legal mesh");
    let (mut memory, mut truth, mut answer) =
        (sound.memory(), Answer::default(), Answer::default());
    let (mut broken, mut right) = (0, 0);
    for index in 0..60 {
        let pose = Random::stream(11, index).pose(0.5 * mesh.diagonal());
        let (ask, control) = (Ask::all_contacts(), Control::NONE);
        sound
            .query(&model, &model, &pose, &mut sound.memory(), &ask, &control, &mut truth)
            .expect("an answer");
        let outcome =
            fragile.query(&model, &model, &pose, &mut memory, &ask, &control, &mut answer);
        match outcome {
            Ok(()) => {
                assert_eq!(answer.contacts, truth.contacts);
                right += 1;
            }
            Err(QueryError::Backend { reason, .. }) => {
                assert!(reason.contains("breaks"), "{reason}");
                broken += 1;
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert!(broken > 3 && right > 3, "{broken} broke, {right} did not: {schedule:?}");
}

/// A panic in a task is an error of the query, on whichever thread it happens, and the engine, the
/// model, the memory and the pool go on.
#[test]
fn a_panicking_task_is_an_error() {
    let pool = || Pool::of(2).expect("threads");
    let steal = edge_steal_with(EdgeStealParams { pool: pool(), slice: 8, ..Default::default() });
    panics_are_errors(&steal, 97, Schedule::Stealing);
    panics_are_errors(&steal, 97, Schedule::Levels(4));
    let edges = epcd_with(EdgeBoxParams { pool: pool(), ..Default::default() });
    panics_are_errors(&edges, 613, Schedule::Levels(32));
    panics_are_errors(&edges, 613, Schedule::Queue);
    panics_are_errors(&edges, 613, Schedule::Stealing);
}
