//! What the measuring programs write and `xtask` reads: one JSON object a line.
//!
//! 1. [`host`]: where, when and from what a run was made; part of every run's first line.
//! 2. [`mod@bench`]: the lines of `measure` (`cargo xtask bench`).
//! 3. [`claims`]: the lines of `claims` (`cargo xtask claims`).
//! 4. [`peers`]: the lines of `peers` (`cargo xtask bench --peers`).
//! 5. [`progress`]: how far a run is, on stderr.
//!
//! Field names end in their unit; times are nanoseconds of wall clock unless they say otherwise.
//! Readers refuse an unknown or missing field, and another version of the records. A file whose
//! last line is no `end` was cut off.

#![forbid(unsafe_code)]

pub mod bench;
pub mod claims;
pub mod host;
pub mod peers;
pub mod progress;
