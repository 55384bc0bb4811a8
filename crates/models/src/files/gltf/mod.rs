//! glTF 2.0, as JSON or as GLB: the triangles of all scenes, merged into one mesh with each node's
//! transform applied, or as parts.
//!
//! The JSON structs keep only what locates triangles ([`schema`]); each index and range is checked
//! at its use. Skins, morph targets and animations are not evaluated (a note tells the user);
//! materials and images are ignored, and nothing is fetched from a network.
//!
//! 1. [`container`]: JSON, its version, and binary chunk.
//! 2. [`nodes`]: the placed meshes and their transforms.
//! 3. [`survey`]: counts all triangles and validates everything before any triangle is made.
//! 4. [`accessor`]: numbers from buffers ([`buffers`]).
//! 5. [`primitive`], [`cut`]: triangles, strips and fans of each mesh.
//! 6. [`output`]: one mesh. [`parts`]: parts with poses, by the rigid part of a transform ([`rigid`]).

mod accessor;
mod buffers;
mod container;
mod cut;
mod nodes;
mod output;
mod parts;
mod primitive;
mod rigid;
mod schema;
mod survey;

use std::path::Path;

use impinge_geometry::Mesh;

use self::buffers::Buffers;
use self::container::Split;
use self::cut::Cuts;
use self::nodes::Forest;
use self::schema::Root;
use self::survey::Survey;
use super::ReadOptions;
use super::error::{Fault, Place};
use super::parts::Parts;

/// Reads a file as one mesh. `folder` holds its external buffers, if they may be read.
pub(super) fn read(
    bytes: &[u8],
    folder: Option<&Path>,
    options: &ReadOptions,
) -> Result<(Mesh, Vec<String>), Fault> {
    let split = container::split(bytes)?;
    let mut notes = split.notes();
    let Split { root, binary, .. } = split;
    let buffers = Buffers::new(&root, binary, folder, options.max_bytes);
    let forest = check(&buffers, options, &mut notes)?;
    let cuts = Cuts::new(&buffers, &forest)?;
    output::merge(cuts, &forest, options, notes)
}

/// Reads a file as parts.
pub(super) fn read_parts(
    bytes: &[u8],
    folder: Option<&Path>,
    options: &ReadOptions,
) -> Result<Parts, Fault> {
    let split = container::split(bytes)?;
    let mut notes = split.notes();
    let Split { root, json, binary, .. } = split;
    let buffers = Buffers::new(&root, binary, folder, options.max_bytes);
    let forest = check(&buffers, options, &mut notes)?;
    let names = json.names()?;
    let cuts = Cuts::new(&buffers, &forest)?;
    parts::collect(&cuts, &forest, &names, options, notes)
}

/// Checks the whole content. Returns the placed meshes, and adds notes for the user.
fn check<'b>(
    buffers: &'b Buffers<'b>,
    options: &ReadOptions,
    notes: &mut Vec<String>,
) -> Result<Forest<'b>, Fault> {
    let root = buffers.root;
    if let Some(name) = &root.extensions_required.foreign {
        let message = format!("the extension {name} is required, but is not supported");
        return Err(Fault::At(Place::Item("extensionsRequired".to_owned()), message));
    }
    let forest = Forest::new(root, notes)?;
    let survey = Survey::new(&forest, buffers, options)?;
    remark(root, &survey, notes);
    Ok(forest)
}

/// Adds notes for the user.
fn remark(root: &Root<'_>, survey: &Survey, notes: &mut Vec<String>) {
    if root.nodes.iter().any(|node| node.skin && node.mesh.is_some()) {
        notes.push("skins not evaluated: skinned meshes are in their bind pose".to_owned());
    }
    if root.extensions_used.instancing {
        notes.push("instances of EXT_mesh_gpu_instancing not placed".to_owned());
    }
    if survey.without_positions > 0 {
        notes.push("primitives without positions skipped".to_owned());
    }
    if survey.morphs {
        notes.push("morph targets not evaluated".to_owned());
    }
    let Survey { turned, loose, .. } = *survey;
    if turned > 0 {
        notes.push(format!("meshes mirrored by their nodes, with the winding reversed: {turned}"));
    }
    if loose > 0 {
        notes.push(format!("{loose} primitives of points or lines skipped"));
    }
}

/// An error at an item of the JSON part, such as `accessors[3]`.
fn fault(list: &str, index: usize, message: impl Into<String>) -> Fault {
    Fault::At(Place::Item(format!("{list}[{index}]")), message.into())
}

/// The item of `list` at `index`, or an error.
fn item<'a, T>(items: &'a [T], index: u32, list: &str) -> Result<&'a T, Fault> {
    items.get(index as usize).ok_or_else(|| {
        let message = format!("there is no such item, the file has {}", items.len());
        fault(list, index as usize, message)
    })
}
