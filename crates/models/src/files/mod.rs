//! Mesh files: reads OBJ, STL, PLY, OFF and glTF; writes the first four. Scenes: reads the parts of
//! a glTF file, tables of parts, and scenes of several files.
//!
//! ```
//! use impinge_models::files::{Format, read_bytes};
//! let text = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
//! let loaded = read_bytes(text, Format::Obj, "square.obj")?;
//! assert_eq!(loaded.mesh.triangles().len(), 2);
//! assert_eq!(loaded.mesh.faces(), Some(&[0, 0][..]));
//!
//! let error = read_bytes(b"v 0 0 zero\n", Format::Obj, "bad.obj").unwrap_err();
//! assert_eq!(error.to_string(), "bad.obj: line 1: coordinate z is \"zero\", not a number");
//! # Ok::<(), impinge_models::files::FileError>(())
//! ```
//!
//! Guarantees of all readers:
//! - No panic on any input, and termination: a path must name a regular file, so that no pipe or
//!   device is waited for, and the work on any file is bounded.
//! - Memory: a damaged file takes at most 8 times its bytes plus 256 MiB. A valid one takes at most
//!   [`memory_of`] its placed triangles, unless it consists mostly of vertices, comments or other
//!   text that no triangle uses, which count by the byte. [`ReadOptions`] bound both. Nothing is
//!   reserved for a count before the file is known to have the bytes for it.
//! - Coordinates are those of the file: text is rounded to the nearest f64, f32 widened. Only the
//!   node transforms of a glTF file move vertices.
//! - Triangles keep the file's order. A polygon of n corners becomes n − 2 triangles on the same
//!   corners, and [`Mesh::faces`] maps each triangle to its polygon.
//! - Degenerate triangles, unused vertices and duplicate vertices are kept. Only STL, which has no
//!   indices, is welded, by equal coordinates.
//! - An error names the file and the place in it.

mod assemble;
mod crossing;
mod error;
mod format;
#[cfg(feature = "gltf")]
mod gltf;
#[cfg(all(feature = "gltf", feature = "table"))]
mod listing;
mod obj;
mod off;
mod options;
#[cfg(feature = "gltf")]
mod parts;
mod ply;
mod polygon;
mod source;
mod stl;
#[cfg(feature = "table")]
mod table;
mod text;
mod write;

use std::io::Read;
use std::path::Path;

use impinge_geometry::Mesh;

#[cfg(not(feature = "gltf"))]
use error::Refusal;

pub use error::{FileError, Place};
pub use format::{Format, UnknownFormat};
#[cfg(all(feature = "gltf", feature = "table"))]
pub use listing::{Listed, Source, list_parts};
pub use options::{MAX_FILE_BYTES, MAX_TRIANGLES, ReadOptions, memory_of};
#[cfg(feature = "gltf")]
pub use parts::{Part, Parts, read_parts, read_parts_bytes};
pub use source::RegularFile;
#[cfg(feature = "table")]
pub use table::{Row, read_table, read_table_bytes};
pub use write::{write, write_obj, write_off, write_ply, write_stl};

/// A mesh, with its format and notes of the reader.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Loaded {
    /// The mesh; its indices and coordinates are valid.
    pub mesh: Mesh,
    /// The format it was read as, which may differ from the extension's.
    pub format: Format,
    /// Notes for the user, one sentence each: polygons triangulated, elements skipped, corners
    /// welded, winding reversed.
    pub notes: Vec<String>,
}

impl Loaded {
    /// The notes that a user should see even if nobody asks for notes: what was left out of the
    /// file, changed or doubtful. Not what is done to every good file of its kind (polygons
    /// triangulated, corners of STL welded), nor vertices that belong to no face.
    pub fn warnings(&self) -> impl Iterator<Item = &str> {
        let last = [assemble::TRIANGULATED, assemble::UNUSED];
        let routine = move |note: &str| {
            note.starts_with(stl::WELDED) || last.iter().any(|words| note.ends_with(words))
        };
        self.notes.iter().map(String::as_str).filter(move |note| !routine(note))
    }
}

