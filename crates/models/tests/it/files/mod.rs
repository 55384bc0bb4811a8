//! Mesh files: round trips, variants of each format, invalid files, and random damage.

mod damage;
mod formats;
#[cfg(feature = "gltf")]
mod gltf;
#[cfg(all(feature = "gltf", feature = "table"))]
mod listing;
#[cfg(feature = "gltf")]
mod parts;
mod polygons;
mod roundtrip;
mod samples;
mod sources;
#[cfg(feature = "table")]
mod table;
mod traps;
