//! The memory that reading takes at most: none for counts in headers alone, 8 times the bytes of a
//! refused file, 400 bytes per triangle of a valid one.
//!
//! A program of its own: its allocator counts.

use allocation_counter::measure;
use impinge_geometry::{Mesh, Point};
use impinge_models::files::{Format, read_bytes, write_obj, write_off, write_ply, write_stl};
use impinge_models::{Random, Shape};

/// Most bytes held at any moment for a refused file of a few hundred bytes.
const LIMIT: u64 = 1 << 20;

/// Small files whose headers declare 2^32 − 1 elements or more.
fn promises() -> Vec<(&'static str, Format, Vec<u8>)> {
    let ply = |format: &str, vertices: &str, faces: &str, body: &[u8]| {
        let mut bytes = format!(
            "ply\nformat {format} 1.0\nelement vertex {vertices}\nproperty float x\n\
             property float y\nproperty float z\nelement face {faces}\n\
             property list uint int vertex_indices\nend_header\n"
        )
        .into_bytes();
        bytes.extend(body);
        bytes
    };
    let mut stl = vec![0; 84 + 50];
    stl[80..84].fill(0xff);
    let mut list = vec![0; 12];
    list.extend([0xff; 40]);
    let gltf = |accessor: &str, views: &str| {
        format!(
            r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":12,"uri":"data:;base64,AAAAAAAAAAAAAAAA"}}],
            "bufferViews":[{views}],"accessors":[{accessor}],
            "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],"nodes":[{{"mesh":0}}]}}"#
        )
        .into_bytes()
    };
    let dense = r#"{"bufferView":0,"componentType":5126,"count":200000000,"type":"VEC3"}"#;
    let sparse = r#"{"componentType":5126,"count":200000000,"type":"VEC3","sparse":{"count":1,
        "indices":{"bufferView":0,"componentType":5121},"values":{"bufferView":0}}}"#;
    let view = r#"{"buffer":0,"byteLength":12}"#;
    let long_view = r#"{"buffer":0,"byteLength":4294967295}"#;
    vec![
        ("binary stl", Format::Stl, stl),
        ("off vertices", Format::Off, b"OFF\n4294967295 1 0\n0 0 0\n".to_vec()),
        ("off faces", Format::Off, b"OFF\n1 4294967295 0\n0 0 0\n3 0 0 0\n".to_vec()),
        ("off corners", Format::Off, b"OFF\n1 1 0\n0 0 0\n4294967295 0 0 0\n".to_vec()),
        ("ply vertices", Format::Ply, ply("ascii", "4294967295", "1", b"0 0 0\n")),
        ("ply faces", Format::Ply, ply("ascii", "1", "4294967295", b"0 0 0\n3 0 0 0\n")),
        ("ply corners", Format::Ply, ply("ascii", "1", "1", b"0 0 0\n4294967295 0 0 0\n")),
        (
            "binary ply vertices",
            Format::Ply,
            ply("binary_little_endian", "4294967295", "1", &[0; 12]),
        ),
        ("binary ply faces", Format::Ply, ply("binary_big_endian", "1", "4294967295", &[0; 99])),
        ("binary ply corners", Format::Ply, ply("binary_little_endian", "1", "1", &list)),
        ("gltf dense", Format::Gltf, gltf(dense, view)),
        ("gltf sparse", Format::Gltf, gltf(sparse, view)),
        ("gltf view", Format::Gltf, gltf(dense, long_view)),
    ]
}

#[test]
fn promised_counts_reserve_nothing() {
    for (what, format, bytes) in promises() {
        let mut error = String::new();
        let used = measure(|| {
            error = read_bytes(&bytes, format, "small")
                .map_or_else(|e| e.to_string(), |_| String::new());
        });
        assert!(!error.is_empty(), "{what} was read");
        assert!(used.bytes_max < LIMIT, "{what}: {} bytes, {error}", used.bytes_max);
        assert!(used.count_total > 0, "{what}: the allocator does not count");
    }
}

/// Most bytes held at any moment per byte of a refused file; 8 with the file itself.
const DAMAGED: u64 = 7;

/// Most bytes held at any moment per placed triangle of a valid file.
const PLACED: u64 = 400;

