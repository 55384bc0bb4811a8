//! What a reader may take, and how its input is to be understood.

use super::Format;

/// How a mesh is read. Start from [`ReadOptions::default`].
///
/// | field | default | more | less |
/// | --- | --- | --- | --- |
/// | `format` | told by name and content | | |
/// | `max_triangles` | 100 million | 400 bytes each | small files placed often end early |
/// | `max_bytes` | 16 GiB | up to 8 bytes of memory each | files are refused by their size |
///
/// ```
/// use impinge_models::files::{Format, ReadOptions, read_bytes_with};
/// let text = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
/// let options = ReadOptions { max_triangles: 1, format: Some(Format::Obj), ..Default::default() };
/// let error = read_bytes_with(text, "square.obj", &options).unwrap_err();
/// assert!(error.to_string().starts_with("square.obj: 2 triangles or more"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// The format; none: it is told by name and content.
    pub format: Option<Format>,
    /// A file that makes more triangles is refused before they are made: every instance of a glTF
    /// mesh counts, and a polygon of n corners is n − 2 triangles. Unit: triangles.
    pub max_triangles: u64,
    /// More bytes are not read; the buffers beside a glTF file count together, apart from the
    /// file itself. Unit: bytes.
    pub max_bytes: u64,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { format: None, max_triangles: MAX_TRIANGLES, max_bytes: MAX_FILE_BYTES }
    }
}

/// Files that make more triangles are refused, unless [`ReadOptions`] say otherwise.
///
/// Unit: triangles. Value: 100 million, up to 40 GB of memory by [`memory_of`].
pub const MAX_TRIANGLES: u64 = 100_000_000;

/// Larger files are refused before they are read, unless [`ReadOptions`] say otherwise.
///
/// Unit: bytes. Value: 16 GiB, which is about 340 million triangles of binary STL.
pub const MAX_FILE_BYTES: u64 = 16 << 30;

/// What reading a valid file of so many placed triangles takes at most, and a query by the default
/// method after it: 256 MiB, and 400 bytes a triangle. Unit: bytes.
pub fn memory_of(triangles: u64) -> u64 {
    triangles.saturating_mul(400).saturating_add(256 << 20)
}
