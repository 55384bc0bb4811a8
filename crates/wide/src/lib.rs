//! The fast engine: exact collision detection by trees with sixteen oriented boxes per node, tested
//! sixteen at a time, and triangles tested four against four.
//!
//! **This crate must not know** of files, other engines, or graphics adapters.
//!
//! | part | what it does |
//! | --- | --- |
//! | `frame`, `tree`, `validate` | the model: its frame, its layout, its invariants |
//! | `build` | from triangles to a tree |
//! | `placement` | the relative position of two models |
//! | `simd` | instruction sets, and the choice among them |
//! | `kernel` | inner loops over lanes: boxes against boxes, triangles against triangles |
//! | `search` | traversals of pairs of trees |
//! | `counted` | the searches, compiled here for the usual counters |
//! | `boxes` | the broad phase `box-tree` |
//! | `stored` | serialising models |
//! | `visit` | the structure of a tree, for boxes kept elsewhere |
//!
//! A decision in 32 bits is either certain or left to exact arithmetic: `docs/methods/wide.md` has
//! the bounds and their proofs.
//!
//! ```
//! use impinge_wide::{geometry::Pose, query::{Ask, Control, Engine}, wide};
//! # use impinge_wide::geometry::{Mesh, Point};
//! # let tetrahedron = Mesh::new(
//! #     vec![Point::origin(), Point::new(1., 0., 0.), Point::new(0., 1., 0.), Point::new(0., 0., 1.)],
//! #     vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
//! # )?;
//! let model = wide().prepare(&tetrahedron, &Control::NONE)?; // once for many questions
//! let aside = Pose::translation_by([1.0, 0.0, 0.0].into())?; // B in A's frame
//! let answer = wide().ask(&model, &model, &aside, &Ask::all_contacts())?;
//! assert!(answer.verdict.is_hit()); // they touch in one corner
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(test)]
mod adversarial;
mod boxes;
mod build;
mod contain;
mod counted;
mod engine;
mod frame;
mod kernel;
mod model;
mod placement;
mod search;
mod self_collision;
mod share;
mod simd;
mod stored;
mod tree;
mod validate;
mod visit;

pub use impinge_geometry as geometry;
pub use impinge_query as query;

pub use boxes::BoxTree;
pub use build::Quality;
pub use engine::{Memory, Wide, WideParams, wide, wide_with};
pub use model::WideModel;
pub use simd::{UnknownWidth, Width};
pub use stored::{AlignedBytes, StoredError};
pub use validate::{InvalidTree, Place};
pub use visit::{Child, Visitor};
