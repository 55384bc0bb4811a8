//! Cancellation and progress, handed down into every long call.

use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that another thread may raise. A cancelled query is an error, never "separated".
#[derive(Debug, Default)]
pub struct Cancel(AtomicBool);

impl Cancel {
    /// A flag that is down.
    pub const fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    /// Raises the flag; work stops at its next check.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Lowers it again, to use what was cancelled once more.
    pub fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Is the flag up?
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
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
            Some(flag) if flag.is_cancelled() => Err(Cancelled),
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
