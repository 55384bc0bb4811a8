//! Buffers and views: bytes of the binary chunk, of `data:` URIs, or of files beside the glTF.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::schema::Root;
use super::{fault, item};
use crate::files::error::{Fault, Refusal};
use crate::files::source;
use crate::files::text::quoted;

/// Accepts missing padding, which some writers omit.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Most sparse indices of all accessors together; a limit is needed since many accessors may share
/// the same bytes. Unit: indices.
const MOST_SPARSE: usize = 1 << 30;

/// All buffers of a file, each loaded on first use.
pub(super) struct Buffers<'a> {
    pub(super) root: &'a Root<'a>,
    binary: Option<&'a [u8]>,
    folder: Option<&'a Path>,
    loaded: Vec<OnceCell<Cow<'a, [u8]>>>,
    /// Per buffer, the first buffer with the same URI, so that each URI is loaded once.
    first: Vec<usize>,
    /// Remaining bytes that external files may have, together.
    allowance: Cell<u64>,
    /// Per accessor, whether its sparse indices have been checked.
    looked: Vec<Cell<bool>>,
    /// Remaining sparse indices that may be checked, together.
    sparse: Cell<usize>,
}

impl<'a> Buffers<'a> {
    pub(super) fn new(
        root: &'a Root<'a>,
        binary: Option<&'a [u8]>,
        folder: Option<&'a Path>,
        max_bytes: u64,
    ) -> Self {
        let loaded = root.buffers.iter().map(|_| OnceCell::new()).collect();
        let mut known = BTreeMap::new();
        let first = root.buffers.iter().enumerate().map(|(b, buffer)| match &buffer.uri {
            Some(uri) => *known.entry(&*uri.0).or_insert(b),
            None => b,
        });
        let first = first.collect();
        let allowance = Cell::new(max_bytes);
        let looked = root.accessors.iter().map(|_| Cell::new(false)).collect();
        let sparse = Cell::new(MOST_SPARSE);
        Self { root, binary, folder, loaded, first, allowance, looked, sparse }
    }

    /// Whether the `count` sparse indices of an accessor still have to be checked; once suffices.
    ///
    /// # Errors
    /// If all accessors together have more than [`MOST_SPARSE`].
    pub(super) fn first_look(&self, accessor: usize, count: usize) -> Result<bool, Fault> {
        if self.looked[accessor].replace(true) {
            return Ok(false);
        }
        let left = self.sparse.get().checked_sub(count).ok_or_else(|| {
            let message = format!("more than {MOST_SPARSE} sparse indices in all accessors");
            fault("accessors", accessor, message)
        })?;
        self.sparse.set(left);
        Ok(true)
    }

    /// The bytes of a view, and its stride if it declares one.
    pub(super) fn view(&self, index: u32) -> Result<(&[u8], Option<u64>), Fault> {
        let view = item(&self.root.buffer_views, index, "bufferViews")?;
        let data = self.buffer(view.buffer as usize)?;
        let begin = view.byte_offset;
        let end = begin.saturating_add(view.byte_length);
        let range = usize::try_from(begin).ok().zip(usize::try_from(end).ok());
        let bytes = range.and_then(|(begin, end)| data.get(begin..end)).ok_or_else(|| {
            let buffer = view.buffer;
            let size = data.len();
            let message = format!("bytes {begin} to {end}, but buffers[{buffer}] has {size} bytes");
            fault("bufferViews", index as usize, message)
        })?;
        Ok((bytes, view.byte_stride))
    }

    fn buffer(&self, index: usize) -> Result<&[u8], Fault> {
        let Some(&first) = self.first.get(index) else {
            let count = self.first.len();
            return Err(fault("buffers", index, format!("no such item, the file has {count}")));
        };
        let cell = &self.loaded[first];
        let data = if let Some(data) = cell.get() {
            data
        } else {
            let data = self.load(first)?;
            cell.get_or_init(|| data)
        };
        let promised = self.root.buffers[index].byte_length;
        if (data.len() as u64) < promised {
            let message = format!("byteLength is {promised}, but there are {} bytes", data.len());
            return Err(fault("buffers", index, message));
        }
        Ok(data)
    }

    fn load(&self, index: usize) -> Result<Cow<'a, [u8]>, Fault> {
        let Some(uri) = self.root.buffers[index].uri.as_ref().map(|uri| &*uri.0) else {
            return match (index, self.binary) {
                (0, Some(binary)) => Ok(Cow::Borrowed(binary)),
                _ => Err(fault(
                    "buffers",
                    index,
                    "it has no uri, and there is no binary chunk for it",
                )),
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
        let allowance = self.allowance.get();
        let bytes = source::read_file(&path, allowance).map_err(|refusal| match refusal {
            Refusal::TooLarge { .. } => {
                fault("buffers", index, "the external buffers are too large together")
            }
            refusal => Fault::Refused(format!("buffers[{index}]: {}", path.display()), refusal),
        })?;
        self.allowance.set(allowance - bytes.len() as u64);
        Ok(bytes)
    }
}

/// The path of a URI if it stays in the folder: no scheme, not absolute, no `..`.
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
