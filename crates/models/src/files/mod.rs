//! Mesh files: OBJ, STL, PLY, OFF and glTF in, the first four out.
//!
//! ```
//! use impinge_models::files::{Format, read_bytes};
//! let text = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
//! let loaded = read_bytes(text, Format::Obj, "square.obj")?;
//! assert_eq!(loaded.mesh.triangles().len(), 2);
//! assert_eq!(loaded.mesh.faces(), Some(&[0, 0][..]));
//!
//! let error = read_bytes(b"v 0 0 zero\n", Format::Obj, "bad.obj").unwrap_err();
//! assert_eq!(error.to_string(), "bad.obj: line 1: coordinate z is \"zero\", no number");
//! # Ok::<(), impinge_models::files::FileError>(())
//! ```
//!
//! What all readers promise:
//! - No panic on any input, and no memory reserved for a count before the file was seen to have
//!   the bytes for it. A file of n bytes takes O(n) memory; glTF instances are bounded by
//!   [`MAX_INSTANCED`].
//! - Coordinates are the file's own: text is rounded to the nearest f64, f32 widened. Nothing is
//!   moved, scaled or turned, except by a glTF file's own node transforms.
//! - Triangles keep the file's order. Polygons of n corners become n − 2 triangles on the same
//!   corners, and [`Mesh::faces`] says which polygon each came from.
//! - Degenerate triangles, unused vertices and duplicate vertices stay. Only STL, which has no
//!   indices, is welded, by equal coordinates.
//! - An error names the file and the place in it.

mod assemble;
mod error;
mod format;
#[cfg(feature = "gltf")]
mod gltf;
mod obj;
mod off;
mod ply;
mod polygon;
mod stl;
mod text;
mod write;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use impinge_geometry::Mesh;

pub use error::{FileError, Place};
pub use format::{Format, UnknownFormat};
pub use write::{write, write_obj, write_off, write_ply, write_stl};

/// Larger files are refused before they are read.
///
/// Unit: bytes. Value: 16 GiB, which is about 340 million triangles of binary STL.
pub const MAX_FILE_BYTES: u64 = 16 << 30;

/// A glTF file that makes more vertices and triangles than this is refused: by placing one mesh
/// many times a small file can ask for any number.
///
/// Unit: vertices plus triangles. Value: 2^28, about 5 GB of mesh.
pub const MAX_INSTANCED: usize = 1 << 28;

/// A mesh and what was done to get it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Loaded {
    /// The mesh, valid by construction.
    pub mesh: Mesh,
    /// The format it was read as.
    pub format: Format,
    /// One sentence for each thing a user may want to know: polygons triangulated, elements
    /// skipped, corners welded, winding turned.
    pub notes: Vec<String>,
}

/// Reads a mesh file. The extension tells the format; content with another format's magic
/// number goes to that format (with a note), and without a known extension the content decides.
///
/// # Errors
/// [`FileError`], with `path` in front.
pub fn read(path: impl AsRef<Path>) -> Result<Loaded, FileError> {
    let path = path.as_ref();
    let name = path.display().to_string();
    let bytes = read_whole(path).map_err(|error| error.into_file_error(&name))?;
    let named = Format::from_extension(path);
    let found = Format::from_magic(&bytes).or(named).or_else(|| Format::from_content(&bytes));
    let Some(format) = found else {
        let message = if bytes.is_empty() {
            "the file is empty".to_owned()
        } else {
            "no known mesh format, neither by extension nor by content".to_owned()
        };
        return Err(FileError::Format { path: name, message });
    };
    let mut loaded = read_as(&bytes, format, &name, path.parent())?;
    if let Some(named) = named.filter(|&named| named != format) {
        loaded.notes.push(format!("named {named}, but the content is {format}"));
    }
    Ok(loaded)
}

/// Reads a mesh from memory; `name` stands for the path in errors. A glTF file must hold its
/// buffers itself.
///
/// # Errors
/// [`FileError`], with `name` in front.
pub fn read_bytes(bytes: &[u8], format: Format, name: &str) -> Result<Loaded, FileError> {
    read_as(bytes, format, name, None)
}

fn read_as(
    bytes: &[u8],
    format: Format,
    name: &str,
    folder: Option<&Path>,
) -> Result<Loaded, FileError> {
    if bytes.is_empty() {
        return Err(error::Fault::file("the file is empty").in_file(name));
    }
    let read = match format {
        Format::Obj => obj::read(bytes),
        Format::Stl => stl::read(bytes),
        Format::Ply => ply::read(bytes),
        Format::Off => off::read(bytes),
        #[cfg(feature = "gltf")]
        Format::Gltf => gltf::read(bytes, folder),
        #[cfg(not(feature = "gltf"))]
        Format::Gltf => {
            let _ = folder;
            let message = "this build reads no glTF: its feature \"gltf\" is off".to_owned();
            return Err(FileError::Format { path: name.to_owned(), message });
        }
    };
    let (mesh, notes) = read.map_err(|fault| fault.in_file(name))?;
    Ok(Loaded { mesh, format, notes })
}

/// Why a file's bytes could not be had.
enum ReadFailure {
    Io(std::io::Error),
    TooLarge(u64),
}

impl ReadFailure {
    fn into_file_error(self, name: &str) -> FileError {
        let path = name.to_owned();
        match self {
            Self::Io(source) => FileError::Io { path, source },
            Self::TooLarge(bytes) => FileError::TooLarge { path, bytes, limit: MAX_FILE_BYTES },
        }
    }
}

/// All bytes of a regular file of at most [`MAX_FILE_BYTES`].
fn read_whole(path: &Path) -> Result<Vec<u8>, ReadFailure> {
    let file = File::open(path).map_err(ReadFailure::Io)?;
    let size = file.metadata().map_err(ReadFailure::Io)?.len();
    if size > MAX_FILE_BYTES {
        return Err(ReadFailure::TooLarge(size));
    }
    let mut bytes = Vec::new();
    let reserved = usize::try_from(size).ok().map(|size| bytes.try_reserve_exact(size));
    if !matches!(reserved, Some(Ok(()))) {
        return Err(ReadFailure::Io(std::io::ErrorKind::OutOfMemory.into()));
    }
    // A pipe has no size: the limit holds there too.
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(ReadFailure::Io)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(ReadFailure::TooLarge(bytes.len() as u64));
    }
    Ok(bytes)
}
