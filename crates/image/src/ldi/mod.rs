//! `ldi`: layered depth images (sbv §3). In every pixel an image has the depths of all
//! triangles, not only of the nearest.
//!
//! | part | what it does |
//! | --- | --- |
//! | `frame` | the view of a region along an axis, and its pixels |
//! | `draw` | every pixel that a triangle touches, with its range of depths there |
//! | `drawer` | layers drawn on a graphics adapter (feature `wgpu`) |
//! | `likely` | the pairs that a sampled picture shows to be near, tested first |
//! | `lists` | the ranges of each pixel, sorted |
//! | `crowd` | the pixels in which depths tell few triangles apart |
//! | [`Guide`] | pairs of triangles that overlap in a pixel, tested exactly |
//! | [`Ldi`] | contacts of two meshes by that |
//! | `sample` | where the line through the middle of a pixel crosses a triangle |
//! | [`Overlap`] | contact pixels, volume and depth of an overlap, with bounds |
//!
//! Documented in `docs/methods/ldi.md`.

#[cfg(feature = "wgpu")]
mod adapter;
mod crowd;
mod draw;
mod drawer;
mod engine;
mod frame;
mod guide;
mod likely;
mod lists;
mod model;
mod overlap;
mod sample;
mod watch;

#[cfg(feature = "wgpu")]
pub use engine::ldi_on;
pub use engine::{Ldi, Memory, Params, ldi, ldi_with};
pub use guide::{Guide, Space};
pub use model::LdiModel;
pub use overlap::{ContactInterval, Direction, Estimate, Overlap, OverlapOptions};
