//! Streaming detection (fan ch. 3): a stream of all edges of one mesh against the triangles of the
//! other, one triangle at a time, in 32-bit arithmetic; then with the roles swapped.
//!
//! | word | what is left out | source |
//! | --- | --- | --- |
//! | [`stream_basic`] | nothing: all edges against all triangles | fan §3.3 |
//! | [`stream_tree`] | triangles below boxes that no edge meets | fan §3.5.1 |
//! | [`stream_shrink`] | also edges that do not meet the box above | fan §3.5.2, §3.5.3 |
//!
//! [`stream_pairs`] is today's form: both meshes as trees, pairs of boxes level by level, and
//! thousands of poses in one submission.
//!
//! [`Mode::Certified`] is never wrong: the test of an edge against a triangle has a proven error
//! bound, and a pair that it does not decide goes to exact arithmetic. [`Mode::Sampled`] believes
//! 32 bits, as the paper does; [`Params::as_printed`] has the paper's misprints too.
//!
//! [`Form::Compute`] runs the same tests on a graphics adapter, with the feature `wgpu`;
//! [`Form::Raster`] draws them there, as the paper does.
//!
//! **This crate must not know** of files, or of any method outside its family.
//!
//! ```
//! use impinge_stream::{geometry::Pose, query::{Ask, Control, Engine}, stream_shrink};
//! # use impinge_stream::geometry::{Mesh, Point};
//! # let tetrahedron = Mesh::new(
//! #     vec![Point::origin(), Point::new(1., 0., 0.), Point::new(0., 1., 0.), Point::new(0., 0., 1.)],
//! #     vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
//! # )?;
//! let model = stream_shrink().prepare(&tetrahedron, &Control::NONE)?; // once for many questions
//! let aside = Pose::translation_by([1.0, 0.0, 0.0].into())?; // B in A's frame
//! let answer = stream_shrink().ask(&model, &model, &aside, &Ask::all_contacts())?;
//! assert!(answer.verdict.is_hit()); // they touch in one corner
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod compute;
mod engine;
mod kernel;
mod methods;
mod model;
mod pairs;
mod pass;
mod stream;

pub use impinge_geometry as geometry;
pub use impinge_query as query;

pub use engine::{Buffers, StreamEngine};
pub use methods::{
    Culling, Device, Form, Mode, Params, stream_basic, stream_basic_with, stream_shrink,
    stream_shrink_with, stream_tree, stream_tree_with,
};
pub use model::StreamModel;
pub use pairs::{
    PairsEngine, PairsMemory, PairsModel, PairsParams, stream_pairs, stream_pairs_with,
};

/// The example of this package's README, compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