/// Allowance of all bounds for costs independent of size. The documented one is 256 MiB.
const SLACK: u64 = 1 << 20;

/// The peak of allocated bytes, and the result.
fn taken(bytes: &[u8], format: Format) -> (u64, Result<usize, String>) {
    let mut outcome = Err(String::new());
    let used = measure(|| {
        outcome = read_bytes(bytes, format, "measured")
            .map(|loaded| loaded.mesh.triangles().len())
            .map_err(|error| error.to_string());
    });
    assert!(used.count_total > 0, "the allocator does not count");
    (used.bytes_max, outcome)
}

/// A closed mesh in every format that is written, and triangles without common corners.
fn large() -> Vec<(&'static str, Format, Vec<u8>)> {
    let torus = Shape::Torus.mesh(20_000, 0);
    let mut random = Random::new(14);
    let corners = (0..30_000).map(|_| Point::from([(); 3].map(|()| random.unit()))).collect();
    let triangles = (0..10_000).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let soup = Mesh::new(corners, triangles).expect("valid");
    let mut files = Vec::new();
    for mesh in [&torus, &soup] {
        for format in [Format::Obj, Format::Off, Format::Ply, Format::Stl] {
            let mut bytes = Vec::new();
            match format {
                Format::Obj => write_obj(&mut bytes, mesh),
                Format::Off => write_off(&mut bytes, mesh),
                Format::Ply => write_ply(&mut bytes, mesh),
                _ => write_stl(&mut bytes, mesh),
            }
            .expect("a vector takes everything");
            files.push(("written", format, bytes));
        }
    }
    let minimal = |vertex: &str, face: &str, head: &str| {
        [head, &vertex.repeat(3), &face.repeat(50_000)].concat().into_bytes()
    };
    files.push(("short lines", Format::Obj, minimal("v 0 0 0\n", "f 1 1 1\n", "")));
    files.push(("short lines", Format::Off, minimal("0 0 0\n", "3 0 0 0\n", "OFF 3 50000\n")));
    files
}

#[test]
fn valid_files_take_400_bytes_a_triangle() {
    for (what, format, bytes) in large() {
        let (most, outcome) = taken(&bytes, format);
        let triangles = outcome.expect(what) as u64;
        assert!(triangles >= 10_000);
        // The file's bytes are in memory too.
        let each = (most + bytes.len() as u64) / triangles;
        assert!(each <= PLACED, "{what}, {format}: {each} bytes a triangle");
    }
}

#[test]
fn cut_files_take_8_times_their_bytes() {
    for (what, format, mut bytes) in large() {
        if what == "short lines" && format == Format::Obj {
            // An OBJ may end after any line, so an invalid one is appended.
            bytes.extend(b"f 1 1 9\n");
        } else {
            bytes.truncate(bytes.len() - 9);
            if format == Format::Obj {
                bytes.extend(b"\nf 1 1 99999999\n");
            }
        }
        let (most, outcome) = taken(&bytes, format);
        outcome.expect_err(what);
        let bound = DAMAGED * bytes.len() as u64 + SLACK;
        assert!(most <= bound, "{what}, {format}: {most} of {} bytes", bytes.len());
    }
}

/// Changes a few bytes, truncates, repeats a piece, or replaces a number.
fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len() as u64) as usize;
        let end = (at + 1 + random.below(40) as usize).min(bytes.len());
        match random.below(6) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes.truncate(at.max(1)),
            2 => bytes[at..end.min(at + 4)].fill(0xff),
            3 => {
                let piece = bytes[at..end].to_vec();
                let to = random.below(bytes.len() as u64) as usize;
                bytes.splice(to..to, piece);
            }
            4 => drop(bytes.drain(at..end.min(bytes.len() - 1).max(at))),
            _ => {
                // The next number in the text.
                let rest = &bytes[at..];
                let Some(begin) = rest.iter().position(u8::is_ascii_digit) else { continue };
                let digits = rest[begin..].iter().take_while(|b| b.is_ascii_digit()).count();
                let lie = [&b"4294967295"[..], b"-1", b"99999999", b"0"][random.below(4) as usize];
                bytes.splice(at + begin..at + begin + digits, lie.iter().copied());
            }
        }
    }
}

