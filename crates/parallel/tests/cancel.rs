//! The caller cancels while several threads work on a query.
//!
//! A program of its own: what memory the process holds is measured, over all its threads.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicI64, Ordering};

use impinge_geometry::{Mesh, Pose};
use impinge_models::{Random, Shape};
use impinge_parallel::methods::{
    EdgeBoxParams, EdgeStealParams, SimpleParams, edge_steal_with, epcd_with, spcd_with,
};
use impinge_parallel::task::Tasks;
use impinge_parallel::{Form, ParallelEngine, Pool, Schedule, Work};
use impinge_query::{Answer, Ask, Cancel, Control, Counter, Engine, PrepareError, QueryError};

/// The flag, and after how many more tasks it is raised, by whichever thread does that task.
static CANCEL: Cancel = Cancel::new();
static LEFT: AtomicI64 = AtomicI64::new(i64::MAX);

/// A method during whose tasks the caller cancels.
#[derive(Clone, Copy, Debug)]
struct Interrupted<F>(F);

struct InterruptedTasks<T>(T);

impl<T: Tasks> Tasks for InterruptedTasks<T> {
    type Task = T::Task;
    const GRAIN: usize = T::GRAIN;

    fn phases(&self) -> u32 {
        self.0.phases()
    }

    fn root(&self, phase: u32) -> Option<T::Task> {
        self.0.root(phase)
    }

    fn run<C: Counter>(
        &self,
        task: T::Task,
        work: &mut Work<'_, C>,
        next: &mut Vec<T::Task>,
    ) -> ControlFlow<()> {
        if LEFT.fetch_sub(1, Ordering::Relaxed) == 0 {
            CANCEL.cancel();
        }
        self.0.run(task, work, next)
    }
}

impl<F: Form> Form for Interrupted<F> {
    type Model = F::Model;
    type Scratch = F::Scratch;
    type Tasks<'q> = InterruptedTasks<F::Tasks<'q>>;
    const REPEATS: bool = F::REPEATS;

    fn prepare(
        &self,
        word: &'static str,
        mesh: &Mesh,
        control: &Control<'_>,
    ) -> Result<F::Model, PrepareError> {
        self.0.prepare(word, mesh, control)
    }

    fn tasks<'q>(
        &self,
        a: &'q F::Model,
        b: &'q F::Model,
        pose: &'q Pose,
        alone: bool,
        scratch: &mut F::Scratch,
    ) -> Self::Tasks<'q> {
        InterruptedTasks(self.0.tasks(a, b, pose, alone, scratch))
    }
}

/// Cancels queries at random tasks. Each ends as an answer or as an error, every answer is right, and
/// nothing is left behind that would make the next one wrong or fill the memory.
fn cancel_at_random<F: Form>(sound: &ParallelEngine<F>, queries: usize) {
    let (description, schedule, pool) = (sound.description, sound.schedule, sound.pool.clone());
    let engine = ParallelEngine { description, form: Interrupted(sound.form), schedule, pool };
    let mesh = Shape::Trefoil.mesh(400, 3);
    let model = engine.prepare(&mesh, &Control::NONE).expect("a legal mesh");
    let (mut memory, mut answer) = (engine.memory(), Answer::default());
    let mut ask = |pose: &Pose, control: &Control<'_>| {
        let ask = Ask::all_contacts();
        engine.query(&model, &model, pose, &mut memory, &ask, control, &mut answer)?;
        Ok::<_, QueryError>(answer.contacts.clone())
    };
    // Of each pose the contacts and the number of tasks, which is the same every time.
    LEFT.store(i64::MAX, Ordering::Relaxed);
    let poses: Vec<_> = (0..25)
        .map(|i| {
            let pose = Random::stream(11, i).pose(0.4 * mesh.diagonal());
            let before = LEFT.load(Ordering::Relaxed);
            let contacts = ask(&pose, &Control::NONE).expect("an answer");
            (pose, contacts, (before - LEFT.load(Ordering::Relaxed)) as u64)
        })
        .collect();
    let (mut cancelled, mut answered, mut held) = (0, 0, None);
    let mut random = Random::new(9);
    for query in 0..queries {
        if query == queries / 4 {
            held = resident();
        }
        let (pose, truth, tasks) = &poses[query % poses.len()];
        CANCEL.reset();
        LEFT.store(random.below(2 * tasks + 1) as i64, Ordering::Relaxed);
        match ask(pose, &Control::NONE.cancelled_by(&CANCEL)) {
            Ok(contacts) => {
                assert_eq!(&contacts, truth);
                answered += 1;
            }
            Err(QueryError::Cancelled(_)) => cancelled += 1,
            Err(other) => panic!("{other}"),
        }
    }
    if let (Some(before), Some(after)) = (held, resident()) {
        let grown = after.saturating_sub(before);
        assert!(grown < 8 << 20, "{grown} bytes more after {} queries", 3 * queries / 4);
    }
    println!("{schedule:?}: {cancelled} cancelled, {answered} answered");
    assert!(4 * cancelled > queries && 4 * answered > queries, "{cancelled}, {answered}");
    for (pose, truth, _) in &poses {
        assert_eq!(&ask(pose, &Control::NONE).expect("an answer"), truth);
    }
}

/// Bytes of memory this process has, where the system tells.
fn resident() -> Option<u64> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(4096 * pages.split(' ').nth(1)?.parse::<u64>().ok()?)
}

#[test]
fn ten_thousand_queries_under_random_cancellation() {
    let pool = || Pool::of(3).expect("threads");
    let steal = edge_steal_with(EdgeStealParams { pool: pool(), slice: 16, ..Default::default() });
    assert_eq!(steal.schedule, Schedule::Stealing);
    cancel_at_random(&steal, 4_000);
    cancel_at_random(&epcd_with(EdgeBoxParams { pool: pool(), ..Default::default() }), 3_000);
    cancel_at_random(&spcd_with(SimpleParams { pool: pool(), ..Default::default() }), 3_000);
}
