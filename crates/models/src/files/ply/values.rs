//! The values of a PLY file in order, for all encodings.

use super::header::{Element, Encoding, Header, Kind, Property};
use crate::files::error::Fault;
use crate::files::text::{number, quoted};

/// A cursor over the values.
pub(super) struct Values<'a> {
    bytes: &'a [u8],
    /// Byte offset of the next value, or of the white space before it.
    at: usize,
    /// The current line of an ascii file.
    line: usize,
    encoding: Encoding,
}

impl<'a> Values<'a> {
    /// A cursor at the first value after the header.
    pub(super) fn new(bytes: &'a [u8], header: &Header) -> Self {
        Self { bytes, at: header.bytes, line: header.lines + 1, encoding: header.encoding }
    }

    /// Checks that the file can hold the number of elements in the header: each has at least its
    /// scalars and the lengths of its lists.
    pub(super) fn check_room(&self, element: &Element) -> Result<(), Fault> {
        let size = |p: &Property| match self.encoding {
            // A digit and the space after it.
            Encoding::Ascii => 2,
            Encoding::Little | Encoding::Big => p.list.unwrap_or(p.kind).size(),
        };
        let each: usize = element.properties.iter().map(size).sum();
        let left = self.bytes.len() - self.at;
        if each.saturating_mul(element.count) > left + 1 {
            let message = format!(
                "the header announces {} {} elements, but only {left} bytes follow",
                element.count, element.name
            );
            return Err(Fault::line(element.line, message));
        }
        Ok(())
    }

    /// Upper bound of the number of elements that fit in the rest, at `each` bytes in binary.
    pub(super) fn room_for(&self, each: usize) -> usize {
        // In ascii, a list of three is "3 0 0 0" and white space.
        let each = if self.encoding == Encoding::Ascii { 8 } else { each };
        (self.bytes.len() - self.at) / each + 1
    }

    /// Reads a value as a number. f32 is widened, text is rounded to f64.
    pub(super) fn real(&mut self, kind: Kind, of: &Element, i: usize) -> Result<f64, Fault> {
        if self.encoding == Encoding::Ascii {
            let word = self.word(of, i)?;
            return number(word).ok_or_else(|| self.bad(word, "a number", of, i));
        }
        Ok(match kind {
            Kind::F32 => f64::from(f32::from_bits(u32::from_le_bytes(self.take(of, i)?))),
            Kind::F64 => f64::from_bits(u64::from_le_bytes(self.take(of, i)?)),
            // At most 32 bits: exact in f64.
            _ => self.integer(kind, of, i)? as f64,
        })
    }

    /// Reads a value as an integer; `kind` must not be a float.
    pub(super) fn integer(&mut self, kind: Kind, of: &Element, i: usize) -> Result<i64, Fault> {
        if self.encoding == Encoding::Ascii {
            let word = self.word(of, i)?;
            return number(word).ok_or_else(|| self.bad(word, "an integer", of, i));
        }
        Ok(match kind {
            Kind::I8 => i8::from_le_bytes(self.take(of, i)?).into(),
            Kind::U8 => u8::from_le_bytes(self.take(of, i)?).into(),
            Kind::I16 => i16::from_le_bytes(self.take(of, i)?).into(),
            Kind::U16 => u16::from_le_bytes(self.take(of, i)?).into(),
            Kind::I32 => i32::from_le_bytes(self.take(of, i)?).into(),
            Kind::U32 | Kind::F32 | Kind::F64 => u32::from_le_bytes(self.take(of, i)?).into(),
        })
    }

    /// Reads the length of a list; an error if the file has too few bytes for it.
    pub(super) fn length(
        &mut self,
        count: Kind,
        value: Kind,
        of: &Element,
        i: usize,
    ) -> Result<usize, Fault> {
        let length = self.integer(count, of, i)?;
        let each = if self.encoding == Encoding::Ascii { 2 } else { value.size() };
        let left = self.bytes.len() - self.at;
        usize::try_from(length)
            .ok()
            .filter(|length| length.saturating_mul(each) <= left + 1)
            .ok_or_else(|| {
                self.fault(
                    &format!("a list of {length} values, but only {left} bytes follow"),
                    of,
                    i,
                )
            })
    }

    /// Skips one property.
    pub(super) fn skip(
        &mut self,
        property: &Property,
        of: &Element,
        i: usize,
    ) -> Result<(), Fault> {
        let length = match property.list {
            Some(count) => self.length(count, property.kind, of, i)?,
            None => 1,
        };
        if self.encoding == Encoding::Ascii {
            for _ in 0..length {
                self.word(of, i)?;
            }
            return Ok(());
        }
        let end = self.at + length * property.kind.size();
        if end > self.bytes.len() {
            return Err(self.ended(of, i));
        }
        self.at = end;
        Ok(())
    }

    /// Number of bytes after the last element, without white space in ascii.
    pub(super) fn left_over(&self) -> Option<usize> {
        let rest = &self.bytes[self.at..];
        let rest = if self.encoding == Encoding::Ascii { rest.trim_ascii() } else { rest };
        (!rest.is_empty()).then_some(rest.len())
    }

    /// Reads the next bytes of a binary file, converted to little-endian.
    fn take<const N: usize>(&mut self, of: &Element, i: usize) -> Result<[u8; N], Fault> {
        let Some(bytes) = self.bytes[self.at..].first_chunk::<N>() else {
            return Err(self.ended(of, i));
        };
        self.at += N;
        let mut bytes = *bytes;
        if self.encoding == Encoding::Big {
            bytes.reverse();
        }
        Ok(bytes)
    }

    /// Reads the next word of an ascii file.
    fn word(&mut self, of: &Element, i: usize) -> Result<&'a [u8], Fault> {
        while let Some(&byte) = self.bytes.get(self.at).filter(|b| b.is_ascii_whitespace()) {
            self.at += 1;
            let cr_alone = byte == b'\r' && self.bytes.get(self.at) != Some(&b'\n');
            self.line += usize::from(byte == b'\n' || cr_alone);
        }
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        if end == 0 {
            return Err(self.ended(of, i));
        }
        self.at += end;
        Ok(&rest[..end])
    }

    fn ended(&self, of: &Element, i: usize) -> Fault {
        self.fault("the file ends here", of, i)
    }

    fn bad(&self, word: &[u8], what: &str, of: &Element, i: usize) -> Fault {
        self.fault(&format!("{} is not {what}", quoted(word)), of, i)
    }

    fn fault(&self, message: &str, of: &Element, i: usize) -> Fault {
        let message = format!("{} {i} of {}: {message}", of.name, of.count);
        if self.encoding == Encoding::Ascii {
            Fault::line(self.line, message)
        } else {
            Fault::byte(self.at, message)
        }
    }
}
