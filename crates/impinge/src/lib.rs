//! Exact collision detection between triangle meshes: every method behind one interface.
//!
//! ```
//! use impinge::{Pose, Vector, models::Shape};
//! let gear = Shape::Gear.mesh(2_000, 0);
//! let mut pair = impinge::Pair::new(&gear, &gear)?; // prepared once, asked many times
//! let pose = Pose::translation_by(Vector::new(0.2, 0.0, 0.0))?; // B in A
//! println!("{} pairs of triangles meet", pair.contacts(&pose)?.len());
//! # assert!(pair.intersects(&pose)?);
//! # Ok::<(), impinge::Error>(())
//! ```
//!
//! - [`intersects`], [`contacts`], [`distance`], [`nearer_than`], [`contains`], [`collide_solids`]:
//!   one question about two meshes; [`self_intersects`], [`self_contacts`]: about a single one.
//! - [`Pair`] and [`Body`]: prepare once, ask many times, for one pose or for a list of poses on
//!   all threads (`intersects_at` and the like). A body follows moved vertices ([`Body::refit`])
//!   and can be stored ([`Body::to_bytes`]).
//! - [`ask_pairs`], [`ask_bodies`]: one question about a list of pairs, or of bodies with themselves.
//! - [`Pair::sweep`]: the first contact of a body that turns and moves between two poses;
//!   [`Pair::exit`], [`Pair::penetration`]: the way out along a direction, and the least one.
//! - [`World`]: many objects that move, and the pairs of them that meet, are near, or clash;
//!   [`sweep_world`]: those that touch between two steps; [`WaysOut`]: how deep they are, and ways out.
//! - [`Method`]: all methods. [`Method::build`] returns a boxed [`Detector`](query::Detector), the interface
//!   with cancellation, statistics and batches.
//!
//! `docs/conventions.md` defines what an answer means (touching counts, what "exact" refers to). No call
//! panics on any mesh or pose; errors name the element. **This crate must not know** how any method works:
//! it names and combines them, and asks in one line.
//!
//! Features: `files` (default) adds [`models`] with readers of OBJ, STL, PLY and OFF files; `gltf` that of
//! glTF. `methods` adds all methods beside [`wide`], and convex decomposition. `gpu` lets `image` and `stream`
//! work on an adapter; `parry` adds parry3d, to compare; `serde` is for answers, `report` for JSON of clashes.

#![forbid(unsafe_code)]

pub use impinge_continuous as continuous;
#[cfg(feature = "methods")]
pub use impinge_decompose as decompose;
pub use impinge_geometry as geometry;
#[cfg(feature = "methods")]
pub use impinge_hierarchy as hierarchy;
#[cfg(feature = "methods")]
pub use impinge_image as image;
#[cfg(feature = "files")]
pub use impinge_models as models;
#[cfg(feature = "methods")]
pub use impinge_parallel as parallel;
pub use impinge_query as query;
pub use impinge_scene as scene;
#[cfg(feature = "methods")]
pub use impinge_separate as separate;
#[cfg(feature = "methods")]
pub use impinge_stream as stream;
pub use impinge_wide as wide;

mod body;
mod error;
mod exit;
mod kept;
mod lists;
mod method;
pub mod outside;
#[cfg(feature = "methods")]
mod overlap;
mod pair;
mod penetration;
mod questions;
#[cfg(feature = "report")]
pub mod report;
#[cfg(feature = "methods")]
pub mod sbv_ldi;
mod self_collision;
mod settings;
mod sweep;
mod touching;
mod world_out;
mod world_sweep;

pub use body::Body;
pub use continuous::penetration::{Penetration, PenetrationOptions};
pub use continuous::rigid::{Course, RigidMotion, Sweep, SweepError, SweepOptions, Swept};
pub use continuous::translation::{Exit, ExitError, Way};
pub use error::Error;
pub use geometry::{Mesh, Point, Pose, Vector, touching::Touch};
pub use lists::{ask_bodies, ask_pairs};
pub use method::{Kind, Method, UnknownMethod};
pub use pair::Pair;
pub use query::{Answer, Ask, Contact, Nearest, Verdict};
pub use questions::{collide_solids, contacts, contains, distance, intersects, nearer_than};
pub use scene::{Clash, Class, Object, ObjectId, World, WorldError};
pub use self_collision::{self_contacts, self_intersects};
pub use settings::{Device, Form, Mode, Settings, SettingsError, UnknownSetting};
pub use world_out::{Between, WaysOut};
pub use world_sweep::{OnTheWay, sweep_world};

/// The example of this package's README, compiled and run with the documentation tests.
#[cfg(all(doctest, feature = "files"))]
#[doc = include_str!("../README.md")]
pub struct Readme;
