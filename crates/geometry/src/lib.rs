//! Geometry of collision detection: triangle meshes, rigid poses, bounding volumes, exact
//! predicates and the triangle tests built on them.
//!
//! **This crate must not know** of threads, of a GPU, or of what a query is. It has only points and
//! triangles; everything above is built on it.
//!
//! Start with [`Mesh`] (the shape), [`Pose`] (its placement) and [`exact`] (the decisions).

#[cfg(test)]
mod adversarial;
pub mod coincident;
pub mod column;
pub mod convex;
pub mod cost;
pub mod curved;
pub mod exact;
mod fixed;
pub mod gjk;
pub mod hubs;
mod integers;
pub mod mesh;
#[cfg(feature = "parry")]
pub mod parry;
pub mod pose;
pub mod predicates;
mod prefetch;
pub mod segment;
pub mod topology;
pub mod touching;
pub mod triangle;
pub mod volume;

pub use coincident::Coincident;
pub use column::{Column, SharedBytes, ViewError};
pub use mesh::{MAX_COORDINATE, Mesh, MeshError, Triangle};
pub use pose::{Pose, PoseError};
pub use prefetch::prefetch;
pub use topology::{OpenSurface, Topology};

/// The point type of the whole workspace: three 64-bit coordinates in the user's unit of measure.
pub type Point = nalgebra::Point3<f64>;
/// The vector type of the whole workspace, in the same unit.
pub type Vector = nalgebra::Vector3<f64>;
