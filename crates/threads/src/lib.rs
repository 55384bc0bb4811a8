//! What every long call has in common, whatever it computes: it can be cancelled from another thread
//! and tells how far it is.
//!
//! **This crate must not know** geometry, queries or methods.

pub mod control;
pub mod looks;

pub use control::{Cancel, Cancelled, Control, Progress};
pub use looks::Looks;
