//! Estimates the gain from more threads: the tasks of a query with their times, and the work-span
//! model (Brent 1974: `max(T_1 / P, T_∞) ≤ T_P ≤ T_1 / P + T_∞`).

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// One task, or a portion of tasks that one thread takes at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traced {
    /// Index of its parent task; `None` for a root.
    pub after: Option<u32>,
    /// It may start when all tasks of earlier batches are done. If all have the same batch, there
    /// are no barriers.
    pub batch: u32,
    /// Duration in nanoseconds.
    pub nanoseconds: u64,
}

/// A query's tasks as run by one thread, in the portions that several threads would have taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// In the order in which they ran.
    pub tasks: Vec<Traced>,
    /// Time before the first task and after the last, in nanoseconds.
    pub serial_nanoseconds: u64,
}

impl Trace {
    /// `T_1`: the time of all tasks one after the other, in nanoseconds.
    pub fn work(&self) -> u64 {
        self.serial_nanoseconds + self.tasks.iter().map(|task| task.nanoseconds).sum::<u64>()
    }

    /// `T_∞`: the critical path, the time with unlimited processors, in nanoseconds.
    pub fn span(&self) -> u64 {
        let mut ends: Vec<u64> = Vec::with_capacity(self.tasks.len());
        let (mut batch, mut barrier, mut last) = (0, 0, 0);
        for task in &self.tasks {
            if task.batch != batch {
                (batch, barrier) = (task.batch, last);
            }
            let after = task.after.map_or(0, |index| ends[index as usize]);
            let end = barrier.max(after) + task.nanoseconds;
            last = last.max(end);
            ends.push(end);
        }
        self.serial_nanoseconds + last
    }

    /// `T_1 / T_∞`: more processors than this cannot help.
    pub fn parallelism(&self) -> f64 {
        self.work() as f64 / self.span().max(1) as f64
    }

    /// The time with `processors` processors in nanoseconds, for a greedy schedule, oldest task
    /// first: no processor waits while a task is ready, and handing one over takes `handing`
    /// nanoseconds. Memory and clock rate are those of one busy core, so this is what the shape of
    /// the task tree allows, not a prediction.
    pub fn on(&self, processors: usize, handing: u64) -> u64 {
        let mut children: Vec<Vec<u32>> = vec![Vec::new(); self.tasks.len()];
        for (index, task) in self.tasks.iter().enumerate() {
            if let Some(after) = task.after {
                children[after as usize].push(index as u32);
            }
        }
        // More processors than tasks are idle.
        let busy = processors.clamp(1, self.tasks.len().max(1));
        let mut free: BinaryHeap<Reverse<u64>> = std::iter::repeat_n(Reverse(0), busy).collect();
        let (mut end, mut from) = (0, 0);
        while from < self.tasks.len() {
            let batch = self.tasks[from].batch;
            let to = from + self.tasks[from..].iter().take_while(|t| t.batch == batch).count();
            let barrier = end;
            let mut ready: BinaryHeap<Reverse<(u64, u32)>> = (from..to)
                .filter(|&i| {
                    self.tasks[i].after.is_none_or(|after| self.tasks[after as usize].batch < batch)
                })
                .map(|i| Reverse((barrier, i as u32)))
                .collect();
            while let Some(Reverse((at, index))) = ready.pop() {
                let Some(Reverse(idle)) = free.pop() else { break };
                let begun = at.max(idle).max(barrier);
                let handed = if processors > 1 { handing } else { 0 };
                let spent = handed.saturating_add(self.tasks[index as usize].nanoseconds);
                let done = begun.saturating_add(spent);
                free.push(Reverse(done));
                end = end.max(done);
                let same = |&&child: &&u32| self.tasks[child as usize].batch == batch;
                let next = children[index as usize].iter().filter(same);
                ready.extend(next.map(|&child| Reverse((done, child))));
            }
            from = to;
        }
        self.serial_nanoseconds.saturating_add(end)
    }
}

/// Waiting tasks, with the index of each one's parent.
pub(crate) type Waiting<T> = VecDeque<(Option<u32>, T)>;

#[cfg(test)]
mod tests {
    use super::*;

    fn task(after: Option<u32>, batch: u32, nanoseconds: u64) -> Traced {
        Traced { after, batch, nanoseconds }
    }

    /// A root of 10 that leaves four of 20, the last of which leaves one of 5.
    fn tree() -> Trace {
        let mut tasks = vec![task(None, 0, 10)];
        tasks.extend([task(Some(0), 0, 20); 4]);
        tasks.push(task(Some(4), 0, 5));
        Trace { tasks, serial_nanoseconds: 7 }
    }

    #[test]
    fn work_and_span_of_a_small_tree() {
        let trace = tree();
        assert_eq!((trace.work(), trace.span()), (102, 42));
        assert_eq!(trace.on(1, 0), 102);
        assert_eq!(trace.on(2, 0), 7 + 10 + 40 + 5);
        assert_eq!(trace.on(4, 0), 42);
        assert_eq!(trace.on(64, 0), trace.span());
        assert_eq!(trace.on(usize::MAX, 0), trace.span());
        assert_eq!(trace.on(2, u64::MAX), u64::MAX);
        assert_eq!(Trace::default().on(2, 3), 0);
        assert_eq!(trace.on(64, 3), trace.span() + 9, "three tasks are handed over in a row");
    }

    #[test]
    fn a_barrier_waits_for_the_slowest() {
        let batches = |last| {
            let tasks = vec![task(None, 0, 9), task(None, 0, 1), task(Some(1), last, 9)];
            Trace { tasks, serial_nanoseconds: 0 }
        };
        assert_eq!((batches(1).span(), batches(1).on(2, 0)), (18, 18));
        assert_eq!((batches(0).span(), batches(0).on(2, 0)), (10, 10));
    }

    /// Brent's bounds hold for every greedy schedule.
    #[test]
    fn greedy_schedules_keep_brents_bounds() {
        let mut random = impinge_models::Random::new(3);
        let mut below = |n: u32| random.below(n.into()) as u32;
        for _ in 0..200 {
            let n = 1 + below(60);
            let barriers = below(2);
            let mut tasks: Vec<Traced> = Vec::new();
            for i in 0..n {
                let after = (i > 0).then(|| below(i));
                let batch = after.map_or(0, |a| tasks[a as usize].batch + barriers);
                tasks.push(task(after, batch, u64::from(1 + below(100))));
            }
            // Batches in order, parents before children.
            let mut order: Vec<u32> = (0..n).collect();
            order.sort_by_key(|&i| (tasks[i as usize].batch, i));
            let place = |i: u32| order.iter().position(|&o| o == i).map(|p| p as u32);
            let tasks = order.iter().map(|&i| {
                let own = tasks[i as usize];
                Traced { after: own.after.and_then(place), ..own }
            });
            let trace = Trace { tasks: tasks.collect(), serial_nanoseconds: 0 };
            for processors in [1, 2, 3, 16] {
                let (t, work) = (trace.on(processors, 0), trace.work());
                assert!(t * processors as u64 >= work && t >= trace.span());
                if barriers == 0 {
                    assert!(t * processors as u64 <= work + processors as u64 * trace.span());
                }
            }
        }
    }
}
