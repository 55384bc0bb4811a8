//! Graphics adapters for impinge: selection, submissions that either run to completion or return an
//! error, and the image test of convex hulls.
//!
//! **This crate must not know** meshes, queries or methods. It is the only one that names wgpu;
//! crates above use [`wgpu`] as re-exported here. Crates that do not depend on this one compile
//! none of it.
//!
//! 1. [`Gpu::open`] examines every adapter, records what each misses, and opens the best;
//!    [`Gpu::shared`] does so once in a process.
//! 2. [`Submission`] records work; [`Submission::run`] submits it, waits, and reads back.
//! 3. A kernel writes a mark after all other work, a different one each time. Discarded work leaves
//!    zeros everywhere; without its mark it is [`GpuError::NotRun`], never an answer.
//! 4. [`CountedDispatch`] runs a kernel as often as an earlier one has counted.
//! 5. [`Submission::draw`] draws quads into a [`Canvas`] of words, which a kernel then reads.
//! 6. [`image::ImageTest`] draws many pairs of hulls into one image and classifies its viewports.
//!
//! Calls block; they are for native programs, not for browsers. Nothing here panics on lost
//! devices, full memory or refused commands: those are [`GpuError`]s. `docs/gpu.md` describes how
//! adapters are chosen and how tests run.

#![forbid(unsafe_code)]

mod adapter;
mod buffers;
mod choose;
mod counted;
mod drawing;
mod error;
mod faults;
mod gpu;
pub mod image;
mod kernel;
mod mark;
mod need;
mod readback;
mod shared;
mod statistics;
mod submission;
mod textures;

pub use adapter::{AdapterFacts, AdapterKind};
pub use counted::CountedDispatch;
pub use drawing::{Canvas, DepthRule, Drawing, Rules};
pub use error::{GpuError, OpenError, Refused};
pub use gpu::Gpu;
pub use kernel::Kernel;
pub use need::{Need, Preference, Request, UnknownPreference};
pub use readback::Slot;
pub use statistics::Statistics;
pub use submission::{Ran, Submission};

/// The graphics library, for crates that record their own work.
pub use wgpu;
