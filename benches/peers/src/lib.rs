//! Compares the default engine, `wide`, with other libraries: the same meshes and poses, in one
//! process, taking turns. Every answer is checked. Compares broad phases in the same way.
//!
//! 1. [`scenes`]: words for pairs of meshes, placed by [`impinge_benches::placement`].
//! 2. [`entry`]: `wide`, parry3d and, in [`native`], the C++ libraries FCL and Coal, which are
//!    loaded if present. Each is a competitor of [`impinge_benches::harness`].
//! 3. [`expected`]: the expected answers.
//! 4. [`measure`]: times of all entries, and their errors.
//! 5. [`broad`]: broad phases on moving boxes.
//! 6. [`motion`]: sweeps and depths of penetration.
//! 7. [`session`]: a whole run, written as the records of [`impinge_records::peers`].
//!
//! `cargo xtask bench --peers` compiles the C++ [shims](../shim), runs this program and makes
//! tables of its output; `docs/benchmarking.md` explains how to get the libraries.

pub mod broad;
pub mod entry;
pub mod expected;
pub mod measure;
pub mod motion;
pub mod native;
pub mod scenes;
pub mod session;
