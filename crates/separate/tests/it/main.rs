//! The tests of `impinge-separate` from the outside, in one program.

mod conformance;
