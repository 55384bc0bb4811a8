//! Long calls: the interpreter is free meanwhile, Ctrl-C ends them, and a callable hears of progress.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use impinge::query::{Cancel, Control, Moment, Progress};
use pyo3::prelude::*;

/// How long the calling thread waits before it looks for signals.
const LOOK: Duration = Duration::from_millis(50);

/// Work that takes no longer is done by the calling thread: to start another costs some 0.1 ms.
const TRIAL: Duration = Duration::from_millis(1);

/// Whether the last question to a pair or a world took longer than [`TRIAL`].
#[derive(Debug, Default)]
pub(crate) struct Pace(AtomicBool);

/// Runs `work` on the calling thread, detached from the interpreter, and begins anew with [`watched`]
/// if that takes longer than [`TRIAL`]. Where somebody hears of progress, or the last work of this
/// pace took longer, it is watched at once.
///
/// # Errors
/// Those of [`watched`].
pub(crate) fn tried<R: Send, E: Send>(
    py: Python<'_>,
    pace: &Pace,
    progress: Option<&Bound<'_, PyAny>>,
    mut work: impl FnMut(&Control<'_>) -> Result<R, E> + Send,
) -> PyResult<Result<R, E>> {
    if heard(progress).is_none() && !pace.0.load(Ordering::Relaxed) {
        let cancel = Cancel::after(TRIAL);
        let outcome = py.detach(|| work(&Control::NONE.cancelled_by(&cancel)));
        if outcome.is_ok() || !cancel.is_cancelled() {
            return Ok(outcome);
        }
    }
    let begun = Moment::now();
    let outcome = watched(py, progress, work);
    pace.0.store(begun.elapsed() > TRIAL, Ordering::Relaxed);
    outcome
}

/// Runs `work` on another thread, detached from the interpreter. The calling thread looks for signals,
/// which Python delivers to no other, and calls `progress(stage, done, total)`, at most some twenty
/// times a second and once at the end.
///
/// # Errors
/// What a signal handler or `progress` raises; the work was then told to end, and has.
pub(crate) fn watched<R: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Control<'_>) -> R + Send,
) -> PyResult<R> {
    let progress = heard(progress);
    let (cancel, latest) = (Cancel::new(), Mutex::new(None::<Progress>));
    let report = |now: Progress| *latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(now);
    let mut control = Control::NONE.cancelled_by(&cancel);
    if progress.is_some() {
        control = control.reporting(&report);
    }
    let tell = |py: Python<'_>| -> PyResult<()> {
        let now = latest.lock().unwrap_or_else(PoisonError::into_inner).take();
        match (&progress, now) {
            (Some(callable), Some(now)) => {
                callable.call1(py, (now.stage, now.done, now.total)).map(drop)
            }
            _ => Ok(()),
        }
    };
    let mut failure = None;
    let outcome = py.detach(|| {
        thread::scope(|scope| {
            let (finished, end) = channel();
            let control = &control;
            let worker = scope.spawn(move || {
                let result = work(control);
                let _ = finished.send(());
                result
            });
            while end.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                if failure.is_none() {
                    let looked = Python::attach(|py| py.check_signals().and_then(|()| tell(py)));
                    failure = looked.err();
                    if failure.is_some() {
                        cancel.cancel();
                    }
                }
            }
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    });
    match failure {
        Some(failure) => Err(failure),
        None => tell(py).map(|()| outcome),
    }
}

/// The callable that shall hear of progress, if there is one.
fn heard(progress: Option<&Bound<'_, PyAny>>) -> Option<Py<PyAny>> {
    progress.filter(|callable| !callable.is_none()).map(|callable| callable.clone().unbind())
}

/// The same of work that cannot be told to end, such as reading a file: the caller does not wait for it after a
/// signal. `stage` and its total are told again and again with 0 done, and at the end with all of it.
///
/// # Errors
/// What a signal handler or `progress` raises. The work then goes on to its end, and its result is dropped.
pub(crate) fn left<R: Send + 'static>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    (stage, total): (&'static str, u64),
    work: impl FnOnce() -> R + Send + 'static,
) -> PyResult<R> {
    let progress = heard(progress);
    let tell = |py: Python<'_>, done: u64| match &progress {
        Some(callable) => callable.call1(py, (stage, done, total)).map(drop),
        None => Ok(()),
    };
    let (finished, end) = channel();
    let worker = thread::spawn(move || {
        let result = work();
        let _ = finished.send(());
        result
    });
    let tell = &tell;
    let result = py.detach(move || {
        while end.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
            Python::attach(|py| py.check_signals().and_then(|()| tell(py, 0)))?;
        }
        PyResult::Ok(worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })?;
    tell(py, total)?;
    Ok(result)
}
