//! A file that fails once.

use std::io::{self, ErrorKind, Seek, SeekFrom, Write};

/// Passes everything on up to the first error. After it, what is written is passed over: a zip archive that is
/// dropped writes its end, and would tell on standard error that it cannot.
pub(super) struct FailsOnce<W> {
    inner: W,
    failed: bool,
}

impl<W> FailsOnce<W> {
    pub(super) fn new(inner: W) -> Self {
        Self { inner, failed: false }
    }
}

impl<W: Write + Seek> Write for FailsOnce<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.failed {
            // The archive asks where it is.
            self.inner.seek(SeekFrom::Current(bytes.len() as i64))?;
            return Ok(bytes.len());
        }
        let written = self.inner.write(bytes);
        self.failed = match &written {
            Ok(count) => *count == 0 && !bytes.is_empty(),
            Err(error) => error.kind() != ErrorKind::Interrupted,
        };
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.failed { Ok(()) } else { self.inner.flush() }
    }
}

impl<W: Seek> Seek for FailsOnce<W> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn errors_are_told_once_and_places_go_on() {
        let mut room = [0; 5];
        let mut out = FailsOnce::new(Cursor::new(&mut room[..]));
        out.write_all(b"1234").expect("room");
        assert!(out.write_all(b"567").is_err());
        // One of them was written.
        out.write_all(b"8901").expect("passed over");
        out.flush().expect("nothing to do");
        assert_eq!(out.stream_position().expect("a place"), 9);
        assert_eq!(&room, b"12345");
    }
}
