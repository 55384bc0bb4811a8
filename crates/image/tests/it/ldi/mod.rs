//! Layered depth images: the overlap of solids against exact volumes.

#[cfg(feature = "wgpu")]
mod adapter;
mod clip;
mod guide;
mod overlap;
