//! Where threads come from: rayon's pools.
//!
//! rayon, not crossbeam's deques: its pools are shared with the caller's own parallel code, so that
//! a query inside a parallel loop takes idle threads and never adds any; a blocked join works on
//! other tasks, so that a pool of one thread cannot deadlock; and its deques are
//! crossbeam's, tested by others, so that little synchronisation of our own is left to prove.

use std::sync::Arc;

use impinge_threads::pool;
use rayon::ThreadPool;

/// The threads of a method.
#[derive(Clone, Debug, Default)]
pub enum Pool {
    /// The pool that the caller is in, or else rayon's global one: all cores unless
    /// `RAYON_NUM_THREADS` says otherwise.
    #[default]
    Ambient,
    /// A pool of the engine's own.
    Own(Arc<ThreadPool>),
    /// The calling thread alone.
    Caller,
}

impl Pool {
    /// A pool of `threads` threads of its own; one thread is the caller's.
    ///
    /// # Errors
    /// A sentence, if the system gives no threads.
    pub fn of(threads: usize) -> Result<Self, String> {
        if threads <= 1 {
            return Ok(Self::Caller);
        }
        let name = |i| format!("impinge-{i}");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).thread_name(name).build();
        Ok(Self::Own(Arc::new(pool.map_err(|error| error.to_string())?)))
    }

    /// How many threads it has; one, the caller's, in a process that was forked from the one that
    /// used it.
    pub fn threads(&self) -> usize {
        match self {
            Self::Ambient => pool::available(),
            Self::Own(pool) if !pool::forked() => pool.current_num_threads(),
            Self::Own(_) | Self::Caller => 1,
        }
    }

    /// Which of its threads this is; none if it is none of them.
    pub(crate) fn current_thread(&self) -> Option<usize> {
        match self {
            Self::Ambient => rayon::current_thread_index(),
            Self::Own(pool) => pool.current_thread_index(),
            Self::Caller => None,
        }
    }

    /// Runs `work` on the calling thread; what it spawns runs on threads of the pool and ends before
    /// this call does.
    pub(crate) fn scope<'s, R>(&self, work: impl FnOnce(&rayon::Scope<'s>) -> R) -> R {
        match self {
            Self::Ambient | Self::Caller => rayon::in_place_scope(work),
            Self::Own(pool) => pool.in_place_scope(work),
        }
    }

    /// Runs `work` on one of its threads.
    pub(crate) fn enter<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match self {
            Self::Ambient => rayon::scope(|_| work()),
            Self::Own(pool) => pool.install(work),
            Self::Caller => work(),
        }
    }
}
