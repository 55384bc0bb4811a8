//! Batches over threads deliver every answer once and in order for any number of threads, with
//! errors, cancellation and panics in the middle, within bounded space, and inside a caller's
//! parallel loop.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use impinge_query::{
    Answer, BatchError, Cancel, Cancelled, Contact, Control, Progress, QueryError, batch,
};
use rayon::prelude::*;

/// Writes the answer that question `index` must get.
fn write(index: usize, answer: &mut Answer) {
    answer.clear();
    let contact = |b| Contact { a: index as u32, b };
    answer.contacts.extend((0..(index % 4) as u32).map(contact));
    answer.contacts_found = index as u64;
}

fn is_right(index: usize, answer: &Answer) -> bool {
    let mut want = Answer::default();
    write(index, &mut want);
    *answer == want
}

/// Spins for about `micros` microseconds. Uneven, so that later threads overtake earlier ones.
fn work(index: usize, micros: u64) {
    let (start, uneven) = (Instant::now(), micros * [1, 3, 1, 9][index % 4] / 2);
    while start.elapsed() < Duration::from_micros(uneven) {
        std::hint::spin_loop();
    }
}

fn inside<R: Send>(threads: usize, run: impl FnOnce() -> R + Send) -> R {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("threads").install(run)
}

/// Runs a batch and checks that answers come in order and are right. Returns how many came and the
/// outcome.
fn deliver(
    count: usize,
    control: &Control<'_>,
    query: impl Fn(usize, &mut Answer) -> Result<(), QueryError> + Sync,
    mut each: impl FnMut(usize),
) -> (usize, Result<(), BatchError>) {
    let mut came = 0;
    let mut check = |index: usize, answer: &Answer| {
        assert_eq!(index, came, "out of order");
        assert!(is_right(index, answer), "the answer of another question, at {index}");
        came += 1;
        each(index);
    };
    let end = batch::over_threads(
        count,
        &mut (),
        || (),
        control,
        &mut check,
        |index, (), answer| query(index, answer),
    );
    (came, end)
}

fn plain(micros: u64) -> impl Fn(usize, &mut Answer) -> Result<(), QueryError> + Sync {
    move |index, answer| {
        work(index, micros);
        write(index, answer);
        Ok(())
    }
}

#[test]
fn every_answer_comes_once_and_in_order() {
    for threads in [1, 2, 3, 8] {
        for count in [0, 1, 2, 7, 100, 3_000] {
            let outcome = inside(threads, || deliver(count, &Control::NONE, plain(10), |_| ()));
            assert_eq!(outcome, (count, Ok(())), "{threads} threads");
        }
    }
    assert_eq!(deliver(2_000, &Control::NONE, plain(10), |_| ()), (2_000, Ok(())));
}

/// Shows that `deliver` can fail: a batch that swaps two answers.
#[test]
#[should_panic(expected = "the answer of another question")]
fn swapped_answers_are_noticed() {
    let swap = |index: usize, answer: &mut Answer| {
        work(index, 10);
        write(if index / 2 == 700 { index ^ 1 } else { index }, answer);
        Ok(())
    };
    let _ = inside(2, || deliver(2_000, &Control::NONE, swap, |_| ()));
}

/// Questions wait for other threads, so that those take part on a busy machine too.
#[test]
fn several_threads_work() {
    let seen = Mutex::new(HashSet::new());
    let query = |index: usize, answer: &mut Answer| {
        seen.lock().expect("whole").insert(std::thread::current().id());
        std::thread::sleep(Duration::from_micros(200));
        write(index, answer);
        Ok(())
    };
    let outcome = inside(3, || deliver(600, &Control::NONE, query, |_| ()));
    assert_eq!(outcome, (600, Ok(())));
    assert_eq!(seen.into_inner().expect("whole").len(), 3, "the pool's threads, and no others");
}

/// A preempted thread looks like one with a hard question. That does not happen three times in a
/// row.
#[test]
fn small_batches_stay_on_the_calling_thread() {
    let here = std::thread::current().id();
    let alone = |_| {
        let away = AtomicUsize::new(0);
        let query = |index: usize, answer: &mut Answer| {
            let other = std::thread::current().id() != here;
            away.fetch_add(usize::from(other), Ordering::Relaxed);
            write(index, answer);
            Ok(())
        };
        assert_eq!(deliver(20, &Control::NONE, query, |_| ()), (20, Ok(())));
        away.into_inner() == 0
    };
    assert!((0..3).any(alone));
}

