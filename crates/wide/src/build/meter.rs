//! How far a build has come, told by any thread, and whether it is to stop.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use impinge_query::{Cancelled, Control};

/// Counts triangles that were cut and fitted.
pub(super) struct Meter<'m> {
    control: &'m Control<'m>,
    done: AtomicU64,
    total: u64,
    /// Some thread was told to stop and left its work undone. Kept here since a caller may lower the flag.
    stopped: AtomicBool,
}

impl<'m> Meter<'m> {
    pub(super) const fn new(control: &'m Control<'m>, total: u64) -> Self {
        let (done, stopped) = (AtomicU64::new(0), AtomicBool::new(false));
        Self { control, done, total, stopped }
    }

    /// So much more is done. Reports every hundredth.
    pub(super) fn advance(&self, by: u64) {
        let before = self.done.fetch_add(by, Ordering::Relaxed);
        let (now, part) = (before + by, 1 + self.total / 100);
        if before / part != now / part && now < self.total {
            self.control.report("build", now, self.total);
        }
    }

    /// # Errors
    /// [`Cancelled`]; then [`Meter::finish`] is an error too.
    pub(super) fn check(&self) -> Result<(), Cancelled> {
        let check = self.control.check();
        if check.is_err() {
            self.stopped.store(true, Ordering::Relaxed);
        }
        check
    }

    /// All is done, or something was left undone.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub(super) fn finish(&self) -> Result<(), Cancelled> {
        self.check()?;
        if self.stopped.load(Ordering::Relaxed) {
            return Err(Cancelled);
        }
        self.control.report("build", self.total, self.total);
        Ok(())
    }
}