#[test]
fn mutations_take_8_times_their_bytes_or_400_a_triangle() {
    let small = Shape::Torus.mesh(100, 0);
    let mut text = Vec::new();
    let mut files = Vec::new();
    for (format, write) in [
        (Format::Obj, write_obj as fn(&mut Vec<u8>, &Mesh) -> std::io::Result<()>),
        (Format::Off, write_off),
        (Format::Ply, write_ply),
        (Format::Stl, write_stl),
    ] {
        text.clear();
        write(&mut text, &small).expect("a vector takes everything");
        files.push((format, text.clone()));
    }
    #[cfg(feature = "gltf")]
    files.push((Format::Gltf, gltf::instances(20, 30, false, false)));
    let mut outcomes = [0, 0];
    for (stream, (format, whole)) in files.into_iter().enumerate() {
        let mut random = Random::stream(14, stream as u64);
        for case in 0..1500 {
            let mut bytes = whole.clone();
            mutate(&mut bytes, &mut random);
            let (most, outcome) = taken(&bytes, format);
            let triangles = *outcome.as_ref().unwrap_or(&0) as u64;
            let bound = (PLACED * triangles).max(DAMAGED * bytes.len() as u64) + SLACK / 4;
            assert!(most <= bound, "{format}, case {case}: {most} of {} bytes", bytes.len());
            outcomes[usize::from(outcome.is_ok())] += 1;
            let message = outcome.err().unwrap_or_else(|| "measured: ".to_owned());
            assert!(message.starts_with("measured: "), "{format}, case {case}: {message}");
        }
    }
    assert!(outcomes.iter().all(|&count| count > 300), "both must occur: {outcomes:?}");
}

/// Files of many tiny parts, or with one endless part.
fn hostile() -> Vec<(&'static str, Format, Vec<u8>)> {
    let many = |before: &str, each: &str, after: &str| {
        [before, &each.repeat(300_000), after].concat().into_bytes()
    };
    let ply = "ply\nformat binary_little_endian 1.0\n";
    let vertex = "element vertex 1\nproperty uchar x\nproperty uchar y\nproperty uchar z\n";
    let face = "element face 1\nproperty list uint uchar vertex_indices\nend_header\n";
    let mut long_list = [ply, vertex, face].concat().into_bytes();
    long_list.extend([0; 3]);
    long_list.extend(600_000_u32.to_le_bytes());
    long_list.extend(vec![0; 600_000]);
    vec![
        ("corners", Format::Obj, many("v 0 0 0\nf", " 1", "\n")),
        ("words", Format::Obj, many("x", " 1", "\n")),
        ("continued", Format::Obj, many("f", "\\\n1 ", "\n")),
        ("header", Format::Off, many("OFF", " 1", "\n")),
        ("corners", Format::Off, many("OFF\n1 1\n0 0 0\n300000", " 0", "\n")),
        ("elements", Format::Ply, many(ply, "element a 0\n", "end_header\n")),
        ("properties", Format::Ply, many(&[ply, vertex].concat(), "property char a\n", "")),
        ("words", Format::Ply, many(&[ply, "comment"].concat(), " 1", "\n")),
        ("corners", Format::Ply, long_list),
        ("words", Format::Stl, many("solid", " 1", "\nfacet x")),
    ]
}

#[test]
fn hostile_files_take_8_times_their_bytes() {
    for (what, format, bytes) in hostile() {
        let (most, outcome) = taken(&bytes, format);
        let error = outcome.expect_err(what);
        assert!(error.len() < 200, "{what}, {format}: {} bytes of message", error.len());
        let bound = DAMAGED * bytes.len() as u64 + SLACK;
        assert!(most <= bound, "{what}, {format}: {most} of {} bytes, {error}", bytes.len());
    }
}