#[test]
fn the_first_error_ends_it() {
    let refused = |value| QueryError::BadDistance { value };
    for threads in [1, 2, 3, 8] {
        for bad in [0, 1, 40, 777, 1_999] {
            let query = |index: usize, answer: &mut Answer| {
                work(index, 10);
                write(index, answer);
                // Later questions fail too, and are often found first.
                if index >= bad && index % 3 == bad % 3 {
                    return Err(refused(index as f64));
                }
                Ok(())
            };
            let (came, end) = inside(threads, || deliver(2_000, &Control::NONE, query, |_| ()));
            assert_eq!(
                (came, end),
                (bad, Err(BatchError { index: bad, source: refused(bad as f64) }))
            );
        }
    }
}

#[test]
fn cancelling_ends_it_at_the_next() {
    for threads in [1, 2, 8] {
        for last in [0, 30, 900] {
            let cancel = Cancel::new();
            let control = Control::NONE.cancelled_by(&cancel);
            let each = |index| {
                if index == last {
                    cancel.cancel();
                }
            };
            let (came, end) = inside(threads, || deliver(2_000, &control, plain(10), each));
            let source = QueryError::Cancelled(Cancelled);
            assert_eq!((came, end), (last + 1, Err(BatchError { index: last + 1, source })));
        }
    }
}

#[test]
fn panics_are_passed_on_and_nobody_waits() {
    for threads in [1, 2, 8] {
        let of_each =
            || deliver(2_000, &Control::NONE, plain(10), |index| assert_ne!(index, 700, "in each"));
        let of_query = || {
            let query = |index: usize, answer: &mut Answer| {
                work(index, 10);
                write(index, answer);
                assert_ne!(index, 700, "in a question");
                Ok(())
            };
            deliver(2_000, &Control::NONE, query, |_| ())
        };
        inside(threads, || {
            assert!(catch_unwind(AssertUnwindSafe(of_each)).is_err(), "{threads} threads");
            assert!(catch_unwind(AssertUnwindSafe(of_query)).is_err(), "{threads} threads");
            // The pool still works.
            assert_eq!(deliver(500, &Control::NONE, plain(10), |_| ()), (500, Ok(())));
        });
    }
}

/// The number of waiting answers is bounded if the caller takes them slowly or if they are huge.
#[test]
fn what_waits_is_bounded() {
    let (begun, threads) = (AtomicUsize::new(0), 4);
    let query = |index: usize, answer: &mut Answer| {
        begun.fetch_add(1, Ordering::Relaxed);
        work(index, 1);
        write(index, answer);
        Ok(())
    };
    let (mut most, mut index) = (0, 0);
    let each = |i: usize| {
        index = i;
        if i.is_multiple_of(1_000) {
            std::thread::sleep(Duration::from_millis(1));
        }
        most = most.max(begun.load(Ordering::Relaxed) - i);
    };
    let outcome = inside(threads, || deliver(100_000, &Control::NONE, query, each));
    assert_eq!(outcome, (100_000, Ok(())));
    assert!(most <= 4 * threads * 256 + 256, "{most} answers were waiting");
}

/// Light answers of a window are all there before its first one is delivered: at least four a thread.
#[test]
fn light_answers_are_ready_before_they_are_due() {
    let begun = AtomicUsize::new(0);
    let query = |index: usize, (): &mut (), answer: &mut Answer| {
        begun.fetch_add(1, Ordering::Relaxed);
        work(index, 20);
        answer.clear();
        answer.contacts.push(Contact { a: index as u32, b: 0 });
        Ok(())
    };
    let mut most = 0;
    let each = &mut |index: usize, _: &Answer| {
        most = most.max(begun.load(Ordering::Relaxed) - index - 1);
    };
    inside(2, || batch::over_threads(2_000, &mut (), || (), &Control::NONE, each, query))
        .expect("all answered");
    assert!(most >= 7, "{most} answers were waiting");
}

#[test]
fn huge_answers_wait_in_small_numbers() {
    const HUGE: usize = 300_000;
    let begun = AtomicUsize::new(0);
    // Cheap at first, so that the runs taken by a thread become long.
    let query = |index: usize, (): &mut (), answer: &mut Answer| {
        begun.fetch_add(1, Ordering::Relaxed);
        work(index, 1);
        answer.clear();
        answer.contacts_found = index as u64;
        let contacts = if index >= 4_000 { HUGE } else { 0 };
        answer.contacts.resize(contacts, Contact { a: index as u32, b: 0 });
        Ok(())
    };
    let (mut most, mut next) = (0, 0);
    let mut each = |index: usize, answer: &Answer| {
        assert_eq!((index, answer.contacts_found), (next, index as u64));
        next += 1;
        if index >= 4_000 {
            std::thread::sleep(Duration::from_micros(500));
            most = most.max(begun.load(Ordering::Relaxed) - index);
        }
    };
    inside(4, || batch::over_threads(4_400, &mut (), || (), &Control::NONE, &mut each, query))
        .expect("all answered");
    assert_eq!(next, 4_400);
    // A million contacts may wait, and each thread may work on one answer.
    assert!(most <= 4 + 4 + 4, "{most} huge answers at once");
}

