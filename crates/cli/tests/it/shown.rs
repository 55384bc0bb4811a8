//! `--picture` and `--export`: what is in the files.

use std::collections::BTreeSet;

use impinge::Mesh;
use impinge_models::files;
use serde_json::{Value, json};

use crate::harness::Place;

const AT: &str = "--pose 0.5,0,0,0,0,0,1";

/// The triangles of A and of B in the contacts of one answer.
fn in_contact(place: &Place, meshes: &str) -> [BTreeSet<u64>; 2] {
    let line = place.run(&format!("check {meshes} --contacts --json")).json()[0].clone();
    let contacts = line["contacts"].as_array().expect("an array").clone();
    [0, 1].map(|side| contacts.iter().map(|c| c[side].as_u64().expect("an index")).collect())
}

#[test]
fn a_picture_shows_both_meshes_and_the_contact() {
    let place = Place::new();
    place.run(&format!("check cube.obj torus.ply {AT} --picture seen.png")).answered(1);
    let file = std::io::BufReader::new(std::fs::File::open(place.path("seen.png")).expect("it"));
    let mut reader = png::Decoder::new(file).read_info().expect("a PNG file");
    let mut pixels = vec![0; reader.output_buffer_size().expect("small")];
    reader.next_frame(&mut pixels).expect("one frame");
    let count = |is: &dyn Fn([i32; 3]) -> bool| {
        let colors = pixels.chunks_exact(4).map(|p| [p[0], p[1], p[2]].map(i32::from));
        colors.filter(|&p| is(p)).count()
    };
    let red = count(&|[r, g, b]| r > 150 && g < 90 && b < 90);
    let blue = count(&|[r, _, b]| b > r + 20);
    let sand = count(&|[r, g, b]| r > b + 30 && g > 90);
    assert!(red > 1_000 && blue > 5_000 && sand > 5_000, "{red} red, {blue} blue, {sand} sand");
}

#[test]
fn no_input_is_written_over() {
    let place = Place::new();
    let before = std::fs::read(place.path("torus.ply")).expect("a file");
    for words in ["torus.ply cube.obj", "cube.obj torus.ply", "torus.ply --self"] {
        let run = place.run(&format!("check {words} --export torus.ply"));
        assert_eq!(run.status, 2, "{words}");
        assert!(run.err.contains("--export: it would replace torus.ply"), "{}", run.err);
    }
    assert_eq!(std::fs::read(place.path("torus.ply")).expect("a file"), before);
}

#[test]
fn an_export_holds_both_meshes_and_where_they_meet() {
    let place = Place::new();
    let meshes = format!("cube.obj torus.ply {AT}");
    let [in_a, in_b] = in_contact(&place, &meshes);
    let faces = |name: &str| -> Mesh {
        place.run(&format!("check {meshes} --export {name}")).answered(1);
        files::read(place.path(name)).expect("a mesh file").mesh
    };
    let torus = files::read(place.path("torus.ply")).expect("a mesh file").mesh;
    let (of_a, of_b) = (48, torus.triangles().len());
    for name in ["x.ply", "x.obj", "x.glb"] {
        let mesh = faces(name);
        assert_eq!(mesh.triangles().len(), of_a + of_b, "{name}");
        let (lower, upper) = mesh.bounds();
        assert!((lower.x + 0.5).abs() < 1e-6 && (upper.x - 1.0).abs() < 1e-6, "{lower} {upper}");
    }
    let text = std::fs::read_to_string(place.path("x.obj")).expect("text");
    let group = |name: &str, statement: &str| {
        let rest = text.split(&format!("g {name}\n")).nth(1).unwrap_or_default();
        let lines = rest.lines().take_while(|line| !line.starts_with("g "));
        lines.filter(|line| line.starts_with(statement)).count()
    };
    assert_eq!(group("a_contact", "f "), in_a.len());
    assert_eq!(group("a", "f "), of_a - in_a.len());
    assert_eq!(group("b_contact", "f "), in_b.len());
    let segments = group("segments", "l ");
    assert!(segments > 10, "{segments}");
    let header = std::fs::read(place.path("x.ply")).expect("bytes");
    let header = String::from_utf8_lossy(&header[..800]).into_owned();
    assert!(header.contains(&format!("element edge {segments}\n")), "{header}");
}

