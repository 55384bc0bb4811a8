//! Models to collide: procedural meshes with a triangle-count knob, deforming meshes, seeded
//! motions, scenes.
//!
//! **This crate must not know** of queries, engines, threads or a GPU: it makes meshes and poses.
//!
//! Start with [`Shape`] (a mesh of about so many triangles) and [`Random`] (the one seeded source
//! of chance). Everything is the same bits on every machine: sines and cosines come from the pure
//! Rust `libm`, not from the platform.
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
pub mod procedural;
pub mod random;
pub mod scene;

pub use motion::{Motion, MotionError};
pub use procedural::{DeformingMesh, DeformingScene, ParameterError, Shape};
pub use random::Random;
pub use scene::{FanScene, Scene, SceneObject};
