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
//! | `stored` | serialising models |
//!
//! A decision in 32 bits is either certain or left to exact arithmetic: `docs/methods/wide.md` has
//! the bounds and their proofs.
//!
//! ```
//! use impinge_query::{Answer, Ask, Control, Engine, Verdict};
//! use impinge_wide::wide;
//! # use impinge_geometry::{Mesh, Point, Pose, Vector};
//! # let tetrahedron = Mesh::new(
//! #     vec![Point::origin(), Point::new(1., 0., 0.), Point::new(0., 1., 0.), Point::new(0., 0., 1.)],
//! #     vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
//! # )?;
//! let engine = wide();
//! let model = engine.prepare(&tetrahedron, &Control::NONE)?;
//! let (mut memory, mut answer) = (engine.memory(), Answer::default());
//! let aside = Pose::translation_by(Vector::new(1.0, 0.0, 0.0))?;
//! let ask = Ask::all_contacts();
//! engine.query(&model, &model, &aside, &mut memory, &ask, &Control::NONE, &mut answer)?;
//! assert_eq!(answer.verdict, Verdict::Intersecting); // they touch in one corner
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(test)]
mod adversarial;
mod build;
#[cfg(test)]
mod cancelling;
mod contain;
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

pub use build::Quality;
pub use engine::{Memory, Wide, WideParams, wide, wide_with};
pub use model::WideModel;
pub use simd::{UnknownWidth, Width};
pub use stored::StoredError;
pub use validate::{InvalidTree, Place};
