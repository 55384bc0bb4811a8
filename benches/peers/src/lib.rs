//! The default engine, `wide`, beside other people's libraries: the same meshes, the same poses, one
//! process, all in turn; every answer checked.
//!
//! 1. [`scenes`]: words for pairs of meshes, placed by [`impinge_benches::placement`].
//! 2. [`entry`]: `wide`, parry3d and, in [`native`], FCL and Coal, C++ libraries that are loaded when
//!    they are there, each as a competitor of [`impinge_benches::harness`].
//! 3. [`expected`]: what the right answers are.
//! 4. [`measure`]: who takes how long, and who is wrong.
//! 5. [`session`]: a whole run, written as the records of [`impinge_records::peers`].
//!
//! `cargo xtask bench --peers` compiles the C++ [shims](../shim), runs this and makes tables of it;
//! `docs/benchmarking.md` says how to get the libraries.

pub mod entry;
pub mod expected;
pub mod measure;
pub mod native;
pub mod scenes;
pub mod session;
