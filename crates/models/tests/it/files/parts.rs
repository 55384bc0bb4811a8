//! Parts of glTF files: against the merged mesh of the same file, shared meshes, names, limits.

use std::fmt::Write as _;

use impinge_geometry::{Pose, Vector};
use impinge_models::Random;
use impinge_models::files::{
    self, Format, Part, Parts, ReadOptions, read_bytes, read_parts, read_parts_bytes,
};

use crate::files::samples::{glb_triangle, read};

const SCENES: &str = r#"[{"nodes":[0]}]"#;

fn parts(bytes: impl AsRef<[u8]>) -> Parts {
    read_parts_bytes(bytes.as_ref(), "sample", &ReadOptions::default())
        .unwrap_or_else(|error| panic!("{error}"))
}

fn names(parts: &[Part]) -> Vec<&str> {
    parts.iter().map(|part| &*part.name).collect()
}

/// Compares the posed parts with the merged mesh of the same file, in the order of the triangles.
/// Returns the largest difference of a corner, relative to the largest coordinate.
fn difference(bytes: &[u8], found: &Parts) -> f64 {
    let whole = read(bytes, Format::Gltf).mesh;
    let posed = found.parts.iter().flat_map(|part| {
        let mesh = &found.meshes[part.mesh];
        mesh.corners().map(|corners| corners.map(|p| part.pose.apply(&p)))
    });
    let posed: Vec<_> = posed.collect();
    assert_eq!(posed.len(), whole.triangles().len());
    let largest = whole.vertices().iter().fold(1.0_f64, |most, p| most.max(p.coords.amax()));
    let pairs = posed.iter().flatten().zip(whole.corners().flatten());
    pairs.fold(0.0, |most: f64, (p, q)| most.max((p - q).amax())) / largest
}

