//! glTF: node trees, sparse and quantized accessors, strips, buffers, and errors.

use std::fmt::Write as _;

use impinge_geometry::Point;
use impinge_models::files::{self, Format, ReadOptions, read_parts_bytes};

use crate::files::samples::{floats, glb, glb_triangle, read, refusal, shorts};

fn point(x: f64, y: f64, z: f64) -> Point {
    Point::new(x, y, z)
}

#[test]
fn a_triangle_as_it_is() {
    let loaded = read(glb_triangle(r#"[{"mesh":0}]"#, r#"[{"nodes":[0]}]"#), Format::Gltf);
    assert_eq!(loaded.mesh.vertices(), [point(0., 0., 0.), point(1., 0., 0.), point(0., 1., 0.)]);
    assert_eq!(loaded.mesh.triangles(), [[0, 1, 2]]);
    assert!(loaded.notes.is_empty());
}

#[test]
fn transforms_multiply_down_the_tree() {
    // Node 0 translates by 10 in x; its child 1 rotates x to y (90 degrees about z) and scales by
    // 2; its child 2 translates by 1 in x. Node 3 mirrors x by a matrix.
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let nodes = format!(
        r#"[{{"translation":[10,0,0],"children":[1],"mesh":0}},
        {{"rotation":[0,0,{half:?},{half:?}],"scale":[2,2,2],"children":[2]}},
        {{"translation":[1,0,0],"mesh":0}},
        {{"matrix":[-1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,5,1],"mesh":0}}]"#
    );
    // The third scene repeats a root; each node is placed once all the same.
    let scenes = r#"[{"nodes":[0]},{"nodes":[3]},{"nodes":[3]}]"#;
    let loaded = read(glb_triangle(&nodes, scenes), Format::Gltf);
    let expected = [
        [[10., 0., 0.], [11., 0., 0.], [10., 1., 0.]],
        [[10., 2., 0.], [10., 4., 0.], [8., 2., 0.]],
        [[0., 0., 5.], [0., 1., 5.], [-1., 0., 5.]],
    ];
    assert_eq!(loaded.mesh.triangles().len(), 3);
    for (corners, expected) in loaded.mesh.corners().zip(expected) {
        for (found, expected) in corners.iter().zip(expected) {
            assert!((found - Point::from(expected)).norm() < 1e-12, "{found} {expected:?}");
        }
    }
    assert_eq!(
        loaded.notes,
        [
            "3 scenes with different nodes: those of all are taken",
            "meshes mirrored by their nodes, with the winding reversed: 1",
        ]
    );
}

/// The file's choice of a scene is not followed, which matters only if scenes differ.
#[test]
fn scenes_that_differ_are_noted() {
    let nodes = r#"[{"mesh":0},{"mesh":0,"translation":[5,0,0]}]"#;
    let note = |count| format!("{count} scenes with different nodes: those of all are taken");
    for (scenes, triangles, notes) in [
        (r#"[{"nodes":[0]}]"#, 1, vec![]),
        (r#"[{"nodes":[0,1]},{"nodes":[1,0]},{"nodes":[0,1,0]}]"#, 2, vec![]),
        (r#"[{"nodes":[0]},{"nodes":[1]}]"#, 2, vec![note(2)]),
        (r#"[{"nodes":[0,1]},{"nodes":[1]},{"nodes":[1,1]}]"#, 2, vec![note(3)]),
        (r#"[{"nodes":[1]},{"nodes":[0,1]}]"#, 2, vec![note(2)]),
        (r#"[{"nodes":[1]},{}]"#, 1, vec![note(2)]),
    ] {
        let loaded = read(glb_triangle(nodes, scenes), Format::Gltf);
        assert_eq!(loaded.mesh.triangles().len(), triangles, "{scenes}");
        assert_eq!(loaded.notes, notes, "{scenes}");
    }
}

/// As of a pose: a squared norm may be off by 1e-3.
#[test]
fn rotations_are_unit_quaternions() {
    let bytes = |w: f64| {
        let nodes = format!(r#"[{{"mesh":0,"rotation":[0,0,0,{w:?}]}}]"#);
        glb_triangle(&nodes, r#"[{"nodes":[0]}]"#)
    };
    let plain = read(bytes(1.0), Format::Gltf);
    for square in [0.999_01, 1.000_99_f64] {
        assert_eq!(read(bytes(square.sqrt()), Format::Gltf), plain, "{square}");
        assert_eq!(read(bytes(-square.sqrt()), Format::Gltf), plain, "{square}");
    }
    for square in [0.998_99, 1.001_01, 4.0, 1e-300_f64] {
        let found = refusal(bytes(square.sqrt()), Format::Gltf);
        assert_eq!(found, "nodes[0]: rotation is not a unit quaternion", "{square}");
    }
}

#[test]
fn negative_scale_keeps_outside_outside() {
    let sides = [("[-1,1,1]", -1.0), ("[-1,-1,1]", 1.0), ("[-1,-1,-1]", -1.0), ("[2,3,4]", 1.0)];
    for (scale, sign) in sides {
        let nodes = format!(r#"[{{"mesh":0,"scale":{scale}}}]"#);
        let mesh = read(glb_triangle(&nodes, r#"[{"nodes":[0]}]"#), Format::Gltf).mesh;
        let [a, b, c] = mesh.triangle(0);
        // The normal is +z; a mirror in x or y keeps it, a mirror in z reverses it.
        let z = (b - a).cross(&(c - a)).z;
        let expected = if scale == "[-1,-1,-1]" { -1.0 } else { 1.0 };
        assert_eq!(z.signum(), expected, "{scale}, determinant {sign}");
    }
}

#[test]
fn deep_trees_do_not_overflow_the_stack() {
    let depth = 20_000;
    let mut nodes = String::from("[");
    for i in 1..depth {
        write!(nodes, r#"{{"children":[{i}],"translation":[1,0,0]}},"#).expect("a string");
    }
    nodes.push_str(r#"{"mesh":0}]"#);
    let mesh = read(glb_triangle(&nodes, r#"[{"nodes":[0]}]"#), Format::Gltf).mesh;
    assert_eq!(mesh.vertices()[0].x, f64::from(depth - 1));
}

#[test]
fn without_scenes_or_nodes() {
    let loaded = read(glb_triangle(r#"[{"children":[1]},{"mesh":0}]"#, "[]"), Format::Gltf);
    assert_eq!(loaded.notes, ["no scenes: all root nodes taken"]);
    let loaded = read(glb_triangle("[]", "[]"), Format::Gltf);
    assert_eq!(loaded.notes, ["no nodes: all meshes taken as they are"]);
}

#[test]
fn trees_that_are_none() {
    let scenes = r#"[{"nodes":[0]}]"#;
    for (nodes, message) in [
        (r#"[{"children":[0]}]"#, "nodes[0]: the node has two parents, or is its own ancestor"),
        (
            r#"[{"children":[1,1]},{"mesh":0}]"#,
            "nodes[1]: the node has two parents, or is its own ancestor",
        ),
        (r#"[{"children":[7]}]"#, "nodes[7]: there is no such item, the file has 1"),
        (r#"[{"mesh":7}]"#, "meshes[7]: there is no such item, the file has 1"),
        (r#"[{"mesh":0,"rotation":[0,0,0,0]}]"#, "nodes[0]: rotation is not a unit quaternion"),
        (
            r#"[{"mesh":0,"matrix":[1,0,0,1,0,1,0,0,0,0,1,0,0,0,0,1]}]"#,
            "nodes[0]: the last row of matrix is not 0 0 0 1",
        ),
        (
            r#"[{"mesh":0,"scale":[1e299,1,1],"children":[1]},{"mesh":0,"scale":[1e10,1,1]}]"#,
            "meshes[0].primitives[0]: vertex 0: coordinate x in the scene is NaN, it must be finite",
        ),
    ] {
        let found = refusal(glb_triangle(nodes, scenes), Format::Gltf);
        assert_eq!(found, message, "{nodes}");
    }
    let found = refusal(glb_triangle(r#"[{"mesh":0,"scale":[1e400,1,1]}]"#, scenes), Format::Gltf);
    assert!(found.contains("number out of range"), "{found}");
    assert_eq!(refusal(glb_triangle("[{}]", scenes), Format::Gltf), "the mesh has no triangles");
}

/// A JSON file with the given parts; four corners of a unit square in 48 bytes, then six u16.
fn square(views: &str, accessors: &str, primitive: &str, uri: &str) -> String {
    format!(
        r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":60,"uri":"{uri}"}}],
"bufferViews":[{views}],
"accessors":[{accessors}],
"meshes":[{{"primitives":[{primitive}]}}],
"nodes":[{{"mesh":0}}],"scenes":[{{"nodes":[0]}}]}}"#
    )
}

const VIEWS: &str = r#"{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":12}"#;
const ACCESSORS: &str = r#"{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"},
{"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"}"#;
const PRIMITIVE: &str = r#"{"attributes":{"POSITION":0},"indices":1}"#;

fn square_bytes() -> Vec<u8> {
    let mut bytes = floats(&[0., 0., 0., 1., 0., 0., 1., 1., 0., 0., 1., 0.]);
    bytes.extend(shorts(&[0, 1, 2, 0, 2, 3]));
    bytes
}

pub(crate) fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::from("data:application/octet-stream;base64,");
    for group in bytes.chunks(3) {
        let mut word = [0; 4];
        word[1..=group.len()].copy_from_slice(group);
        let word = u32::from_be_bytes(word);
        let letter = |i: usize| char::from(LETTERS[(word >> (18 - 6 * i)) as usize & 63]);
        text.extend((0..=group.len()).map(letter));
        text.extend(std::iter::repeat_n('=', 3 - group.len()));
    }
    text
}

fn embedded(views: &str, accessors: &str, primitive: &str) -> String {
    square(views, accessors, primitive, &base64(&square_bytes()))
}

#[test]
fn embedded_and_external_buffers() {
    let text = embedded(VIEWS, ACCESSORS, PRIMITIVE);
    let mesh = read(&text, Format::Gltf).mesh;
    assert_eq!(mesh.triangles(), [[0, 1, 2], [0, 2, 3]]);
    let folder = tempfile::tempdir().expect("a folder for test files");
    let path = folder.path().join("square.gltf");
    std::fs::create_dir(folder.path().join("the buffers")).expect("a new folder");
    std::fs::write(folder.path().join("the buffers/a.bin"), square_bytes()).expect("writable");
    let write = |uri: &str| std::fs::write(&path, square(VIEWS, ACCESSORS, PRIMITIVE, uri));
    write("the%20buffers/a.bin").expect("writable");
    assert_eq!(files::read(&path).expect("both files are there").mesh, mesh);
    for uri in [
        "absent.bin",
        "/etc/hostname",
        "../a.bin",
        "http://localhost/a.bin",
        "a%2",
        "the%20buffers",
    ] {
        write(uri).expect("writable");
        let error = files::read(&path).expect_err(uri).to_string();
        assert!(error.starts_with(&path.display().to_string()), "{error}");
        assert!(error.contains("buffers[0]: "), "{error}");
    }
    let message = refusal(square(VIEWS, ACCESSORS, PRIMITIVE, "a.bin"), Format::Gltf);
    assert_eq!(message, "buffers[0]: the external file \"a.bin\" can only be read beside a file");
}

#[test]
fn strips_fans_points_and_unindexed() {
    let primitive =
        |mode: u8, rest: &str| format!(r#"{{"attributes":{{"POSITION":0}},"mode":{mode}{rest}}}"#);
    let get = |primitives: String| read(embedded(VIEWS, ACCESSORS, &primitives), Format::Gltf);
    let strip = get(primitive(5, ""));
    assert_eq!(strip.mesh.triangles(), [[0, 1, 2], [1, 3, 2]]);
    let fan = get(primitive(6, ""));
    assert_eq!(fan.mesh.triangles(), [[1, 2, 0], [2, 3, 0]]);
    // 0 1 2 0 2 3 as a strip: four triangles, one of them degenerate.
    let stitched = get(primitive(5, r#","indices":1"#));
    assert_eq!(stitched.mesh.triangles(), [[0, 1, 2], [1, 0, 2], [0, 3, 2]]);
    // Two primitives with the same positions share vertices; lines and points are omitted.
    let both = get([PRIMITIVE, &primitive(1, ""), &primitive(0, ""), &primitive(6, "")].join(","));
    assert_eq!(both.mesh.vertices().len(), 4);
    assert_eq!(both.mesh.triangles().len(), 4);
    assert_eq!(both.notes, ["2 primitives of points or lines skipped"]);
    let message = refusal(embedded(VIEWS, ACCESSORS, &primitive(4, "")), Format::Gltf);
    assert_eq!(
        message,
        "meshes[0].primitives[0]: the number of corners, 4, is not a multiple of 3"
    );
}

#[test]
fn sparse_accessors() {
    // Corner 2 moves to (0, 1, 0), the position of corner 3; the index is the 3 at byte 58.
    let views = format!(
        r#"{VIEWS},{{"buffer":0,"byteOffset":58,"byteLength":2}},{{"buffer":0,"byteOffset":24,"byteLength":12}}"#
    );
    let sparse = r#""sparse":{"count":1,"indices":{"bufferView":2,"componentType":5123},"values":{"bufferView":3}}"#;
    let accessors = |base: &str, count: u64| {
        format!(
            r#"{{{base}"componentType":5126,"count":{count},"type":"VEC3",{sparse}}},
            {{"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"}}"#
        )
    };
    let mesh =
        read(embedded(&views, &accessors(r#""bufferView":0,"#, 4), PRIMITIVE), Format::Gltf).mesh;
    assert_eq!(mesh.vertices()[3], point(1., 1., 0.));
    assert_eq!(mesh.vertices()[1], point(1., 0., 0.));
    let zeros = read(embedded(&views, &accessors("", 4), PRIMITIVE), Format::Gltf).mesh;
    assert_eq!(zeros.vertices()[1], point(0., 0., 0.));
    assert_eq!(zeros.vertices()[3], point(1., 1., 0.));
    let message = refusal(embedded(&views, &accessors("", 3), PRIMITIVE), Format::Gltf);
    assert_eq!(message, "accessors[0]: sparse index 3 is out of range");
    let message = refusal(embedded(&views, &accessors("", 200_000_000), PRIMITIVE), Format::Gltf);
    assert!(message.starts_with("accessors[0]: 200000000 elements of zeros"), "{message}");
}

#[test]
fn quantized_positions() {
    // The six shorts form two points.
    let accessors = |normalized: bool| {
        format!(
            r#"{{"bufferView":1,"componentType":5122,"normalized":{normalized},"count":2,"type":"VEC3"}},
            {{"bufferView":1,"componentType":5121,"count":3,"type":"SCALAR"}}"#
        )
    };
    let mesh = read(embedded(VIEWS, &accessors(false), PRIMITIVE), Format::Gltf).mesh;
    assert_eq!(mesh.vertices(), [point(0., 1., 2.), point(0., 2., 3.)]);
    let mesh = read(embedded(VIEWS, &accessors(true), PRIMITIVE), Format::Gltf).mesh;
    assert_eq!(mesh.vertices()[0].y, 1.0 / 32767.0);
}

/// The replaced text of a valid file, the replacement, and the start of the message.
const TRAPS: &[(&str, &str, &str)] = &[
    (
        r#""count":4"#,
        r#""count":5"#,
        "accessors[0]: 5 elements from byte 0 on do not fit in a view of 48 bytes",
    ),
    (
        r#""count":4"#,
        r#""count":200000000"#,
        "accessors[0]: 200000000 elements from byte 0 on do not fit in a view of 48 bytes",
    ),
    (
        r#""count":4"#,
        r#""count":18446744073709551615"#,
        "accessors[0]: 18446744073709551615 elements from byte 0 on do not fit in a view of 48 bytes",
    ),
    (
        r#""count":4"#,
        r#""byteOffset":18446744073709551615,"count":4"#,
        "accessors[0]: 4 elements from byte 18446744073709551615 on do not fit in a view of 48 bytes",
    ),
    (
        r#""count":6"#,
        r#""count":300000000"#,
        "accessors[1]: 300000000 elements from byte 0 on do not fit in a view of 12 bytes",
    ),
    (
        r#""count":4"#,
        r#""count":3"#,
        "meshes[0].primitives[0]: vertex index 3 is out of range, there are 3",
    ),
    (
        r#""byteLength":48"#,
        r#""byteLength":61"#,
        "bufferViews[0]: bytes 0 to 61, but buffers[0] has 60 bytes",
    ),
    (
        r#""byteLength":48"#,
        r#""byteLength":48,"byteStride":4"#,
        "accessors[0]: a stride of 4 for elements of 12 bytes",
    ),
    (
        r#""byteLength":60"#,
        r#""byteLength":61"#,
        "buffers[0]: byteLength is 61, but there are 60 bytes",
    ),
    (r#""buffer":0"#, r#""buffer":9"#, "buffers[9]: no such item, the file has 1"),
    (
        r#""bufferView":0,"#,
        "",
        "accessors[0]: no bufferView: compressed or missing data is not read",
    ),
    (
        r#""componentType":5126"#,
        r#""componentType":5130"#,
        "accessors[0]: an unknown type or componentType",
    ),
    ("VEC3", "VEC2", "accessors[0]: positions must be of type VEC3 and componentType FLOAT"),
    ("5123", "5126", "accessors[1]: indices must be of type SCALAR and an unsigned componentType"),
    (r#""indices":1"#, r#""indices":1,"mode":99"#, "meshes[0].primitives[0]: an unknown mode"),
    ("base64,", "base64,!", "buffers[0]: base64: "),
    (";base64,", ",", "buffers[0]: a data URI that is not base64"),
    (
        r#"{"asset""#,
        r#"{"extensionsRequired":["KHR_draco_mesh_compression"],"asset""#,
        "extensionsRequired: the extension KHR_draco_mesh_compression is required, but is not supported",
    ),
];

#[test]
fn accessors_beyond_their_bytes() {
    let with = |from: &str, to: &str| {
        let text = embedded(VIEWS, ACCESSORS, PRIMITIVE);
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    };
    for &(from, to, message) in TRAPS {
        let found = refusal(with(from, to), Format::Gltf);
        assert!(found.starts_with(message), "{to}: {found}");
    }
    let fine =
        r#"{"extensionsRequired":["KHR_materials_unlit"],"images":[{"uri":"absent.png"}],"asset""#;
    read(with(r#"{"asset""#, fine), Format::Gltf);
    let message = refusal("{\n\"asset\": 7}", Format::Gltf);
    assert!(message.starts_with("line 2: glTF JSON: invalid type: integer `7`"), "{message}");
}

#[test]
fn not_a_number_in_a_buffer() {
    let mut bytes = square_bytes();
    bytes[16..20].copy_from_slice(&f32::NAN.to_le_bytes());
    let text = square(VIEWS, ACCESSORS, PRIMITIVE, &base64(&bytes));
    let message = "meshes[0].primitives[0]: vertex 1: coordinate y is NaN, it must be finite";
    assert_eq!(refusal(text, Format::Gltf), message);
}

#[test]
fn containers_that_lie() {
    let good = glb_triangle(r#"[{"mesh":0}]"#, r#"[{"nodes":[0]}]"#);
    for (at, value, message) in [
        (4, 1_u32, "byte 4: GLB version 1, only 2 is read"),
        (8, 0, "byte 8: the header gives a length of 0 bytes"),
        (8, 11, "byte 8: the header gives a length of 11 bytes"),
        (8, u32::MAX, "byte 8: the header gives a length of 4294967295 bytes"),
        (12, u32::MAX, "byte 12: a chunk of 4294967295 bytes"),
        (16, 0, "byte 12: the first chunk of a GLB must be JSON"),
        (20, u32::MAX, "JSON chunk: glTF JSON: "),
    ] {
        let mut bytes = good.clone();
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        let found = refusal(&bytes, Format::Gltf);
        assert!(found.starts_with(message), "{found}");
    }
    let without = glb(r#"{"asset":{"version":"2.0"}}"#, &[]);
    assert_eq!(refusal(&without, Format::Gltf), "the mesh has no triangles");
}

/// They may be another file, appended by mistake.
#[test]
fn bytes_after_a_container_are_told() {
    let mut bytes = glb_triangle(r#"[{"mesh":0}]"#, r#"[{"nodes":[0]}]"#);
    assert_eq!(read(&bytes, Format::Gltf).notes, [""; 0]);
    bytes.extend(b"more");
    let notes = ["4 bytes after the length in the header ignored"];
    let loaded = read(&bytes, Format::Gltf);
    assert_eq!(loaded.notes, notes);
    assert_eq!(loaded.warnings().collect::<Vec<_>>(), notes);
    let parts = read_parts_bytes(&bytes, "a.glb", &ReadOptions::default()).expect("a part");
    assert_eq!(parts.notes, notes);
}

/// A small file that places one mesh often, 10^9 triangles in all.
#[test]
fn instances_are_bounded() {
    let nodes = vec![r#"{"mesh":0}"#; 1000].join(",");
    let roots = (0..1000).map(|i| i.to_string()).collect::<Vec<_>>().join(",");
    let primitives = vec![r#"{"attributes":{"POSITION":0},"mode":6}"#; 1000].join(",");
    let count = 100_000;
    let bytes = floats(&vec![1.0; 3 * count]);
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":{size}}}],
        "bufferViews":[{{"buffer":0,"byteLength":{size}}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":{count},"type":"VEC3"}}],
        "meshes":[{{"primitives":[{primitives}]}}],
        "nodes":[{nodes}],"scenes":[{{"nodes":[{roots}]}}]}}"#,
        size = bytes.len()
    );
    let message = refusal(glb(&json, &bytes), Format::Gltf);
    assert!(
        message.starts_with("99998000000 triangles or more, which may take 39999"),
        "{message}"
    );
}

#[test]
fn other_versions_are_refused_by_the_field() {
    let file = |asset: &str, rest: &str| {
        let changed = format!(r#"{{"asset":{asset}{rest}"#);
        embedded(VIEWS, ACCESSORS, PRIMITIVE).replacen(r#"{"asset":{"version":"2.0"}"#, &changed, 1)
    };
    for fine in [
        r#"{"version":"2.0"}"#,
        r#"{"version":"2.7","generator":"x"}"#,
        r#"{"version":"2.1","minVersion":"2.0"}"#,
    ] {
        read(file(fine, ""), Format::Gltf);
    }
    for (asset, message) in [
        (r#"{"version":"1.0"}"#, "asset.version: \"1.0\", only glTF 2 is read"),
        (r#"{"version":"3.0"}"#, "asset.version: \"3.0\", only glTF 2 is read"),
        (r#"{"version":"two"}"#, "asset.version: \"two\", only glTF 2 is read"),
        (
            r#"{"version":"2.1","minVersion":"2.1"}"#,
            "asset.minVersion: \"2.1\", only what 2.0 suffices for is read",
        ),
        (
            r#"{"version":"2.0","minVersion":"3.0"}"#,
            "asset.minVersion: \"3.0\", only what 2.0 suffices for is read",
        ),
    ] {
        assert_eq!(refusal(file(asset, ""), Format::Gltf), message);
    }
    let missing = refusal(file("{}", ""), Format::Gltf);
    assert!(missing.contains("missing field `version`"), "{missing}");
    // Version 1 has objects of another form; the error is still about the version.
    let old = r#"{"asset":{"version":"1.0"},"nodes":{"a":{}},"scenes":{}}"#;
    assert_eq!(refusal(old, Format::Gltf), "asset.version: \"1.0\", only glTF 2 is read");
    read(file(r#"{"version":"2.0"}"#, r#","scene":0"#), Format::Gltf);
    let found = refusal(file(r#"{"version":"2.0"}"#, r#","scene":1"#), Format::Gltf);
    assert_eq!(found, "scene: there is no scene 1, the file has 1");
}

#[test]
fn trees_out_of_sight_are_trees_too() {
    let two = "the node has two parents, or is its own ancestor";
    for (nodes, scenes, message) in [
        (r#"[{"mesh":0},{"children":[1]}]"#, r#"[{"nodes":[0]}]"#, format!("nodes[1]: {two}")),
        (
            r#"[{"mesh":0},{"children":[2]},{"children":[3]},{"children":[2]}]"#,
            r#"[{"nodes":[0]}]"#,
            format!("nodes[2]: {two}"),
        ),
        (
            r#"[{"mesh":0},{"children":[2]},{"children":[1]}]"#,
            r#"[{"nodes":[0]}]"#,
            format!("nodes[2]: {two}"),
        ),
        (
            r#"[{"mesh":0,"children":[1]},{}]"#,
            r#"[{"nodes":[0]},{"nodes":[1]}]"#,
            "scenes[1]: nodes[1] is not a root: it is a child of nodes[0]".to_owned(),
        ),
        (
            r#"[{"mesh":0}]"#,
            r#"[{"nodes":[3]}]"#,
            "nodes[3]: there is no such item, the file has 1".to_owned(),
        ),
    ] {
        assert_eq!(refusal(glb_triangle(nodes, scenes), Format::Gltf), message);
    }
}

/// Vertices without triangles are not placed, however often their list is.
#[test]
fn only_used_vertices_are_placed() {
    let accessors = ACCESSORS.replacen("\"count\":6", "\"count\":3", 1);
    let loaded = read(embedded(VIEWS, &accessors, PRIMITIVE), Format::Gltf);
    assert_eq!(loaded.mesh.vertices().len(), 3);
    assert_eq!(loaded.mesh.triangles(), [[0, 1, 2]]);
    assert_eq!(loaded.notes, ["1 vertices that belong to no triangle left out"]);
}

#[test]
fn sparse_indices_rise() {
    // Two elements, both index 1: bytes 50 and 51 are 1 and 0, as one byte each 1 then 0.
    let views = format!(
        r#"{VIEWS},{{"buffer":0,"byteOffset":50,"byteLength":2}},{{"buffer":0,"byteLength":24}}"#
    );
    let accessors = r#"{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3",
        "sparse":{"count":2,"indices":{"bufferView":2,"componentType":5121},"values":{"bufferView":3}}},
        {"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"}"#;
    let message = refusal(embedded(&views, accessors, PRIMITIVE), Format::Gltf);
    assert_eq!(message, "accessors[0]: sparse index 0 is not greater than the one before");
}

#[test]
fn buffers_of_one_uri_are_read_once() {
    let uri = base64(&square_bytes());
    let text = embedded(VIEWS, ACCESSORS, PRIMITIVE)
        .replacen(r#""buffers":["#, &format!(r#""buffers":[{{"byteLength":10,"uri":"{uri}"}},"#), 1)
        .replacen(r#""buffer":0,"byteOffset":48"#, r#""buffer":1,"byteOffset":48"#, 1);
    assert_eq!(read(text, Format::Gltf).mesh.triangles().len(), 2);
}
