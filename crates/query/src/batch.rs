//! Many questions at once: one after the other, or over the threads of the caller's pool, with the
//! answers in order either way.
//!
//! An engine's [`Engine::batch`](crate::Engine::batch) is [`in_order`] unless it says otherwise.
//! [`over_threads`] is for engines whose answers do not depend on what their memory saw before; threads are
//! rayon's: those of the pool that the caller is in, or else of the global one
//! (`docs/decisions/0003-threads.md`). No other part of this crate knows of threads.

mod conductor;
mod line;

use std::time::{Duration, Instant};

use impinge_geometry::Pose;

use crate::{Answer, Ask, BatchError, Control, Detector, Prepared, QueryError};

use conductor::Conductor;

/// Work that is done before other threads are called, and what must be left for them twice over.
/// Waking a thread takes 25 to 50 µs.
const ALONE: Duration = Duration::from_micros(100);

/// A question that takes less is not worth another thread: its answer, some 300 bytes, must come back.
const HANDING: Duration = Duration::from_nanos(200);

/// After that first work, one question in so many is timed: a clock is not free.
const SAMPLE: usize = 16;

/// Runs `query` for every pose, reusing one answer, reporting progress as the stage `"poses"`.
///
/// # Errors
/// [`BatchError`] with the index of the first pose that failed.
pub fn in_order(
    poses: &[Pose],
    control: &Control<'_>,
    each: &mut dyn FnMut(usize, &Answer),
    mut query: impl FnMut(&Pose, &mut Answer) -> Result<(), QueryError>,
) -> Result<(), BatchError> {
    let mut answer = Answer::default();
    let mut delivery = Delivery::new(poses.len(), control, each);
    for (index, pose) in poses.iter().enumerate() {
        query(pose, &mut answer).map_err(|source| BatchError { index, source })?;
        delivery.hand_over(index, &answer);
    }
    Ok(())
}

/// Runs `query` for every index below `count`, on all threads of the caller's pool, and hands the
/// answers to `each` in order, on the calling thread. `query` must give the same answer whatever
/// its memory was used for before, but for what the question leaves free (which contact is the first); then
/// the batch gives what [`in_order`] would, for any number of threads.
///
/// The first tenth of a millisecond is worked alone, and all of it if little is left then or questions take
/// less than 0.2 µs each. `memory`
/// serves the calling thread; each other thread has one of its own, made by `fresh`. Answers that wait for
/// their turn are bounded in number (some thousand a thread) and in contacts held. Once `each` has raised the flag of
/// `control`, it is called no more. Progress is the stage `"poses"`. As everywhere in a pool, do not hold a lock
/// that other tasks of the pool want: while the calling thread waits, it may take up one of them.
///
/// ```
/// use impinge_query::{Control, Verdict, batch};
/// let mut hits = Vec::new();
/// batch::over_threads(
///     1_000,
///     &mut (),
///     || (),
///     &Control::NONE,
///     &mut |index, answer| if answer.verdict.is_hit() { hits.push(index) },
///     |index, (), answer| {
///         answer.clear();
///         answer.verdict = if index % 400 == 0 { Verdict::Intersecting } else { Verdict::Separated };
///         Ok(())
///     },
/// )?;
/// assert_eq!(hits, [0, 400, 800]);
/// # Ok::<(), impinge_query::BatchError>(())
/// ```
///
/// # Errors
/// [`BatchError`] with the first index that has no answer; those before it were handed over, none
/// after it.
///
/// # Panics
/// Only if `query` or `each` does: the panic is passed on once all threads have left.
pub fn over_threads<M: Send>(
    count: usize,
    memory: &mut M,
    fresh: impl Fn() -> M + Sync,
    control: &Control<'_>,
    each: &mut dyn FnMut(usize, &Answer),
    query: impl Fn(usize, &mut M, &mut Answer) -> Result<(), QueryError> + Sync,
) -> Result<(), BatchError> {
    let mut delivery = Delivery::new(count, control, each);
    let mut answer = Answer::default();
    let (mut worked, mut alone) = (Duration::ZERO, false);
    for index in 0..count {
        let weight = if worked < ALONE { 1 } else { SAMPLE };
        let start = (!alone && index.is_multiple_of(weight)).then(Instant::now);
        query(index, memory, &mut answer).map_err(|source| BatchError { index, source })?;
        let took = start.map(|start| start.elapsed());
        delivery.check(index)?;
        delivery.hand_over(index, &answer);
        let Some(took) = took else { continue };
        worked += took * weight as u32;
        let (done, left) = (index + 1, count - index - 1);
        let pace = worked.as_secs_f64() / done as f64;
        if worked >= ALONE && are_worth_threads(left, pace) {
            let threads = rayon::current_num_threads();
            if threads > 1 {
                let conductor = Conductor::new(done..count, threads, pace, &fresh, &query);
                return conductor.run(memory, &mut delivery);
            }
            alone = true;
        }
    }
    Ok(())
}

