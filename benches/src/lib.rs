//! Measures every method on the same scenes, and judges every answer.
//!
//! 1. [`scene`]: what is measured: meshes, and poses with labels.
//! 2. [`placement`]: copies of a mesh at exact distances and depths, by root search.
//! 3. [`judge`]: which triangle pairs really meet, without any tree of ours.
//! 4. [`timing`]: all methods in one process, interleaved pose by pose.
//! 5. [`sampled`]: how often methods that believe their samples are wrong.
//! 6. [`picture`]: the scene with its colliding triangles in red.
//! 7. [`record`]: what is written, one JSON object a line.
//!
//! `docs/benchmarking.md` explains the rules and how to read the results.
//!
//! **This crate must not know** any method but by its row in [`impinge::Method`], except that
//! placements are searched with `obbtree`'s distance, and that [`sampled`] lists who has a sampled form.

pub mod judge;
pub mod machine;
pub mod picture;
pub mod placement;
pub mod progress;
pub mod record;
pub mod sampled;
pub mod scene;
pub mod session;
pub mod timing;
