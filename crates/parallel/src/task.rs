//! The tasks of a method, independent of schedules and threads.

use std::ops::ControlFlow;

use impinge_query::Counter;

use crate::workers::Work;

/// The task tree of one query (fan §4.3.3): running a task gives its child tasks.
///
/// A task may run at any time after its parent, on any thread; the contacts are the same.
pub trait Tasks: Sync {
    /// One node of the task tree.
    type Task: Send;

    /// Fewest tasks that are worth handing to a thread.
    const GRAIN: usize;

    /// Whether one quick test proves that there is no contact. Called before any setup.
    fn apart(&self, counter: &mut impl Counter) -> bool {
        let _ = counter;
        false
    }

    /// Number of task trees that run one after the other.
    fn phases(&self) -> u32 {
        1
    }

    /// The root of a phase; `None` if there is nothing to do.
    fn root(&self, phase: u32) -> Option<Self::Task>;

    /// Runs a task: reports contacts to `work` and appends child tasks to `next`, in ascending
    /// priority. Breaks off if `work` does.
    fn run<C: Counter>(
        &self,
        task: Self::Task,
        work: &mut Work<'_, C>,
        next: &mut Vec<Self::Task>,
    ) -> ControlFlow<()>;
}
