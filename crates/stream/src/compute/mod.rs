//! The streams on a graphics adapter, with the kernels of `impinge_shaders::stream`.
//!
//! - [`adapter`]: the open adapter, and one direction of a query.
//! - [`kernels`]: what is compiled for each family of methods.
//! - [`sent`]: models on the adapter, in pieces that its buffers hold.
//! - [`kept`]: what stays there between queries, and the lengths of lists.
//! - [`faces`], [`shrink`], [`tree`]: the three methods.
//! - [`raster`]: edges against triangles by drawing, in the place of kernels.
//! - [`found`]: what the kernels leave to the processor.
//! - [`parts`]: what is not done yet, in parts of a submission each.
//! - [`work`]: submissions, with their lists and counts.

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
#[cfg(feature = "wgpu")]
mod kernels;
#[cfg(not(feature = "wgpu"))]
mod none;
#[cfg(feature = "wgpu")]
mod parts;
#[cfg(feature = "wgpu")]
mod raster;
mod runner;
#[cfg(feature = "wgpu")]
mod sent;
#[cfg(feature = "wgpu")]
mod shrink;
#[cfg(feature = "wgpu")]
mod tree;
#[cfg(feature = "wgpu")]
mod work;

#[cfg(feature = "wgpu")]
pub(crate) use adapter::Adapter;
#[cfg(all(test, feature = "wgpu"))]
pub(crate) use adapter::Sizes;
#[cfg(feature = "wgpu")]
pub(crate) use adapter::Trouble;
#[cfg(feature = "wgpu")]
pub(crate) use found::{Lists, bytes as list_bytes};
#[cfg(all(test, feature = "wgpu"))]
pub(crate) use gpu_tests::adapter as adapter_for_tests;
#[cfg(feature = "wgpu")]
pub(crate) use kept::{Fit, Kept};
#[cfg(not(feature = "wgpu"))]
pub(crate) use none::{Adapter, Kept, PairsSent, Sent};
#[cfg(feature = "wgpu")]
pub(crate) use parts::{Parts, ranges};
pub(crate) use runner::{Family, Runner};
#[cfg(feature = "wgpu")]
pub(crate) use sent::Sent;
#[cfg(feature = "wgpu")]
pub(crate) use work::Work;
