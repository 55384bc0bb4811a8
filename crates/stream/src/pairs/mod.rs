//! Two trees of boxes against each other, many poses at once: today's form of streaming detection.
//!
//! - [`model`]: vertices on a grid, and boxes.
//! - [`placed`]: a pose in integers, and the tests of boxes and of triangles.
//! - [`descent`]: one pose on the processor.
//! - [`flight`]: many poses on an adapter.
//! - [`ready`]: results of poses that are not asked yet.
//! - [`engine`]: the method.

#[cfg(test)]
mod adversarial;
mod descent;
mod engine;
#[cfg(feature = "wgpu")]
mod flight;
#[cfg(all(test, feature = "wgpu"))]
mod gpu_tests;
mod model;
mod placed;
mod ready;

pub use engine::{PairsEngine, PairsMemory, PairsParams, stream_pairs, stream_pairs_with};
pub use model::PairsModel;

#[cfg(feature = "wgpu")]
pub(crate) use flight::PairsSent;
#[cfg(not(feature = "wgpu"))]
pub(crate) use ready::Landing;
