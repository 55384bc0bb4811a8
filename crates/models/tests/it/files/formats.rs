//! Variants of each format: line ends, indices, extra data, headers.

use impinge_geometry::{Mesh, Point};
use impinge_models::files::{Format, ReadOptions, read_stream};

use crate::files::samples::{self, read, refusal};

fn pyramid() -> Mesh {
    read(samples::OBJ, Format::Obj).mesh
}

#[test]
fn all_samples_of_the_pyramid_agree() {
    let pyramid = pyramid();
    assert_eq!(pyramid.triangles().len(), 6);
    assert_eq!(pyramid.vertices()[4], Point::new(0.5, 0.5, 1.0));
    for (what, format, bytes) in samples::all() {
        if matches!(format, Format::Ply | Format::Off) {
            assert_eq!(read(&bytes, format).mesh, pyramid, "{what}");
        }
    }
}

#[test]
fn line_ends_and_byte_order_marks() {
    for (what, format, text) in [
        ("obj", Format::Obj, samples::OBJ),
        ("off", Format::Off, samples::OFF),
        ("ply", Format::Ply, samples::PLY),
        ("stl", Format::Stl, samples::STL),
    ] {
        let mesh = read(text, format).mesh;
        for end in ["\r\n", "\r"] {
            assert_eq!(read(text.replace('\n', end), format).mesh, mesh, "{what} {end:?}");
        }
        assert_eq!(read(format!("\u{feff}{text}"), format).mesh, mesh, "{what} with a mark");
        assert_eq!(read(text.trim_end(), format).mesh, mesh, "{what} without the last line end");
        assert_eq!(read(text.replace(' ', " \t "), format).mesh, mesh, "{what} with tabs");
    }
}

#[test]
fn obj_index_forms() {
    let plain = pyramid();
    let forms = [
        "f 4/1 3/1 2/1 1/1\nf 1/1/1 2/1/1 5/1/1\nf 2//1 3//1 5//1\nf 3/ 4/ 5/\nf 4 1 5\n",
        "f -2 -3 -4 -5\nf -5 -4 -1\nf 2 3 -1\nf -3/1 -2/1 5\nf 4 1 5\n",
        "f 4 3 \\\n 2 1\nf 1 2\\\r\n 5 # comment\nf \\\n2 3 5\ng a\ns off\nusemtl b\nf 3 4 5\nf 4 1 5",
    ];
    let (vertices, _) = samples::OBJ.split_at(samples::OBJ.find("f ").expect("has faces"));
    for faces in forms {
        assert_eq!(read(format!("{vertices}{faces}"), Format::Obj).mesh, plain, "{faces}");
        // Faces may come before their vertices, unless they count backwards.
        if !faces.contains('-') {
            let turned = format!("{faces}\n{vertices}");
            assert_eq!(read(turned, Format::Obj).mesh, plain, "{faces}");
        }
    }
}

#[test]
fn obj_extras_are_tolerated_and_noted() {
    let text = "mtllib x.mtl\nv 0 0 0 1.0\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0 1 1 1 1\nvt 0\nvn 0 0 1\n\
                v 9 9 9\nl 1 2\np 1\nf 1 2 3\nwhatever 7\n#f 1 2\n";
    let loaded = read(text, Format::Obj);
    assert_eq!(loaded.mesh.triangles(), [[0, 1, 2]]);
    assert_eq!(
        loaded.notes,
        [
            "2 point and line elements skipped",
            "1 statements of no known kind skipped, the first in line 11",
            "1 of 4 vertices belong to no face",
        ]
    );
}

/// A backslash ends a line of a statement, and nothing within a comment.
#[test]
fn obj_comments_do_not_continue() {
    let text =
        "# C:\\models\\\nv 0 0 0 # C:\\\nv 1 0 0\nv 0 1 0 # \\ \nf 1 2 \\ # the rest below\n3\n";
    let loaded = read(text, Format::Obj);
    let [a, b, c] = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]].map(Point::from);
    assert_eq!(loaded.mesh.vertices(), [a, b, c]);
    assert_eq!(loaded.mesh.triangles(), [[0, 1, 2]]);
    assert_eq!(loaded.notes, [""; 0]);
}

