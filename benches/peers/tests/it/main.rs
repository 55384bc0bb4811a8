//! The tests of `impinge-peers` from the outside, in one program.

mod broad;
mod checked;
mod native;
mod program;
