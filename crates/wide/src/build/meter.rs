//! Progress of a build, reported by any thread, and whether it is cancelled.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use impinge_query::{Cancelled, Control};

/// Counts triangles that were cut and fitted.
pub(super) struct Meter<'m> {
    control: &'m Control<'m>,
    done: AtomicU64,
    total: u64,
    /// Whether some thread saw the cancellation and left its work undone. Kept here because the
    /// caller may lower the flag again.
    stopped: AtomicBool,
}

impl<'m> Meter<'m> {
    pub(super) const fn new(control: &'m Control<'m>, total: u64) -> Self {
        let (done, stopped) = (AtomicU64::new(0), AtomicBool::new(false));
        Self { control, done, total, stopped }
    }

    /// Adds `by` triangles. Reports every hundredth of the total.
    pub(super) fn advance(&self, by: u64) {
        let before = self.done.fetch_add(by, Ordering::Relaxed);
        let (now, part) = (before + by, 1 + self.total / 100);
        if before / part != now / part && now < self.total {
            self.control.report("build", now, self.total);
        }
    }

    /// Checks the caller's flag.
    ///
    /// # Errors
    /// [`Cancelled`]; then [`Meter::finish`] is an error too.
    pub(super) fn check(&self) -> Result<(), Cancelled> {
        let check = self.control.check();
        if check.is_err() {
            self.stopped.store(true, Ordering::Relaxed);
        }
        check
    }

    /// Ends the build.
    ///
    /// # Errors
    /// [`Cancelled`], now or in any [`Meter::check`] before.
    pub(super) fn finish(&self) -> Result<(), Cancelled> {
        self.check()?;
        if self.stopped.load(Ordering::Relaxed) {
            return Err(Cancelled);
        }
        self.control.report("build", self.total, self.total);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use impinge_query::{Cancel, Progress};

    use super::*;

    /// The reported counts for a total and a sequence of steps.
    fn reported(total: u64, steps: &[u64]) -> Vec<u64> {
        let seen = Mutex::new(Vec::new());
        let note = |progress: Progress| {
            assert_eq!((progress.stage, progress.total), ("build", total));
            seen.lock().expect("no panic").push(progress.done);
        };
        let control = Control::NONE.reporting(&note);
        let meter = Meter::new(&control, total);
        for step in steps {
            meter.advance(*step);
        }
        meter.finish().expect("not cancelled");
        seen.into_inner().expect("no panic")
    }

    /// A hundredth is rounded up: 3 for 250, 1 for 50.
    #[test]
    fn every_hundredth_is_reported_once_and_the_end() {
        let thirds: Vec<u64> = (1..84).map(|k| 3 * k).chain([250]).collect();
        assert_eq!(reported(250, &[1; 250]), thirds);
        assert_eq!(reported(250, &[2, 2, 1, 0, 3, 100, 1]), [4, 8, 108, 250]);
        assert_eq!(reported(50, &[1; 50]), (1..=50).collect::<Vec<_>>());
        assert_eq!(reported(50, &[50]), [50]);
        assert_eq!(reported(0, &[]), [0]);
    }

    /// Once a thread has seen the cancellation, `finish` is an error even if the flag is lowered
    /// again.
    #[test]
    fn what_was_left_undone_is_not_finished() {
        let cancel = Cancel::new();
        let control = Control::NONE.cancelled_by(&cancel);
        let meter = Meter::new(&control, 10);
        assert!(meter.check().is_ok() && meter.finish().is_ok());
        cancel.cancel();
        assert!(meter.check().is_err() && meter.finish().is_err());
        let lowered = Control::NONE;
        let again = Meter { control: &lowered, ..meter };
        assert!(again.check().is_ok() && again.finish().is_err());
    }
}
