//! The available threads: those of the caller's rayon pool, or else of the global one. A forked
//! process has none of them.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::ThreadPool;

/// Id of the process that owns the pools' threads; 0 before the first call.
static OWNER: AtomicU32 = AtomicU32::new(0);

/// Whether this process is a fork of the one that first called this. A fork keeps only the thread
/// that called `fork`, so a pool made before never answers.
///
/// Costs one system call. A fork before the first call is not noticed. In WebAssembly, WASI
/// included, nothing forks, and asking for the process's id panics.
pub fn forked() -> bool {
    if cfg!(target_family = "wasm") {
        return false;
    }
    let process = std::process::id();
    let first = OWNER.compare_exchange(0, process, Ordering::Relaxed, Ordering::Relaxed);
    first.is_err_and(|owner| owner != process)
}

/// The number of threads of the caller's pool; 1 in a fork.
pub fn available() -> usize {
    if forked() { 1 } else { rayon::current_num_threads() }
}

/// Runs `work`, which calls rayon, where rayon has threads: here, or in a fork, in a pool of the
/// forked process, made at its first call.
pub fn enter<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    if !forked() {
        return work();
    }
    // No threads could be started: try in place.
    let Some(pool) = of_fork() else { return work() };
    pool.install(work)
}

/// The pool of a forked process, made at the first call. The lock is not held while work is done: a
/// thread that waits for the pool may be given other work that asks for it.
fn of_fork() -> Option<&'static ThreadPool> {
    static OF_FORK: Mutex<Option<(u32, &ThreadPool)>> = Mutex::new(None);
    let process = std::process::id();
    let mut known = OF_FORK.lock().unwrap_or_else(PoisonError::into_inner);
    match *known {
        Some((owner, pool)) if owner == process => Some(pool),
        // A pool inherited from a parent cannot be ended, since its threads do not exist here; leak
        // it.
        _ => {
            let new = rayon::ThreadPoolBuilder::new().build().ok()?;
            Some(known.insert((process, Box::leak(Box::new(new)))).1)
        }
    }
}
