//! Synchronisation from the standard library; `tests/window.rs` replaces it by loom's.

pub(crate) use std::sync::atomic::{AtomicUsize, Ordering};
pub(crate) use std::sync::{Mutex, PoisonError};
