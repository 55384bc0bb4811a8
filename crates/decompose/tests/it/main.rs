//! The tests of `impinge-decompose` from the outside, in one program.

mod bodies;
mod judge;
mod oracle;
mod pieces;
mod refusals;
#[cfg(feature = "serde")]
mod stored;
mod traps;
mod unchanged;
