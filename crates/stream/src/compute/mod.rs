//! The streams on a graphics adapter, with the kernels of `impinge_shaders::stream`.
//!
//! - [`adapter`]: the open adapter, its kernels, and one direction of a query.
//! - [`kept`]: what stays on the adapter between queries, and the lengths of lists.
//! - [`faces`], [`shrink`], [`tree`]: the three methods.
//! - [`raster`]: edges against triangles by drawing, in the place of kernels.
//! - [`found`]: what the kernels leave to the processor.

#[cfg(feature = "wgpu")]
mod adapter;
#[cfg(feature = "wgpu")]
mod faces;
#[cfg(feature = "wgpu")]
mod found;
#[cfg(all(test, feature = "wgpu"))]
mod gpu_tests;
#[cfg(feature = "wgpu")]
mod kept;
#[cfg(not(feature = "wgpu"))]
mod none;
#[cfg(feature = "wgpu")]
mod raster;
mod runner;
#[cfg(feature = "wgpu")]
mod shrink;
#[cfg(feature = "wgpu")]
mod tree;

#[cfg(feature = "wgpu")]
pub(crate) use adapter::Adapter;
#[cfg(feature = "wgpu")]
pub(crate) use kept::Kept;
#[cfg(not(feature = "wgpu"))]
pub(crate) use none::{Adapter, Kept};
pub(crate) use runner::Runner;
