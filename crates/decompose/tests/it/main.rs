//! The tests of `impinge-decompose` from the outside, in one program.

mod bodies;
mod oracle;
mod pieces;
mod reference;
mod refusals;
#[cfg(feature = "serde")]
mod stored;
mod traps;
mod unchanged;
