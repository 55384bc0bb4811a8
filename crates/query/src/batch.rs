//! Many questions at once: one after the other, or over the threads of the caller's pool, with the
//! answers in order either way.
//!
//! An engine's [`Engine::batch`](crate::Engine::batch) is [`in_order`] unless it says otherwise.
//! [`over_threads`] is for engines whose answers do not depend on what their memory saw before; threads are
//! rayon's: those of the pool that the caller is in, or else of the global one
//! (`docs/decisions/0003-threads.md`). No other part of this crate knows of threads.

use impinge_geometry::Pose;

use crate::{Answer, Ask, BatchError, Control, Detector, Prepared, QueryError};

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
/// [`ordered`](impinge_threads::ordered()) does it, and says when other threads are called and how much may wait. `memory`
/// serves the calling thread; each other thread has one of its own, made by `fresh`. Once `each` has
/// raised the flag of `control`, it is called no more. Progress is the stage `"poses"`.
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
    let work = |index: usize, memory: &mut M, answer: &mut Answer| {
        query(index, memory, answer)?;
        Ok(answer.contacts.len() + 16 * answer.details.len())
    };
    let mut deliver = |index: usize, answer: &Answer| {
        control.check()?;
        delivery.hand_over(index, answer);
        Ok(())
    };
    impinge_threads::ordered(count, memory, fresh, work, &mut deliver)
        .map_err(|(index, source)| BatchError { index, source })
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
        detector.query_self(models[index], memory, ask, control, answer)
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

    fn hand_over(&mut self, index: usize, answer: &Answer) {
        (self.each)(index, answer);
        let done = index + 1;
        if index.is_multiple_of(self.stride) || done == self.count {
            self.control.report("poses", done as u64, self.count as u64);
        }
    }
}
