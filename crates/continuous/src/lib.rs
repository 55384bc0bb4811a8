//! Continuous collision detection: the first time at which moving features or meshes touch, decided
//! in exact arithmetic.
//!
//! **This crate must not know** files, GPUs or particular methods.
//!
//! 1. [`vertex_face`] and [`edge_edge`] are the primitives (xie §3.3; fan §1.1.1): four points on
//!    straight lines, the first time of contact or the proof that there is none.
//! 2. Inside, both are the origin against a moving polygon, decided by signs of polynomials: by a
//!    filter in f64 with proven bounds of all errors, and else by integers, at roots of polynomials.
//! 3. [`Question`] is both primitives as a value, and tells what decided.
//! 4. [`MovingTree`] finds the first contact of two meshes, or of one with itself, all pairs that meet,
//!    and the first time nearer than a distance, by boxes over both ends of the motion; [`BothEnds`] is that as a
//!    [`Continuous`](impinge_query::Continuous), and [`EveryFeature`], which asks all features, its
//!    reference.
//! 5. [`ElementWalk`] tells all features that meet step by step, each tested at one of its triangles.
//! 6. [`rigid`] sweeps a body that turns and moves between two poses, by the distances of any method.
//! 7. [`translation`] moves a body along a direction: first and last contacts, and ways out.
//! 8. [`penetration`] bounds the least translation that parts two meshes.
//!
//! The filter never changes a verdict: it may only shift an interval that holds the same time.

#![forbid(unsafe_code)]

mod approach;
mod binary;
mod both_ends;
mod elements;
mod every_feature;
mod features;
mod filter;
mod goal;
mod lanes;
mod moving_box;
mod moving_tree;
mod normal;
mod pair;
pub mod penetration;
mod polygon;
mod polynomial;
mod queue;
pub mod rigid;
mod root;
mod search;
mod small;
pub mod translation;
mod triangle;

pub use binary::{Binary, BinaryTree};
pub use both_ends::{BothEnds, OtherTriangles};
pub use elements::{ElementStep, ElementTest, ElementWalk, Meeting, StepError};
pub use every_feature::EveryFeature;
pub use features::{Decision, Means, NotFinite, Question, edge_edge, vertex_face};
pub use impinge_geometry as geometry;
pub use impinge_query as query;
pub use impinge_query::continuous::{Approach, Features, Impact, Interval, MotionError, Moving};
pub use moving_tree::MovingTree;
