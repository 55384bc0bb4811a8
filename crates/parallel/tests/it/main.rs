//! The tests of `impinge-parallel` from the outside, in one program.

mod balanced;
mod conformance;
mod corners;
mod panic;
mod piles;
mod sabotage;
mod threads;
