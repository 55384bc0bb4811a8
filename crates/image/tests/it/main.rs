//! The tests of `impinge-image` from the outside, in one program.

#[cfg(feature = "wgpu")]
mod adapter;
mod bench;
mod bodies;
mod bytes;
mod checks;
mod conformance;
mod differential;
mod image;
mod ldi;
mod recode;
mod trouble;
mod verdict_only;
