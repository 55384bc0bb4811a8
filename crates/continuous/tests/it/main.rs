//! The tests of `impinge-continuous` from the outside, in one program.

mod elements;
mod faults;
mod longest;
mod meshes;
mod penetration;
mod penetration_dense;
mod primitives;
mod queries;
mod rigid;
mod rigid_battery;
#[cfg(feature = "serde")]
mod stored;
mod translation;
mod translation_exits;
mod translation_oracle;
