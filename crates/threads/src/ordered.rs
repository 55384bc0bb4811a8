//! An ordered map over threads: all threads of the caller's pool work on a window of items, then the
//! calling thread hands their results over, one by one and in order.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::pool;

/// Work that is done before other threads are called, and what must be left for them ten times over:
/// waking a thread takes 25 to 50 µs, and one that is not given a processor holds up the end.
const ALONE: Duration = Duration::from_micros(100);

/// An item that takes less, in seconds, is not worth another thread: its result must come back.
const LEAST: f64 = 200e-9;

/// An item that takes more, in seconds, is a long one; less may be one that was held up.
const LONG: f64 = 20e-3;

/// After that first work, one item in so many is timed: a clock is not free.
const SAMPLE: usize = 16;

/// Seconds that a thread works on a window: long beside waking it.
const WINDOW: f64 = 4e-3;

/// A thread's share of a window is in so many chunks, which even out items of different lengths.
const CHUNKS: usize = 16;

/// Items of a window for each thread, at most.
const MOST: usize = 1024;

/// Weight of results that may wait.
const HEAVY: usize = 1 << 20;

/// Works on every index below `count`, on all threads of the caller's pool, and hands the results to
/// `deliver` in order, on the calling thread.
///
/// `work` writes an item's result and returns its weight, what it takes to keep it: results that
/// wait for their turn are at most 1024 a thread and of a weight of 2²⁰ in all, or one a thread if
/// they are heavier. It must write the same result whatever its memory was used for before. A memory
/// is never used by two threads at once; `fresh` makes one for each other thread.
///
/// The first tenth of a millisecond is worked alone, and all of it if little is left then or items
/// take less than 0.2 µs each. As everywhere in a pool, do not hold a lock that other tasks of the
/// pool want: the calling thread may take one of them up.
///
/// # Errors
/// The first index that has no result, by `work` or by `deliver`; all before it were handed over,
/// none after it.
///
/// # Panics
/// Only if `work`, `fresh` or `deliver` does, once all threads have left.
pub fn ordered<M: Send, T: Default + Send, E: Send>(
    count: usize,
    memory: &mut M,
    fresh: impl Fn() -> M + Sync,
    work: impl Fn(usize, &mut M, &mut T) -> Result<usize, E> + Sync,
    deliver: &mut dyn FnMut(usize, &T) -> Result<(), E>,
) -> Result<(), (usize, E)> {
    let (mut out, mut first, mut alone) = (T::default(), First::default(), false);
    for index in 0..count {
        let weight = if first.worked < ALONE { 1 } else { SAMPLE };
        let start = (!alone && index.is_multiple_of(weight)).then(Instant::now);
        work(index, memory, &mut out).map_err(|error| (index, error))?;
        let took = start.map(|start| start.elapsed());
        deliver(index, &out).map_err(|error| (index, error))?;
        let Some(took) = took else { continue };
        let pace = first.add(took, weight);
        let (done, left) = (index + 1, count - index - 1);
        if first.worked >= ALONE && are_worth_threads(left, pace) {
            let threads = pool::available();
            if threads > 1 {
                let mut others: Vec<M> = (1..threads).map(|_| fresh()).collect();
                let memories = Mutex::new(others.iter_mut().chain([memory]).collect());
                return Map { threads, memories, fresh, work }.run(done..count, pace, deliver);
            }
            alone = true;
        }
    }
    Ok(())
}

/// The time that the first items took.
#[derive(Default)]
struct First {
    worked: Duration,
    /// Items and time since the last pace.
    part: (usize, Duration),
    /// Seconds an item, of the last part and of the one before.
    paces: [Option<f64>; 2],
}

impl First {
    /// Adds an item that stands for `weight`. Seconds an item takes, as far as is known: a thread may
    /// be held up for milliseconds, which is no sign of long items unless it happens twice in a row.
    fn add(&mut self, took: Duration, weight: usize) -> f64 {
        self.worked += took * weight as u32;
        self.part = (self.part.0 + 1, self.part.1 + took);
        if self.part.1 >= ALONE / 4 {
            self.paces = [Some(self.part.1.as_secs_f64() / self.part.0 as f64), self.paces[0]];
            self.part = Default::default();
        }
        match self.paces {
            [Some(last), _] if last >= LONG => last,
            [Some(last), Some(before)] => last.min(before),
            _ => 0.0,
        }
    }
}