/// Reads a mesh file. The extension determines the format. Content with another format's magic
/// number is read as that format (with a note); without a known extension the content decides.
///
/// # Errors
/// [`FileError`], prefixed with `path`.
pub fn read(path: impl AsRef<Path>) -> Result<Loaded, FileError> {
    read_with(path, &ReadOptions::default())
}

/// As [`read`], with options.
///
/// # Errors
/// [`FileError`], prefixed with `path`.
pub fn read_with(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Loaded, FileError> {
    let path = path.as_ref();
    let name = path.display().to_string();
    let bytes =
        source::read_file(path, options.max_bytes).map_err(|refusal| refusal.of(name.clone()))?;
    let named = Format::from_extension(path);
    read_named(&bytes, named, &name, path.parent(), options)
}

/// Reads a mesh from a stream to its end; `name` replaces the path in errors. The content
/// determines the format unless `options` do. A glTF file must contain its buffers.
///
/// # Errors
/// [`FileError`], prefixed with `name`. Content that does not begin like a mesh is refused after 64
/// KiB, whether or not the stream ends.
pub fn read_stream(
    input: impl Read,
    name: &str,
    options: &ReadOptions,
) -> Result<Loaded, FileError> {
    let mut options = options.clone();
    let max_bytes = options.max_bytes;
    let judge = |head: &[u8]| {
        let (format, size) = format::judge(head, &options)?;
        options.format = Some(format);
        Ok(size)
    };
    let streamed = source::read_stream(input, max_bytes, judge)
        .map_err(|refusal| refusal.of(name.to_owned()))?;
    let mut loaded = read_named(&streamed.bytes, None, name, None, &options)?;
    if streamed.more {
        loaded.notes.push("bytes after the last triangle ignored".to_owned());
    }
    Ok(loaded)
}

/// Reads a mesh from memory; `name` replaces the path in errors. A glTF file must contain its
/// buffers.
///
/// # Errors
/// [`FileError`], prefixed with `name`.
pub fn read_bytes(bytes: &[u8], format: Format, name: &str) -> Result<Loaded, FileError> {
    let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
    read_bytes_with(bytes, name, &options)
}

/// As [`read_bytes`], with options. `max_bytes` does not apply: the bytes are in memory already.
///
/// # Errors
/// [`FileError`], prefixed with `name`.
pub fn read_bytes_with(
    bytes: &[u8],
    name: &str,
    options: &ReadOptions,
) -> Result<Loaded, FileError> {
    read_named(bytes, None, name, None, options)
}

/// `named` is the format of the file's extension.
fn read_named(
    bytes: &[u8],
    named: Option<Format>,
    name: &str,
    folder: Option<&Path>,
    options: &ReadOptions,
) -> Result<Loaded, FileError> {
    let found = format::find(bytes, named, options);
    let format = found.map_err(|refusal| refusal.of(name.to_owned()))?;
    let mut loaded = read_as(bytes, format, name, folder, options)?;
    if let Some(named) = named.filter(|&named| named != format) {
        loaded.notes.push(format!("the file name says {named}, but the content is {format}"));
    }
    Ok(loaded)
}

fn read_as(
    bytes: &[u8],
    format: Format,
    name: &str,
    folder: Option<&Path>,
    options: &ReadOptions,
) -> Result<Loaded, FileError> {
    if bytes.is_empty() {
        return Err(error::Fault::file(format::EMPTY).in_file(name));
    }
    let read = match format {
        Format::Obj => obj::read(bytes, options),
        Format::Stl => stl::read(bytes, options),
        Format::Ply => ply::read(bytes, options),
        Format::Off => off::read(bytes, options),
        #[cfg(feature = "gltf")]
        Format::Gltf => gltf::read(bytes, folder, options),
        #[cfg(not(feature = "gltf"))]
        Format::Gltf => {
            let _ = folder;
            let message = "this build reads no glTF: its feature \"gltf\" is off".to_owned();
            return Err(Refusal::Format(message).of(name.to_owned()));
        }
    };
    let (mesh, notes) = read.map_err(|fault| fault.in_file(name))?;
    Ok(Loaded { mesh, format, notes })
}
