//! Collision detection by separating bounding volumes (sbv, §1-2): a plane with the largest
//! margin between two meshes proves that they are apart; if there is none, slabs about its normal
//! cut out the region in which they can meet, and only the triangles there are tested.
//!
//! **This crate must not know** of trees, images, files, or threads.
//!
//! | part | what it does |
//! | --- | --- |
//! | [`SbvEngine`] | the method `sbv`, over any [detailed test](Detailed) |
//! | [`volume`] | definitions 1 to 5: support planes, half-spaces, the volumes of a pair |
//! | [`points`] | posed vertices, and their support function |
//! | [`support`] | the support points that are training samples |
//! | [`train`] | the plane of largest margin: nearest points of hulls, or the paper's machine |
//! | `region` | the triangles of both meshes that reach into both volumes |
//! | [`detail`] | what tests the triangles that are left |
//! | [`survey`] | the steps of one query, for those who study the method |
//!
//! Nothing is built in advance, so a mesh may deform between any two queries at the cost of copying
//! its vertices. Documented in `docs/methods/sbv.md`.
//!
//! ```
//! use impinge_separate::{geometry::Pose, query::{Ask, Control, Engine}, sbv};
//! # use impinge_separate::geometry::{Mesh, Point};
//! # let tetrahedron = Mesh::new(
//! #     vec![Point::origin(), Point::new(1., 0., 0.), Point::new(0., 1., 0.), Point::new(0., 0., 1.)],
//! #     vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
//! # )?;
//! let mut model = sbv().prepare(&tetrahedron, &Control::NONE)?;
//! let aside = Pose::translation_by([1.0, 0.0, 0.0].into())?; // B in A's frame
//! let answer = sbv().ask(&model, &model, &aside, &Ask::all_contacts())?;
//! assert!(answer.verdict.is_hit()); // they touch in one corner
//! let smaller: Vec<_> = tetrahedron.vertices().iter().map(|p| p * 0.9).collect();
//! sbv().refit(&mut model, &smaller, &Control::NONE)?;
//! assert!(!sbv().ask(&model, &model, &aside, &Ask::all_contacts())?.verdict.is_hit());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

pub mod detail;
mod engine;
mod model;
mod params;
pub mod points;
mod region;
pub mod support;
pub mod survey;
pub mod train;
pub mod volume;

pub use impinge_geometry as geometry;
pub use impinge_query as query;

pub use detail::{Detailed, Exact, Region};
pub use engine::{SbvEngine, SbvMemory, sbv, sbv_with};
pub use model::SbvModel;
pub use params::{Params, Samples, Solver};
pub use survey::{Ended, Survey};

/// The example of this package's README, compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
