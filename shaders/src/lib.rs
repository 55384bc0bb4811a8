//! The kernels of impinge as WGSL text, the layouts of their buffers, and a CPU twin of every
//! kernel: the same rules in plain Rust. Tests compare twins with drivers' results; without a
//! driver, the twin is used instead.
//!
//! **This crate must not know** any graphics library, mesh, query or other crate of ours: it has
//! texts, `#[repr(C)]` records and arithmetic on slices. `impinge-gpu` runs the kernels.
//!
//! - [`shader`]: the texts, their entry points, and includes.
//! - [`layout`]: the correspondence of records and WGSL structs; a test compares all offsets.
//! - [`dispatch`]: dispatches whose size is known on the device only.
//! - [`sentinel`]: the last kernel of every submission.
//! - [`image`]: the depth and stencil test of two convex hulls in an atlas of viewports, and layered
//!   depth images.
//! - [`stream`]: streams of edges against triangles and boxes.
//! - [`trees`]: two trees of boxes under many poses.
//! - [`peak`]: the rate of an adapter.

#![forbid(unsafe_code)]

pub mod dispatch;
pub mod image;
pub mod layout;
pub mod peak;
pub mod sentinel;
pub mod shader;
pub mod stream;
pub mod trees;

pub use layout::{Field, Layout};
pub use shader::{Assembled, Entry, Shader, Stage};

/// All kernel files that are compiled on their own.
pub const SHADERS: &[&Shader] = &[
    &sentinel::SHADER,
    &dispatch::COUNTED,
    &dispatch::NUMBERS,
    &image::HULLS,
    &image::CLASSIFY,
    &image::layers::LAYERS,
    &stream::FACES,
    &stream::PAIRS,
    &stream::SHRINK,
    &stream::SPREAD,
    &stream::MARK,
    &stream::CHILDREN,
    &trees::PROBE,
    &trees::DESCEND,
    &trees::MEET,
    &stream::DRAW,
    &stream::DRAW_BOXES,
    &stream::GATHER,
    &stream::MARKS,
    &stream::BELOW,
    &peak::SHADER,
];

/// All records that kernels share with Rust.
pub const LAYOUTS: &[&Layout] = &[
    &image::Atlas::LAYOUT,
    &image::strip::Run::LAYOUT,
    &image::Placed::LAYOUT,
    &image::PairDraw::LAYOUT,
    &image::layers::LayersJob::LAYOUT,
    &image::layers::LayersTriangle::LAYOUT,
    &stream::StreamJob::LAYOUT,
    &stream::StreamEdge::LAYOUT,
    &stream::StreamFace::LAYOUT,
    &stream::StreamNode::LAYOUT,
    &trees::TreesPose::LAYOUT,
    &trees::TreesNode::LAYOUT,
    &peak::PeakJob::LAYOUT,
];
