//! The tests of `impinge-benches` from the outside, in one program.

mod claims;
mod follow;
mod measure;
mod placement;
