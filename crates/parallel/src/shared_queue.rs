//! Tasks that anybody may take: a list behind a mutex, and hints about it.
//!
//! The hints are relaxed atomics and decide nothing but who tries when: whoever puts tasks on the
//! queue comes back to it before it stops, so that none is left there. `tests/queue.rs` shows that to
//! loom, which tries all interleavings.

use crate::sync::{AtomicUsize, Mutex, MutexGuard, Ordering, PoisonError};

/// Tasks that are waiting for a thread.
#[derive(Debug)]
pub(crate) struct SharedQueue<T> {
    tasks: Mutex<Vec<T>>,
    /// About how many there are.
    length: AtomicUsize,
    /// About how many threads are at work on tasks they took.
    working: AtomicUsize,
    /// How many threads were called and have not left yet.
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

    /// Are about as many tasks waiting as there are `threads`, so that nobody lacks one?
    #[inline]
    pub(crate) fn saturates(&self, threads: usize) -> bool {
        self.length.load(Ordering::Relaxed) >= threads
    }

    /// Puts tasks up.
    pub(crate) fn put(&self, tasks: impl IntoIterator<Item = T>) {
        let mut waiting = self.lock();
        waiting.extend(tasks);
        self.length.store(waiting.len(), Ordering::Relaxed);
    }

    /// Takes a task, and is at work until the returned value is dropped.
    pub(crate) fn take(&self) -> Option<(T, AtWork<'_>)> {
        let mut waiting = self.lock();
        let task = waiting.pop()?;
        self.length.store(waiting.len(), Ordering::Relaxed);
        self.working.fetch_add(1, Ordering::Relaxed);
        Some((task, AtWork(&self.working)))
    }

    /// Counts one more thread that is called, unless `most` are already.
    pub(crate) fn call(&self, most: usize) -> bool {
        let one_more = |called: usize| (called < most).then_some(called + 1);
        self.called.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more).is_ok()
    }

    /// A called thread leaves.
    pub(crate) fn leave(&self) {
        self.called.fetch_sub(1, Ordering::Relaxed);
    }

    /// May somebody at work still put tasks up?
    pub(crate) fn may_fill(&self) -> bool {
        self.working.load(Ordering::Relaxed) > 0
    }
}

/// A thread at work.
#[derive(Debug)]
pub(crate) struct AtWork<'b>(&'b AtomicUsize);

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
