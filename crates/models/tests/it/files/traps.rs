//! Invalid files, with the place that the message must name.

use impinge_models::files::{Format, read_bytes};

use crate::files::samples::{self, refusal};

const QUAD: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

/// A statement after the four corners of a square, and the message.
const OBJ_TRAPS: &[(&str, &str)] = &[
    ("", "the mesh has no triangles"),
    ("f 1 2 5\n", "line 5: vertex index 5 is out of range, the file has 4"),
    ("f 1 2 3\nf 0 1 2\n", "line 6: corner \"0\": vertex indices count from 1"),
    ("f -5 1 2\n", "line 5: corner \"-5\": out of range, there are 4 vertices so far"),
    (
        "f 1 2 9999999999\n",
        "line 5: corner \"9999999999\": out of range, there are 4 vertices so far",
    ),
    (
        "f 1 2 -9223372036854775808\n",
        "line 5: corner \"-9223372036854775808\": out of range, there are 4 vertices so far",
    ),
    ("f 1 2 99999999999999999999\n", "line 5: corner \"99999999999999999999\": no vertex index"),
    ("f 1 2\n", "line 5: face 0 has 2 corners, a polygon needs at least 3"),
    ("f 1 \\\n 2 x\n", "line 5: corner \"x\": no vertex index"),
    ("f 1 2 3/1/1/1\n", "line 5: corner \"3/1/1/1\": not of the form v/vt/vn"),
    ("f 1 2 3/a\n", "line 5: corner \"3/a\": not of the form v/vt/vn"),
    ("v 1 2\nf 1 2 3\n", "line 5: coordinate z is missing"),
    ("v 1 2,5 3\nf 1 2 3\n", "line 5: coordinate y is \"2,5\", not a number"),
    (
        "v 1 nan 3\nf 1 2 3\n",
        "vertex 4: coordinate y is NaN; it must be finite and at most 1e300 in magnitude",
    ),
    (
        "v 1 2 1e999\nf 1 2 3\n",
        "vertex 4: coordinate z is inf; it must be finite and at most 1e300 in magnitude",
    ),
];

/// A file, and the message.
const OFF_TRAPS: &[(&str, &str)] = &[
    ("5 5 0\n", "line 1: expected the keyword OFF, found \"5\""),
    ("OFF BINARY\n", "line 1: binary OFF is not read, only the text form"),
    ("4OFF\n1 1 1\n", "line 1: \"4OFF\": only points in three dimensions are read"),
    ("OFF\n3\n", "line 2: expected the number of faces, found \"\""),
    ("OFF\n-3 1 0\n", "line 2: expected the number of vertices, found \"-3\""),
    (
        "OFF\n4294967295 4294967295 0\n0 0 0\n",
        "line 2: the header announces 4294967295 vertices and 4294967295 faces, but only 6 bytes follow",
    ),
    (
        "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n",
        "line 6: face 0: \"3\" is not the index of one of the 3 vertices",
    ),
    (
        "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n",
        "line 6: face 0: \"-1\" is not the index of one of the 3 vertices",
    ),
    (
        "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1   \n",
        "line 6: face 0: 2 corners, a polygon needs at least 3",
    ),
    (
        "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n4294967295 0 1 2\n",
        "line 6: face 0: 4294967295 corners are announced, but only 3 follow",
    ),
    (
        "OFF\n3 1 0\n0 0 0\n1 0 0\n0 nan 0\n3 0 1 2\n",
        "vertex 2: coordinate y is NaN; it must be finite and at most 1e300 in magnitude",
    ),
    ("OFF\n3 0 0\n0 0 0\n1 0 0\n0 1 0\n", "the mesh has no triangles"),
];

