//! What every long call needs: cancellation from another thread, progress, several threads, and the
//! time.
//!
//! **This crate must not know** geometry, queries or methods. Its threads are rayon's: those of the
//! caller's pool, or else of the global one (`docs/decisions/0003-threads.md`).

#![forbid(unsafe_code)]

pub mod clock;
pub mod control;
pub mod looks;
pub mod ordered;
pub mod pool;
mod sync;

pub use clock::Moment;
pub use control::{Cancel, Cancelled, Control, Progress};
pub use looks::Looks;
pub use ordered::ordered;
