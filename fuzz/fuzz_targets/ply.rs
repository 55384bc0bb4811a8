//! Arbitrary bytes to the PLY reader: unchanged, or as the values after a header made of arbitrary
//! elements and properties.
#![no_main]

use std::fmt::Write as _;

use arbitrary::{Arbitrary, Unstructured};
use impinge_models::files::Format;

/// The parts of a generated header.
#[derive(Arbitrary, Debug)]
struct Header {
    encoding: Encoding,
    vertices: u8,
    before: Option<Property>,
    after: Option<Property>,
    coordinate: Kind,
    faces: u8,
    length: Kind,
    index: Kind,
    faces_first: bool,
    strips: bool,
}

#[derive(Arbitrary, Debug)]
enum Encoding {
    Ascii,
    BinaryLittleEndian,
    BinaryBigEndian,
}

#[derive(Arbitrary, Debug, Clone, Copy)]
enum Kind {
    Char,
    Uchar,
    Short,
    Ushort,
    Int,
    Uint,
    Float,
    Double,
}

#[derive(Arbitrary, Debug)]
struct Property {
    list: Option<Kind>,
    kind: Kind,
}

fn word(kind: Kind) -> String {
    format!("{kind:?}").to_lowercase()
}

fn extra(text: &mut String, property: Option<&Property>, name: &str) {
    let _ = match property {
        Some(Property { list: Some(length), kind }) => {
            writeln!(text, "property list {} {} {name}", word(*length), word(*kind))
        }
        Some(Property { list: None, kind }) => writeln!(text, "property {} {name}", word(*kind)),
        None => Ok(()),
    };
}

fn header(header: &Header) -> String {
    let encoding = match header.encoding {
        Encoding::Ascii => "ascii",
        Encoding::BinaryLittleEndian => "binary_little_endian",
        Encoding::BinaryBigEndian => "binary_big_endian",
    };
    let mut vertex = format!("element vertex {}\n", header.vertices);
    extra(&mut vertex, header.before.as_ref(), "before");
    for axis in ["x", "y", "z"] {
        let _ = writeln!(vertex, "property {} {axis}", word(header.coordinate));
    }
    extra(&mut vertex, header.after.as_ref(), "after");
    let name = if header.strips { "tristrips" } else { "face" };
    let mut face = format!("element {name} {}\n", header.faces);
    extra(&mut face, header.before.as_ref(), "before");
    let (length, index) = (word(header.length), word(header.index));
    let _ = writeln!(face, "property list {length} {index} vertex_indices");
    extra(&mut face, header.after.as_ref(), "after");
    let (first, second) = if header.faces_first { (face, vertex) } else { (vertex, face) };
    format!("ply\nformat {encoding} 1.0\n{first}{second}end_header\n")
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    impinge_fuzz::check(bytes, Format::Ply);
    let mut source = Unstructured::new(bytes);
    if let Ok(made) = Header::arbitrary(&mut source) {
        let mut file = header(&made).into_bytes();
        file.extend(source.take_rest());
        impinge_fuzz::check(&file, Format::Ply);
    }
});
