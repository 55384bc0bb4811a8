//! Models for collision tests: procedural meshes of any triangle count, deforming meshes, seeded
//! motions, scenes, a plant whose clashes are known, and files of meshes and scenes.
//!
//! **This crate must not know** of queries, engines, threads or a GPU: it makes meshes and poses.
//!
//! Start with [`Shape`] (a mesh of a given approximate triangle count) and [`Random`] (the only
//! source of random numbers). Everything is the same bits on every machine: sines and cosines come
//! from the pure Rust `libm`, not from the platform.
//!
//! ```
//! use impinge_models::Shape;
//! let mesh = Shape::Torus.mesh(1000, 0);
//! assert!((900..=1100).contains(&mesh.triangles().len()));
//! ```

#![forbid(unsafe_code)]

pub mod files;
pub mod maize;
pub mod motion;
pub mod plant;
pub mod procedural;
pub mod random;
pub mod scene;

pub use motion::{Motion, MotionError};
pub use procedural::{DeformingMesh, DeformingScene, ParameterError, Shape};
pub use random::Random;
pub use scene::{FanScene, Scene, SceneObject};
