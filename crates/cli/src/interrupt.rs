//! Ctrl-C: raises the flag that every query looks at. Where the program waits for input, which
//! cannot look, and on a second Ctrl-C, it ends at once.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use impinge::query::Cancel;

use crate::ERROR;

/// The flag that every query of this process is given.
pub(crate) static CANCEL: Cancel = Cancel::new();

static WAITING: AtomicBool = AtomicBool::new(false);

/// Listens for Ctrl-C. Without a handler (which some systems refuse) it just kills.
pub(crate) fn install() {
    let _ = ctrlc::set_handler(|| {
        if WAITING.load(Ordering::SeqCst) || CANCEL.is_cancelled() {
            let _ = writeln!(std::io::stderr(), "impinge: cancelled");
            std::process::exit(i32::from(ERROR));
        }
        CANCEL.cancel();
    });
}

/// Runs what waits for the system and cannot be asked to stop.
pub(crate) fn waiting<R>(read: impl FnOnce() -> R) -> R {
    WAITING.store(true, Ordering::SeqCst);
    let result = read();
    WAITING.store(false, Ordering::SeqCst);
    result
}
