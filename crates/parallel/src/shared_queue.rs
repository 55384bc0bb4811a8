//! Tasks that any thread may take: a list behind a mutex, and hints about it.
//!
//! The hints are relaxed atomics and affect only who tries when. Whoever puts tasks on the queue
//! returns to it before stopping, so no task is left there. `tests/shared_queue.rs` verifies that
//! with loom, which tries all interleavings.

use crate::sync::{AtomicUsize, Mutex, MutexGuard, Ordering, PoisonError};

/// Tasks that are waiting for a thread.
#[derive(Debug)]
pub(crate) struct SharedQueue<T> {
    tasks: Mutex<Vec<T>>,
    /// Approximate number of tasks.
    length: AtomicUsize,
    /// Approximate number of threads at work on tasks they took.
    working: AtomicUsize,
    /// Number of threads that were called and have not left yet.
    called: AtomicUsize,
}

impl<T> SharedQueue<T> {
    pub(crate) fn new() -> Self {
        let none = || AtomicUsize::new(0);
        Self { tasks: Mutex::new(Vec::new()), length: none(), working: none(), called: none() }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<T>> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether at least about `threads` tasks are waiting, so that every thread can get one.
    #[inline]
    pub(crate) fn saturates(&self, threads: usize) -> bool {
        self.length.load(Ordering::Relaxed) >= threads
    }

    /// Adds tasks.
    pub(crate) fn put(&self, tasks: impl IntoIterator<Item = T>) {
        let mut waiting = self.lock();
        waiting.extend(tasks);
        self.length.store(waiting.len(), Ordering::Relaxed);
    }

    /// Takes the newest task. The thread counts as at work until the returned guard is dropped.
    pub(crate) fn take(&self) -> Option<(T, AtWork<'_>)> {
        let mut waiting = self.lock();
        let task = waiting.pop()?;
        self.length.store(waiting.len(), Ordering::Relaxed);
        self.working.fetch_add(1, Ordering::Relaxed);
        Some((task, AtWork(&self.working)))
    }

    /// Counts one more called thread, unless `most` are called already.
    pub(crate) fn call(&self, most: usize) -> bool {
        let one_more = |called: usize| (called < most).then_some(called + 1);
        self.called.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more).is_ok()
    }

    /// Counts a called thread that leaves.
    pub(crate) fn leave(&self) {
        self.called.fetch_sub(1, Ordering::Relaxed);
    }

    /// Whether a thread at work may still add tasks.
    pub(crate) fn may_fill(&self) -> bool {
        self.working.load(Ordering::Relaxed) > 0
    }
}

/// Guard that counts a thread as at work.
#[derive(Debug)]
pub(crate) struct AtWork<'b>(&'b AtomicUsize);

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
