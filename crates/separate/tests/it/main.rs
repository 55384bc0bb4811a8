//! The tests of `impinge-separate` from the outside, in one program.

mod conformance;
mod steps;
mod train;