/// What another file would add is missing from the mesh.
#[test]
fn obj_calls_are_noted() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\ncall rest.obj\nf 1 2 3\ncall more.obj 1\n";
    let loaded = read(text, Format::Obj);
    assert_eq!(
        loaded.notes,
        ["2 statements \"call\" skipped, the first in line 4: the files they name are not read"]
    );
}

#[test]
fn obj_digits_are_kept() {
    let text = "v 0.1 1e-320 12345678.87654321\nv +1 -0 1.7976931348623157e299\nv 1 1 1\nf 1 2 3\n";
    let mesh = read(text, Format::Obj).mesh;
    assert_eq!(mesh.vertices()[0], Point::new(0.1, 1e-320, 12_345_678.876_543_21));
    assert_eq!(mesh.vertices()[1].z, 1.797_693_134_862_315_7e299);
}

#[test]
fn obj_in_latin_1() {
    let mut bytes = b"# Erdbeerk\xf6rbchen\ng B\xe4r\n".to_vec();
    bytes.extend(samples::OBJ.as_bytes());
    assert_eq!(read(&bytes, Format::Obj).mesh, pyramid());
}

#[test]
fn stl_text_and_binary_agree() {
    let text = read(samples::STL, Format::Stl).mesh;
    assert_eq!(text.vertices().len(), 4);
    assert_eq!(text.triangles(), [[0, 1, 2], [1, 3, 2]]);
    for header in ["", "solid but binary", "solid facet normal vertex", "  solid"] {
        let bytes = samples::stl_binary(header, &samples::FACETS);
        assert_eq!(read(&bytes, Format::Stl).mesh, text, "{header:?}");
        let mut longer = bytes.clone();
        longer.extend([0; 7]);
        let loaded = read(&longer, Format::Stl);
        assert_eq!(loaded.mesh, text, "{header:?} and more bytes");
        assert!(loaded.notes[0].starts_with("7 bytes"), "{:?}", loaded.notes);
    }
}

/// Notes that are no warnings hold of every good file of a kind.
#[test]
fn warnings_are_notes_of_what_is_lost() {
    let loaded = read(samples::OBJ, Format::Obj);
    assert_eq!(loaded.notes, ["1 polygons with more than 3 corners triangulated"]);
    assert_eq!(loaded.warnings().count(), 0);
    let mut bytes = samples::stl_binary("", &samples::FACETS);
    assert_eq!(read(&bytes, Format::Stl).notes, ["welded 6 corners to 4 vertices"]);
    assert_eq!(read(&bytes, Format::Stl).warnings().count(), 0);
    bytes.extend([0; 7]);
    let loaded = read(&bytes, Format::Stl);
    let warnings: Vec<_> = loaded.warnings().collect();
    assert_eq!(warnings, ["7 bytes after the last triangle ignored"]);
    let loaded = read("v 0 0 0\nv 1 1 0\nv 1 0 0\nv 9 9 9\nf 1 2 3\n", Format::Obj);
    assert_eq!(loaded.notes, ["1 of 4 vertices belong to no face"]);
    assert_eq!(loaded.warnings().count(), 0);
    let bow = "v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 1 0\nf 1 2 3 4\n";
    let loaded = read(format!("{bow}what\n"), Format::Obj);
    assert_eq!(loaded.notes.len(), 3, "{:?}", loaded.notes);
    assert_eq!(loaded.warnings().count(), 2, "{:?}", loaded.notes);
}

#[test]
fn stl_names_capitals_and_several_solids() {
    let mesh = read(samples::STL, Format::Stl).mesh;
    for name in ["facet normal 1 2 3", "endsolid", "", "vertex #1", "solid solid"] {
        let text = samples::STL.replace("two", name);
        assert_eq!(read(text, Format::Stl).mesh, mesh, "{name}");
    }
    assert_eq!(read(samples::STL.to_uppercase(), Format::Stl).mesh, mesh);
    assert_eq!(read(samples::STL.replace("0 0 1\n", "nan nan nan\n"), Format::Stl).mesh, mesh);
    let loaded = read(samples::STL.repeat(3), Format::Stl);
    assert_eq!(loaded.mesh.triangles().len(), 6);
    assert_eq!(loaded.notes[0], "3 solids merged");
}

