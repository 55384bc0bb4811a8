//! The tests of `impinge-scene` from the outside, in one program.

mod broad;
mod clash;
mod plant;
mod world;
