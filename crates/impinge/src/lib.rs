//! Exact collision detection between triangle meshes: every method behind one interface.
//!
//! ```
//! use impinge::{Pose, Vector, models::Shape};
//! let gear = Shape::Gear.mesh(2_000, 0);
//! let mut pair = impinge::Pair::new(&gear, &gear)?; // prepared once, asked many times
//! for step in 0..10 {
//!     let pose = Pose::translation_by(Vector::new(0.2 * f64::from(step), 0.0, 0.0))?; // B in A
//!     let contacts = pair.contacts(&pose)?;
//!     println!("step {step}: {} pairs of triangles meet", contacts.len());
//! }
//! # assert!(!pair.intersects(&Pose::translation_by(Vector::new(1.8, 0.0, 0.0))?)?);
//! # Ok::<(), impinge::Error>(())
//! ```
//!
//! - [`intersects`], [`contacts`], [`distance`], [`contains`], [`collide_solids`]: one question about two
//!   meshes.
//! - [`self_intersects`], [`self_contacts`]: one about a single mesh.
//! - [`Pair`] and [`Body`]: prepare once, ask many times; a pose, or a list of poses over all threads
//!   (`intersects_at` and its like). [`ask_pairs`], [`ask_bodies`]: a list of pairs, or of bodies against
//!   themselves.
//! - [`Method`]: every method by its word; [`Method::build`] gives it as a boxed
//!   [`Detector`](query::Detector), the interface with cancellation, statistics and batches.
//!
//! What an answer means (touching counts, what "exact" refers to) is fixed in
//! `docs/conventions.md`. No call panics on any mesh or pose; errors name the element.
//!
//! **This crate must not know** how any method works: it names them, combines them, and asks
//! them the one-line questions.
//!
//! Features: `files` (on) brings [`models`] with the mesh file readers; `gpu` lets [`image`] draw on
//! a graphics adapter; `parry` brings the outside comparators; `serde` makes answers and
//! models of [`wide`] serialisable.

#![forbid(unsafe_code)]

pub use impinge_geometry as geometry;
pub use impinge_hierarchy as hierarchy;
pub use impinge_image as image;
#[cfg(feature = "files")]
pub use impinge_models as models;
pub use impinge_parallel as parallel;
pub use impinge_query as query;
pub use impinge_wide as wide;

mod error;
mod lists;
mod method;
pub mod outside;
mod pair;
mod questions;
mod self_collision;

pub use error::Error;
pub use geometry::{Mesh, Point, Pose, Vector};
pub use lists::{ask_bodies, ask_pairs};
pub use method::{Kind, Method, UnknownMethod};
pub use pair::{Body, Pair};
pub use query::{Answer, Ask, Contact, Nearest, Verdict};
pub use questions::{collide_solids, contacts, contains, distance, intersects, nearer_than};
pub use self_collision::{self_contacts, self_intersects};

/// The README's example, compiled and run with the documentation tests.
#[cfg(all(doctest, feature = "files"))]
#[doc = include_str!("../../../README.md")]
pub struct Readme;