/// Rows of the fewest bytes, with the slack that 2²⁰ of them share.
#[cfg(feature = "table")]
#[test]
fn tables_take_8_times_their_bytes_and_256_a_row() {
    use impinge_models::files::read_table_bytes;
    let rows = 1 << 15;
    let header = "name,file,tx,ty,tz,qx,qy,qz,qw\n";
    let row = |i: usize| format!("{i},b,0,0,0,0,0,0,1\n");
    let valid = header.to_owned() + &(0..rows).map(row).collect::<String>();
    let twice = valid.clone() + "7,b,0,0,0,0,0,0,1\n";
    let wide = ["name,".repeat(rows), "\n".to_owned()].concat();
    let quoted = format!("{header}\"{}", ",\n".repeat(rows));
    for (what, text, good) in [
        ("valid", valid, true),
        ("twice", twice, false),
        ("wide", wide, false),
        ("quoted", quoted, false),
    ] {
        let mut outcome = None;
        let used = measure(|| outcome = Some(read_table_bytes(text.as_bytes(), "measured")));
        assert_eq!(outcome.expect("it ran").is_ok(), good, "{what}");
        let bound = DAMAGED * text.len() as u64 + 256 * rows as u64 + SLACK;
        assert!(used.bytes_max <= bound, "{what}: {} of {} bytes", used.bytes_max, text.len());
    }
}

#[cfg(feature = "gltf")]
mod gltf {
    use allocation_counter::measure;
    use impinge_models::files::{ReadOptions, read_parts_bytes};

    use super::{DAMAGED, Format, PLACED, SLACK, taken};

