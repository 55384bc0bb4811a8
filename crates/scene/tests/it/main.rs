//! The tests of `impinge-scene` from the outside, in one program.

mod asked;
mod broad;
mod cancelled;
mod clash;
#[cfg(feature = "methods")]
mod front;
mod million;
mod phases;
mod plant;
mod scales;
mod world;
