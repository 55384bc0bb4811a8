//! The queue under loom: in every interleaving of two threads every task is done, and done once.
//!
//! A program of its own: loom's primitives stand where the queue looks for them, at the root.

#[path = "../src/shared_queue.rs"]
mod shared_queue;

/// loom's primitives, for `shared_queue`.
mod sync {
    pub(crate) use loom::sync::atomic::{AtomicUsize, Ordering};
    pub(crate) use loom::sync::{Mutex, MutexGuard};
    pub(crate) use std::sync::PoisonError;
}

use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering};
use shared_queue::SharedQueue;

/// Tasks by number: task 3 leaves task 4 when it is done.
const TASKS: usize = 5;

type Done = [AtomicUsize; TASKS];

fn run(task: usize, queue: &SharedQueue<usize>, done: &Done) {
    done[task].fetch_add(1, Ordering::Relaxed);
    if task == 3 {
        queue.put([4]);
    }
}

/// As the helpers of the schedule do.
fn take_all(queue: &SharedQueue<usize>, done: &Done) {
    while let Some((task, _at_work)) = queue.take() {
        run(task, queue, done);
    }
}

/// Runs all interleavings; `comes_back` is what the thread that puts tasks up must do.
fn explore(comes_back: bool) {
    loom::model(move || {
        let queue = Arc::new(SharedQueue::new());
        let done: Arc<Done> = Arc::new(std::array::from_fn(|_| AtomicUsize::new(0)));
        queue.put([1, 2]);
        let called = queue.call(1).then(|| {
            let (queue, done) = (queue.clone(), done.clone());
            loom::thread::spawn(move || {
                take_all(&queue, &done);
                queue.leave();
            })
        });
        assert!(called.is_some() && !queue.saturates(3));
        run(0, &queue, &done);
        // Nobody may be called any more, or one who has left: what is put up is taken all the same.
        queue.put([3]);
        let _ = queue.call(1);
        if comes_back {
            take_all(&queue, &done);
        }
        if let Some(thread) = called {
            thread.join().expect("no panic");
        }
        assert!(!queue.may_fill(), "nobody is at work");
        let done: Vec<usize> = done.iter().map(|times| times.load(Ordering::Relaxed)).collect();
        assert_eq!(done, [1; TASKS]);
    });
}

#[test]
fn every_task_is_done_once() {
    explore(true);
}

/// If who puts tasks up did not come back, some interleaving would leave one there.
#[test]
#[should_panic(expected = "assertion `left == right` failed")]
fn a_board_left_alone_is_noticed() {
    explore(false);
}
