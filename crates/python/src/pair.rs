//! `Pair`: two models, and how a question about them is run.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use impinge::query::{Answer, Ask, BatchError, Control, Progress};
use impinge::{Body, Error, Pose};
use pyo3::prelude::*;

use crate::errors;
use crate::model::{Model, method};
use crate::poses::{At, Batch};
use crate::watch::{Pace, tried, watched};

/// Two models, prepared once, asked many times; any number of threads may ask the same pair.
///
/// Surfaces are closed sets: touching counts. With `solids`, a body inside the other counts as a
/// collision and has distance 0; both meshes must be closed, else `NotClosedError`.
///
/// Cheap with the default method; others prepare both meshes when first asked for.
///
/// method: one of `methods()`.
#[pyclass(frozen, module = "impinge")]
pub(crate) struct Pair {
    /// The model that stands still: poses are in its frame.
    #[pyo3(get)]
    a: Py<Model>,
    /// The model that poses place.
    #[pyo3(get)]
    b: Py<Model>,
    bodies: [Body; 2],
    /// Pairs with their memory; a call takes one, and puts it back. Boxed, since to move a pair costs as
    /// much as to ask it.
    #[expect(clippy::vec_box, reason = "moved, not read in a row")]
    idle: Mutex<Vec<Box<impinge::Pair>>>,
    triangles: usize,
    /// Of single questions.
    pace: Pace,
}

/// Up to so many triangles, a verdict takes less time than letting go of the interpreter is worth.
const IN_PLACE: usize = 20_000;

/// Poses that are read and answered at a time: 3 MiB of them.
const CHUNK: usize = 1 << 15;

/// Batches of at most so many poses of small meshes are answered without a thread that looks for Ctrl-C.
const FEW: usize = 64;

/// How a call is run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Run {
    /// Here, with the interpreter held.
    InPlace,
    /// Here, without the interpreter.
    Detached,
    /// Here, without the interpreter, and again as [`Run::Watched`] if that takes long.
    Tried,
    /// On another thread, while this one looks for Ctrl-C.
    Watched,
}

type Listener<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

impl Pair {
    /// A pair of models by a method.
    pub(crate) fn of(a: Bound<'_, Model>, b: Bound<'_, Model>, word: &str) -> PyResult<Self> {
        let (py, method) = (a.py(), method(word)?);
        let bodies = [a.get().body(py, method)?, b.get().body(py, method)?];
        let first = impinge::Pair::of(&bodies[0], &bodies[1]);
        let idle = Mutex::new(vec![Box::new(first.map_err(|error| errors::of(py, &error))?)]);
        let triangles = a.get().size() + b.get().size();
        let pace = Pace::default();
        Ok(Self { a: a.unbind(), b: b.unbind(), bodies, idle, triangles, pace })
    }

    /// The models.
    pub(crate) fn models(&self) -> [&Py<Model>; 2] {
        [&self.a, &self.b]
    }

    /// The word of the method.
    pub(crate) fn word(&self) -> &'static str {
        self.bodies[0].method().word()
    }

    /// Runs `work` with a pair that no other thread uses. If it is tried, `work` may begin twice, and
    /// must keep nothing of the first time.
    pub(crate) fn with<R: Send>(
        &self,
        py: Python<'_>,
        run: Run,
        progress: Listener<'_, '_>,
        mut work: impl FnMut(&mut impinge::Pair, &Control<'_>) -> Result<R, Error> + Send,
    ) -> PyResult<R> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = idle().pop();
        let mut pair = match taken {
            Some(pair) => pair,
            None => {
                let made = impinge::Pair::of(&self.bodies[0], &self.bodies[1]);
                Box::new(made.map_err(|error| errors::of(py, &error))?)
            }
        };
        let outcome = match run {
            Run::InPlace => work(&mut pair, &Control::NONE),
            Run::Detached => py.detach(|| work(&mut pair, &Control::NONE)),
            Run::Tried => tried(py, &self.pace, progress, |control| work(&mut pair, control))?,
            Run::Watched => watched(py, progress, |control| work(&mut pair, control))?,
        };
        idle().push(pair);
        outcome.map_err(|error| errors::of(py, &error))
    }

    /// Asks at one pose. `cheap` says that the answer takes microseconds of small meshes.
    pub(crate) fn single<R: Send>(
        &self,
        py: Python<'_>,
        pose: &Pose,
        (ask, cheap): (&Ask, bool),
        progress: Listener<'_, '_>,
        mut of: impl FnMut(&Answer) -> Result<R, Error> + Send,
    ) -> PyResult<R> {
        let in_place = cheap && self.triangles <= IN_PLACE && progress.is_none();
        let run = if in_place { Run::InPlace } else { Run::Tried };
        self.with(py, run, progress, |pair, control| of(pair.ask_with(pose, ask, control)?))
    }

    /// Asks at every pose of a batch, on all threads; `each` gets the answers in order.
    pub(crate) fn batch(
        &self,
        batch: &Batch<'_>,
        ask: &Ask,
        progress: Listener<'_, '_>,
        each: &mut (dyn FnMut(usize, &Answer) + Send),
    ) -> PyResult<()> {
        let (numbers, count) = (batch.numbers()?, batch.len());
        let few = count <= FEW && self.triangles <= IN_PLACE && progress.is_none();
        let run = if few { Run::Detached } else { Run::Watched };
        let make = |range, poses: &mut _| numbers.read(range, poses);
        self.each(batch.py(), (count, run), progress, make, |pair, poses, start, control| {
            let mut deliver = |i: usize, answer: &Answer| each(start + i, answer);
            pair.batch_with(poses, ask, control, &mut deliver)
        })
    }

    /// Makes the items of a batch, some at a time, and runs `work` on them and on the index of the first.
    /// `make` adds the items of a range.
    pub(crate) fn each<T: Send>(
        &self,
        py: Python<'_>,
        (count, run): (usize, Run),
        progress: Listener<'_, '_>,
        make: impl Fn(Range<usize>, &mut Vec<T>) -> Result<(), At> + Sync,
        mut work: impl FnMut(&mut impinge::Pair, &[T], usize, &Control<'_>) -> Result<(), Error> + Send,
    ) -> PyResult<()> {
        let refused = self.with(py, run, progress, |pair, control| {
            let (mut start, mut items) = (0, Vec::new());
            // Once for an empty batch too, so that the question is checked.
            loop {
                let end = (start + CHUNK).min(count);
                items.clear();
                if let Err(refused) = make(start..end, &mut items) {
                    return Ok(Some(refused));
                }
                let report = |now: Progress| match now.stage {
                    "poses" | "pairs" => {
                        control.report("poses", start as u64 + now.done, count as u64);
                    }
                    // What the meshes need first.
                    stage => control.report(stage, now.done, now.total),
                };
                let control = control.silent().reporting(&report);
                work(pair, &items, start, &control).map_err(|error| later(error, start))?;
                start = end;
                if start == count {
                    return Ok(None);
                }
            }
        })?;
        refused.map_or(Ok(()), |(index, refused)| Err(refused.raise(py, Some(index))))
    }
}

/// The error of a part of a batch that began at pose `start`.
fn later(error: Error, start: usize) -> Error {
    match error {
        Error::Batch(BatchError { index, source }) => {
            Error::Batch(BatchError { index: start + index, source })
        }
        error => error,
    }
}
