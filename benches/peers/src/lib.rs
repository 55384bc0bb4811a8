//! The default engine, `wide`, beside other people's libraries: the same meshes, the same poses, one
//! process, all in turn; every answer judged.
//!
//! 1. [`scenes`]: words for pairs of meshes, placed by [`impinge_benches::placement`].
//! 2. [`peer`]: what one contender can be asked; [`ours`] has `wide` and parry3d, [`native`] FCL
//!    and Coal, C++ libraries that are loaded when they are there.
//! 3. [`truth`]: what the right answers are.
//! 4. [`race`]: who takes how long, and who is wrong.
//! 5. [`session`]: a whole run, written as the records of [`impinge_records::peers`].
//!
//! `cargo xtask bench --peers` compiles the C++ [shims](../shim), runs this and makes tables of it;
//! `docs/benchmarking.md` says how to get the libraries.

pub mod native;
pub mod ours;
pub mod peer;
pub mod race;
pub mod scenes;
pub mod session;
pub mod truth;
