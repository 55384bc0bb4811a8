//! Batches of queries: one after the other, or over the threads of the caller's pool. Answers are
//! delivered in order either way.
//!
//! [`Engine::batch`](crate::Engine::batch) defaults to [`in_order`]. [`over_threads`] is for
//! engines whose answers do not depend on the history of their memory. Threads are rayon's: the
//! pool of the caller, or else the global one (`docs/decisions/0003-threads.md`). No other part of
//! this crate knows of threads.

use impinge_geometry::Pose;

use crate::{Answer, Ask, BatchError, Control, Detector, Prepared, QueryError};

/// Runs `query` for every index below `count` and reuses one answer. Reports progress as the stage
/// `"poses"`.
///
/// # Errors
/// [`BatchError`] with the first index that failed.
pub fn in_order(
    count: usize,
    control: &Control<'_>,
    each: &mut dyn FnMut(usize, &Answer),
    mut query: impl FnMut(usize, &mut Answer) -> Result<(), QueryError>,
) -> Result<(), BatchError> {
    let mut answer = Answer::default();
    for index in 0..count {
        query(index, &mut answer).map_err(|source| BatchError { index, source })?;
        each(index, &answer);
        control.report_item("poses", index, count);
    }
    Ok(())
}

/// Runs `query` for every index below `count` on all threads of the caller's pool. Hands the
/// answers to `each` in order, on the calling thread. The answers of `query` must not depend on the
/// history of its memory, except in what the question leaves open (which contact is the first). The
/// batch then gives the same answers as [`in_order`] for any number of threads.
///
/// See [`ordered`](impinge_threads::ordered()) for when other threads are used and how many results
/// may wait. `memory` serves the calling thread; `fresh` makes one for each other thread. Once
/// `each` has raised the flag of `control`, it is not called again. Progress is the stage
/// `"poses"`.
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
/// [`BatchError`] with the first index without an answer. Exactly the answers before it were
/// delivered.
///
/// # Panics
/// Only if `query` or `each` panics. The panic is passed on once all threads have stopped.
pub fn over_threads<M: Send>(
    count: usize,
    memory: &mut M,
    fresh: impl Fn() -> M + Sync,
    control: &Control<'_>,
    each: &mut dyn FnMut(usize, &Answer),
    query: impl Fn(usize, &mut M, &mut Answer) -> Result<(), QueryError> + Sync,
) -> Result<(), BatchError> {
    let work = |index: usize, memory: &mut M, answer: &mut Answer| {
        query(index, memory, answer)?;
        Ok(answer.contacts.len() + 16 * answer.details.len())
    };
    let mut deliver = |index: usize, answer: &Answer| {
        control.check()?;
        each(index, answer);
        control.report_item("poses", index, count);
        Ok(())
    };
    impinge_threads::ordered(count, memory, fresh, work, &mut deliver)
        .map_err(|(index, source)| BatchError { index, source })
}

/// Runs `work` for every index over all threads of the caller's rayon pool, or of the global one, and
/// hands the answers over in order, on the calling thread: for answers of any type. They must not depend on
/// the history of the memory, of which `fresh` makes one a thread. Reports progress as the stage `"pairs"`.
///
/// # Errors
/// The first index without an answer. Exactly the answers before it were delivered.
pub fn answers<M: Send, T: Send, E: Send>(
    count: usize,
    fresh: impl Fn() -> M + Sync,
    control: &Control<'_>,
    work: impl Fn(usize, &mut M, &Control<'_>) -> Result<T, E> + Sync,
    each: &mut dyn FnMut(usize, &T),
) -> Result<(), (usize, E)> {
    let silent = control.silent();
    let one = |index: usize, memory: &mut M, out: &mut Option<T>| {
        *out = Some(work(index, memory, &silent)?);
        Ok(1)
    };
    let mut deliver = |index: usize, out: &Option<T>| {
        if let Some(answer) = out {
            each(index, answer);
        }
        control.report_item("pairs", index, count);
        Ok(())
    };
    impinge_threads::ordered(count, &mut fresh(), fresh, one, &mut deliver)
}

/// A query about two models: B placed by `b_in_a` in A's frame.
#[derive(Clone, Copy, Debug)]
pub struct PairAt<'m> {
    /// The fixed model.
    pub a: &'m Prepared,
    /// The posed model.
    pub b: &'m Prepared,
    /// B's pose in A's frame.
    pub b_in_a: Pose,
}

/// Answers `ask` for every pair, in parallel as [`over_threads`] does, with answers in order. A
/// thread's memory goes from pair to pair, which every engine allows. Engines that remember
/// contacts may report another first contact, or another of equally near points, than serial
/// queries; the rest is the same.
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

/// Answers `ask` about every model against itself, in parallel as [`over_threads`] does.
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
