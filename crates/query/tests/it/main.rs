//! The tests of `impinge-query` from the outside, in one program.

mod batch;
mod driver;
mod looks;
