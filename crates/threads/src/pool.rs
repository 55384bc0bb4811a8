//! Which threads there are to work with: rayon's, of the pool that the caller is in, or else of the
//! global one. A process that was forked has none of them.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::ThreadPool;

/// The process whose threads the pools have, or 0 before anybody asked.
static OWNER: AtomicU32 = AtomicU32::new(0);

/// Is this process a fork of the one in which this crate was used first? Of a fork's threads only
/// the one that called `fork` is there, so a pool of the time before never answers.
///
/// Cost: one system call. A fork before the first call is not noticed.
pub fn forked() -> bool {
    let process = std::process::id();
    let first = OWNER.compare_exchange(0, process, Ordering::Relaxed, Ordering::Relaxed);
    first.is_err_and(|owner| owner != process)
}

/// How many threads the pool has that the caller is in; one in a fork.
pub fn available() -> usize {
    if forked() { 1 } else { rayon::current_num_threads() }
}

/// Runs `work`, which calls rayon, where rayon has threads: here, or in a fork in a pool of that
/// process, made for its first call.
pub fn enter<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    static OF_FORK: Mutex<Option<(u32, &ThreadPool)>> = Mutex::new(None);
    if !forked() {
        return work();
    }
    let process = std::process::id();
    let mut pool = OF_FORK.lock().unwrap_or_else(PoisonError::into_inner);
    let pool = match *pool {
        Some((owner, pool)) if owner == process => pool,
        // That of a parent, if there is one, cannot be ended: its threads are not there.
        _ => match rayon::ThreadPoolBuilder::new().build() {
            Ok(new) => pool.insert((process, Box::leak(Box::new(new)))).1,
            // Without threads nothing is left but to try.
            Err(_) => return work(),
        },
    };
    pool.install(work)
}
