//! The known file formats and their recognition: by extension first, then by content.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use super::ReadOptions;
use super::error::Refusal;
use super::text::{Lines, trim_bom, words};

/// A mesh file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Format {
    /// Wavefront OBJ: text, with polygons.
    Obj,
    /// Stereolithography: text or binary, unindexed triangles.
    Stl,
    /// Polygon file format: text or binary of either byte order.
    Ply,
    /// Geomview's object file format: text.
    Off,
    /// glTF 2.0: JSON with buffers, or one GLB container.
    Gltf,
}

impl Format {
    /// All formats, in a fixed order.
    pub const ALL: [Self; 5] = [Self::Obj, Self::Stl, Self::Ply, Self::Off, Self::Gltf];

    /// The format of the extension of `path`, in any case.
    pub fn from_extension(path: impl AsRef<Path>) -> Option<Self> {
        path.as_ref().extension()?.to_str()?.parse().ok()
    }

    /// The format that the first bytes suggest, after any comments. OBJ has no magic number: it is
    /// chosen if one of the first lines is a `v` or `f` statement.
    pub fn from_content(bytes: &[u8]) -> Option<Self> {
        if let Some(sure) = Self::from_magic(bytes) {
            return Some(sure);
        }
        let mut lines = first_lines(bytes).peekable();
        let head = lines.peek().copied().unwrap_or_default().trim_ascii_start();
        if super::stl::is_exact_binary(bytes) || super::stl::begins_text(head) {
            return Some(Self::Stl);
        }
        if head.first() == Some(&b'{') {
            return Some(Self::Gltf);
        }
        if keyword(head) {
            return Some(Self::Off);
        }
        lines.any(|line| super::obj::begins(line) != [false; 2]).then_some(Self::Obj)
    }

    /// The format by magic number; only PLY, OFF and GLB have one.
    pub(super) fn from_magic(bytes: &[u8]) -> Option<Self> {
        let head = trim_bom(bytes);
        if head.starts_with(b"ply\n") || head.starts_with(b"ply\r") {
            return Some(Self::Ply);
        }
        if head.starts_with(b"glTF") {
            return Some(Self::Gltf);
        }
        keyword(head).then_some(Self::Off)
    }
}

/// Whether the first word is a keyword of OFF.
fn keyword(text: &[u8]) -> bool {
    let word = text.split(u8::is_ascii_whitespace).next().unwrap_or(text);
    super::off::keyword(word).is_some()
}

/// Length of the text that is searched for the statements of an OBJ, without comments. Unit: bytes.
const SEARCHED: usize = 4096;

/// The first lines with words on them, up to the one that reaches the length.
fn first_lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut seen = 0;
    let lines = Lines::new(trim_bom(bytes)).filter(|line| words(line).next().is_some());
    lines.take_while(move |line| {
        let begins = seen;
        seen += line.len();
        begins < SEARCHED
    })
}

/// The format of a file: that of the options, else that of a magic number, of the name, of the
/// content.
pub(super) fn find(
    bytes: &[u8],
    named: Option<Format>,
    options: &ReadOptions,
) -> Result<Format, Refusal> {
    check_text(bytes)?;
    options
        .format
        .or_else(|| Format::from_magic(bytes))
        .or(named)
        .or_else(|| Format::from_content(bytes))
        .ok_or_else(|| unknown(bytes))
}

/// Refuses text that no reader reads. A binary STL may begin with any bytes.
fn check_text(bytes: &[u8]) -> Result<(), Refusal> {
    match super::text::utf16(bytes) {
        Some(message) if !super::stl::is_exact_binary(bytes) => Err(Refusal::Content(message)),
        _ => Ok(()),
    }
}

/// The error for content of no known format.
fn unknown(bytes: &[u8]) -> Refusal {
    if bytes.is_empty() {
        return Refusal::Content(EMPTY);
    }
    Refusal::Format("no known mesh format, neither by extension nor by content".to_owned())
}

/// The message about a file without content.
pub(super) const EMPTY: &str = "the file is empty";

/// Checks the beginning of a stream, which may have no end. Refuses what is not a mesh; returns the
/// format, and the size in bytes of a binary STL.
pub(super) fn judge(head: &[u8], options: &ReadOptions) -> Result<(Format, Option<u64>), Refusal> {
    if !super::stl::may_begin(head) {
        check_text(head)?;
    }
    // The header of a binary STL gives the file's size.
    let binary = super::stl::promised(head).filter(|_| !super::stl::looks_like_text(head));
    let begun = super::stl::may_begin(head).then_some(Format::Stl);
    let found = options.format.or_else(|| Format::from_magic(head));
    let found = found.or(begun).or_else(|| Format::from_content(head));
    let format = found.ok_or_else(|| unknown(head))?;
    let text = trim_bom(head).trim_ascii_start();
    let begins = match format {
        Format::Obj | Format::Off => !head.contains(&0),
        Format::Stl => return Ok((format, binary.map(|(_, bytes)| bytes))),
        Format::Ply => trim_bom(head).starts_with(b"ply"),
        Format::Gltf => head.starts_with(b"glTF") || text.first() == Some(&b'{'),
    };
    if begins || head.is_empty() {
        Ok((format, None))
    } else {
        Err(Refusal::Format(format!("the first {} bytes do not look like {format}", head.len())))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Obj => "obj",
            Self::Stl => "stl",
            Self::Ply => "ply",
            Self::Off => "off",
            Self::Gltf => "gltf",
        })
    }
}

/// A name of no format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown mesh format \"{0}\"; known are obj, stl, ply, off, gltf and glb")]
pub struct UnknownFormat(String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(word: &str) -> Result<Self, UnknownFormat> {
        match word.to_ascii_lowercase().as_str() {
            "obj" => Ok(Self::Obj),
            "stl" | "stla" | "stlb" => Ok(Self::Stl),
            "ply" => Ok(Self::Ply),
            "off" | "coff" | "noff" | "cnoff" => Ok(Self::Off),
            "gltf" | "glb" => Ok(Self::Gltf),
            _ => Err(UnknownFormat(word.to_owned())),
        }
    }
}