/// A random tree of nodes, as JSON; each but the first is a child of one before it.
fn random_tree(random: &mut Random, count: usize) -> String {
    let mut children = vec![Vec::new(); count];
    for node in 1..count {
        children[random.below(node as u64) as usize].push(node);
    }
    let mut nodes = String::from("[");
    for (node, children) in children.iter().enumerate() {
        let comma = if node > 0 { "," } else { "" };
        write!(nodes, r#"{comma}{{"mesh":0,"children":{children:?}"#).expect("a string");
        let ([x, y, z, w], t) = (random.quaternion(), random.vector(-2.0, 2.0));
        let s = match random.below(5) {
            0 => [1.0; 3],
            1 => [0.5; 3],
            2 => [-1.0, 1.0, 1.0],
            3 => [random.range(0.5, 2.0); 3],
            _ => random.vector(-2.0, 2.0).into(),
        };
        let [a, b, c] = [t.x, t.y, t.z];
        let moved = if random.chance(0.2) {
            let m = [random.vector(-2., 2.), random.vector(-2., 2.), random.vector(-2., 2.)];
            let [u, v, n] = m.map(|v| format!("{:?},{:?},{:?}", v.x, v.y, v.z));
            format!(r#""matrix":[{u},0,{v},0,{n},0,{a:?},{b:?},{c:?},1]"#)
        } else {
            format!(
                r#""translation":[{a:?},{b:?},{c:?}],"rotation":[{x:?},{y:?},{z:?},{w:?}],"scale":{s:?}"#
            )
        };
        write!(nodes, ",{moved}}}").expect("a string");
    }
    nodes + "]"
}

#[test]
fn posed_parts_are_the_merged_mesh() {
    let mut random = Random::new(20);
    let mut shared = 0;
    for case in 0..300 {
        let nodes = random_tree(&mut random, 1 + case % 12);
        let bytes = glb_triangle(&nodes, SCENES);
        let found = parts(&bytes);
        let off = difference(&bytes, &found);
        assert!(off <= 1e-14, "case {case}: off by {off:e}\n{nodes}");
        shared += found.parts.len() - found.meshes.len();
    }
    assert!(shared > 100, "{shared} parts share a mesh");
}

/// A twin that moves one part by 1e-9: the comparison above must see it.
#[test]
fn the_comparison_sees_a_moved_part() {
    let bytes = glb_triangle(&random_tree(&mut Random::new(7), 9), SCENES);
    let mut found = parts(&bytes);
    let by = Pose::translation_by(Vector::new(0.0, 1e-9, 0.0)).expect("finite");
    found.parts[4].pose = by.then_inner(&found.parts[4].pose);
    assert!(difference(&bytes, &found) > 1e-12);
}

#[test]
fn rigid_nodes_share_the_mesh_as_it_is() {
    // Rotations rounded to f32, one of them with a matrix that is off by 1e-7.
    let nodes = r#"[{"children":[1,2,3]},
        {"mesh":0,"rotation":[0,0,0.70710677,0.70710677]},
        {"mesh":0,"rotation":[0.18257418,0.36514837,0.5477226,0.73029673],"translation":[1,2,3]},
        {"mesh":0,"matrix":[0.6,0.8000001,0,0,-0.8,0.6,0,0,0,0,1,0,5,6,7,1]}]"#;
    let bytes = glb_triangle(nodes, SCENES);
    let found = parts(&bytes);
    let plain = glb_triangle(r#"[{"mesh":0}]"#, SCENES);
    assert_eq!(found.meshes, [read(plain, Format::Gltf).mesh]);
    assert!(difference(&bytes, &found) < 1e-6);
    // A quarter turn is exact.
    let turn = found.parts[0].pose.rotation();
    assert_eq!((turn[(0, 1)], turn[(1, 0)], turn[(0, 0)]), (-1.0, 1.0, 0.0));
}

#[test]
fn scaled_and_mirrored_nodes_share_baked_meshes() {
    let nodes = r#"[{"scale":[0.001,0.001,0.001],"children":[1,2,3,4,5,6]},
        {"mesh":0}, {"mesh":0,"rotation":[0.5,0.5,0.5,0.5]},
        {"mesh":0,"matrix":[0.6,0.8000001,0,0,-0.8,0.6,0,0,0,0,1,0,5,6,7,1]},
        {"mesh":0,"scale":[-1,1,1]}, {"mesh":0,"scale":[1,1,-1]}, {"mesh":0,"scale":[1,0,1]}]"#;
    let bytes = glb_triangle(nodes, SCENES);
    let found = parts(&bytes);
    let meshes: Vec<usize> = found.parts.iter().map(|part| part.mesh).collect();
    assert_eq!(meshes, [0, 0, 0, 1, 1, 2]);
    assert!(difference(&bytes, &found) < 1e-9);
    assert_eq!(found.parts[5].pose, Pose::identity());
    assert_eq!(found.notes, ["meshes mirrored by their nodes, with the winding reversed: 2"]);
    assert_eq!(found.meshes[0].triangles(), [[0, 1, 2]]);
    assert_eq!(found.meshes[1].triangles(), [[0, 2, 1]]);
}

#[test]
fn names_are_those_of_nodes_or_meshes() {
    let named = r#"[{"mesh":0,"name":"valve","children":[1,2,3,4]},{"mesh":0},
        {"mesh":0,"name":"valve"},{"mesh":0,"name":"\u00e9 \"x\""},{"mesh":0,"name":" "}]"#;
    let found = parts(glb_triangle(named, SCENES));
    assert_eq!(names(&found.parts), ["valve", "node 1", "valve (2)", "é \"x\"", "node 4"]);
    assert_eq!(found.notes, ["1 names that stood before got a number, such as \"(2)\""]);
    let bytes = glb_triangle(r#"[{"children":[1,2]},{"mesh":0},{"mesh":0}]"#, SCENES);
    let json = json_of(&bytes).replace(r#"{"primitives""#, r#"{"name":"elbow","primitives""#);
    let json = json.replace(r#"{"byteLength":42}"#, &data_of(&bytes));
    assert_eq!(names(&parts(&json).parts), ["elbow", "elbow (2)"]);
    let of = |name: &str| format!(r#"[{{"mesh":0,"name":"{name}"}}]"#);
    let found = parts(glb_triangle(&of(&"é".repeat(1000)), SCENES));
    assert_eq!(found.parts[0].name, "é".repeat(128));
    assert_eq!(found.notes, ["1 names longer than 256 bytes cut"]);
    assert_eq!(parts(glb_triangle(&of(&"a".repeat(256)), SCENES)).notes, [""; 0]);
    let found = parts(glb_triangle("[]", "[]"));
    assert_eq!(names(&found.parts), ["mesh 0"]);
    assert_eq!(found.notes, ["no nodes: all meshes taken as they are"]);
}

/// The JSON of a GLB.
fn json_of(glb: &[u8]) -> String {
    let length = u32::from_le_bytes([glb[12], glb[13], glb[14], glb[15]]) as usize;
    String::from_utf8(glb[20..20 + length].to_vec()).expect("text")
}

/// The buffer of a GLB as a data URI.
fn data_of(glb: &[u8]) -> String {
    let binary = &glb[glb.len() - 44..][..42];
    format!(r#"{{"byteLength":42,"uri":"{}"}}"#, super::gltf::base64(binary))
}

#[test]
fn files_without_parts_are_refused() {
    let refusal = |bytes: &[u8], options: &ReadOptions| {
        read_parts_bytes(bytes, "sample", options).expect_err("invalid").to_string()
    };
    let default = ReadOptions::default();
    for (bytes, message) in [
        (b"".to_vec(), "sample: the file is empty"),
        (b"v 0 0 0\n".to_vec(), "sample: only a glTF file has parts, this is obj"),
        (b"\xff".to_vec(), "sample: no known mesh format, neither by extension nor by content"),
        (glb_triangle("[{}]", SCENES), "sample: the mesh has no triangles"),
        (
            glb_triangle(r#"[{"mesh":0,"name":7}]"#, SCENES),
            "sample: JSON chunk: glTF JSON: invalid type: integer `7`, expected a string",
        ),
        (
            glb_triangle(r#"[{"mesh":7}]"#, SCENES),
            "sample: meshes[7]: there is no such item, the file has 1",
        ),
    ] {
        let found = refusal(&bytes, &default);
        assert!(found.starts_with(message), "{found}");
    }
    // Instances count, though they share a mesh.
    let nodes = r#"[{"children":[1,2,3]},{"mesh":0},{"mesh":0},{"mesh":0}]"#;
    let options = ReadOptions { max_triangles: 2, ..default };
    let found = refusal(&glb_triangle(nodes, SCENES), &options);
    assert!(found.starts_with("sample: 3 triangles or more"), "{found}");
    let folder = tempfile::tempdir().expect("a folder for test files");
    let path = folder.path().join("parts.glb");
    std::fs::write(&path, glb_triangle(nodes, SCENES)).expect("writable");
    assert_eq!(read_parts(&path, &ReadOptions::default()).expect("valid").parts.len(), 3);
    let error = read_parts(folder.path(), &ReadOptions::default()).expect_err("a folder");
    assert!(error.to_string().ends_with("this is a directory, only regular files are read"));
}

/// What a scene of nodes has that is read as one mesh, is read as parts, and the other way round.
#[test]
fn damaged_files_are_read_both_ways_or_not_at_all() {
    let nodes =
        r#"[{"mesh":0,"scale":[2,2,2],"children":[1]},{"mesh":0,"name":"a","scale":[1,3,1]}]"#;
    let bytes = glb_triangle(nodes, SCENES);
    let mut random = Random::new(5);
    let mut outcomes = [0, 0];
    for _ in 0..20_000 {
        let mut damaged = bytes.clone();
        super::damage::mutate(&mut damaged, &mut random);
        let whole = read_bytes(&damaged, Format::Gltf, "damaged");
        let options = ReadOptions { format: Some(Format::Gltf), ..ReadOptions::default() };
        match read_parts_bytes(&damaged, "damaged", &options) {
            Ok(found) => {
                let whole = whole.expect("what has parts is a mesh").mesh;
                let count = |part: &Part| found.meshes[part.mesh].triangles().len();
                assert_eq!(found.parts.iter().map(count).sum::<usize>(), whole.triangles().len());
                outcomes[1] += 1;
            }
            Err(error) => {
                let text = error.to_string();
                assert!(text.starts_with("damaged: "), "{text}");
                assert!(whole.is_err() || text.contains("glTF JSON: "), "{text}");
                outcomes[0] += 1;
            }
        }
    }
    assert!(outcomes.iter().all(|&count| count > 100), "both must occur: {outcomes:?}");
}

#[test]
fn a_scene_with_external_buffers() {
    let folder = tempfile::tempdir().expect("a folder for test files");
    let glb = glb_triangle(r#"[{"mesh":0,"name":"only"}]"#, SCENES);
    let json = json_of(&glb).replace(r#"{"byteLength":42}"#, r#"{"byteLength":42,"uri":"a.bin"}"#);
    let path = folder.path().join("scene.gltf");
    std::fs::write(&path, json).expect("writable");
    std::fs::write(folder.path().join("a.bin"), &glb[glb.len() - 44..]).expect("writable");
    let found = read_parts(&path, &ReadOptions::default()).expect("both files are there");
    assert_eq!(found.meshes, [files::read(&path).expect("valid").mesh]);
    assert_eq!(names(&found.parts), ["only"]);
}
