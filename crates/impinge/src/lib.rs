//! Exact collision detection between triangle meshes: every method behind one interface.
//!
//! **This crate must not know** how any method works: it names them, and asks one-line questions.
pub use impinge_geometry as geometry;
pub use impinge_hierarchy as hierarchy;
#[cfg(feature = "files")]
pub use impinge_models as models;
pub use impinge_query as query;

mod method;
pub mod outside;

pub use geometry::{Mesh, Point, Pose, Vector};
pub use method::{Kind, Method, UnknownMethod};
