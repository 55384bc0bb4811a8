//! Long calls: the interpreter is free meanwhile, Ctrl-C ends them, and a callable hears of progress.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use impinge::query::{Cancel, Control, Progress};
use pyo3::prelude::*;

/// How long the calling thread waits before it looks for signals.
const LOOK: Duration = Duration::from_millis(50);

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
    let progress = progress.filter(|callable| !callable.is_none()).map(|c| c.clone().unbind());
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
