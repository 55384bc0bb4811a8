//! Convex surface decomposition of closed triangle meshes (fan 2003, §2.3): patches that lie on the
//! boundary of their convex hulls, a binary hierarchy of such hulls, and triangle strips of them.
//!
//! **This crate must not know** of queries, trees of bounding volumes, files or a GPU.
//!
//! 1. [`Decomposition`]: the patches `c_i`, each with its hull `C_i`, so that `S ∩ C_i = c_i`.
//! 2. [`PatchTree`]: a binary hierarchy over the pieces, every node with its hull and a box.
//! 3. [`Strips`]: a hull's triangles as strips, encoded once and decoded when drawn.
//!
//! Every sign is exact. `docs/decompose.md` has the proofs.

#![forbid(unsafe_code)]

mod error;
mod grow;
mod hull;
mod patch;
mod pieces;
#[cfg(feature = "serde")]
mod stored;
mod strips;
mod surface;
mod tree;
mod validate;

pub use error::DecomposeError;
pub use impinge_geometry as geometry;
pub use patch::{Criteria, Decomposition, Hull, Options, Order, Patch};
pub use pieces::{Content, Node, PatchTree};
pub use strips::Strips;
pub use validate::Report;
