//! The tests of `impinge-continuous` from the outside, in one program.

mod meshes;
mod penetration;
mod penetration_dense;
mod primitives;
mod queries;
