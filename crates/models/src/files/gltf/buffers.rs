//! Buffers and views: bytes of the binary chunk, of `data:` URIs, of files beside the glTF.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Component, Path, PathBuf};

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use gltf::json::buffer::View;
use gltf::json::{Index, Root};

use super::{fault, item};
use crate::files::MAX_FILE_BYTES;
use crate::files::error::Fault;
use crate::files::text::quoted;

/// Some writers leave the padding out.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// All buffers of a file, each loaded when first used.
pub(super) struct Buffers<'a> {
    root: &'a Root,
    binary: Option<&'a [u8]>,
    folder: Option<&'a Path>,
    loaded: Vec<OnceCell<Cow<'a, [u8]>>>,
    /// Bytes that external files may still have, together.
    allowance: Cell<u64>,
}

impl<'a> Buffers<'a> {
    pub(super) fn new(root: &'a Root, binary: Option<&'a [u8]>, folder: Option<&'a Path>) -> Self {
        let loaded = root.buffers.iter().map(|_| OnceCell::new()).collect();
        Self { root, binary, folder, loaded, allowance: Cell::new(MAX_FILE_BYTES) }
    }

    /// The bytes of a view, and its stride if it has one.
    pub(super) fn view(&self, index: Index<View>) -> Result<(&[u8], Option<usize>), Fault> {
        let view = item(&self.root.buffer_views, index, "bufferViews")?;
        let data = self.buffer(view.buffer.value())?;
        let begin = view.byte_offset.unwrap_or_default().0;
        let end = begin.saturating_add(view.byte_length.0);
        let range = usize::try_from(begin).ok().zip(usize::try_from(end).ok());
        let bytes = range.and_then(|(begin, end)| data.get(begin..end)).ok_or_else(|| {
            let buffer = view.buffer.value();
            let size = data.len();
            let message = format!("bytes {begin} to {end}, but buffers[{buffer}] has {size} bytes");
            fault("bufferViews", index.value(), message)
        })?;
        Ok((bytes, view.byte_stride.map(|stride| stride.0)))
    }

    fn buffer(&self, index: usize) -> Result<&[u8], Fault> {
        let Some(cell) = self.loaded.get(index) else {
            let count = self.loaded.len();
            return Err(fault("buffers", index, format!("no such item, the file has {count}")));
        };
        if let Some(data) = cell.get() {
            return Ok(data);
        }
        let data = self.load(index)?;
        let promised = self.root.buffers[index].byte_length.0;
        if (data.len() as u64) < promised {
            let message = format!("byteLength is {promised}, but there are {} bytes", data.len());
            return Err(fault("buffers", index, message));
        }
        Ok(cell.get_or_init(|| data))
    }

    fn load(&self, index: usize) -> Result<Cow<'a, [u8]>, Fault> {
        let Some(uri) = self.root.buffers[index].uri.as_deref() else {
            return match (index, self.binary) {
                (0, Some(binary)) => Ok(Cow::Borrowed(binary)),
                _ => Err(fault("buffers", index, "no uri, and no binary chunk stands for it")),
            };
        };
        if let Some(data) = uri.strip_prefix("data:") {
            let encoded = data.split_once(";base64,").map(|(_, encoded)| encoded);
            let encoded =
                encoded.ok_or_else(|| fault("buffers", index, "a data URI that is not base64"))?;
            return BASE64
                .decode(encoded)
                .map(Cow::Owned)
                .map_err(|error| fault("buffers", index, format!("base64: {error}")));
        }
        self.load_file(index, uri).map(Cow::Owned)
    }

    fn load_file(&self, index: usize, uri: &str) -> Result<Vec<u8>, Fault> {
        let shown = quoted(uri.as_bytes());
        let Some(folder) = self.folder else {
            let message = format!("the external file {shown} can only be read beside a file");
            return Err(fault("buffers", index, message));
        };
        let relative = relative_path(uri).ok_or_else(|| {
            let message = format!("{shown}: only files in the same folder or below are read");
            fault("buffers", index, message)
        })?;
        let path = folder.join(relative);
        let named = |source| Fault::Io(format!("buffers[{index}]: {}", path.display()), source);
        let file = File::open(&path).map_err(named)?;
        if !file.metadata().map_err(named)?.is_file() {
            return Err(named(ErrorKind::InvalidInput.into()));
        }
        let allowance = self.allowance.get();
        let mut bytes = Vec::new();
        file.take(allowance + 1).read_to_end(&mut bytes).map_err(named)?;
        let Some(left) = allowance.checked_sub(bytes.len() as u64) else {
            return Err(fault("buffers", index, "the external buffers are too large together"));
        };
        self.allowance.set(left);
        Ok(bytes)
    }
}

/// The path a URI names, if it stays in the folder: no scheme, not absolute, no `..`.
fn relative_path(uri: &str) -> Option<PathBuf> {
    let path = PathBuf::from(percent_decoded(uri)?);
    let inside = |c: Component<'_>| matches!(c, Component::Normal(_) | Component::CurDir);
    (!uri.contains(':') && path.components().all(inside)).then_some(path)
}

fn percent_decoded(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = &rest[2..];
    }
    String::from_utf8(bytes).ok().filter(|path| !path.contains('\0'))
}
