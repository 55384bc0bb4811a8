//! Thread pools, by rayon.
//!
//! Why rayon rather than crossbeam's deques: its pools are shared with the caller's own parallel
//! code, so a query inside a parallel loop uses idle threads and never adds any. A blocked join
//! works on other tasks, so a pool of one thread cannot deadlock. And its deques are crossbeam's,
//! tested by others, which leaves little synchronisation of our own to prove.

use std::sync::Arc;

use impinge_threads::pool;
use rayon::ThreadPool;

/// Where a method's threads come from.
#[derive(Clone, Debug, Default)]
pub enum Pool {
    /// The current pool of the caller, else rayon's global one: all cores unless
    /// `RAYON_NUM_THREADS` says otherwise.
    #[default]
    Ambient,
    /// A pool of the engine's own.
    Own(Arc<ThreadPool>),
    /// No pool: the calling thread alone.
    Caller,
}

impl Pool {
    /// An own pool of `threads` threads; [`Pool::Caller`] if `threads` is at most one.
    ///
    /// # Errors
    /// A message, if the system cannot start the threads.
    pub fn of(threads: usize) -> Result<Self, String> {
        if threads <= 1 {
            return Ok(Self::Caller);
        }
        let name = |i| format!("impinge-{i}");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).thread_name(name).build();
        Ok(Self::Own(Arc::new(pool.map_err(|error| error.to_string())?)))
    }

    /// Number of threads; 1 in a process forked from the one that used the pool.
    pub fn threads(&self) -> usize {
        match self {
            Self::Ambient => pool::available(),
            Self::Own(pool) if !pool::forked() => pool.current_num_threads(),
            Self::Own(_) | Self::Caller => 1,
        }
    }

    /// The index of the current thread in the pool; `None` if it is not one of its threads.
    pub(crate) fn current_thread(&self) -> Option<usize> {
        match self {
            Self::Ambient => rayon::current_thread_index(),
            Self::Own(pool) => pool.current_thread_index(),
            Self::Caller => None,
        }
    }

    /// Runs `work` on the calling thread. What it spawns runs on the pool's threads and ends before
    /// this call does.
    pub(crate) fn scope<'s, R>(&self, work: impl FnOnce(&rayon::Scope<'s>) -> R) -> R {
        match self {
            Self::Ambient | Self::Caller => rayon::in_place_scope(work),
            Self::Own(pool) => pool.in_place_scope(work),
        }
    }

    /// Runs `work` on one of the pool's threads.
    pub(crate) fn enter<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match self {
            Self::Ambient => rayon::scope(|_| work()),
            Self::Own(pool) => pool.install(work),
            Self::Caller => work(),
        }
    }
}
