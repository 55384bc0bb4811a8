//! What must be refused, with the place that the message must name.

use impinge_models::files::{Format, read_bytes};

use crate::samples::{self, refusal};

const QUAD: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

/// Format, content, message.
fn traps() -> Vec<(Format, Vec<u8>, &'static str)> {
    let obj = |text: &str| (Format::Obj, format!("{QUAD}{text}").into_bytes());
    let off = |text: &str| (Format::Off, text.as_bytes().to_vec());
    let ply = |from: &str, to: &str| {
        assert!(samples::PLY.contains(from), "{from}");
        (Format::Ply, samples::PLY.replacen(from, to, 1).into_bytes())
    };
    let stl = |from: &str, to: &str| {
        assert!(samples::STL.contains(from), "{from}");
        (Format::Stl, samples::STL.replacen(from, to, 1).into_bytes())
    };
    let mut binary = samples::stl_binary("", &samples::FACETS);
    binary[84 + 50 + 12 + 16..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
    let mut promised = samples::stl_binary("solid", &samples::FACETS);
    promised[80..84].fill(0xff);
    let huge_ply = |from: &str, to: &str| {
        let bytes = samples::ply_binary(false);
        let end = bytes.len() - 189;
        let header = std::str::from_utf8(&bytes[..end]).expect("the header is text");
        assert!(header.ends_with("end_header\n") && header.contains(from), "{header}");
        (Format::Ply, [header.replacen(from, to, 1).as_bytes(), &bytes[end..]].concat())
    };
    let with = |(format, bytes): (Format, Vec<u8>), message| (format, bytes, message);
    vec![
        with(obj(""), "the mesh has no triangles"),
        with(obj("f 1 2 5\n"), "line 5: vertex index 5 is out of range, the file has 4"),
        with(obj("f 1 2 3\nf 0 1 2\n"), "line 6: corner \"0\": vertex indices count from 1"),
        with(obj("f -5 1 2\n"), "line 5: corner \"-5\": out of range, there are 4 vertices so far"),
        with(
            obj("f 1 2 9999999999\n"),
            "line 5: corner \"9999999999\": out of range, there are 4 vertices so far",
        ),
        with(
            obj("f 1 2 -9223372036854775808\n"),
            "line 5: corner \"-9223372036854775808\": out of range, there are 4 vertices so far",
        ),
        with(
            obj("f 1 2 99999999999999999999\n"),
            "line 5: corner \"99999999999999999999\": no vertex index",
        ),
        with(obj("f 1 2\n"), "line 5: face 0 has 2 corners, a polygon needs 3"),
        with(obj("f 1 \\\n 2 x\n"), "line 5: corner \"x\": no vertex index"),
        with(obj("f 1 2 3/1/1/1\n"), "line 5: corner \"3/1/1/1\": not of the form v/vt/vn"),
        with(obj("f 1 2 3/a\n"), "line 5: corner \"3/a\": not of the form v/vt/vn"),
        with(obj("v 1 2\nf 1 2 3\n"), "line 5: coordinate z is missing"),
        with(obj("v 1 2,5 3\nf 1 2 3\n"), "line 5: coordinate y is \"2,5\", no number"),
        with(
            obj("v 1 nan 3\nf 1 2 3\n"),
            "vertex 4: coordinate y is NaN; it must be finite and at most 1e300 in magnitude",
        ),
        with(
            obj("v 1 2 1e999\nf 1 2 3\n"),
            "vertex 4: coordinate z is inf; it must be finite and at most 1e300 in magnitude",
        ),
        with(off("5 5 0\n"), "line 1: \"5\" where the keyword OFF should be"),
        with(off("OFF BINARY\n"), "line 1: binary OFF is not read, only the text form"),
        with(off("4OFF\n1 1 1\n"), "line 1: \"4OFF\": only points in three dimensions are read"),
        with(off("OFF\n3\n"), "line 2: \"\" where the number of faces should be"),
        with(off("OFF\n-3 1 0\n"), "line 2: \"-3\" where the number of vertices should be"),
        with(
            off("OFF\n4294967295 4294967295 0\n0 0 0\n"),
            "line 2: 4294967295 vertices and 4294967295 faces promised, but only 6 bytes follow",
        ),
        with(
            off("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n"),
            "line 6: face 0: \"3\" is no index of one of 3 vertices",
        ),
        with(
            off("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n"),
            "line 6: face 0: \"-1\" is no index of one of 3 vertices",
        ),
        with(
            off("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1   \n"),
            "line 6: face 0: 2 corners, a polygon needs 3",
        ),
        with(
            off("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n4294967295 0 1 2\n"),
            "line 6: face 0: 4294967295 corners promised, 3 given",
        ),
        with(
            off("OFF\n3 1 0\n0 0 0\n1 0 0\n0 nan 0\n3 0 1 2\n"),
            "vertex 2: coordinate y is NaN; it must be finite and at most 1e300 in magnitude",
        ),
        with(off("OFF\n3 0 0\n0 0 0\n1 0 0\n0 1 0\n"), "the mesh has no triangles"),
        with(ply("ply", "plx"), "line 1: a PLY file begins with a line \"ply\""),
        with(
            ply("ascii 1.0", "ascii 2.0"),
            "line 2: the format must be ascii, binary_little_endian or binary_big_endian, version 1.0",
        ),
        with(ply("format ascii 1.0\n", ""), "line 9: no line \"format\" above"),
        with(
            ply("end_header", "endheader"),
            "line 10: \"endheader\" is no statement of a PLY header",
        ),
        with(ply("element vertex 5\n", ""), "line 4: a property before any element"),
        with(ply("float z", "float w"), "line 4: element vertex needs one scalar property z"),
        with(ply("float z", "float x"), "line 4: element vertex needs one scalar property x"),
        with(
            ply("float z", "list int float z"),
            "line 4: element vertex needs one scalar property z",
        ),
        with(ply("float z", "half z"), "line 7: \"half\" is no PLY type"),
        with(ply("list uchar", "list float"), "line 9: the length of a list must be an integer"),
        with(
            ply("int vertex", "float vertex"),
            "line 8: vertex_indices must be of an integer type",
        ),
        with(
            ply("vertex_indices", "corners"),
            "line 8: element face needs a list property vertex_indices",
        ),
        with(ply("element face 5", "element vertex 5"), "line 8: element vertex is declared twice"),
        with(
            ply("vertex 5", "vertex 4294967295"),
            "line 4: 4294967295 elements vertex promised, but only 76 bytes are left for them",
        ),
        with(
            ply("vertex 5", "vertex 18446744073709551615"),
            "line 4: 18446744073709551615 elements vertex promised, but only 76 bytes are left for them",
        ),
        with(ply("vertex 5", "vertex -5"), "line 4: \"-5\" is no count"),
        with(ply("3 0 1 4", "3 0 1 5"), "face 1: vertex index 5 is out of range, there are 5"),
        with(ply("3 0 1 4", "3 0 1 -1"), "face 1: vertex index -1 is out of range"),
        with(ply("3 0 1 4", "2 0 1"), "face 1: 2 corners, a polygon needs 3"),
        with(ply("3 0 1 4", "3 0 1 4.5"), "line 17: face 1 of 5: \"4.5\" is no integer"),
        with(
            ply("3 0 1 4", "4000000000 0 1 4"),
            "line 17: face 1 of 5: a list of 4000000000, but 31 bytes are left",
        ),
        with(
            ply("1 1 0", "1 NaN 0"),
            "vertex 2: coordinate y is NaN; it must be finite and at most 1e300 in magnitude",
        ),
        with(
            huge_ply("vertex 5", "vertex 4294967295"),
            "line 3: 4294967295 elements vertex promised, but only 189 bytes are left for them",
        ),
        with(
            huge_ply("face 5", "face 4294967295"),
            "line 7: 4294967295 elements face promised, but only 69 bytes are left for them",
        ),
        with(stl("solid", "solidus"), "line 1: \"solidus\" where \"solid\" should be"),
        with(stl("vertex 1 0 0", "vertex 1 0"), "line 5: coordinate z is missing"),
        with(
            stl("vertex 1 0 0", "vertex 1 0 nan"),
            "face 0: corner 1: coordinate z is NaN, it must be finite and at most 1e300 in magnitude",
        ),
        with(
            stl("vertex 0 1 0\n", "vertex 0 1 0\nvertex 0 0 0\n"),
            "line 7: \"vertex\" where \"endloop\" (a facet has three vertices) should be",
        ),
        with(stl("  vertex 0 1 0\n", ""), "line 6: \"endloop\" where \"vertex\" should be"),
        with(
            stl("endsolid two", ""),
            "line 16: the file ends where \"facet normal\" or \"endsolid\" should be",
        ),
        (
            Format::Stl,
            binary,
            "face 1: corner 1: coordinate y is NaN, it must be finite and at most 1e300 in magnitude",
        ),
        (
            Format::Stl,
            promised,
            "byte 80: the header promises 4294967295 triangles, 214748364834 bytes in all, but the file has 184",
        ),
        (Format::Stl, samples::stl_binary("", &[]), "the mesh has no triangles"),
        (
            Format::Stl,
            b"short".to_vec(),
            "neither text STL (no \"solid\") nor binary (a header has 84 bytes, the file 5)",
        ),
    ]
}

#[test]
fn every_trap_names_its_place() {
    let mut wrong = Vec::new();
    for (format, bytes, message) in traps() {
        let found = refusal(&bytes, format);
        if found != message {
            wrong.push(format!("{format}: {found}\n  not: {message}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
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
    let corners = (1 << 20) + 1;
    let text = format!("{QUAD}f{}\n", " 1 2 3 4".repeat(corners / 4 + 1));
    let message = refusal(text, Format::Obj);
    assert_eq!(message, "face 0: 1048580 corners, at most 1048576 can be triangulated");
}
