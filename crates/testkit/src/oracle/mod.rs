//! The reference: rational arithmetic by simple algorithms.
//!
//! Every coordinate is an integer times a power of two, so all numbers here are big integers or
//! fractions of them. Only bounds by which work is skipped are rounded, and have a wide margin. The
//! tested code decides by signs of orientation determinants; the oracle uses none:
//!
//! 1. [`triangles_meet`] solves a linear program for a common point.
//! 2. [`squared_distance`] takes the minimum over all pairs of features, in fractions. It is zero
//!    if and only if 1 says "yes": two independent computations that check each other.
//! 3. [`winding`] follows a rational ray, and tries another if it grazes an edge.
//! 4. [`contacts`], [`mesh_squared_distance`], [`solids`] try all pairs.
//! 5. [`moving`] finds when moving features meet first, by planes between them.
//! 6. [`meet_elsewhere`] decides about two triangles of one mesh, in small integers.
//!
//! All other functions take any finite coordinates and degenerate triangles (segments, points).
//! Non-finite coordinates panic; a [`Mesh`](impinge_geometry::Mesh) has none.

mod apart;
mod distance;
mod elsewhere;
mod integers;
pub mod moving;
mod ray;
mod search;
mod simplex;
mod solids;
mod sturm;

pub use distance::{at_most, distance, root, squared_distance};
pub use elsewhere::{Triple, meet_elsewhere};
pub use ray::{Location, winding};
pub use search::{boxes_meet, contacts, mesh_distance, mesh_squared_distance, nearest};
pub use simplex::triangles_meet;
pub use solids::{Verdict, holds, solids};
