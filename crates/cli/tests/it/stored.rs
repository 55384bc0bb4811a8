//! `impinge prepare`: a stored mesh gives the answers of its file.

use serde_json::Value;

use crate::harness::Place;

#[test]
fn a_stored_mesh_answers_as_its_file() {
    let place = Place::new();
    for name in ["cube.obj", "quads.obj", "torus.ply", "sheet.off"] {
        let stored = format!("{name}.impinge");
        let run = place.run(&format!("prepare {name} -o {stored}")).answered(0);
        assert!(run.out.starts_with(&format!("wrote {stored}: ")), "{run:?}");
        let asked = "--pose 0.4,0.1,0,0,0,0,1 --details --distance --json";
        for (of_file, of_stored) in [
            (
                format!("check {name} torus.ply {asked}"),
                format!("check {stored} torus.ply {asked}"),
            ),
            (format!("check cube.obj {name} {asked}"), format!("check cube.obj {stored} {asked}")),
            (
                format!("check {name} torus.ply --method obbtree {asked}"),
                format!("check {stored} torus.ply --method obbtree {asked}"),
            ),
            (format!("info {name} --json"), format!("info {stored} --json")),
        ] {
            let facts = |arguments: &str| {
                let mut line = place.run(arguments).json()[0].clone();
                for measured in ["a", "b", "methods", "file", "format", "notes"] {
                    line.as_object_mut().expect("an object").remove(measured);
                }
                line
            };
            assert_eq!(facts(&of_stored), facts(&of_file), "{of_stored}");
            assert_ne!(facts(&of_file), Value::Null);
        }
    }
}

#[test]
fn damaged_and_foreign_files_are_refused_by_name() {
    let place = Place::new();
    place.run("prepare torus.ply -o torus.impinge").answered(0);
    let bytes = std::fs::read(place.path("torus.impinge")).expect("written");
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 1;
    place.write("damaged.impinge", &damaged);
    place.write("short.impinge", &bytes[..bytes.len() - 1]);
    place.write("empty.impinge", "");
    place.write("text.impinge", "v 0 0 0\n");
    for name in ["damaged", "short", "empty", "text", "none"] {
        let file = format!("{name}.impinge");
        place.run(&format!("check cube.obj {file}")).refused(&[&file]);
        place.run(&format!("info {file}")).refused(&[&file]);
    }
    place.run("check cube.obj torus.impinge --max-triangles 100").refused(&["--max-triangles"]);
    place.run("prepare torus.ply -o torus.bin").refused(&[".impinge"]);
    place.run("prepare none.ply -o none.impinge").refused(&["none.ply"]);
}

#[test]
fn an_image_answers_as_its_file_and_is_checked() {
    let place = Place::new();
    for name in ["quads.obj", "torus.ply"] {
        let image = format!("{name}.impinge");
        let run = place.run(&format!("prepare {name} --image -o {image}")).answered(0);
        assert!(run.out.starts_with(&format!("wrote {image}: ")), "{run:?}");
        for asked in ["--pose 0.4,0.1,0,0,0,0,1 --details --json", "--distance --json"] {
            let answers = |file: &str| {
                let mut line =
                    place.run(&format!("check {file} cube.obj {asked}")).json()[0].clone();
                line.as_object_mut()
                    .expect("an object")
                    .retain(|key, _| key != "a" && key != "methods");
                line
            };
            assert_eq!(answers(&image), answers(name), "{name} {asked}");
        }
        place.run(&format!("clash {image} cube.obj")).answered(1);
    }
    let bytes = std::fs::read(place.path("torus.ply.impinge")).expect("written");
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 1;
    place.write("damaged.impinge", &damaged);
    place.write("short.impinge", &bytes[..bytes.len() - 1]);
    place.write("mark.impinge", &bytes[..8]);
    for (name, why) in [("damaged", "checksum"), ("short", "cut off"), ("mark", "cut off")] {
        let file = format!("{name}.impinge");
        place.run(&format!("check cube.obj {file}")).refused(&[&file, why]);
    }
    place.run("check cube.obj torus.ply.impinge --max-triangles 100").refused(&["--max-triangles"]);
}

#[test]
fn touching_can_pass() {
    let place = Place::new();
    let beside = "check cube.obj cube.obj --pose 1,0.25,0,0,0,0,1";
    let run = place.run(beside).answered(1);
    assert!(run.out.starts_with("intersecting: triangle "), "{run:?}");
    let run = place.run(&format!("{beside} --touching-ok")).answered(0);
    assert!(run.out.ends_with("\n  they only touch\n"), "{run:?}");
    let inside = "check cube.obj cube.obj --pose 0.9999999999999999,0.25,0,0,0,0,1 --touching-ok";
    let run = place.run(inside).answered(1);
    assert!(run.out.ends_with("\n  they go into each other\n"), "{run:?}");
    let line = &place.run(&format!("{inside} --json")).answered(1).json()[0];
    assert_eq!((&line["verdict"], &line["touching_only"]), (&"intersecting".into(), &false.into()));
    let apart = place.run("check cube.obj cube.obj --pose 3,0,0,0,0,0,1 --touching-ok --json");
    assert!(apart.answered(0).json()[0].get("touching_only").is_none());
    place.run("check cube.obj --self --touching-ok").refused(&["--touching-ok"]);
}
