//! A window of the ordered map: what the threads share while they fill its chunks.
//! `tests/window.rs` puts it under loom.

use std::ops::Range;
use std::time::Duration;

use crate::Moment;
use crate::sync::{AtomicUsize, Mutex, Ordering, PoisonError};

/// The most results of a window for each thread; the storage of no more is kept.
pub(super) const MOST: usize = 1024;

/// The most weight of results that wait.
pub(super) const HEAVY: usize = 1 << 20;

/// Consecutive items and the results of a prefix of them.
pub(super) struct Chunk<T, E> {
    pub(super) items: Range<usize>,
    /// Storage for results; the first [`Chunk::filled`] are valid.
    results: Vec<T>,
    pub(super) filled: usize,
    /// The error of the item after the last result.
    pub(super) error: Option<E>,
    /// The time that the results took.
    pub(super) took: Duration,
}

impl<T, E> Default for Chunk<T, E> {
    fn default() -> Self {
        Self { items: 0..0, results: Vec::new(), filled: 0, error: None, took: Duration::ZERO }
    }
}

/// What all threads that work on a window share.
pub(super) struct Limits {
    pub(super) weight: AtomicUsize,
    /// The lowest index known to have failed.
    pub(super) failed: AtomicUsize,
}

impl Limits {
    /// Nothing done, nothing failed.
    pub(super) fn new() -> Self {
        Self { weight: AtomicUsize::new(0), failed: AtomicUsize::new(usize::MAX) }
    }
}

/// How to work on an item, and the memories to do it with.
pub(super) struct Work<'m, M, F, W> {
    pub(super) memories: Mutex<Vec<&'m mut M>>,
    pub(super) fresh: F,
    pub(super) of: W,
}

impl<M, F: Fn() -> M, W> Work<'_, M, F, W> {
    /// Works on a chunk; stops early if the results of all chunks get too heavy.
    pub(super) fn fill<T: Default, E>(&self, chunk: &mut Chunk<T, E>, limits: &Limits)
    where
        W: Fn(usize, &mut M, &mut T) -> Result<usize, E>,
    {
        let start = Moment::now();
        // Written at the end: other threads write to the chunks beside this one.
        let mut filled = chunk.filled;
        self.with_memory(|memory| {
            for index in chunk.items.clone() {
                let heavy = limits.weight.load(Ordering::Relaxed) > HEAVY;
                if heavy || index > limits.failed.load(Ordering::Relaxed) {
                    break;
                }
                if filled == chunk.results.len() {
                    chunk.results.push(T::default());
                }
                match (self.of)(index, memory, &mut chunk.results[filled]) {
                    // Threads that only read what they share do not wait for each other.
                    Ok(0) => {}
                    Ok(weight) => {
                        limits.weight.fetch_add(weight, Ordering::Relaxed);
                    }
                    Err(error) => {
                        chunk.error = Some(error);
                        limits.failed.fetch_min(index, Ordering::Relaxed);
                        break;
                    }
                }
                filled += 1;
            }
        });
        chunk.filled = filled;
        chunk.took = start.elapsed();
    }

    /// Delivers a chunk, and computes the results it lacks.
    pub(super) fn hand_over<T: Default, E>(
        &self,
        chunk: &mut Chunk<T, E>,
        deliver: &mut dyn FnMut(usize, &T) -> Result<(), E>,
    ) -> Result<(), (usize, E)>
    where
        W: Fn(usize, &mut M, &mut T) -> Result<usize, E>,
    {
        let rest = chunk.items.start + chunk.filled..chunk.items.end;
        for (index, result) in chunk.items.clone().zip(&chunk.results[..chunk.filled]) {
            deliver(index, result).map_err(|error| (index, error))?;
        }
        if let Some(error) = chunk.error.take() {
            return Err((rest.start, error));
        }
        // Drop the storage of heavy results.
        chunk.results.truncate(if rest.is_empty() { MOST } else { 0 });
        let mut out = T::default();
        self.with_memory(|memory| {
            for index in rest {
                let done = (self.of)(index, memory, &mut out);
                done.and_then(|_| deliver(index, &out)).map_err(|error| (index, error))?;
            }
            Ok(())
        })
    }

    /// Runs `job` with a memory that no other thread uses. There is one for each thread; a thread
    /// that starts a second chunk while it waits within an item gets a new one.
    fn with_memory<R>(&self, job: impl FnOnce(&mut M) -> R) -> R {
        let lock = || self.memories.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(memory) = lock().pop() else { return job(&mut (self.fresh)()) };
        let result = job(memory);
        lock().push(memory);
        result
    }
}