#[test]
fn a_glb_has_a_named_part_for_each_kind_of_contact() {
    let place = Place::new();
    place.run("check quads.obj quads.obj --pose 0.5,1,0,0,0,0,1 --export x.glb").answered(1);
    let bytes = std::fs::read(place.path("x.glb")).expect("bytes");
    let length = u32::from_le_bytes(bytes[12..16].try_into().expect("four")) as usize;
    let document: Value = serde_json::from_slice(&bytes[20..20 + length]).expect("JSON");
    let parts: Vec<(&str, u64)> = (document["meshes"].as_array().expect("parts").iter())
        .map(|mesh| {
            let primitive = &mesh["primitives"][0];
            (mesh["name"].as_str().expect("a name"), primitive["mode"].as_u64().expect("a mode"))
        })
        .collect();
    assert_eq!(
        parts,
        [
            ("a", 4),
            ("a_contact", 4),
            ("b", 4),
            ("b_contact", 4),
            ("polygons", 4),
            ("segments", 1),
            ("points", 0)
        ]
    );
    assert_eq!(document["nodes"][7]["translation"], json!([0.75, 1.0, 0.5]));
}

#[test]
fn a_mesh_against_itself_can_be_shown() {
    let place = Place::new();
    // Two triangles that cross, and one apart.
    place.write(
        "cross.off",
        "OFF\n9 3 0\n0 0 0\n2 0 0\n0 2 0\n0.5 0.5 -1\n0.5 0.5 1\n2 2 1\n5 0 0\n6 0 0\n5 1 0\n\
         3 0 1 2\n3 3 4 5\n3 6 7 8\n",
    );
    place.run("check cross.off --self --export x.obj --picture x.png").answered(1);
    let text = std::fs::read_to_string(place.path("x.obj")).expect("text");
    assert_eq!(text.matches("\nf ").count(), 3);
    assert!(text.contains("g a_contact\nf ") && !text.contains("g b"), "{text}");
    assert_eq!(text.matches("\nl ").count(), 1, "{text}");
}

#[test]
fn a_cap_limits_what_is_printed_and_not_what_is_shown() {
    let place = Place::new();
    let all = place.run(&format!("check cube.obj torus.ply {AT} --export x.obj")).answered(1);
    assert_eq!(all.out.lines().count(), 1, "{all:?}");
    let whole = std::fs::read(place.path("x.obj")).expect("bytes");
    let asked = format!("check cube.obj torus.ply {AT} --cap 2 --json");
    let without = place.run(&asked).json()[0].clone();
    let with = place.run(&format!("{asked} --export x.obj")).answered(1).json()[0].clone();
    assert_eq!(with["contacts"], without["contacts"]);
    assert_eq!(with["contacts_found"], without["contacts_found"]);
    assert!(std::fs::read(place.path("x.obj")).expect("bytes") == whole);
}

#[test]
fn a_name_of_no_format_is_refused_before_any_work() {
    let place = Place::new();
    place.run("check cube.obj torus.ply --export x.stl").refused(&[".ply, .obj or .glb"]);
    place.run("check cube.obj torus.ply --picture x.jpg").refused(&[".png"]);
    place.run("check cube.obj torus.ply --picture no/such/x.png").refused(&["no/such/x.png"]);
    place.run("check cube.obj torus.ply --export no/such/x.ply").refused(&["no/such/x.ply"]);
}

#[test]
fn what_cannot_be_written_leaves_the_answer_and_the_old_file() {
    let place = Place::new();
    place.write("far.obj", "v 0 0 0\nv 1e300 0 0\nv 0 1e300 0\nf 1 2 3\n");
    place.write("tiny.obj", "v 0 0 0\nv 1e-50 0 0\nv 0 1e-50 0\nf 1 2 3\n");
    place.write("old.glb", "as it was");
    for (file, words) in [("far.obj", "32-bit"), ("tiny.obj", "too small")] {
        let run = place.run(&format!("check {file} {file} --export old.glb --json"));
        let run = run.refused(&["old.glb", words]);
        let lines = run.json();
        assert_eq!((lines.len(), &lines[0]["verdict"]), (2, &json!("intersecting")), "{run:?}");
        assert_eq!(lines[1]["error"]["kind"], "file");
        assert_eq!(std::fs::read(place.path("old.glb")).expect("it"), b"as it was");
    }
    // A vertex of no triangle is nowhere.
    place.write("stray.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1e300 0 0\nf 1 2 3\n");
    place.run("check stray.obj stray.obj --export old.glb --picture stray.png").answered(1);
    assert!(files::read(place.path("old.glb")).is_ok());
}