#[test]
fn stl_text_is_read_as_f64() {
    let text = samples::STL.replace("1 1 0", "1.00000000000001 1 0");
    let mesh = read(text, Format::Stl).mesh;
    assert_eq!(mesh.vertices()[3].x, 1.000_000_000_000_01);
}

#[test]
fn off_header_forms() {
    let pyramid = pyramid();
    let body = samples::OFF.strip_prefix("OFF\n# pyramid\n5 5 8\n").expect("as written above");
    for header in
        ["OFF 5 5 8\n", "OFF5 5 8\n", "\n\n# c\nOFF # c\n\n5 5\n", "COFF\n5 5 0\n", "NOFF\n5 5 8\n"]
    {
        assert_eq!(read(format!("{header}{body}"), Format::Off).mesh, pyramid, "{header}");
    }
}

/// A 4 of a count is no letter of the keyword.
#[test]
fn off_counts_beside_the_keyword() {
    let body = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n";
    let square = read(format!("OFF\n4 2 5\n{body}"), Format::Off);
    for header in ["OFF4 2 5\n", "COFF4 2\n", "STOFF4 2 5\n"] {
        assert_eq!(read(format!("{header}{body}"), Format::Off), square, "{header}");
    }
    for keyword in ["4OFF4", "C4OFF", "nOFF4", "4nOFF"] {
        let found = refusal(format!("{keyword} 2 5\n{body}"), Format::Off);
        let words = "only points in three dimensions are read";
        assert_eq!(found, format!("line 1: \"{keyword}\": {words}"));
    }
}

#[test]
fn off_extras_are_skipped() {
    let text = "STCNOFF\n4 1 0\n0 0 0 0 0 1 255 0 0 0.5 0.5\n1 0 0 0 0 1 1 1 1 0 0 # c\n\
                0 1 0\n7 7 7\n3 0 1 2 255 0 0\nmore\n";
    let loaded = read(text, Format::Off);
    assert_eq!(loaded.mesh.triangles(), [[0, 1, 2]]);
    assert_eq!(
        loaded.notes,
        ["text after the last face ignored", "1 of 4 vertices belong to no face"]
    );
}

/// A binary PLY with values of every type around the relevant ones.
fn ply_with_extras(big: bool, count: &str, index: &str) -> Vec<u8> {
    let order = if big { "big" } else { "little" };
    let mut bytes = format!(
        "ply\r\nformat binary_{order}_endian 1.0\r\nobj_info x\r\nelement before 2\r\n\
         property list ushort double junk\r\nproperty short s\r\nelement face 1\r\n\
         property uchar flag\r\nproperty list {count} {index} vertex_index\r\n\
         property list uint float texcoord\r\nelement vertex 3\r\nproperty char c\r\n\
         property float z\r\nproperty double x\r\nproperty int y\r\nproperty list uchar uchar u\r\n\
         element edge 1\r\nproperty int a\r\nend_header\r\n"
    )
    .into_bytes();
    let mut put = |little: &[u8]| {
        let mut value = little.to_vec();
        if big {
            value.reverse();
        }
        bytes.extend(value);
    };
    for length in [2_u16, 0] {
        put(&length.to_le_bytes());
        for _ in 0..length {
            put(&f64::NAN.to_le_bytes());
        }
        put(&(-1_i16).to_le_bytes());
    }
    let size = |kind: &str| match kind {
        "char" | "uint8" | "uchar" => 1,
        "short" | "int16" | "ushort" => 2,
        _ => 4,
    };
    put(&[9]);
    put(&3_u32.to_le_bytes()[..size(count)]);
    for v in [2_u32, 0, 1] {
        put(&v.to_le_bytes()[..size(index)]);
    }
    put(&1_u32.to_le_bytes());
    put(&1.5_f32.to_le_bytes());
    for v in 0..3_i32 {
        put(&[0xff]);
        put(&(v as f32 + 0.25).to_le_bytes());
        put(&(f64::from(v * v) + 0.1).to_le_bytes());
        put(&(-v).to_le_bytes());
        put(&[2]);
        put(&[1]);
        put(&[2]);
    }
    put(&7_i32.to_le_bytes());
    bytes
}

