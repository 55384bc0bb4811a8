//! A window of the ordered map under loom: in every interleaving of two threads the same results are
//! delivered in order, up to the first item that fails, and no memory has two users.
//!
//! A program of its own: loom's primitives stand where the window looks for them, at the root.

#[path = "../src/ordered/window.rs"]
mod window;

/// loom's primitives, for `window`.
mod sync {
    pub(crate) use loom::sync::Mutex;
    pub(crate) use loom::sync::atomic::{AtomicUsize, Ordering};
    pub(crate) use std::sync::PoisonError;
}

use impinge_threads::Moment;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use window::{Chunk, HEAVY, Limits, Work};

/// What a thread keeps between items; loom tells if two use it at once.
struct Memory {
    used: UnsafeCell<()>,
    items: usize,
}

impl Memory {
    fn new() -> Self {
        Self { used: UnsafeCell::new(()), items: 0 }
    }
}

/// Four items in two chunks.
#[derive(Clone, Copy)]
struct Items {
    /// What each weighs, or that it fails.
    weights: [Option<usize>; 4],
    /// Memories beside those made anew.
    memories: usize,
    /// Whether the result is what the memory has done so far, which it must not be.
    history: bool,
}

/// Fills and hands over the chunks; returns what was delivered, and the item that failed.
fn window(items: Items) -> (Vec<(usize, usize)>, Option<usize>) {
    let work = move |index: usize, memory: &mut Memory, out: &mut usize| {
        memory.used.with_mut(|_| ());
        memory.items += 1;
        *out = if items.history { memory.items } else { 10 * index };
        items.weights[index].ok_or(index)
    };
    let memories = (0..items.memories).map(|_| Box::leak(Box::new(Memory::new()))).collect();
    let memories = sync::Mutex::new(memories);
    let both = Arc::new((Work { memories, fresh: Memory::new, of: work }, Limits::new()));
    let filled = |range: std::ops::Range<usize>,
                  (work, limits): &(Work<'static, _, _, _>, Limits)| {
        let mut chunk = Chunk::default();
        chunk.items = range;
        work.fill(&mut chunk, limits);
        chunk
    };
    let other = {
        let both = both.clone();
        loom::thread::spawn(move || filled(2..4, &both))
    };
    let mut chunks = [filled(0..2, &both), other.join().expect("no panic")];
    let mut delivered = Vec::new();
    for chunk in &mut chunks {
        let mut deliver = |index: usize, out: &usize| {
            delivered.push((index, *out));
            Ok(())
        };
        if let Err((at, error)) = both.0.hand_over(chunk, &mut deliver) {
            assert_eq!(at, error);
            return (delivered, Some(at));
        }
    }
    (delivered, None)
}

/// Runs all interleavings, of which each must give this.
fn explore(items: Items, expected: &'static [(usize, usize)], failed: Option<usize>) {
    loom::model(move || assert_eq!(window(items), (expected.to_vec(), failed)));
}

const ALL: &[(usize, usize)] = &[(0, 0), (1, 10), (2, 20), (3, 30)];

#[test]
fn all_results_come_in_order() {
    for memories in 0..=2 {
        explore(Items { weights: [Some(1); 4], memories, history: false }, ALL, None);
    }
}

/// Chunks end early, and the rest is done by who hands over.
#[test]
fn heavy_results_come_in_order() {
    let weights = [Some(HEAVY), Some(1), Some(1), Some(HEAVY)];
    explore(Items { weights, memories: 2, history: false }, ALL, None);
}

/// Of several items that fail the first is told of, with all results before it.
#[test]
fn the_first_failure_ends_the_map() {
    for (weights, before) in [
        ([Some(1), None, None, Some(1)], 1),
        ([None, Some(1), Some(1), None], 0),
        ([Some(1), Some(1), None, None], 2),
        ([Some(HEAVY), Some(1), Some(HEAVY), None], 3),
    ] {
        explore(Items { weights, memories: 1, history: false }, &ALL[..before], Some(before));
    }
}

/// If results could depend on what a memory has done, some interleaving would tell.
#[test]
#[should_panic(expected = "assertion `left == right` failed")]
fn results_of_the_history_of_a_memory_are_noticed() {
    let items = Items { weights: [Some(1); 4], memories: 1, history: true };
    explore(items, &[(0, 1), (1, 2), (2, 1), (3, 2)], None);
}
