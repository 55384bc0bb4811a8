//! Schedules: the order of tasks, and which run at the same time.

use std::collections::VecDeque;

use impinge_query::{Counter, Moment};
use rayon::Scope;
use rayon::prelude::*;

use crate::task::Tasks;
use crate::trace::{Traced, Waiting};
use crate::workers::Workers;

/// The order of tasks, and which run at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// One after the other, first in, first out (fan fig. 4-5).
    Queue,
    /// The tasks at the head of the queue in parallel, at most this many; when all are done, the
    /// next ones (fan fig. 4-6, 4-8).
    Levels(usize),
    /// Threads move the older half of their tasks to a shared queue while it has too few, and take
    /// tasks from it, newest first, when they have none (work sharing with lazy splitting).
    Stealing,
}

impl Schedule {
    /// Runs all tasks of all phases, or stops early when `workers` tells it to.
    pub(crate) fn run<T: Tasks, C: Counter>(self, workers: &Workers<'_, T, C>) {
        for phase in 0..workers.tasks().phases() {
            let Some(root) = workers.tasks().root(phase) else { continue };
            if workers.stopped() {
                return;
            }
            match self {
                Self::Queue => queue(workers, root),
                Self::Levels(at_once) => levels(workers, root, at_once.max(1)),
                Self::Stealing => stealing(workers, root),
            }
        }
    }
}

fn queue<T: Tasks, C: Counter>(workers: &Workers<'_, T, C>, root: T::Task) {
    let mut waiting = VecDeque::from([root]);
    let mut next = Vec::new();
    while let Some(task) = waiting.pop_front() {
        if workers.run(task, &mut next).is_break() {
            return;
        }
        waiting.extend(next.drain(..));
    }
}

/// Runs on the calling thread while there is too little for two threads, then from a thread of the
/// pool.
fn levels<T: Tasks, C: Counter>(workers: &Workers<'_, T, C>, root: T::Task, at_once: usize) {
    let mut waiting = VecDeque::from([root]);
    let grain = T::GRAIN.min(at_once / workers.threads()).max(1);
    let many = |waiting: &VecDeque<T::Task>| waiting.len().min(at_once) > grain;
    let mut next = Vec::new();
    while !many(&waiting) || workers.threads() == 1 {
        let batch = at_once.min(waiting.len());
        if batch == 0 || workers.run_all(waiting.drain(..batch), &mut next).is_break() {
            return;
        }
        waiting.extend(next.drain(..));
    }
    workers.pool().enter(|| {
        while !waiting.is_empty() && !workers.stopped() {
            let batch: Vec<T::Task> = waiting.drain(..at_once.min(waiting.len())).collect();
            waiting.extend(together(workers, batch, grain));
        }
    });
}

/// Runs a batch in parallel; returns the tasks that it leaves, in order.
fn together<T: Tasks, C: Counter>(
    workers: &Workers<'_, T, C>,
    batch: Vec<T::Task>,
    grain: usize,
) -> Vec<T::Task> {
    // Four portions per thread balance tasks of different sizes.
    let portion = batch.len().div_ceil(4 * workers.threads()).max(grain);
    let mut batch = batch.into_iter();
    let portions: Vec<Vec<T::Task>> = std::iter::from_fn(|| {
        let portion: Vec<T::Task> = batch.by_ref().take(portion).collect();
        (!portion.is_empty()).then_some(portion)
    })
    .collect();
    let done = portions.into_par_iter().with_max_len(1).map(|portion| {
        let mut next = Vec::new();
        let _ = workers.run_all(portion, &mut next);
        next
    });
    done.collect::<Vec<_>>().into_iter().flatten().collect()
}

/// Number of tasks that the calling thread runs before it calls others: waking a thread takes
/// longer than many queries. Not used if the first task leaves at least [`WIDE`] others.
const ALONE: usize = 6;

/// If the first task leaves this many, the query is probably long, and threads are called at once.
/// Measurements: `docs/decisions/0003-threads.md`.
const WIDE: usize = 9;

/// Number of further tasks to run alone when the first has left `left`.
const fn alone(left: usize) -> usize {
    if left < WIDE { ALONE } else { 0 }
}

