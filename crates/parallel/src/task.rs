//! What a method's tasks are, apart from who works on them and when.

use std::ops::ControlFlow;

use impinge_query::Counter;

use crate::workers::Work;

/// The task tree of one query (fan §4.3.3): a task is done, and names the tasks that are left.
///
/// Every task may be done at any time after the one that named it, on any thread; the contacts are
/// the same.
pub trait Tasks: Sync {
    /// One node of the task tree.
    type Task: Send;

    /// At least this many tasks are worth a thread's while.
    const GRAIN: usize;

    /// Is there certainly no contact, as one quick test shows? Asked before anything is set up.
    fn apart(&self, counter: &mut impl Counter) -> bool {
        let _ = counter;
        false
    }

    /// How many trees of tasks are to be done one after the other.
    fn phases(&self) -> u32 {
        1
    }

    /// The root of a phase; none if there is nothing to do.
    fn root(&self, phase: u32) -> Option<Self::Task>;

    /// Does a task: reports contacts to `work` and the tasks that are left to `next`, those that
    /// should come first last. Breaks off if `work` says so.
    fn run<C: Counter>(
        &self,
        task: Self::Task,
        work: &mut Work<'_, C>,
        next: &mut Vec<Self::Task>,
    ) -> ControlFlow<()>;
}
