//! The tests of `impinge-parallel` from the outside, in one program.

mod balanced;
mod conformance;
mod corners;
mod faults;
mod panic;
mod patches;
mod piles;
mod readings;
mod threads;
