//! Progress bars on standard error, only on a terminal and only for long work.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use impinge::query::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work shorter than this shows no bar.
const BLINK: Duration = Duration::from_millis(300);

/// A progress bar that appears after [`BLINK`] and is erased when dropped.
pub(crate) struct Meter {
    bar: ProgressBar,
    what: String,
    start: Instant,
    wanted: bool,
    shown: AtomicBool,
}

impl Meter {
    /// A bar labelled `what`, if standard error is a terminal.
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self {
            bar: ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()),
            what: what.into(),
            start: Instant::now(),
            wanted: std::io::stderr().is_terminal(),
            shown: AtomicBool::new(false),
        }
    }

    /// As [`Meter::new`], but hidden if standard output is a terminal too: the answers there show
    /// progress.
    pub(crate) fn beside_answers(what: impl Into<String>) -> Self {
        let mut meter = Self::new(what);
        meter.wanted &= !std::io::stdout().is_terminal();
        meter
    }

    /// Progress of a preparation or batch.
    pub(crate) fn report(&self, progress: Progress) {
        self.set(progress.stage, progress.done, Some(progress.total));
    }

    /// Shows `done` of `total` units, where the total is known.
    pub(crate) fn set(&self, stage: &str, done: u64, total: Option<u64>) {
        if !self.wanted || self.start.elapsed() < BLINK {
            return;
        }
        if !self.shown.swap(true, Ordering::Relaxed) {
            let template = if total.is_some() {
                "{msg} {wide_bar} {percent:>3} % {eta}"
            } else {
                "{msg} {spinner} {pos}, {elapsed}"
            };
            if let Ok(style) = ProgressStyle::with_template(template) {
                self.bar.set_style(style);
            }
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        if let Some(total) = total {
            self.bar.set_length(total);
        }
        self.bar.set_message(format!("{}: {stage}", self.what));
        self.bar.set_position(done);
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
