//! Answers about many pairs, over all threads.

use impinge_query::Control;

/// Runs `work` for every index over all threads of the caller's rayon pool, or of the global one, and
/// hands the answers over in order, on the calling thread. Answers must not depend on the history of the
/// memory, of which `fresh` makes one a thread. Reports progress as the stage `"pairs"`.
///
/// # Errors
/// The first index without an answer. Exactly the answers before it were delivered.
pub(crate) fn in_order<M: Send, T: Send, E: Send>(
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
