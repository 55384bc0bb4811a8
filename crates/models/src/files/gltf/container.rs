//! Step 1: the JSON part, and the binary chunk of a GLB.

use gltf::json::{Root, deserialize};

use crate::files::error::{Fault, Place};
use crate::files::text::trim_bom;

/// Both parts. A GLB is 12 bytes of header, then chunks of 8 bytes of header and their data.
pub(super) fn split(bytes: &[u8]) -> Result<(Root, Option<&[u8]>), Fault> {
    if !bytes.starts_with(b"glTF") {
        let root = deserialize::from_slice(trim_bom(bytes))
            .map_err(|error| Fault::line(error.line().max(1), format!("glTF JSON: {error}")))?;
        return Ok((root, None));
    }
    let version = word(bytes, 4)?;
    if version != 2 {
        return Err(Fault::byte(4, format!("GLB version {version}, only 2 is read")));
    }
    let length = word(bytes, 8)?;
    if length < 12 || length > bytes.len() {
        let message = format!("a length of {length} bytes, the file has {}", bytes.len());
        return Err(Fault::byte(8, message));
    }
    let bytes = &bytes[..length];
    let (json, after) = chunk(bytes, 12, *b"JSON")?
        .ok_or_else(|| Fault::byte(12, "the first chunk of a GLB must be JSON"))?;
    let root = deserialize::from_slice(json).map_err(|error| {
        Fault::At(Place::Item("JSON chunk".to_owned()), format!("glTF JSON: {error}"))
    })?;
    let binary = if after < bytes.len() { chunk(bytes, after, *b"BIN\0")? } else { None };
    Ok((root, binary.map(|(data, _)| data)))
}

/// The data of the chunk at `at` and where it ends; nothing if it is of another type.
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