    fn document(rest: &str) -> Vec<u8> {
        format!(r#"{{"asset":{{"version":"2.0"}},{rest}}}"#).into_bytes()
    }

    /// A list of `count` times `each`.
    fn list(name: &str, each: &str, count: usize) -> String {
        format!("\"{name}\":[{}]", vec![each; count].join(","))
    }

    /// Many parts without triangles. They take more memory than their bytes, so their number is
    /// bounded; hence the slack.
    #[test]
    fn many_empty_parts() {
        let (million, many) = (1 << 20, 1 << 17);
        for (what, rest) in [
            ("too many nodes", list("nodes", "{}", million + 1)),
            ("nodes", list("nodes", "{}", many)),
            ("nodes that stand", list("nodes", r#"{"scale":[1,1,1]}"#, many)),
            ("scenes", list("scenes", "{}", many)),
            ("materials", list("materials", "{}", many)),
            ("meshes", list("meshes", r#"{"primitives":[]}"#, many)),
            ("extensions", list("extensionsUsed", "\"\"", many)),
            (
                "primitives",
                format!("\"meshes\":[{{{}}}]", list("primitives", r#"{"attributes":{}}"#, many)),
            ),
            ("nesting", format!("\"extras\":{}", "[".repeat(many))),
        ] {
            let bytes = document(&rest);
            let (most, outcome) = taken(&bytes, Format::Gltf);
            outcome.expect_err(what);
            let bound = DAMAGED * bytes.len() as u64 + 100 * SLACK;
            assert!(most <= bound, "{what}: {most} of {} bytes", bytes.len());
        }
    }

    /// A chain of nodes, each the child of the preceding one, and a node with all others as
    /// children.
    #[test]
    fn deep_and_wide_trees() {
        let count = 300_000;
        let child = |i: usize| format!("{{\"children\":[{}],\"mesh\":0}}", i + 1);
        let chain: Vec<String> = (0..count).map(child).collect();
        let chain = format!("\"nodes\":[{},{{}}]", chain.join(","));
        let children: Vec<String> = (1..=count).map(|i| i.to_string()).collect();
        let wide = format!(
            "\"nodes\":[{{\"children\":[{}]}},{}]",
            children.join(","),
            vec!["{\"mesh\":0}"; count].join(",")
        );
        for rest in [chain, wide] {
            let bytes = document(&format!("\"meshes\":[{{\"primitives\":[]}}],{rest}"));
            let (most, outcome) = taken(&bytes, Format::Gltf);
            assert_eq!(outcome, Err("measured: the mesh has no triangles".to_owned()));
            let bound = DAMAGED * bytes.len() as u64 + 60 * SLACK;
            assert!(most <= bound, "{most} of {} bytes", bytes.len());
        }
    }

    /// A mesh of `count` triangles placed `nodes` times; the last index is out of range if
    /// `damaged`.
    pub(super) fn instances(nodes: usize, count: usize, zeros: bool, damaged: bool) -> Vec<u8> {
        let base64 = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
        let last = if damaged { 9 } else { 0 };
        // A list of zeros that takes no bytes; its last element is replaced by `last`.
        let sparse = |last: usize| {
            format!(
                r#"{{"componentType":5121,"count":{},"type":"SCALAR","sparse":{{"count":1,
                "indices":{{"bufferView":1,"componentType":5125}},"values":{{"bufferView":{}}}}}}}"#,
                3 * count,
                if last > 0 { 2 } else { 0 }
            )
        };
        let vertices = if zeros && !damaged { 60_000 } else { 3 };
        document(&format!(
            r#""buffers":[{{"byteLength":36,"uri":"data:;base64,{base64}"}},
            {{"byteLength":5,"uri":"data:;base64,AAAAAAk="}}],
            "bufferViews":[{{"buffer":0,"byteLength":36}},{{"buffer":1,"byteLength":4}},
            {{"buffer":1,"byteOffset":4,"byteLength":1}}],
            "accessors":[{{"componentType":5126,"count":{vertices},"type":"VEC3","sparse":{{"count":1,
            "indices":{{"bufferView":1,"componentType":5125}},"values":{{"bufferView":0}}}}}},{}],
            "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],{}"#,
            sparse(last),
            list("nodes", r#"{"mesh":0}"#, nodes)
        ))
    }

    #[test]
    fn instances_take_400_bytes_a_triangle() {
        // Few triangles over many vertices, and many over few, all with one list of vertices.
        for (nodes, count, zeros) in [(300, 1, true), (300, 1000, true), (3000, 100, false)] {
            let bytes = instances(nodes, count, zeros, false);
            let (most, outcome) = taken(&bytes, Format::Gltf);
            assert_eq!(outcome, Ok(nodes * count));
            let bound = PLACED * (nodes * count) as u64 + SLACK;
            assert!(most <= bound, "{most} bytes for {nodes} times {count} triangles");
        }
    }

    /// The 256 MiB of every valid file are for 2²⁰ parts.
    const EACH_PART: u64 = (256 << 20) >> 20;

    #[test]
    fn parts_take_400_bytes_a_triangle() {
        let (nodes, name) = (1 << 15, "long name ".repeat(100));
        let scaled = |i: usize| format!("{{\"mesh\":0,\"scale\":[1,2,{}]}}", 3 + i);
        let scaled =
            format!("\"nodes\":[{}]", (0..nodes).map(scaled).collect::<Vec<_>>().join(","));
        let plain = instances(nodes, 1, false, false);
        let text = String::from_utf8(plain.clone()).expect("text");
        let named =
            text.replace("{\"primitives\"", &format!("{{\"name\":\"{name}\",\"primitives\""));
        let begin = named.find("\"nodes\"").expect("a list of nodes");
        let baked = [&named[..begin], &scaled, "}"].concat();
        for (what, bytes, meshes) in
            [("plain", plain, 1), ("named", named.into(), 1), ("baked", baked.into_bytes(), nodes)]
        {
            let mut found = None;
            let used = measure(|| {
                found = Some(read_parts_bytes(&bytes, "measured", &ReadOptions::default()));
            });
            let found = found.expect("it ran").expect(what);
            assert_eq!((found.parts.len(), found.meshes.len()), (nodes, meshes), "{what}");
            // The text of the nodes counts by the byte.
            let text = DAMAGED * bytes.len() as u64;
            let bound = (PLACED + EACH_PART) * nodes as u64 + text + SLACK;
            assert!(
                used.bytes_max <= bound,
                "{what}: {} bytes a part",
                used.bytes_max / nodes as u64
            );
        }
    }

    #[test]
    fn damage_is_found_before_anything_is_placed() {
        let bytes = instances(3000, 20_000, true, true);
        let (most, outcome) = taken(&bytes, Format::Gltf);
        let error = outcome.expect_err("an index out of range");
        assert!(error.contains("vertex index 9 is out of range, there are 3"), "{error}");
        assert!(most <= DAMAGED * bytes.len() as u64 + SLACK, "{most} of {} bytes", bytes.len());
        // 60 million triangles are allowed, 120 million are not.
        let bytes = instances(6000, 20_000, true, false);
        let (most, outcome) = taken(&bytes, Format::Gltf);
        let message = "measured: 120000000 triangles or more, which may take 48.3 GB of memory; \
                       at most 100000000 are read";
        assert_eq!(outcome, Err(message.to_owned()));
        assert!(most <= DAMAGED * bytes.len() as u64 + SLACK, "{most} of {} bytes", bytes.len());
    }
}
