//! The tests of `impinge-gpu` from the outside, in one program.

mod adapters;
mod gpu;