/// Delivered contacts do not count as waiting: after many millions of contacts, other threads are
/// still called. A late question waits for a second thread, so that the test holds on a busy
/// machine.
#[test]
fn contacts_handed_over_hold_up_nobody() {
    const HUGE: usize = 20_000;
    let (many, count) = (300, 700);
    let late = Mutex::new(HashSet::new());
    let threads = || {
        let mut late = late.lock().expect("whole");
        late.insert(std::thread::current().id());
        late.len()
    };
    let query = |index: usize, (): &mut (), answer: &mut Answer| {
        answer.clear();
        if index < many {
            answer.contacts.resize(HUGE, Contact { a: index as u32, b: 0 });
            work(index, 20);
        } else {
            let start = Instant::now();
            while threads() < 2 && start.elapsed() < Duration::from_millis(25) {
                std::thread::sleep(Duration::from_micros(100));
            }
        }
        Ok(())
    };
    let (mut came, mut contacts) = (0, 0);
    let each = &mut |_: usize, answer: &Answer| {
        came += 1;
        contacts += answer.contacts.len();
    };
    inside(3, || batch::over_threads(count, &mut (), || (), &Control::NONE, each, query))
        .expect("all answered");
    assert_eq!((came, contacts), (count, many * HUGE));
    assert!(late.into_inner().expect("whole").len() >= 2, "one thread did the rest alone");
}

#[test]
fn batches_inside_a_parallel_loop_and_inside_each_other() {
    for threads in [1, 2, 4] {
        let outcomes: Vec<_> = inside(threads, || {
            let batch = |_| deliver(400, &Control::NONE, plain(5), |_| ());
            (0..20).into_par_iter().map(batch).collect()
        });
        assert!(outcomes.iter().all(|outcome| *outcome == (400, Ok(()))), "{threads} threads");
        // Questions and callers that use the thread pool themselves.
        let nested = |index: usize, answer: &mut Answer| {
            let sum: usize = (0..64usize).into_par_iter().with_max_len(1).sum();
            assert_eq!(sum, 63 * 32);
            if index.is_multiple_of(40) {
                let inner = deliver(100, &Control::NONE, plain(5), |_| ());
                assert_eq!(inner, (100, Ok(())));
            }
            write(index, answer);
            Ok(())
        };
        let each = |index| {
            if usize::is_multiple_of(index, 50) {
                assert_eq!((0..1_000usize).into_par_iter().max(), Some(999));
            }
        };
        let outcomes: Vec<_> = inside(threads, || {
            let batch = |_| deliver(200, &Control::NONE, nested, each);
            (0..8).into_par_iter().map(batch).collect()
        });
        assert!(outcomes.iter().all(|outcome| *outcome == (200, Ok(()))), "{threads} threads");
    }
}

/// A memory never serves two questions at once, and there are no more memories than threads.
#[test]
fn each_thread_has_a_memory_of_its_own() {
    let made = AtomicUsize::new(0);
    let fresh = || {
        made.fetch_add(1, Ordering::Relaxed);
        0_usize
    };
    let (mut own, mut came) = (0_usize, 0);
    let query = |index: usize, memory: &mut usize, answer: &mut Answer| {
        *memory += 1;
        work(index, 10);
        write(index, answer);
        Ok(())
    };
    let each = &mut |_: usize, _: &Answer| came += 1;
    inside(4, || batch::over_threads(3_000, &mut own, fresh, &Control::NONE, each, query))
        .expect("all answered");
    assert_eq!(came, 3_000);
    assert!(own > 0 && made.into_inner() <= 3);
}

#[test]
fn progress_comes_in_order_and_reaches_the_end() {
    let told = Mutex::new(Vec::new());
    let listen = |progress: Progress| told.lock().expect("whole").push(progress);
    let control = Control::NONE.reporting(&listen);
    let outcome = inside(3, || deliver(1_000, &control, plain(5), |_| ()));
    assert_eq!(outcome, (1_000, Ok(())));
    let told = told.into_inner().expect("whole");
    let done: Vec<u64> = told.iter().map(|progress| progress.done).collect();
    let every_tenth = (0..100).map(|k| 10 * k + 1);
    assert_eq!(done, every_tenth.chain([1_000]).collect::<Vec<_>>());
    assert!(told.iter().all(|progress| progress.stage == "poses" && progress.total == 1_000));
}