/// The replaced text of the ascii sample, the replacement, and the message.
const PLY_TRAPS: &[((&str, &str), &str)] = &[
    (("ply", "plx"), "line 1: a PLY file must begin with the line \"ply\""),
    (
        ("ascii 1.0", "ascii 2.0"),
        "line 2: the format must be ascii, binary_little_endian or binary_big_endian, version 1.0",
    ),
    (("format ascii 1.0\n", ""), "line 9: no line \"format\" above"),
    (("end_header", "endheader"), "line 10: \"endheader\" is not a statement of a PLY header"),
    (("element vertex 5\n", ""), "line 4: a property before any element"),
    (("float z", "float w"), "line 4: element vertex needs one scalar property z"),
    (("float z", "float x"), "line 4: element vertex needs one scalar property x"),
    (("float z", "list int float z"), "line 4: element vertex needs one scalar property z"),
    (("float z", "half z"), "line 7: \"half\" is not a PLY type"),
    (("list uchar", "list float"), "line 9: the length of a list must be an integer"),
    (("int vertex", "float vertex"), "line 8: vertex_indices must be of an integer type"),
    (("vertex_indices", "corners"), "line 8: element face needs a list property vertex_indices"),
    (("element face 5", "element vertex 5"), "line 8: element vertex is declared twice"),
    (
        ("vertex 5", "vertex 4294967295"),
        "line 4: the header announces 4294967295 vertex elements, but only 76 bytes follow",
    ),
    (
        ("vertex 5", "vertex 18446744073709551615"),
        "line 4: the header announces 18446744073709551615 vertex elements, but only 76 bytes follow",
    ),
    (("vertex 5", "vertex -5"), "line 4: \"-5\" is not a count"),
    (("3 0 1 4", "3 0 1 5"), "face 1: vertex index 5 is out of range, there are 5"),
    (("3 0 1 4", "3 0 1 -1"), "face 1: vertex index -1 is out of range"),
    (("3 0 1 4", "2 0 1"), "face 1: 2 corners, a polygon needs at least 3"),
    (("3 0 1 4", "3 0 1 4.5"), "line 17: face 1 of 5: \"4.5\" is not an integer"),
    (
        ("3 0 1 4", "4000000000 0 1 4"),
        "line 17: face 1 of 5: a list of 4000000000 values, but only 31 bytes follow",
    ),
    (
        ("1 1 0", "1 NaN 0"),
        "vertex 2: coordinate y is NaN; it must be finite and at most 1e300 in magnitude",
    ),
];

/// The replaced text of the binary sample's header, the replacement, and the message.
const BINARY_PLY_TRAPS: &[((&str, &str), &str)] = &[
    (
        ("vertex 5", "vertex 4294967295"),
        "line 3: the header announces 4294967295 vertex elements, but only 189 bytes follow",
    ),
    (
        ("face 5", "face 4294967295"),
        "line 7: the header announces 4294967295 face elements, but only 69 bytes follow",
    ),
];

/// The replaced text of the text sample, the replacement, and the message.
const STL_TRAPS: &[((&str, &str), &str)] = &[
    (("solid", "solidus"), "line 1: expected \"solid\", found \"solidus\""),
    (("vertex 1 0 0", "vertex 1 0"), "line 5: coordinate z is missing"),
    (
        ("vertex 1 0 0", "vertex 1 0 nan"),
        "face 0: corner 1: coordinate z is NaN, it must be finite and at most 1e300 in magnitude",
    ),
    (
        ("vertex 0 1 0\n", "vertex 0 1 0\nvertex 0 0 0\n"),
        "line 7: expected \"endloop\" (a facet has three vertices), found \"vertex\"",
    ),
    (("  vertex 0 1 0\n", ""), "line 6: expected \"vertex\", found \"endloop\""),
    (
        ("endsolid two", ""),
        "line 16: the file ends where \"facet normal\" or \"endsolid\" is expected",
    ),
];

/// Replaces a text that must occur.
fn replaced(text: &str, (from, to): (&str, &str)) -> String {
    assert!(text.contains(from), "{from:?} in {text}");
    text.replacen(from, to, 1)
}

/// Records a difference between the error for `bytes` and `message`.
fn compare(bytes: impl AsRef<[u8]>, format: Format, message: &str, wrong: &mut Vec<String>) {
    let found = refusal(bytes, format);
    if found != message {
        wrong.push(format!("{format}: {found}\n  not: {message}"));
    }
}

