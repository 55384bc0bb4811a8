//! The tests of `impinge-peers` from the outside, in one program.

mod checked;
mod native;
mod program;
