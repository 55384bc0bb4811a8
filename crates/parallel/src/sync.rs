//! Synchronisation by the standard library; `tests/shared_queue.rs` puts loom's in its place.

pub(crate) use std::sync::atomic::{AtomicUsize, Ordering};
pub(crate) use std::sync::{Mutex, MutexGuard, PoisonError};