#[test]
fn ply_types_orders_and_extra_properties() {
    for big in [false, true] {
        for count in ["char", "uchar", "short", "ushort", "int", "uint"] {
            for index in ["char", "uint8", "int16", "ushort", "int32", "uint32"] {
                let bytes = ply_with_extras(big, count, index);
                let loaded = read(&bytes, Format::Ply);
                assert_eq!(loaded.mesh.triangles(), [[2, 0, 1]], "{big} {count} {index}");
                assert_eq!(loaded.mesh.vertices()[2], Point::new(4.1, -2.0, 2.25));
                assert_eq!(loaded.notes, ["2 elements before skipped", "1 elements edge skipped"]);
            }
        }
    }
}

#[test]
fn ply_text_is_read_as_f64_and_by_words() {
    let text = samples::PLY.replace("0.5 0.5 1\n4 3", "0.1\n 0.30000000000000004\n1 4 3");
    let mesh = read(text, Format::Ply).mesh;
    assert_eq!(mesh.vertices()[4], Point::new(0.1, 0.1 + 0.2, 1.0));
}

#[test]
fn ply_strips() {
    let text = "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\n\
                property float z\nelement tristrips 1\nproperty list int int vertex_indices\n\
                end_header\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n2 2 0\n10 0 1 2 3 -1 1 3 3 4 2\n";
    let mesh = read(text, Format::Ply).mesh;
    assert_eq!(mesh.triangles(), [[0, 1, 2], [2, 1, 3], [3, 4, 2]]);
}

/// What a reader reads is recognised, too: blanks and tabs, capitals, comments of any length before it.
#[test]
fn content_tells_the_format() {
    let comments = "# what this is and who made it\r\n\n".repeat(1000);
    let (obj, off) = ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "OFF\n0 0 0\n");
    let stl = "solid x\nendsolid x\n";
    for (text, format) in [
        (obj.to_owned(), Format::Obj),
        (obj.replace(' ', "\t"), Format::Obj),
        (format!("  {obj}"), Format::Obj),
        (format!("mtllib a.mtl\n{comments}{obj}"), Format::Obj),
        (obj.replace('\n', "\r"), Format::Obj),
        (off.to_owned(), Format::Off),
        (stl.to_uppercase(), Format::Stl),
        (format!("\n\t{stl}"), Format::Stl),
    ] {
        for before in ["", &comments, "\u{feff}"] {
            let text = format!("{before}{text}");
            let found = Format::from_content(text.as_bytes());
            assert_eq!(found, Some(format), "after {} bytes", before.len());
        }
    }
    // Statements far behind others are not searched for.
    let far = format!("{}{obj}", "some text\n".repeat(1000));
    for text in [&far, "", "# v 0 0 0\n", "vn 0 0 1\n", "value\nfloat\n"] {
        assert_eq!(Format::from_content(text.as_bytes()), None);
    }
}

/// Editors write such files; only a byte order mark tells them from binary ones.
#[test]
fn text_of_another_encoding_is_named() {
    let units: Vec<u16> = "\u{feff}v 0 0 0\nf 1 1 1\n".encode_utf16().collect();
    let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    let message = "the text is UTF-16, by its byte order mark; only UTF-8 is read";
    for bytes in [little, big] {
        for format in Format::ALL {
            assert_eq!(refusal(&bytes, format), message, "{format}");
        }
        let error = read_stream(&bytes[..], "stream", &ReadOptions::default());
        assert_eq!(error.expect_err("UTF-16").to_string(), format!("stream: {message}"));
    }
    let mut binary = samples::stl_binary("", &samples::FACETS);
    binary[..2].copy_from_slice(b"\xff\xfe");
    assert_eq!(read(&binary, Format::Stl).mesh.triangles().len(), 2);
}
