//! Lines, words and numbers of text files, as bytes: comments need not be UTF-8.

use std::str::FromStr;

use super::error::Fault;

/// The bytes without a leading UTF-8 byte order mark.
pub(super) fn trim_bom(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// The message about text with a byte order mark of UTF-16.
pub(super) fn utf16(bytes: &[u8]) -> Option<&'static str> {
    let marks: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];
    let begins = marks.iter().any(|mark| bytes.starts_with(mark));
    begins.then_some("the text is UTF-16, by its byte order mark; only UTF-8 is read")
}

/// Iterates over lines, numbered from 1. A line ends with LF, CR LF or CR.
#[derive(Clone, Debug)]
pub(super) struct Lines<'a> {
    rest: &'a [u8],
    line: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, line: 0 }
    }

    /// The bytes not read yet.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// The number of the last line returned, 0 before the first.
    pub(super) fn line(&self) -> usize {
        self.line
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        self.line += 1;
        let end = self.rest.iter().position(|&b| b == b'\n' || b == b'\r');
        let Some(end) = end else {
            return Some(std::mem::take(&mut self.rest));
        };
        let line = &self.rest[..end];
        let ending = if self.rest[end..].starts_with(b"\r\n") { 2 } else { 1 };
        self.rest = &self.rest[end + ending..];
        Some(line)
    }
}

/// A line up to its comment, which begins with a `#`.
pub(super) fn uncommented(line: &[u8]) -> &[u8] {
    let end = line.iter().position(|&b| b == b'#').unwrap_or(line.len());
    &line[..end]
}

/// The words of a line, up to a `#`.
pub(super) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    uncommented(line).split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// Parses a number; `None` if the word is no number of that type.
pub(super) fn number<T: FromStr>(word: &[u8]) -> Option<T> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// Parses three coordinates, correctly rounded to f64.
pub(super) fn coordinates<'a>(
    words: &mut impl Iterator<Item = &'a [u8]>,
    line: usize,
) -> Result<[f64; 3], Fault> {
    let mut point = [0.0; 3];
    for (axis, value) in ['x', 'y', 'z'].into_iter().zip(&mut point) {
        let word = words
            .next()
            .ok_or_else(|| Fault::line(line, format!("coordinate {axis} is missing")))?;
        *value = number(word).ok_or_else(|| {
            Fault::line(line, format!("coordinate {axis} is {}, not a number", quoted(word)))
        })?;
    }
    Ok(point)
}

/// A word for an error message: quoted, printable, and shortened.
pub(super) fn quoted(word: &[u8]) -> String {
    const SHOWN: usize = 32;
    let shown = String::from_utf8_lossy(&word[..word.len().min(SHOWN)]);
    let dots = if word.len() > SHOWN { "..." } else { "" };
    format!("\"{}{dots}\"", shown.escape_debug())
}
