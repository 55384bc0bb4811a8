//! Cancellation and progress, passed down into every long call.

use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use crate::clock::Moment;
use crate::looks::{Looks, Watch};

/// The flag is down, and checks are not counted.
const DOWN: u8 = 0;
const UP: u8 = 1;
/// The flag is down, and a check counts itself or looks at the clock.
const WATCHED: u8 = 2;

/// A flag that another thread may raise. A cancelled query is an error, never "separated".
#[derive(Debug, Default)]
pub struct Cancel {
    state: AtomicU8,
    watch: Option<Watch>,
    /// When it was made, and how long it then stays down.
    time: Option<(Moment, Duration)>,
}

impl Cancel {
    /// A flag that is down.
    pub const fn new() -> Self {
        Self { state: AtomicU8::new(DOWN), watch: None, time: None }
    }

    /// A flag that raises itself at the first check later than `time` from now: a call that takes
    /// longer ends with [`Cancelled`]. Each check reads the clock. On `wasm32-unknown-unknown`, which
    /// has no clock, the flag stays down.
    pub fn after(time: Duration) -> Self {
        let time = Some((Moment::now(), time));
        Self { state: AtomicU8::new(WATCHED), watch: None, time }
    }

    /// For tests: a flag that counts its checks and raises itself at check number `look`, counted
    /// from 1; at `u64::MAX` it only counts. Use it for one call, made on the thread that calls
    /// this.
    pub fn at_look(look: u64) -> Self {
        let watch = Some(Watch::new(look));
        Self { state: AtomicU8::new(WATCHED), watch, time: None }
    }

    /// The counts so far, if the flag was made by [`Cancel::at_look`]. Call it on the thread that
    /// made the flag.
    pub fn looks(&self) -> Option<Looks> {
        self.watch.as_ref().map(Watch::looks)
    }

    /// Raises the flag; work stops at its next check.
    pub fn cancel(&self) {
        self.state.store(UP, Ordering::Relaxed);
    }

    /// Lowers the flag, so that it can be used again. The time of [`Cancel::after`] does not begin
    /// anew.
    pub fn reset(&self) {
        let is_plain = self.watch.is_none() && self.time.is_none();
        self.state.store(if is_plain { DOWN } else { WATCHED }, Ordering::Relaxed);
    }

    /// Whether the flag is up.
    pub fn is_cancelled(&self) -> bool {
        self.state.load(Ordering::Relaxed) == UP
    }

    #[cold]
    fn look(&self) -> Result<(), Cancelled> {
        let is_at = self.watch.as_ref().is_some_and(Watch::look);
        let is_late = self.time.is_some_and(|(start, time)| start.elapsed() > time);
        if is_at || is_late {
            self.cancel();
        }
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }
}

/// The error of a call whose [`Cancel`] flag was raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled by the caller")]
pub struct Cancelled;

/// The progress of a long call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The current stage, e.g. `"build"`.
    pub stage: &'static str,
    /// Units of work done in this stage.
    pub done: u64,
    /// Units of work in this stage in all.
    pub total: u64,
}

/// Cancellation and progress of one call. The default has neither.
#[derive(Clone, Copy, Default)]
pub struct Control<'a> {
    cancel: Option<&'a Cancel>,
    progress: Option<&'a (dyn Fn(Progress) + Sync)>,
}

impl std::fmt::Debug for Control<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Control")
            .field("cancel", &self.cancel)
            .field("progress", &self.progress.is_some())
            .finish()
    }
}

impl<'a> Control<'a> {
    /// No cancellation and no progress reports.
    pub const NONE: Control<'static> = Control { cancel: None, progress: None };

    /// Stops when `cancel` is raised.
    #[must_use]
    pub const fn cancelled_by(mut self, cancel: &'a Cancel) -> Self {
        self.cancel = Some(cancel);
        self
    }

    /// Reports progress to `progress`, at most some hundred times a call.
    #[must_use]
    pub const fn reporting(mut self, progress: &'a (dyn Fn(Progress) + Sync)) -> Self {
        self.progress = Some(progress);
        self
    }

    /// The same cancellation without progress reports, for a part of a call.
    #[must_use]
    pub const fn silent(self) -> Self {
        Self { progress: None, ..self }
    }

    /// Returns `Err` once the flag is up.
    ///
    /// # Errors
    /// [`Cancelled`].
    #[inline]
    pub fn check(&self) -> Result<(), Cancelled> {
        match self.cancel {
            Some(flag) if flag.state.load(Ordering::Relaxed) != DOWN => flag.look(),
            _ => Ok(()),
        }
    }

    /// Reports that the item of this index is done, of `total` that are done in order: about a hundred times in
    /// all, at the first and the last of them in any case.
    pub fn report_item(&self, stage: &'static str, index: usize, total: usize) {
        let is_last = index + 1 == total;
        if self.progress.is_some() && (is_last || index.is_multiple_of((total / 100).max(1))) {
            self.report(stage, index as u64 + 1, total as u64);
        }
    }

    /// Reports progress, if anyone listens.
    pub fn report(&self, stage: &'static str, done: u64, total: u64) {
        if let Some(progress) = self.progress {
            progress(Progress { stage, done, total });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn items_are_reported_about_a_hundred_times_the_first_and_the_last_too() {
        for (total, least) in [(1, 1), (2, 2), (99, 99), (100, 100), (199, 199), (12_345, 101)] {
            let told = Mutex::new(Vec::new());
            let listen = |progress: Progress| told.lock().expect("whole").push(progress.done);
            let control = Control::NONE.reporting(&listen);
            (0..total).for_each(|index| control.report_item("items", index, total));
            let told = told.into_inner().expect("whole");
            assert!((least..=least + 1).contains(&told.len()), "{} of {total}", told.len());
            assert!(told.is_sorted() && told[0] == 1 && told.last() == Some(&(total as u64)));
        }
    }
}
