//! Mesh files: round trips, each format's forms, every trap, and random damage.

mod damage;
mod formats;
#[cfg(feature = "gltf")]
mod gltf;
mod polygons;
mod roundtrip;
mod samples;
mod sources;
mod traps;
