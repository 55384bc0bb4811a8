//! The parts of a scene file: each placed mesh of a glTF file by itself, not merged with others.

use std::path::Path;

use impinge_geometry::{Mesh, Pose};

use super::error::{Fault, Refusal};
use super::{FileError, Format, ReadOptions, format, gltf, source};

/// The parts of a scene, the meshes that they place, and notes of the reader.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Parts {
    /// The meshes, each placed by one part or more.
    pub meshes: Vec<Mesh>,
    /// The parts, in the order of the triangles of [`read`](super::read): the roots of the scenes
    /// in their order, a node before its children.
    pub parts: Vec<Part>,
    /// Notes for the user, one sentence each.
    pub notes: Vec<String>,
}

/// A placed mesh.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Part {
    /// The name of the node, or else of its mesh, or else `node 17`; unique in the file, and at most
    /// a few hundred bytes long.
    pub name: String,
    /// Index in [`Parts::meshes`].
    pub mesh: usize,
    /// Where the mesh is in the scene.
    pub pose: Pose,
}

/// Reads the parts of a glTF file: one for each node that has a mesh with triangles. Without nodes,
/// each mesh is a part.
///
/// A part's pose is the rigid part of its node's transform; what is left, such as a scale or a
/// mirror, is baked into the mesh. Parts of one mesh share it where their transforms differ by a
/// rigid motion, to within the tolerance of [`Pose::new`]: the posed vertices are then off by at
/// most a few parts in 10⁶ of the mesh's extent from its origin, and only as far as the transforms
/// differ. A transform without a rigid part, such as a scale by zero, is baked whole.
///
/// `options` bound the triangles, every instance counted, and the bytes. There are at most 2²⁰
/// parts.
///
/// # Errors
/// [`FileError`], prefixed with `path`; [`FileError::Format`] if the file is not glTF.
///
/// ```no_run
/// use impinge_models::files::{ReadOptions, read_parts};
/// let scene = read_parts("plant.glb", &ReadOptions::default())?;
/// for part in &scene.parts {
///     println!("{}: {} triangles", part.name, scene.meshes[part.mesh].triangles().len());
/// }
/// # Ok::<(), impinge_models::files::FileError>(())
/// ```
pub fn read_parts(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Parts, FileError> {
    let path = path.as_ref();
    let name = path.display().to_string();
    let bytes =
        source::read_file(path, options.max_bytes).map_err(|refusal| refusal.of(name.clone()))?;
    let named = Format::from_extension(path);
    parts_of(&bytes, named, &name, path.parent(), options)
}

/// As [`read_parts`], from memory; `name` replaces the path in errors. The file must contain its
/// buffers.
///
/// # Errors
/// [`FileError`], prefixed with `name`.
pub fn read_parts_bytes(
    bytes: &[u8],
    name: &str,
    options: &ReadOptions,
) -> Result<Parts, FileError> {
    parts_of(bytes, None, name, None, options)
}

fn parts_of(
    bytes: &[u8],
    named: Option<Format>,
    name: &str,
    folder: Option<&Path>,
    options: &ReadOptions,
) -> Result<Parts, FileError> {
    if bytes.is_empty() {
        return Err(Fault::file(format::EMPTY).in_file(name));
    }
    let found = format::find(bytes, named, options).and_then(|format| match format {
        Format::Gltf => Ok(()),
        _ => Err(Refusal::Format(format!("only a glTF file has parts, this is {format}"))),
    });
    found.map_err(|refusal| refusal.of(name.to_owned()))?;
    gltf::read_parts(bytes, folder, options).map_err(|fault| fault.in_file(name))
}
