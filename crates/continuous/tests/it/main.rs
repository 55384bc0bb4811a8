//! The tests of `impinge-continuous` from the outside, in one program.

mod meshes;
mod primitives;
mod queries;
mod translation;
mod translation_exits;
mod translation_oracle;