/// Runs the root and some tasks on the calling thread. Tasks left after that are shared: the
/// calling thread continues, and others join it once they have woken.
fn stealing<T: Tasks, C: Counter>(workers: &Workers<'_, T, C>, root: T::Task) {
    let mut next = Vec::new();
    if workers.run(root, &mut next).is_break() {
        return;
    }
    for _ in 0..alone(next.len()) {
        let Some(task) = next.pop() else { return };
        if workers.run(task, &mut next).is_break() {
            return;
        }
    }
    if workers.threads() > 1 && !next.is_empty() {
        workers.pool().scope(|scope| {
            let helpers = Helpers { scope, workers };
            helpers.go_on(next.into());
            helpers.take_all();
            while workers.queue().may_fill() && !workers.stopped() {
                helpers.take_all();
                std::thread::yield_now();
            }
        });
        return;
    }
    while let Some(task) = next.pop() {
        if workers.run(task, &mut next).is_break() {
            return;
        }
    }
}

/// The scope in which a thread works and calls others.
struct Helpers<'r, 's, T: Tasks, C> {
    scope: &'r Scope<'s>,
    workers: &'s Workers<'s, T, C>,
}

impl<T: Tasks, C: Counter> Helpers<'_, '_, T, C> {
    /// Takes tasks from the queue until it is empty.
    fn take_all(&self) {
        while let Some((task, _at_work)) = self.workers.queue().take() {
            self.go_on(VecDeque::from([task]));
        }
    }

    /// Runs these tasks and all that they leave, newest first. Afterwards the caller must check the
    /// queue for tasks that this has put there.
    fn go_on(&self, mut own: VecDeque<T::Task>) {
        let mut next = Vec::new();
        loop {
            self.share(&mut own);
            let Some(task) = own.pop_back() else { return };
            if self.workers.run(task, &mut next).is_break() {
                return;
            }
            own.extend(next.drain(..));
        }
    }

    /// While fewer tasks are queued than there are threads, moves the older half to the queue and
    /// calls threads for it.
    #[inline]
    fn share(&self, own: &mut VecDeque<T::Task>) {
        let (workers, queue) = (self.workers, self.workers.queue());
        let threads = workers.threads();
        let older = own.len() / 2;
        if older == 0 || queue.saturates(threads) {
            return;
        }
        queue.put(own.drain(..older));
        for _ in 0..older {
            if !queue.call(threads - 1) {
                break;
            }
            self.scope.spawn(move |scope| {
                Helpers { scope, workers }.take_all();
                queue.leave();
            });
        }
    }
}

impl Schedule {
    /// Runs all tasks on this thread in the portions that several threads would take, and times
    /// each.
    pub(crate) fn trace<T: Tasks, C: Counter>(self, workers: &Workers<'_, T, C>) -> Vec<Traced> {
        let (at_once, barriers) = match self {
            Self::Levels(at_once) => (at_once.max(1), true),
            Self::Queue | Self::Stealing => (1, false),
        };
        let mut done: Vec<Traced> = Vec::new();
        for phase in 0..workers.tasks().phases() {
            let Some(root) = workers.tasks().root(phase) else { continue };
            let mut waiting: Waiting<T::Task> = VecDeque::from([(None, root)]);
            let mut in_turn = 1;
            while !waiting.is_empty() && !workers.stopped() {
                let batch = match self {
                    // The root and the tasks run alone follow one another; after that there are no
                    // barriers.
                    Self::Stealing => done.len().min(in_turn) as u32,
                    _ => done.last().map_or(0, |last| last.batch + u32::from(barriers)),
                };
                let mut left = at_once.min(waiting.len());
                let mut next = Vec::new();
                while left > 0 && !workers.stopped() {
                    let portion = T::GRAIN.min(left);
                    left -= portion;
                    let after = waiting.front().and_then(|(after, _)| *after);
                    let start = Moment::now();
                    let mut own = Vec::new();
                    let tasks = waiting.drain(..portion).map(|(_, task)| task);
                    let _ = workers.run_all(tasks, &mut own);
                    let nanoseconds = start.nanoseconds();
                    let index = done.len() as u32;
                    done.push(Traced { after, batch, nanoseconds });
                    next.extend(own.into_iter().map(|task| (Some(index), task)));
                }
                if done.len() == 1 {
                    in_turn = 1 + alone(next.len());
                }
                waiting.extend(next);
            }
        }
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_called_at_once_only_if_the_first_task_leaves_many() {
        assert_eq!([0, 1, WIDE - 1].map(alone), [ALONE; 3]);
        assert_eq!([WIDE, 100].map(alone), [0; 2]);
    }
}
