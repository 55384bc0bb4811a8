//! The tests of `impinge-continuous` from the outside, in one program.

mod meshes;
mod primitives;
mod queries;
mod rigid;
mod rigid_battery;
