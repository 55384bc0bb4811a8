//! Limits and format of the input of a reader.

use super::Format;

/// How a mesh is read. Start from [`ReadOptions::default`]. The last columns tell the effect of a
/// larger and of a smaller value.
///
/// | field | default | more | less |
/// | --- | --- | --- | --- |
/// | `format` | from name and content | | |
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
    /// The format; if `None`, it is determined from name and content.
    pub format: Option<Format>,
    /// Files with more triangles are refused before the triangles are made. Every instance of a
    /// glTF mesh counts, and a polygon of n corners counts as n − 2. Unit: triangles.
    pub max_triangles: u64,
    /// Larger files are refused. The buffers beside a glTF file are limited together, apart from
    /// the file itself. Unit: bytes.
    pub max_bytes: u64,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { format: None, max_triangles: MAX_TRIANGLES, max_bytes: MAX_FILE_BYTES }
    }
}

/// Default of [`ReadOptions::max_triangles`].
///
/// Unit: triangles. Value: 100 million, up to 40 GB of memory by [`memory_of`].
pub const MAX_TRIANGLES: u64 = 100_000_000;

/// Default of [`ReadOptions::max_bytes`].
///
/// Unit: bytes. Value: 16 GiB, which is about 340 million triangles of binary STL.
pub const MAX_FILE_BYTES: u64 = 16 << 30;

/// An upper bound of the memory for reading a valid file with `triangles` placed triangles, and for
/// a query by the default method after it: 256 MiB plus 400 bytes per triangle. Unit: bytes.
pub fn memory_of(triangles: u64) -> u64 {
    triangles.saturating_mul(400).saturating_add(256 << 20)
}
