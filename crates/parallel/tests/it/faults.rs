//! Would the tests of this crate notice a schedule that loses work? Tasks that forget one of the
//! tasks they leave, now and then, must show as missing contacts, on one thread and on several.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use impinge_geometry::{Mesh, Pose};
use impinge_models::{Random, Shape};
use impinge_parallel::methods::{EdgeBoxParams, EdgeStealParams, edge_steal_with, epcd_with};
use impinge_parallel::task::Tasks;
use impinge_parallel::{Form, ParallelEngine, Pool, Schedule, Work};
use impinge_query::{Answer, Ask, Control, Counter, Engine, PrepareError};

#[derive(Clone, Copy, Debug)]
struct Forgetful<F>(F);

struct ForgetfulTasks<T> {
    tasks: T,
    done: AtomicU64,
}

impl<T: Tasks> Tasks for ForgetfulTasks<T> {
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
        let before = next.len();
        let flow = self.tasks.run(task, work, next);
        if next.len() > before && self.done.fetch_add(1, Ordering::Relaxed).is_multiple_of(2) {
            next.pop();
        }
        flow
    }
}

impl<F: Form> Form for Forgetful<F> {
    type Model = F::Model;
    type Scratch = F::Scratch;
    type Tasks<'q> = ForgetfulTasks<F::Tasks<'q>>;
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
        let tasks = self.0.tasks(a, b, pose, alone, scratch);
        ForgetfulTasks { tasks, done: AtomicU64::new(0) }
    }
}

/// In how many of 20 poses the contacts differ.
fn differences<F: Form>(sound: &ParallelEngine<F>, schedule: Schedule) -> usize {
    let (description, pool) = (sound.description, sound.pool.clone());
    let forgetful = ParallelEngine { description, form: Forgetful(sound.form), schedule, pool };
    let mesh = Shape::Trefoil.mesh(2_000, 3);
    let model = sound.prepare(&mesh, &Control::NONE).expect("a legal mesh");
    let (mut truth, mut answer) = (Answer::default(), Answer::default());
    let mut differ = 0;
    for index in 0..20 {
        let pose = Random::stream(11, index).pose(0.2 * mesh.diagonal());
        let (ask, control) = (Ask::all_contacts(), Control::NONE);
        let (mut own, mut memory) = (sound.memory(), sound.memory());
        sound
            .query(&model, &model, &pose, &mut own, &ask, &control, &mut truth)
            .expect("an answer");
        forgetful
            .query(&model, &model, &pose, &mut memory, &ask, &control, &mut answer)
            .expect("an answer");
        assert!(answer.contacts.iter().all(|contact| truth.contacts.contains(contact)));
        differ += usize::from(answer.contacts != truth.contacts);
    }
    differ
}

#[test]
fn a_lost_task_is_noticed() {
    let pool = || Pool::of(2).expect("threads");
    let steal = edge_steal_with(EdgeStealParams { pool: pool(), slice: 8, ..Default::default() });
    let edges = epcd_with(EdgeBoxParams { pool: pool(), ..Default::default() });
    for schedule in [Schedule::Queue, Schedule::Levels(32), Schedule::Stealing] {
        if schedule != Schedule::Queue {
            // Few tasks are left while every thread has work, so every second time one is lost.
            assert!(differences(&steal, schedule) > 10, "edge-steal, {schedule:?}");
        }
        assert!(differences(&edges, schedule) > 10, "epcd, {schedule:?}");
    }
}
