//! Worlds of many meshes: broad phases that find the pairs of objects whose boxes overlap.
//!
//! **This crate must not know** of files or graphics adapters.
//!
//! | part | what it does |
//! | --- | --- |
//! | [`broad`] | broad phases: each word is a file there and a page in `docs/methods/` |

#![forbid(unsafe_code)]

pub mod broad;

pub use impinge_geometry as geometry;
pub use impinge_query as query;

/// The example of this package's README, compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
