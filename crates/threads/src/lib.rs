//! What every long call has in common, whatever it computes: it can be cancelled from another thread,
//! tells how far it is, and may use several threads.
//!
//! **This crate must not know** geometry, queries or methods. Its threads are rayon's: those of the pool
//! that the caller is in, or else of the global one (`docs/decisions/0003-threads.md`).

#![forbid(unsafe_code)]

pub mod control;
pub mod looks;
pub mod ordered;
pub mod pool;

pub use control::{Cancel, Cancelled, Control, Progress};
pub use looks::Looks;
pub use ordered::ordered;
