//! Step 1: the JSON part, its version, and the binary chunk of a GLB.

use super::schema::{Asset, Head, Names, Root};
use crate::files::error::{Fault, Place};
use crate::files::text::{quoted, trim_bom};

/// The text of the JSON part.
#[derive(Clone, Copy)]
pub(super) struct Json<'a> {
    text: &'a [u8],
    /// Whether it is a chunk of a GLB, where lines mean nothing to a user.
    in_chunk: bool,
}

/// A file taken apart.
pub(super) struct Split<'a> {
    pub(super) root: Root<'a>,
    pub(super) json: Json<'a>,
    pub(super) binary: Option<&'a [u8]>,
    /// Number of bytes after the length that the header of a GLB gives.
    after: usize,
}

impl Split<'_> {
    /// Notes for the user.
    pub(super) fn notes(&self) -> Vec<String> {
        let note = || format!("{} bytes after the length in the header ignored", self.after);
        (self.after > 0).then(note).into_iter().collect()
    }
}

/// Splits a file into both parts. A GLB is a header of 12 bytes, then chunks: a header of 8 bytes,
/// then data.
pub(super) fn split(bytes: &[u8]) -> Result<Split<'_>, Fault> {
    if !bytes.starts_with(b"glTF") {
        let json = Json { text: trim_bom(bytes), in_chunk: false };
        return Ok(Split { root: json.root()?, json, binary: None, after: 0 });
    }
    let version = word(bytes, 4)?;
    if version != 2 {
        return Err(Fault::byte(4, format!("GLB version {version}, only 2 is read")));
    }
    let length = word(bytes, 8)?;
    if length < 12 || length > bytes.len() {
        let message = format!(
            "the header gives a length of {length} bytes, but the file has {}",
            bytes.len()
        );
        return Err(Fault::byte(8, message));
    }
    let (bytes, beyond) = bytes.split_at(length);
    let (text, after) = chunk(bytes, 12, *b"JSON")?
        .ok_or_else(|| Fault::byte(12, "the first chunk of a GLB must be JSON"))?;
    let json = Json { text, in_chunk: true };
    let root = json.root()?;
    let binary = if after < bytes.len() { chunk(bytes, after, *b"BIN\0")? } else { None };
    let binary = binary.map(|(data, _)| data);
    Ok(Split { root, json, binary, after: beyond.len() })
}

impl<'a> Json<'a> {
    /// Parses the document and checks its version. A wrong version takes precedence over a parse
    /// error, since other versions may have another form.
    fn root(self) -> Result<Root<'a>, Fault> {
        match serde_json::from_slice::<Root<'_>>(self.text) {
            Ok(root) => check_version(&root.asset).map(|()| root),
            Err(error) => {
                if let Ok(head) = serde_json::from_slice::<Head<'_>>(self.text) {
                    check_version(&head.asset)?;
                }
                Err(self.fault(&error))
            }
        }
    }

    /// Parses the names alone, which a merged mesh does not need.
    pub(super) fn names(self) -> Result<Names<'a>, Fault> {
        serde_json::from_slice(self.text).map_err(|error| self.fault(&error))
    }

    fn fault(self, error: &serde_json::Error) -> Fault {
        let place = if self.in_chunk {
            Place::Item("JSON chunk".to_owned())
        } else {
            Place::Line(error.line().max(1))
        };
        Fault::At(place, format!("glTF JSON: {error}"))
    }
}

/// Accepts version 2.x, as minor versions only add features, unless the file requires more than
/// 2.0.
fn check_version(asset: &Asset<'_>) -> Result<(), Fault> {
    let refused = |field: &str, text: &str, rule: &str| {
        let message = format!("{}, {rule}", quoted(text.as_bytes()));
        Err(Fault::At(Place::Item(format!("asset.{field}")), message))
    };
    let number = |text: &str| {
        let (major, minor) = text.split_once('.')?;
        Some((major.parse::<u32>().ok()?, minor.parse::<u32>().ok()?))
    };
    let version = &*asset.version.0;
    if number(version).is_none_or(|(major, _)| major != 2) {
        return refused("version", version, "only glTF 2 is read");
    }
    if let Some(least) = &asset.min_version {
        let least = &*least.0;
        if number(least).is_none_or(|least| least > (2, 0)) {
            return refused("minVersion", least, "only what 2.0 suffices for is read");
        }
    }
    Ok(())
}

/// The data of the chunk at `at` and its end; `None` if it is of another type.
fn chunk(bytes: &[u8], at: usize, kind: [u8; 4]) -> Result<Option<(&[u8], usize)>, Fault> {
    let length = word(bytes, at)?;
    let begin = at + 8;
    let end = begin.saturating_add(length);
    let Some(data) = bytes.get(begin..end) else {
        let left = bytes.len().saturating_sub(begin);
        let message = format!("a chunk of {length} bytes, but {left} follow");
        return Err(Fault::byte(at, message));
    };
    Ok((bytes[at + 4..begin] == kind[..]).then_some((data, end)))
}

fn word(bytes: &[u8], at: usize) -> Result<usize, Fault> {
    let word = bytes.get(at..).and_then(<[u8]>::first_chunk);
    let word = word.ok_or_else(|| Fault::byte(bytes.len(), "the GLB ends in a header"))?;
    Ok(u32::from_le_bytes(*word) as usize)
}
