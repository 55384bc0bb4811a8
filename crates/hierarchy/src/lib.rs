//! Bounding-volume trees by composition: a tree method is *volume × builder × traversal × leaf
//! test*, and each of the four is a choice of its own.
//!
//! | part | here | what it decides |
//! | --- | --- | --- |
//! | [`volume`] | [`volume::ObbRows`] | how tightly a node wraps its triangles, what one pair test costs |
//! | [`build`] | [`build::MeanSplit`] | which triangles share a node |
//! | [`traverse`] | [`traverse::LargerFirst`] | in which order node pairs are opened |
//! | [`leaf`] | [`leaf::SeventeenAxes`] | how two triangles are tested |
//!
//! [`TreeEngine`] puts them together and answers every question of the contract; the exact test
//! stands behind every leaf test, so no composition ever gives a wrong verdict.
//!
//! **This crate must not know** of GPUs, files, or any method outside the tree family.
//!
//! | method | composition | paper |
//! | --- | --- | --- |
//! | [`obbtree`] | OBB × mean split × larger first × 17 axes | Gottschalk, Lin, Manocha 1996 (RAPID) |
//!
//! ```
//! use impinge_hierarchy::obbtree;
//! use impinge_query::{Answer, Ask, Control, Engine, Verdict};
//! # use impinge_geometry::{Mesh, Point, Pose, Vector};
//! # let tetrahedron = Mesh::new(
//! #     vec![Point::origin(), Point::new(1., 0., 0.), Point::new(0., 1., 0.), Point::new(0., 0., 1.)],
//! #     vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
//! # )?;
//! let engine = obbtree();
//! let model = engine.prepare(&tetrahedron, &Control::NONE)?;
//! let (mut memory, mut answer) = (engine.memory(), Answer::default());
//! let aside = Pose::translation_by(Vector::new(1.0, 0.0, 0.0))?;
//! let ask = Ask::all_contacts();
//! engine.query(&model, &model, &aside, &mut memory, &ask, &Control::NONE, &mut answer)?;
//! assert_eq!(answer.verdict, Verdict::Intersecting); // they touch in one corner
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod build;
mod contacts;
mod containment;
mod distance;
mod engine;
pub mod leaf;
mod model;
mod obbtree;
pub mod placement;
pub mod traverse;
pub mod tree;
pub mod volume;

pub use engine::{Scratch, TreeEngine};
pub use model::TreeModel;
pub use obbtree::{ObbTree, ObbTreeParams, obbtree, obbtree_with};
pub use placement::Placement;
pub use tree::{Child, Node, Tree};
