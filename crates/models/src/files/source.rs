//! Bytes of files: regular files only, with a size known and checked before reading.
//!
//! A pipe or a device may never end, and opening a pipe may block. So the path is examined first,
//! opened without blocking, and examined once more, since it may have been replaced in between.

use std::fs::{File, FileType, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use super::error::{FileError, Refusal};

/// A regular file, open for reading. It yields the bytes that it had when it was opened; if it has
/// grown since, it yields an error after them.
///
/// ```
/// use impinge_models::files::RegularFile;
/// let error = RegularFile::open(".", u64::MAX).unwrap_err();
/// assert_eq!(error.to_string(), ".: this is a directory, only regular files are read");
/// ```
#[derive(Debug)]
pub struct RegularFile {
    file: File,
    bytes: u64,
    left: u64,
}

impl RegularFile {
    /// Opens the file at `path`; links are followed.
    ///
    /// # Errors
    /// [`FileError::NotRegular`] if it is no regular file, with its kind; [`FileError::TooLarge`]
    /// if it has more than `max_bytes`; [`FileError::Io`] if the system refuses.
    pub fn open(path: impl AsRef<Path>, max_bytes: u64) -> Result<Self, FileError> {
        let path = path.as_ref();
        open(path, max_bytes).map_err(|refusal| refusal.of(path.display().to_string()))
    }

    /// Size in bytes when it was opened.
    pub fn size(&self) -> u64 {
        self.bytes
    }

    /// The open file, at the place up to which it was read.
    pub fn into_file(self) -> File {
        self.file
    }
}

impl Read for RegularFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        if self.left == 0 {
            return match self.file.read(&mut [0])? {
                0 => Ok(0),
                _ => Err(io::Error::other(format!(
                    "it grew beyond the {} bytes that it had when it was opened",
                    self.bytes
                ))),
            };
        }
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let read = self.file.read(&mut buffer[..most])?;
        self.left -= read as u64;
        Ok(read)
    }
}

/// As [`RegularFile::open`], without the path in errors.
pub(super) fn open(path: &Path, max_bytes: u64) -> Result<RegularFile, Refusal> {
    examine(&std::fs::metadata(path)?, max_bytes)?;
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    let file = options.open(path)?;
    let bytes = examine(&file.metadata()?, max_bytes)?;
    Ok(RegularFile { file, bytes, left: bytes })
}

/// The size of a regular file of at most `limit` bytes; an error for anything else.
fn examine(metadata: &Metadata, limit: u64) -> Result<u64, Refusal> {
    if !metadata.is_file() {
        return Err(Refusal::NotRegular(kind(metadata.file_type())));
    }
    let bytes = metadata.len();
    if bytes > limit { Err(Refusal::TooLarge { bytes, limit }) } else { Ok(bytes) }
}

/// All bytes of a regular file; an error if it has shrunk since it was opened.
pub(super) fn read_file(path: &Path, max_bytes: u64) -> Result<Vec<u8>, Refusal> {
    let mut file = open(path, max_bytes)?;
    let mut bytes = Vec::new();
    reserve(&mut bytes, file.bytes)?;
    file.read_to_end(&mut bytes)?;
    if file.left > 0 {
        let message =
            format!("it shrank below the {} bytes that it had when it was opened", file.bytes);
        return Err(io::Error::new(ErrorKind::UnexpectedEof, message).into());
    }
    Ok(bytes)
}

/// Length of the beginning of a stream that `judge` sees. Unit: bytes.
pub(super) const HEAD: u64 = 1 << 16;

/// Bytes of a stream.
pub(super) struct Streamed {
    pub(super) bytes: Vec<u8>,
    /// Whether the stream goes on after the number of bytes that `judge` returned.
    pub(super) more: bool,
}

/// All bytes of a stream, at most `max_bytes`. `judge` sees its beginning; it may refuse the stream
/// or return the number of bytes to read.
pub(super) fn read_stream(
    mut input: impl Read,
    max_bytes: u64,
    judge: impl FnOnce(&[u8]) -> Result<Option<u64>, Refusal>,
) -> Result<Streamed, Refusal> {
    let mut bytes = Vec::new();
    input.by_ref().take(HEAD.min(max_bytes)).read_to_end(&mut bytes)?;
    let enough = judge(&bytes)?;
    if let Some(bytes) = enough.filter(|&enough| enough > max_bytes) {
        return Err(Refusal::TooLarge { bytes, limit: max_bytes });
    }
    let most = enough.unwrap_or(max_bytes.saturating_add(1));
    loop {
        // Doubles the buffer without exceeding the limit.
        let room = most.saturating_sub(bytes.len() as u64).min(HEAD.max(bytes.len() as u64));
        reserve(&mut bytes, room)?;
        if input.by_ref().take(room).read_to_end(&mut bytes)? == 0 {
            break;
        }
    }
    if bytes.len() as u64 > max_bytes {
        return Err(Refusal::TooLarge { bytes: bytes.len() as u64, limit: max_bytes });
    }
    // The beginning may be longer than wanted: its bytes are all here.
    let whole = enough == Some(bytes.len() as u64);
    let more = whole && input.take(1).read_to_end(&mut Vec::new())? > 0;
    Ok(Streamed { bytes, more })
}

fn reserve(bytes: &mut Vec<u8>, more: u64) -> Result<(), Refusal> {
    let reserved = usize::try_from(more).ok().map(|more| bytes.try_reserve_exact(more));
    match reserved {
        Some(Ok(())) => Ok(()),
        _ => Err(io::Error::from(ErrorKind::OutOfMemory).into()),
    }
}

/// What a path names, in words with an article.
fn kind(kind: FileType) -> &'static str {
    if kind.is_dir() {
        return "a directory";
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        for (is, word) in [
            (kind.is_fifo(), "a pipe"),
            (kind.is_char_device(), "a character device"),
            (kind.is_block_device(), "a block device"),
            (kind.is_socket(), "a socket"),
        ] {
            if is {
                return word;
            }
        }
    }
    "no regular file"
}
