//! An ordered parallel map. All threads of the caller's pool work on a window of items; the calling
//! thread then delivers the results one by one in order.

mod window;

use std::ops::Range;
use std::time::Duration;

use rayon::prelude::*;

use crate::sync::Mutex;
use crate::{Moment, pool};
use window::{Chunk, HEAVY, Limits, MOST, Work};

/// Work done before other threads are used; the rest must take at least ten times as long. Waking a
/// thread takes 25 to 50 µs, and one without a processor delays the end.
const ALONE: Duration = Duration::from_micros(100);

/// Seconds. Shorter items are not worth another thread, since their results must be transferred.
const LEAST: f64 = 200e-9;

/// Seconds. A longer item is a long one; a shorter one may have been preempted.
const LONG: f64 = 20e-3;

/// After that first work, one in this many items is timed, since reading the clock costs time.
const SAMPLE: usize = 16;

/// Seconds that a thread works on a window: long compared with waking it.
const WINDOW: f64 = 4e-3;

/// Chunks in a thread's share of a window. Several even out items of different lengths.
const CHUNKS: usize = 16;

/// Runs `work` for every index below `count` on all threads of the caller's pool. Hands the results
/// to `deliver` in order, on the calling thread.
///
/// `work` writes an item's result and returns its weight, the cost of keeping it. At most 1024
/// results a thread wait for delivery, of a total weight of about 2²⁰; one a thread if they are
/// heavier. The result must not depend on the history of the memory. A memory is never used by two
/// threads at once; `fresh` makes one for each other thread.
///
/// The first tenth of a millisecond runs on the calling thread. So does the rest if little is left
/// then or items take less than 0.2 µs each. As in any rayon pool, do not hold a lock that other
/// tasks of the pool need: the calling thread may run one of them.
///
/// # Errors
/// The first index without a result, failed by `work` or by `deliver`. Exactly the results before
/// it were delivered.
///
/// # Panics
/// Only if `work`, `fresh` or `deliver` panics, once all threads have stopped.
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
        let start = (!alone && index.is_multiple_of(weight)).then(Moment::now);
        work(index, memory, &mut out).map_err(|error| (index, error))?;
        let took = start.map(Moment::elapsed);
        deliver(index, &out).map_err(|error| (index, error))?;
        let Some(took) = took else { continue };
        let pace = first.add(took, weight);
        let (done, left) = (index + 1, count - index - 1);
        if first.worked >= ALONE && are_worth_threads(left, pace) {
            let threads = pool::available();
            if threads > 1 {
                let mut others: Vec<M> = (1..threads).map(|_| fresh()).collect();
                let memories = Mutex::new(others.iter_mut().chain([memory]).collect());
                return Map { threads, work: Work { memories, fresh, of: work } }.run(
                    done..count,
                    pace,
                    deliver,
                );
            }
            alone = true;
        }
    }
    Ok(())
}

#[derive(Default)]
struct First {
    worked: Duration,
    /// Number and time of the items since the last entry in `paces`.
    part: (usize, Duration),
    /// Seconds per item, of the last part and of the one before.
    paces: [Option<f64>; 2],
}

impl First {
    /// Adds an item that stands for `weight` items, and returns the estimated seconds per item. A
    /// thread may be preempted for milliseconds, so one slow part does not count unless two follow
    /// each other.
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

/// Whether `items` items of `pace` seconds each are worth other threads.
fn are_worth_threads(items: usize, pace: f64) -> bool {
    items > 1 && pace >= LEAST && pace * items as f64 >= 10.0 * ALONE.as_secs_f64()
}

struct Map<'m, M, F, W> {
    threads: usize,
    work: Work<'m, M, F, W>,
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
            let limits = Limits::new();
            chunks.par_iter_mut().with_max_len(1).for_each(|chunk| self.work.fill(chunk, &limits));
            let filled: usize = chunks.iter().map(|chunk| chunk.filled).sum();
            let took: Duration = chunks.iter().map(|chunk| chunk.took).sum();
            pace = took.as_secs_f64() / filled.max(1) as f64;
            heft = limits.weight.into_inner() as f64 / filled.max(1) as f64;
            for chunk in &mut chunks {
                self.work.hand_over(chunk, deliver)?;
            }
            next += window;
        }
        Ok(())
    }

    fn window(&self, left: usize, pace: f64, heft: f64) -> usize {
        let at_once = (WINDOW / pace.max(1e-9)) as usize * self.threads;
        let most = (HEAVY as f64 / heft.max(1.0)) as usize;
        // If items are long, a few for each thread, to limit the wait for the longest.
        at_once.clamp(4 * self.threads, MOST * self.threads).min(most.max(self.threads)).min(left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn micros(n: u64) -> Duration {
        Duration::from_micros(n)
    }

    /// The estimated pace after items that took these many microseconds.
    fn pace(took: &[u64]) -> (f64, Duration) {
        let mut first = First::default();
        let last = took.iter().map(|&n| first.add(micros(n), 1)).last();
        (last.unwrap_or(0.0), first.worked)
    }

    /// One item of 4 ms may be a preempted thread; two in a row are long items. One of 20 ms is
    /// long.
    #[test]
    fn one_long_item_is_no_sign_of_long_items_unless_it_is_very_long() {
        assert_eq!(pace(&[4_000]).0, 0.0);
        assert_eq!(pace(&[4_000, 4_000]).0, 4e-3);
        assert_eq!(pace(&[30_000]).0, 30e-3);
        let short = [1; 60];
        let held_up = [&short[..], &[4_000], &short[..]].concat();
        assert!(held_up.iter().enumerate().all(|(n, _)| pace(&held_up[..n]).0 < 2e-6));
        assert_eq!(pace(&held_up).1, micros(4_120));
        // An item that stands for 16 counts 16 times.
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
        let work = Work::<(), _, _> { memories: Mutex::default(), fresh: || (), of: () };
        let map = Map { threads: 4, work };
        // Four milliseconds per thread.
        assert_eq!(map.window(usize::MAX, 1e-5, 0.0), 1_600);
        assert_eq!(map.window(100, 1e-5, 0.0), 100);
        // At most 1024 items a thread, and four if they are long.
        assert_eq!(map.window(usize::MAX, 1e-9, 0.0), 4_096);
        assert_eq!(map.window(usize::MAX, 10.0, 0.0), 16);
        // Bounded by the weight, and at least one a thread.
        assert_eq!(map.window(usize::MAX, 1e-5, 1_048.576), 1_000);
        assert_eq!(map.window(usize::MAX, 1e-5, 1e9), 4);
    }

    /// Results too heavy to wait are computed when they are due, and their storage is dropped.
    #[test]
    fn heavy_results_come_in_order_too() {
        let work = |index: usize, (): &mut (), out: &mut usize| {
            *out = index;
            Ok::<_, ()>(HEAVY)
        };
        let work = Work { memories: Mutex::default(), fresh: || (), of: work };
        let map = Map { threads: 2, work };
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