#[test]
fn text_traps_name_their_place() {
    let mut wrong = Vec::new();
    for (faces, message) in OBJ_TRAPS {
        compare(format!("{QUAD}{faces}"), Format::Obj, message, &mut wrong);
    }
    for (text, message) in OFF_TRAPS {
        compare(text, Format::Off, message, &mut wrong);
    }
    for (change, message) in PLY_TRAPS {
        compare(replaced(samples::PLY, *change), Format::Ply, message, &mut wrong);
    }
    for (change, message) in STL_TRAPS {
        compare(replaced(samples::STL, *change), Format::Stl, message, &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn binary_traps_name_their_place() {
    let mut wrong = Vec::new();
    let ply = samples::ply_binary(false);
    let (header, values) = ply.split_at(ply.len() - 189);
    let header = std::str::from_utf8(header).expect("the header is text");
    for (change, message) in BINARY_PLY_TRAPS {
        let bytes = [replaced(header, *change).as_bytes(), values].concat();
        compare(bytes, Format::Ply, message, &mut wrong);
    }
    let mut binary = samples::stl_binary("", &samples::FACETS);
    binary[84 + 50 + 12 + 16..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
    let mut promised = samples::stl_binary("solid", &samples::FACETS);
    promised[80..84].fill(0xff);
    let stl = [
        (
            binary,
            "face 1: corner 1: coordinate y is NaN, it must be finite and at most 1e300 in magnitude",
        ),
        (
            promised,
            "byte 80: the header promises 4294967295 triangles, 214748364834 bytes in all, but the file has 184",
        ),
        (samples::stl_binary("", &[]), "the mesh has no triangles"),
        (
            b"short".to_vec(),
            "neither text STL (no \"solid\") nor binary (a header has 84 bytes, the file 5)",
        ),
    ];
    for (bytes, message) in stl {
        compare(bytes, Format::Stl, message, &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Points of 8-bit coordinates take eight times the bytes of the file, so there is a limit.
#[test]
fn vertices_of_three_bytes_are_limited() {
    let file = |count: usize| {
        let header = format!(
            "ply\nformat binary_little_endian 1.0\nelement vertex {count}\nproperty uchar x\n\
             property uchar y\nproperty char z\nelement face 1\n\
             property list uchar uint vertex_indices\nend_header\n"
        );
        let mut bytes = header.into_bytes();
        bytes.resize(bytes.len() + 3 * count, 0);
        bytes.push(3);
        (0..3u32).for_each(|i| bytes.extend(i.to_le_bytes()));
        bytes
    };
    let message = refusal(file((1 << 24) + 1), Format::Ply);
    let wanted =
        "line 3: 16777217 vertices with coordinates of 8 bits: at most 16777216 can differ";
    assert!(message.ends_with(wanted), "{message}");
    let mut small = file(3);
    let face = small.len() - 13;
    small[face - 9..face].copy_from_slice(&[0, 0, 0, 200, 0, 0, 0, 1, 0xff]);
    let mesh = samples::read(small, Format::Ply).mesh;
    assert_eq!(mesh.vertices()[1], [200.0, 0.0, 0.0].into());
    assert_eq!(mesh.vertices()[2], [0.0, 1.0, -1.0].into());
}

#[test]
fn empty_files_and_files_of_other_kinds() {
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\0\0\0\x01\0\x08\x06";
    let html = b"<!DOCTYPE html>\n<html><body>404 Not Found</body></html>\n";
    for format in Format::ALL {
        if !cfg!(feature = "gltf") && format == Format::Gltf {
            continue;
        }
        assert_eq!(refusal(b"", format), "the file is empty");
        for junk in [&png[..], html, &[0; 1000], &[0xff; 1000], b"\n\n\n", b"\xef\xbb\xbf", b"\\"] {
            assert!(read_bytes(junk, format, "junk").is_err(), "{format}: {junk:?}");
        }
    }
}

#[test]
fn long_lines_and_deep_nesting() {
    let long = "x".repeat(1 << 20);
    let message = refusal(format!("v 0 0 {long}"), Format::Obj);
    assert!(message.len() < 100, "{} bytes of message", message.len());
    samples::read(format!("# {long}\n{}", samples::OBJ), Format::Obj);
    samples::read(samples::STL.replace("two", &long), Format::Stl);
    samples::read(samples::PLY.replace("pyramid", &long), Format::Ply);
    let continued = format!("f {}1 2 3\n", "\\\n".repeat(100_000));
    samples::read(format!("{QUAD}{continued}"), Format::Obj);
    if cfg!(feature = "gltf") {
        for piece in ["[", "{\"extras\":", "{\"asset\":{\"extras\":["] {
            let message = refusal(piece.repeat(1 << 18), Format::Gltf);
            assert!(message.starts_with("line 1: glTF JSON: "), "{message}");
        }
    }
}

#[test]
fn a_polygon_of_too_many_corners_is_refused() {
    let corners = (1 << 16) + 1;
    let text = format!("{QUAD}f{}\n", " 1 2 3 4".repeat(corners / 4 + 1));
    let message = refusal(text, Format::Obj);
    assert_eq!(message, "face 0: 65540 corners, at most 65536 can be triangulated");
}
