//! The kernels of impinge as WGSL text, the layouts of the buffers they read and write, and for
//! every kernel a twin: the same rules in plain Rust, which tests compare with what a driver
//! computed, and which answer where there is no driver.
//!
//! **This crate must not know** any graphics library, mesh, query or other crate of ours: it
//! holds texts, `#[repr(C)]` records and arithmetic on slices. `impinge-gpu` runs them.
//!
//! - [`shader`]: the texts, their entry points, and how one file includes another.
//! - [`layout`]: which record a WGSL struct is; a test compares all offsets.
//! - [`dispatch`]: dispatches whose size is known on the device only.
//! - [`sentinel`]: the last kernel of every submission.
//! - [`image`]: the depth and stencil test of two convex hulls in an atlas of viewports.

#![forbid(unsafe_code)]

pub mod dispatch;
pub mod image;
pub mod layout;
pub mod sentinel;
pub mod shader;

pub use layout::{Field, Layout};
pub use shader::{Assembled, Entry, Shader, Stage};

/// Every kernel file that is compiled by itself.
pub const SHADERS: &[&Shader] =
    &[&sentinel::SHADER, &dispatch::COUNTED, &dispatch::NUMBERS, &image::HULLS, &image::CLASSIFY];

/// Every record that a kernel shares with Rust.
pub const LAYOUTS: &[&Layout] =
    &[&image::Atlas::LAYOUT, &image::Placed::LAYOUT, &image::PairDraw::LAYOUT];