/// Are so many questions, which take so many seconds each?
fn are_worth_threads(questions: usize, pace: f64) -> bool {
    let all = pace * questions as f64;
    questions > 1 && pace >= HANDING.as_secs_f64() && all >= 2.0 * ALONE.as_secs_f64()
}

/// A question about two models: B placed by `b_in_a` in A's frame.
#[derive(Clone, Copy, Debug)]
pub struct PairAt<'m> {
    /// A.
    pub a: &'m Prepared,
    /// B.
    pub b: &'m Prepared,
    /// B's pose in A's frame.
    pub b_in_a: Pose,
}

/// Answers `ask` for every pair, over threads as [`over_threads`] does, answers in order. A thread's memory
/// goes from pair to pair, which every engine allows. Engines that remember contacts may name another
/// first contact, or another of equally near points, than one by one; all else is the same.
///
/// # Errors
/// [`BatchError`] with the index of the first pair that has no answer.
pub fn pairs<D: Detector + ?Sized>(
    detector: &D,
    pairs: &[PairAt<'_>],
    ask: &Ask,
    control: &Control<'_>,
    each: &mut dyn FnMut(usize, &Answer),
) -> Result<(), BatchError> {
    let fresh = || detector.memory();
    over_threads(pairs.len(), &mut fresh(), fresh, control, each, |index, memory, answer| {
        let PairAt { a, b, b_in_a } = &pairs[index];
        detector.query(a, b, b_in_a, memory, ask, control, answer)
    })
}

/// Answers `ask` about every model and itself, over threads as [`over_threads`] does, answers in order.
///
/// # Errors
/// [`BatchError`] with the index of the first model that has no answer.
pub fn bodies<D: Detector + ?Sized>(
    detector: &D,
    models: &[&Prepared],
    ask: &Ask,
    control: &Control<'_>,
    each: &mut dyn FnMut(usize, &Answer),
) -> Result<(), BatchError> {
    let fresh = || detector.memory();
    over_threads(models.len(), &mut fresh(), fresh, control, each, |index, memory, answer| {
        detector.query_itself(models[index], memory, ask, control, answer)
    })
}

/// Hands answers to the caller and tells how far it is.
struct Delivery<'e> {
    count: usize,
    stride: usize,
    control: &'e Control<'e>,
    each: &'e mut dyn FnMut(usize, &Answer),
}

impl<'e> Delivery<'e> {
    fn new(
        count: usize,
        control: &'e Control<'e>,
        each: &'e mut dyn FnMut(usize, &Answer),
    ) -> Self {
        Self { count, stride: (count / 100).max(1), control, each }
    }

    /// Has the caller cancelled? Then what was answered before is not handed over after.
    fn check(&self, index: usize) -> Result<(), BatchError> {
        self.control.check().map_err(|cancelled| BatchError { index, source: cancelled.into() })
    }

    fn hand_over(&mut self, index: usize, answer: &Answer) {
        (self.each)(index, answer);
        if index.is_multiple_of(self.stride) {
            self.control.report("poses", index as u64 + 1, self.count as u64);
        }
    }
}
