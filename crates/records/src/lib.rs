//! The records that the measuring programs write and `xtask` reads: one JSON object per line.
//!
//! 1. [`host`]: machine, build and time of a run; part of the first line of every run.
//! 2. [`mod@bench`]: the records of `measure` (`cargo xtask bench`).
//! 3. [`claims`]: the records of `claims` (`cargo xtask claims`).
//! 4. [`peers`]: the records of `peers` (`cargo xtask bench --peers`).
//! 5. [`broad`]: the record of `peers --scene broad`.
//! 6. [`progress`]: progress lines on stderr.
//! 7. [`streams`]: the record of `measure --scene stream`.
//!
//! Field names end in their unit; times are nanoseconds of wall clock unless stated otherwise.
//! Readers refuse unknown fields, missing fields and other schema versions. A file whose last line
//! is not `end` was cut off.

#![forbid(unsafe_code)]

pub mod bench;
pub mod broad;
pub mod claims;
pub mod host;
pub mod motions;
pub mod peers;
pub mod progress;
pub mod streams;
