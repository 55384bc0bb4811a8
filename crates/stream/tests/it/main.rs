//! The tests of `impinge-stream` from the outside, in one program.

mod adapter;
mod conformance;
mod counts;
mod judge;
mod needle;
mod sampled;
