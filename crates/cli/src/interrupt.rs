//! Ctrl-C raises the flag that every query checks. While the program waits for input, and on a
//! second Ctrl-C, it exits at once.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

use impinge::query::Cancel;

use crate::ERROR;
use crate::failure::Failure;
use crate::output;

/// The cancellation flag passed to every query of this process.
pub(crate) static CANCEL: Cancel = Cancel::new();

/// Whether errors are printed as JSON.
static JSON: AtomicBool = AtomicBool::new(false);

static WAITING: AtomicBool = AtomicBool::new(false);

/// The longest time that the end waits for its own message to be written.
const PATIENCE: Duration = Duration::from_millis(200);

/// Installs the Ctrl-C handler. Where the system refuses one, Ctrl-C kills the process.
/// `json` says whether errors are printed as JSON, too.
pub(crate) fn install(json: bool) {
    JSON.store(json, Ordering::SeqCst);
    let _ = ctrlc::set_handler(|| {
        if WAITING.load(Ordering::SeqCst) || CANCEL.is_cancelled() {
            tell();
            output::discard();
            std::process::exit(i32::from(ERROR));
        }
        CANCEL.cancel();
    });
}

/// Prints that the program was cancelled, by a thread of its own: a write that blocks keeps the lock of its
/// stream, so this may not be possible.
fn tell() {
    let (done, wait) = channel();
    std::thread::spawn(move || {
        let _ = writeln!(std::io::stderr(), "impinge: cancelled");
        if JSON.load(Ordering::SeqCst) {
            Failure::Cancelled.print();
        }
        let _ = done.send(());
    });
    let _ = wait.recv_timeout(PATIENCE);
}

/// Runs `read`, which may block and does not check the flag.
pub(crate) fn waiting<R>(read: impl FnOnce() -> R) -> R {
    WAITING.store(true, Ordering::SeqCst);
    let result = read();
    WAITING.store(false, Ordering::SeqCst);
    result
}
