//! Measures every method on the same scenes and checks every answer.
//!
//! 1. [`scene`]: the measured scenes: meshes, and poses with labels.
//! 2. [`placement`]: copies of a mesh at exact distances and depths, by root search.
//! 3. [`expected`]: the pairs of triangles that really meet, without any tree of this project.
//! 4. [`harness`]: competitors that take turns; [`timing`]: all methods on one scene, checked.
//! 5. [`sampled`]: error rates of methods that trust their samples.
//! 6. [`streams`]: streaming methods on the processor and on an adapter.
//! 7. [`picture`]: the scene with its colliding triangles in red.
//! 8. [`session`]: a whole run, written as the records of [`impinge_records::bench`].
//! 9. [`program`]: shared code of the measuring programs.
//!
//! `docs/benchmarking.md` explains the rules and how to read the results.
//!
//! **This crate must not know** any method but by its row in [`impinge::Method`], except that
//! placements are searched with `obbtree`'s distance, that [`sampled`] lists the sampled forms, and
//! that [`streams`] compares the forms of streams.

#![forbid(unsafe_code)]

pub mod expected;
pub mod graphics;
pub mod harness;
pub mod machine;
pub mod picture;
pub mod placement;
pub mod program;
pub mod progress;
pub mod sampled;
pub mod scene;
pub mod session;
pub mod streams;
pub mod timing;

/// The example of the repository's README, compiled and run with the documentation tests. It is
/// here because published packages hold no file from outside their folders.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
