//! Worlds of many meshes: objects that come, go, move and deform, broad phases that find the pairs
//! whose boxes overlap, and exact answers about those pairs by any method.
//!
//! **This crate must not know** of files or graphics adapters.
//!
//! | part | what it does |
//! | --- | --- |
//! | [`world`] | the objects and the questions of a step |
//! | [`clash`], [`touching`] | how two objects clash |
//! | [`broad`] | broad phases: each word is a file there and a page in `docs/methods/` |
//! | `front` | `octree-front`, a method for two meshes (feature `methods`) |
//! | [`join`](mod@join) | the pairs of boxes by cells, for work that is shared out |
//! | `heights` | the tight box of a posed mesh in constant time |
//!
//! ```
//! use impinge_scene::{Object, World, geometry::{Pose, Vector}};
//! use impinge_models::Shape;
//! let mut world = World::new();
//! let gear = world.shape(&Shape::Gear.mesh(1_000, 0))?; // prepared once
//! let mut ids = Vec::new();
//! for i in 0..10 {
//!     let pose = Pose::translation_by(Vector::new(0.9 * f64::from(i), 0.0, 0.0))?;
//!     ids.push(world.add(Object::new(gear.clone(), pose))?);
//! }
//! assert_eq!(world.colliding()?.len(), 9); // each meets the next
//! world.remove(ids[4])?;
//! assert_eq!(world.colliding()?.len(), 7);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

pub mod broad;
pub mod clash;
#[cfg(feature = "methods")]
pub mod front;
mod heights;
pub mod join;
pub mod touching;
pub mod world;

pub use impinge_geometry as geometry;
pub use impinge_query as query;

pub use clash::{Clash, ClashOptions, Class};
pub use world::{
    Found, Keep, Meet, Near, Object, ObjectId, Shape, Summary, Velocity, World, WorldError,
};

/// The example of this package's README, compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
