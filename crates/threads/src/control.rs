//! Cancellation and progress, handed down into every long call.

use std::sync::atomic::{AtomicU8, Ordering};

use crate::looks::{Looks, Watch};

/// The flag is down, and nobody counts how often it is looked at.
const DOWN: u8 = 0;
/// The flag is up.
const UP: u8 = 1;
/// The flag is down, and looks are counted.
const WATCHED: u8 = 2;

/// A flag that another thread may raise. A cancelled query is an error, never "separated".
#[derive(Debug, Default)]
pub struct Cancel {
    state: AtomicU8,
    watch: Option<Watch>,
}

impl Cancel {
    /// A flag that is down.
    pub const fn new() -> Self {
        Self { state: AtomicU8::new(DOWN), watch: None }
    }

    /// For tests: a flag that counts how often it is looked at and raises itself at look number
    /// `look`, from 1; at `u64::MAX` it only counts. To be used for one call, made on the thread
    /// that makes this call.
    pub fn at_look(look: u64) -> Self {
        Self { state: AtomicU8::new(WATCHED), watch: Some(Watch::new(look)) }
    }

    /// What was counted up to now, if the flag was made by [`Cancel::at_look`]. To be asked on
    /// the thread that made it.
    pub fn looks(&self) -> Option<Looks> {
        self.watch.as_ref().map(Watch::looks)
    }

    /// Raises the flag; work stops at its next check.
    pub fn cancel(&self) {
        self.state.store(UP, Ordering::Relaxed);
    }

    /// Lowers it again, to use what was cancelled once more.
    pub fn reset(&self) {
        self.state.store(if self.watch.is_some() { WATCHED } else { DOWN }, Ordering::Relaxed);
    }

    /// Is the flag up?
    pub fn is_cancelled(&self) -> bool {
        self.state.load(Ordering::Relaxed) == UP
    }

    /// The look of a flag that is up or watched.
    #[cold]
    fn look(&self) -> Result<(), Cancelled> {
        if let Some(watch) = &self.watch
            && watch.look()
        {
            self.cancel();
        }
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }
}

/// The caller raised the [`Cancel`] flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled by the caller")]
pub struct Cancelled;

/// How far a long call has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being done, e.g. `"build"`.
    pub stage: &'static str,
    /// Units done.
    pub done: u64,
    /// Units in all.
    pub total: u64,
}

/// Cancellation and progress of one call. The default does neither.
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
    /// Runs to the end and tells nobody.
    pub const NONE: Control<'static> = Control { cancel: None, progress: None };

    /// Stops when `cancel` is raised.
    #[must_use]
    pub const fn cancelled_by(mut self, cancel: &'a Cancel) -> Self {
        self.cancel = Some(cancel);
        self
    }

    /// Tells `progress` how far it is, at most some hundred times a call.
    #[must_use]
    pub const fn reporting(mut self, progress: &'a (dyn Fn(Progress) + Sync)) -> Self {
        self.progress = Some(progress);
        self
    }

    /// Stops as this does, and tells nobody how far it is: for a part of a call.
    #[must_use]
    pub const fn silent(self) -> Self {
        Self { progress: None, ..self }
    }

    /// `Err` once the flag is up.
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

    /// Reports progress to whoever listens.
    pub fn report(&self, stage: &'static str, done: u64, total: u64) {
        if let Some(progress) = self.progress {
            progress(Progress { stage, done, total });
        }
    }
}