/// Are so many items, which take so many seconds each?
fn are_worth_threads(items: usize, pace: f64) -> bool {
    items > 1 && pace >= LEAST && pace * items as f64 >= 10.0 * ALONE.as_secs_f64()
}

/// Consecutive items and the results of the first of them.
struct Chunk<T, E> {
    items: Range<usize>,
    /// Space for results; the first [`Chunk::filled`] are.
    results: Vec<T>,
    filled: usize,
    /// Why the item after the last result has none.
    error: Option<E>,
    /// It took so long.
    took: Duration,
}

impl<T, E> Default for Chunk<T, E> {
    fn default() -> Self {
        Self { items: 0..0, results: Vec::new(), filled: 0, error: None, took: Duration::ZERO }
    }
}

/// What all threads that work on a window look at.
struct Limits {
    /// Weight of the results.
    weight: AtomicUsize,
    /// The first item that is known to have no result.
    failed: AtomicUsize,
}

/// A map over several threads.
struct Map<'m, M, F, W> {
    threads: usize,
    memories: Mutex<Vec<&'m mut M>>,
    fresh: F,
    work: W,
}

impl<M: Send, F: Fn() -> M + Sync, W> Map<'_, M, F, W> {
    fn run<T: Default + Send, E: Send>(
        &self,
        items: Range<usize>,
        mut pace: f64,
        deliver: &mut dyn FnMut(usize, &T) -> Result<(), E>,
    ) -> Result<(), (usize, E)>
    where
        W: Fn(usize, &mut M, &mut T) -> Result<usize, E> + Sync,
    {
        let (mut next, mut heft) = (items.start, 0.0);
        let mut chunks: Vec<Chunk<T, E>> = Vec::new();
        while next < items.end {
            let window = self.window(items.end - next, pace, heft);
            let size = window.div_ceil(CHUNKS * self.threads);
            chunks.resize_with(window.div_ceil(size), Chunk::default);
            for (chunk, start) in chunks.iter_mut().zip((next..next + window).step_by(size)) {
                chunk.items = start..(start + size).min(next + window);
                (chunk.filled, chunk.error) = (0, None);
            }
            let limits = Limits { weight: 0.into(), failed: usize::MAX.into() };
            chunks.par_iter_mut().with_max_len(1).for_each(|chunk| self.fill(chunk, &limits));
            let filled: usize = chunks.iter().map(|chunk| chunk.filled).sum();
            let took: Duration = chunks.iter().map(|chunk| chunk.took).sum();
            pace = took.as_secs_f64() / filled.max(1) as f64;
            heft = limits.weight.into_inner() as f64 / filled.max(1) as f64;
            for chunk in &mut chunks {
                self.hand_over(chunk, deliver)?;
            }
            next += window;
        }
        Ok(())
    }

    /// How many items are begun together.
    fn window(&self, left: usize, pace: f64, heft: f64) -> usize {
        let at_once = (WINDOW / pace.max(1e-9)) as usize * self.threads;
        let most = (HEAVY as f64 / heft.max(1.0)) as usize;
        // Long items: a few for each thread, so that none waits for the longest for long.
        at_once.clamp(4 * self.threads, MOST * self.threads).min(most.max(self.threads)).min(left)
    }

    /// Works on a chunk, or on the first part of one if the results of all get too heavy.
    fn fill<T: Default, E>(&self, chunk: &mut Chunk<T, E>, limits: &Limits)
    where
        W: Fn(usize, &mut M, &mut T) -> Result<usize, E>,
    {
        let start = Instant::now();
        self.with_memory(|memory| {
            for index in chunk.items.clone() {
                let heavy = limits.weight.load(Ordering::Relaxed) > HEAVY;
                if heavy || index > limits.failed.load(Ordering::Relaxed) {
                    break;
                }
                if chunk.filled == chunk.results.len() {
                    chunk.results.push(T::default());
                }
                match (self.work)(index, memory, &mut chunk.results[chunk.filled]) {
                    Ok(weight) => limits.weight.fetch_add(weight, Ordering::Relaxed),
                    Err(error) => {
                        chunk.error = Some(error);
                        limits.failed.fetch_min(index, Ordering::Relaxed);
                        break;
                    }
                };
                chunk.filled += 1;
            }
        });
        chunk.took = start.elapsed();
    }

    /// Hands a chunk over, and works on what it has no results for.
    fn hand_over<T: Default, E>(
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
        // Space of heavy results is not kept.
        chunk.results.truncate(if rest.is_empty() { MOST } else { 0 });
        let mut out = T::default();
        self.with_memory(|memory| {
            for index in rest {
                let done = (self.work)(index, memory, &mut out);
                done.and_then(|_| deliver(index, &out)).map_err(|error| (index, error))?;
            }
            Ok(())
        })
    }

    /// A memory that nobody uses. There is one for each thread; a thread that takes up a second
    /// chunk while it waits within an item gets one for that time.
    fn with_memory<R>(&self, job: impl FnOnce(&mut M) -> R) -> R {
        let lock = || self.memories.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(memory) = lock().pop() else { return job(&mut (self.fresh)()) };
        let result = job(memory);
        lock().push(memory);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn micros(n: u64) -> Duration {
        Duration::from_micros(n)
    }

    /// What is known of the pace after items that took so many microseconds each.
    fn pace(took: &[u64]) -> (f64, Duration) {
        let mut first = First::default();
        let last = took.iter().map(|&n| first.add(micros(n), 1)).last();
        (last.unwrap_or(0.0), first.worked)
    }

    /// Four milliseconds in one item are a thread that was held up, and in two in a row long items;
    /// twenty are a long item.
    #[test]
    fn one_long_item_is_no_sign_of_long_items_unless_it_is_very_long() {
        assert_eq!(pace(&[4_000]).0, 0.0);
        assert_eq!(pace(&[4_000, 4_000]).0, 4e-3);
        assert_eq!(pace(&[30_000]).0, 30e-3);
        let short = [1; 60];
        let held_up = [&short[..], &[4_000], &short[..]].concat();
        assert!(held_up.iter().enumerate().all(|(n, _)| pace(&held_up[..n]).0 < 2e-6));
        assert_eq!(pace(&held_up).1, micros(4_120));
        // Items that stand for many count as many.
        let mut first = First::default();
        first.add(micros(5), 16);
        assert_eq!(first.worked, micros(80));
    }

    #[test]
    fn threads_are_worth_a_millisecond_of_items_that_are_not_tiny() {
        let cases = [(1, 1.0), (1_000_000, 1e-7), (1_000, 0.9e-6)];
        assert!(cases.iter().all(|&(items, pace)| !are_worth_threads(items, pace)));
        let cases = [(2, 1.0), (10_000, 3e-7), (1_000, 1.1e-6)];
        assert!(cases.iter().all(|&(items, pace)| are_worth_threads(items, pace)));
    }

    #[test]
    fn windows_are_bounded_in_time_number_and_weight() {
        let map =
            Map::<(), _, _> { threads: 4, memories: Mutex::default(), fresh: || (), work: () };
        // Four milliseconds a thread.
        assert_eq!(map.window(usize::MAX, 1e-5, 0.0), 1_600);
        assert_eq!(map.window(100, 1e-5, 0.0), 100);
        // Not more than 1024 a thread, and four long ones.
        assert_eq!(map.window(usize::MAX, 1e-9, 0.0), 4_096);
        assert_eq!(map.window(usize::MAX, 10.0, 0.0), 16);
        // As many as are not too heavy, and one a thread.
        assert_eq!(map.window(usize::MAX, 1e-5, 1_048.576), 1_000);
        assert_eq!(map.window(usize::MAX, 1e-5, 1e9), 4);
    }

    /// Results too heavy to wait are worked on when it is their turn, and their space is not kept.
    #[test]
    fn heavy_results_come_in_order_too() {
        let map = Map {
            threads: 2,
            memories: Mutex::default(),
            fresh: || (),
            work: |index: usize, (): &mut (), out: &mut usize| {
                *out = index;
                Ok::<_, ()>(HEAVY)
            },
        };
        let mut came = Vec::new();
        let mut deliver = |index: usize, out: &usize| {
            assert_eq!(index, *out);
            came.push(index);
            Ok(())
        };
        assert_eq!(map.run(3..40, 1e-6, &mut deliver), Ok(()));
        assert!(came.into_iter().eq(3..40));
    }
}
