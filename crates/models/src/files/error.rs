//! The errors of mesh files; each names the file and the place in it.

use std::fmt;

use impinge_geometry::MeshError;

/// The place of an error in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// The file as a whole.
    File,
    /// A line of a text file, from 1.
    Line(usize),
    /// A byte offset in a binary file, from 0.
    Byte(usize),
    /// A face (polygon, STL facet), from 0 in file order.
    Face(usize),
    /// A vertex, from 0 in file order.
    Vertex(usize),
    /// A named item, such as `accessor 3` of a glTF file.
    Item(String),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => f.write_str("file"),
            Self::Line(line) => write!(f, "line {line}"),
            Self::Byte(byte) => write!(f, "byte {byte}"),
            Self::Face(face) => write!(f, "face {face}"),
            Self::Vertex(vertex) => write!(f, "vertex {vertex}"),
            Self::Item(item) => f.write_str(item),
        }
    }
}

/// Why a mesh file could not be read or written. Every message names the file and the place.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The operating system reported an error.
    #[error("{path}: {source}")]
    Io {
        /// The file's path, or the name given by the caller.
        path: String,
        /// The system's error.
        source: std::io::Error,
    },
    /// The path names something other than a regular file: a directory, a pipe, a device. Reading
    /// those may never end.
    #[error("{path}: this is {kind}, only regular files are read")]
    NotRegular {
        /// The path as given by the caller.
        path: String,
        /// What it is, with an article: `a pipe`.
        kind: &'static str,
    },
    /// The mesh would have more triangles than
    /// [`ReadOptions::max_triangles`](super::ReadOptions::max_triangles). None were made.
    #[error(
        "{path}: {triangles} triangles or more, which may take {:.1} GB of memory; at most {limit} are read",
        super::memory_of(*.triangles) as f64 / 1e9
    )]
    TooManyTriangles {
        /// The file's path, or the name given by the caller.
        path: String,
        /// The number counted, all instances included, when reading stopped.
        triangles: u64,
        /// The limit from the options.
        limit: u64,
    },
    /// The file is larger than [`ReadOptions::max_bytes`](super::ReadOptions::max_bytes).
    #[error("{path}: {bytes} bytes or more, at most {limit} are read")]
    TooLarge {
        /// The file's path, or the name given by the caller.
        path: String,
        /// Its size, or the number of bytes after which reading stopped.
        bytes: u64,
        /// The limit from the options.
        limit: u64,
    },
    /// Neither name nor content identifies a format that this build reads or writes.
    #[error("{path}: {message}")]
    Format {
        /// The file's path, or the name given by the caller.
        path: String,
        /// What was looked for.
        message: String,
    },
    /// The content violates its format.
    #[error("{path}: {}{message}", prefix(.place))]
    Content {
        /// The file's path, or the name given by the caller.
        path: String,
        /// Where in the file.
        place: Place,
        /// The error at that place.
        message: String,
    },
    /// The content is well-formed but gives no valid mesh (NaN, no triangles, too many).
    #[error("{path}: {source}")]
    Mesh {
        /// The file's path, or the name given by the caller.
        path: String,
        /// The violated rule and the element.
        source: MeshError,
    },
}

impl FileError {
    /// The file's path, or the name given by the caller. Every message begins with it.
    pub fn path(&self) -> &str {
        match self {
            Self::Io { path, .. }
            | Self::NotRegular { path, .. }
            | Self::TooManyTriangles { path, .. }
            | Self::TooLarge { path, .. }
            | Self::Format { path, .. }
            | Self::Content { path, .. }
            | Self::Mesh { path, .. } => path,
        }
    }
}

fn prefix(place: &Place) -> String {
    if *place == Place::File { String::new() } else { format!("{place}: ") }
}

/// An error without the file's name, as the readers return it.
#[derive(Debug)]
pub(super) enum Fault {
    /// An error at a place.
    At(Place, String),
    /// The elements do not form a valid mesh.
    Mesh(MeshError),
    /// More triangles than `limit`; `triangles` were counted when reading stopped.
    TooMany { triangles: u64, limit: u64 },
    /// A file that this one references cannot be read.
    #[cfg(feature = "gltf")]
    Refused(String, Refusal),
}

/// Why the bytes of a file cannot be read.
#[derive(Debug)]
pub(super) enum Refusal {
    Io(std::io::Error),
    NotRegular(&'static str),
    TooLarge {
        bytes: u64,
        limit: u64,
    },
    /// The beginning of a stream is not that of a mesh file.
    Format(String),
    /// No reader would read the file, whatever its format.
    Content(&'static str),
}

impl Refusal {
    /// The public error, with the file's name.
    pub(super) fn of(self, path: String) -> FileError {
        match self {
            Self::Io(source) => FileError::Io { path, source },
            Self::NotRegular(kind) => FileError::NotRegular { path, kind },
            Self::TooLarge { bytes, limit } => FileError::TooLarge { path, bytes, limit },
            Self::Format(message) => FileError::Format { path, message },
            Self::Content(message) => Fault::file(message).in_file(&path),
        }
    }
}

impl From<std::io::Error> for Refusal {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

impl Fault {
    /// An error at a line of a text file.
    pub(super) fn line(line: usize, message: impl Into<String>) -> Self {
        Self::At(Place::Line(line), message.into())
    }

    /// An error at a byte of a binary file.
    pub(super) fn byte(byte: usize, message: impl Into<String>) -> Self {
        Self::At(Place::Byte(byte), message.into())
    }

    /// An error of a face.
    pub(super) fn face(face: usize, message: impl Into<String>) -> Self {
        Self::At(Place::Face(face), message.into())
    }

    /// An error of the file as a whole.
    pub(super) fn file(message: impl Into<String>) -> Self {
        Self::At(Place::File, message.into())
    }

    /// The public error, with the file's name.
    pub(super) fn in_file(self, name: &str) -> FileError {
        let path = name.to_owned();
        match self {
            Self::At(place, message) => FileError::Content { path, place, message },
            Self::Mesh(source) => FileError::Mesh { path, source },
            Self::TooMany { triangles, limit } => {
                FileError::TooManyTriangles { path, triangles, limit }
            }
            #[cfg(feature = "gltf")]
            Self::Refused(other, refusal) => refusal.of(format!("{path}: {other}")),
        }
    }
}

impl From<MeshError> for Fault {
    fn from(error: MeshError) -> Self {
        Self::Mesh(error)
    }
}
