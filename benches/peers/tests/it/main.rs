//! The tests of `impinge-peers` from the outside, in one program.

mod judged;
mod native;
mod program;
