//! glTF 2.0, as JSON or as GLB: the triangles of all scenes, each node's transform applied.
//!
//! The crate `gltf` gives the JSON schema; buffers, accessors and the node tree are read here,
//! each index and range checked at its use. Skins, morph targets and animations are not
//! evaluated (a note says so); materials and images are not looked at, and nothing is fetched
//! from a network.
//!
//! 1. [`container`]: JSON and binary chunk.
//! 2. [`nodes`]: which mesh stands where.
//! 3. [`survey`]: how much that is in all.
//! 4. [`accessor`]: numbers out of buffers ([`buffers`]).
//! 5. [`primitive`]: triangles, strips and fans into the mesh.

mod accessor;
mod buffers;
mod container;
mod nodes;
mod primitive;
mod survey;

use std::path::Path;

use gltf::json::Index;
use impinge_geometry::Mesh;

use self::buffers::Buffers;
use self::primitive::Output;
use super::error::{Fault, Place};

/// Required extensions that leave positions and triangles as they are. The quantized positions
/// of `KHR_mesh_quantization` are read.
const HARMLESS: &[&str] = &[
    "KHR_mesh_quantization",
    "KHR_materials_",
    "KHR_texture_",
    "KHR_lights_",
    "KHR_xmp",
    "KHR_animation_pointer",
    "EXT_texture_",
    "EXT_lights_",
    "MSFT_texture_",
];

/// Reads a file; `folder` is where its external buffers lie, if they may be read.
pub(super) fn read(bytes: &[u8], folder: Option<&Path>) -> Result<(Mesh, Vec<String>), Fault> {
    let (root, binary) = container::split(bytes)?;
    let geometric = |name: &&String| !HARMLESS.iter().any(|prefix| name.starts_with(prefix));
    if let Some(name) = root.extensions_required.iter().find(geometric) {
        let message = format!("the extension {name} is required, but is not supported");
        return Err(Fault::At(Place::Item("extensionsRequired".to_owned()), message));
    }
    let buffers = Buffers::new(&root, binary, folder);
    let mut notes = Vec::new();
    let placements = nodes::placements(&root, &mut notes)?;
    survey::check(&root, &placements)?;
    let mut output = Output::new(&root, &buffers, notes);
    for placement in &placements {
        output.place(placement)?;
    }
    output.finish()
}

/// A fault of an item of the JSON part, `accessors[3]`.
fn fault(list: &str, index: usize, message: impl Into<String>) -> Fault {
    Fault::At(Place::Item(format!("{list}[{index}]")), message.into())
}

/// The item of `list` that `index` names.
fn item<'a, T>(items: &'a [T], index: Index<T>, list: &str) -> Result<&'a T, Fault> {
    items.get(index.value()).ok_or_else(|| {
        fault(list, index.value(), format!("there is no such item, the file has {}", items.len()))
    })
}
