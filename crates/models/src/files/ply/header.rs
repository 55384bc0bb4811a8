//! The header of a PLY file: encoding, elements and their properties.

use crate::files::error::Fault;
use crate::files::text::{Lines, number, quoted};

/// The encoding of the values after the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Ascii,
    Little,
    Big,
}

/// The type of a value in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Kind {
    fn from_word(word: &[u8]) -> Option<Self> {
        Some(match word {
            b"char" | b"int8" => Self::I8,
            b"uchar" | b"uint8" => Self::U8,
            b"short" | b"int16" => Self::I16,
            b"ushort" | b"uint16" => Self::U16,
            b"int" | b"int32" => Self::I32,
            b"uint" | b"uint32" => Self::U32,
            b"float" | b"float32" => Self::F32,
            b"double" | b"float64" => Self::F64,
            _ => return None,
        })
    }

    /// Size in bytes of a value in a binary file.
    pub(super) fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }
}

/// One property of an element.
#[derive(Clone, Debug)]
pub(super) struct Property {
    pub(super) name: String,
    /// The type of the value, or of a list's elements.
    pub(super) kind: Kind,
    /// The type of the length if the property is a list.
    pub(super) list: Option<Kind>,
}

/// One kind of element.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) count: usize,
    pub(super) properties: Vec<Property>,
    /// The line of its declaration.
    pub(super) line: usize,
}

/// The parsed header.
#[derive(Clone, Debug)]
pub(super) struct Header {
    pub(super) encoding: Encoding,
    pub(super) elements: Vec<Element>,
    /// Byte offset of the values.
    pub(super) bytes: usize,
    /// Number of lines of the header.
    pub(super) lines: usize,
}

impl Header {
    /// Parses up to `end_header`.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Fault> {
        let mut lines = Lines::new(bytes);
        if lines.next().map(<[u8]>::trim_ascii_end) != Some(b"ply") {
            return Err(Fault::line(1, "a PLY file must begin with the line \"ply\""));
        }
        let (mut encoding, mut elements) = (None, Vec::<Element>::new());
        while let Some(text) = lines.next() {
            let line = lines.line();
            let words: Vec<&[u8]> =
                text.split(u8::is_ascii_whitespace).filter(|w| !w.is_empty()).take(6).collect();
            match words.first().copied() {
                None | Some(b"comment" | b"obj_info") => {}
                Some(b"format") => encoding = Some(read_encoding(&words, line)?),
                Some(b"element") => {
                    let element = read_element(&words, line)?;
                    if elements.iter().any(|other| other.name == element.name) {
                        let message = format!("element {} is declared twice", element.name);
                        return Err(Fault::line(line, message));
                    }
                    elements.push(element);
                    check_most(elements.len(), "elements", line)?;
                }
                Some(b"property") => {
                    let property = read_property(&words, line)?;
                    let element = elements
                        .last_mut()
                        .ok_or_else(|| Fault::line(line, "a property before any element"))?;
                    element.properties.push(property);
                    check_most(element.properties.len(), "properties of an element", line)?;
                }
                Some(b"end_header") => {
                    let encoding =
                        encoding.ok_or_else(|| Fault::line(line, "no line \"format\" above"))?;
                    let rest = lines.rest().len();
                    return Ok(Self { encoding, elements, bytes: bytes.len() - rest, lines: line });
                }
                Some(word) => {
                    let message = format!("{} is not a statement of a PLY header", quoted(word));
                    return Err(Fault::line(line, message));
                }
            }
        }
        Err(Fault::line(lines.line(), "the file ends before \"end_header\""))
    }
}

/// Most elements of a header, and most properties of each. Bounds the work: each name is compared
/// with all earlier ones, and each value looks up its property. Unit: declarations.
const MOST: usize = 1024;

fn check_most(count: usize, what: &str, line: usize) -> Result<(), Fault> {
    if count <= MOST {
        return Ok(());
    }
    Err(Fault::line(line, format!("more than {MOST} {what}")))
}

fn read_encoding(words: &[&[u8]], line: usize) -> Result<Encoding, Fault> {
    match words {
        [_, b"ascii", b"1.0"] => Ok(Encoding::Ascii),
        [_, b"binary_little_endian", b"1.0"] => Ok(Encoding::Little),
        [_, b"binary_big_endian", b"1.0"] => Ok(Encoding::Big),
        _ => Err(Fault::line(
            line,
            "the format must be ascii, binary_little_endian or binary_big_endian, version 1.0",
        )),
    }
}

fn read_element(words: &[&[u8]], line: usize) -> Result<Element, Fault> {
    let &[_, name, count] = words else {
        return Err(Fault::line(line, "an element needs a name and a count"));
    };
    let count = number(count)
        .ok_or_else(|| Fault::line(line, format!("{} is not a count", quoted(count))))?;
    Ok(Element { name: text(name), count, properties: Vec::new(), line })
}

fn read_property(words: &[&[u8]], line: usize) -> Result<Property, Fault> {
    let kind = |word: &[u8]| {
        Kind::from_word(word)
            .ok_or_else(|| Fault::line(line, format!("{} is not a PLY type", quoted(word))))
    };
    match *words {
        [_, b"list", length, value, name] => {
            let length_kind = kind(length)?;
            if matches!(length_kind, Kind::F32 | Kind::F64) {
                return Err(Fault::line(line, "the length of a list must be an integer"));
            }
            Ok(Property { name: text(name), kind: kind(value)?, list: Some(length_kind) })
        }
        [_, value, name] => Ok(Property { name: text(name), kind: kind(value)?, list: None }),
        _ => Err(Fault::line(line, "a property needs a type and a name")),
    }
}

fn text(word: &[u8]) -> String {
    String::from_utf8_lossy(word).into_owned()
}
