//! `impinge clash`: scenes, classes, JSON, exit status, errors.

use impinge_models::Shape;
use serde_json::{Value, json};

use crate::harness::Place;

/// A table with parts of all classes: cubes of edge 1, and a small one.
const TABLE: &str = "\
name,file,tx,ty,tz,qx,qy,qz,qw,group
base,cube.obj,0,0,0,0,0,0,1,floor
beside,cube.obj,1,0,0,0,0,0,1,wall
through,cube.obj,0,0.75,0.25,0,0,0,1,wall
within,small.off,0,0,0,0,0,0,1,things
again,cube.obj,0,0,0,0,0,0,1,things
\"near, by\",cube.obj,-1.125,0,0,0,0,0,1,things
far,torus.ply,9,0,0,0,0,0,1,things
";

fn place() -> Place {
    let place = Place::new();
    place.write("scene.csv", TABLE);
    place
}

/// The rows `a b class` of what was printed.
fn rows(lines: &[Value]) -> Vec<String> {
    let row = |line: &Value| {
        let of = |key: &str| line[key].as_str().expect("a text").to_owned();
        format!("{} - {}: {}", of("a"), of("b"), of("class"))
    };
    lines.iter().map(row).collect()
}

#[test]
fn a_table_has_clashes_of_every_class() {
    let place = place();
    let run = place.run("clash scene.csv --json --solids --clearance 0.125").answered(1);
    let lines = run.json();
    assert_eq!(
        rows(&lines),
        [
            "base - beside: touches",
            "base - through: pierces",
            "base - within: inside",
            "base - again: duplicate",
            "base - near, by: too-near",
            "beside - through: touches",
            "beside - again: touches",
            "through - within: too-near",
            "through - again: pierces",
            "through - near, by: too-near",
            "within - again: inside",
            "again - near, by: too-near",
        ]
    );
    assert_eq!((&lines[2]["inner"], &lines[10]["inner"]), (&json!("b"), &json!("a")));
    assert_eq!((&lines[4]["distance"], &lines[4]["contacts_found"]), (&json!(0.125), &json!(0)));
    assert_eq!(lines[0]["contacts"].as_array().map(Vec::len), Some(1));
    assert!(lines[0]["contacts_found"].as_u64() > Some(10));
    assert_eq!(lines[0]["extent"][0][1], json!(-0.5));
    // The same again, whatever else is asked; ids are of the names.
    let again = place.run("clash scene.csv --json --contacts").answered(1).json();
    assert_eq!(rows(&again).len(), 6);
    assert_eq!((&again[0]["id"], &again[1]["id"]), (&lines[0]["id"], &lines[1]["id"]));
    assert_ne!(lines[0]["id"], lines[1]["id"]);
    let all = again[0]["contacts"].as_array().map_or(0, Vec::len) as u64;
    assert_eq!(Some(all), again[0]["contacts_found"].as_u64());
    let capped = place.run("clash scene.csv --json --contacts --cap 3").answered(1).json();
    assert_eq!(capped[0]["contacts"].as_array().map(Vec::len), Some(3));
    let text = place.run("clash scene.csv --clearance 0.125 --solids").answered(1).out;
    assert!(text.starts_with("touches    base and beside, "), "{text}");
    assert!(text.contains("inside     within is inside base\n"), "{text}");
    assert!(text.contains("too-near   base and near, by, 0.125 apart\n"), "{text}");
    let end = ": 3 touches, 2 pierces, 2 inside, 1 duplicate, 4 too-near\n";
    assert!(text.contains("\n7 parts, ") && text.ends_with(end), "{text}");
}

/// What the text lists below a clash is what the JSON has in it.
#[test]
fn text_lists_pairs_of_triangles_too() {
    let place = place();
    let clash = |options: &str| place.run(&format!("clash scene.csv {options}")).answered(1);
    let whole = clash("--json --contacts --clearance 0.125").json();
    let bare: Vec<String> = clash("--clearance 0.125").out.lines().map(str::to_owned).collect();
    assert_eq!(bare.len(), whole.len() + 1, "a line a clash, and the summary");
    for (options, cap) in [("--contacts", usize::MAX), ("--contacts --cap 3", 3)] {
        let mut wanted = Vec::new();
        for (line, text) in whole.iter().zip(&bare) {
            let pairs = line["contacts"].as_array().expect("a list");
            wanted.push(text.clone());
            wanted.extend(
                pairs.iter().take(cap).map(|p| format!("           {} and {}", p[0], p[1])),
            );
            if pairs.len() > cap {
                wanted.push(format!("           and {} more", pairs.len() - cap));
            }
        }
        wanted.extend(bare.last().cloned());
        let found = clash(&format!("{options} --clearance 0.125")).out;
        assert_eq!(found.lines().collect::<Vec<_>>(), wanted, "{options}");
    }
}

#[test]
fn classes_alone_are_the_same() {
    let place = place();
    let options = "clash scene.csv --json --solids --clearance 0.125";
    let whole = place.run(options).answered(1).json();
    let alone = place.run(&format!("{options} --only-class")).answered(1).json();
    assert_eq!(rows(&alone), rows(&whole));
    for (line, with) in alone.iter().zip(whole) {
        let near = line["class"] == "too-near";
        assert_eq!((line.get("contacts_found"), &line["contacts"]), (None, &json!([])));
        assert_eq!(line.get("extent"), with.get("extent").filter(|_| near));
        assert_eq!(["id", "inner", "distance"].map(|key| line[key] == with[key]), [true; 3]);
    }
    let text = place.run("clash scene.csv --only-class").answered(1).out;
    assert!(text.starts_with("touches    base and beside\n"), "{text}");
    for other in [
        "--contacts",
        "--cap 3",
        "--html page.html",
        "--bcf issues.bcf",
        "--bcf-snapshots",
        "--unit 3",
    ] {
        let refused = place.run(&format!("clash scene.csv --only-class {other}"));
        assert_eq!(refused.status, 2, "{other}");
    }
}

#[test]
fn what_may_clash_is_left_out() {
    let place = place();
    let touching = place.run("clash scene.csv --json --touching-ok").answered(1).json();
    assert_eq!(
        rows(&touching),
        ["base - through: pierces", "base - again: duplicate", "through - again: pierces"]
    );
    place.write("known.csv", "# known\nbase, through\nagain,base\n\"through\",again\n");
    let run = place.run("clash scene.csv --touching-ok --ignore known.csv").answered(0);
    assert!(run.out.ends_with(": no clash\n"), "{}", run.out);
    let groups = |words: &str| place.run(&format!("clash scene.csv --json --groups {words}"));
    assert_eq!(rows(&groups("floor,wall").answered(1).json()).len(), 2);
    assert_eq!(groups("floor,wall").json(), groups("wall,floor").json());
    assert_eq!(rows(&groups("wall,wall").answered(1).json()), ["beside - through: touches"]);
    groups("floor,floor").answered(0);
}

/// A scene that has nothing but touching parts.
#[test]
fn what_touches_is_a_clash_unless_it_may() {
    let place = Place::new();
    let rows: Vec<&str> = TABLE.lines().take(3).collect();
    place.write("touching.csv", rows.join("\n"));
    let lines = place.run("clash touching.csv --json").answered(1).json();
    assert_eq!(self::rows(&lines), ["base - beside: touches"]);
    let run = place.run("clash touching.csv --json --touching-ok").answered(0);
    assert_eq!(run.out, "");
}

/// With every class, several groups, a part that cannot be read, and all contacts listed.
#[test]
fn the_number_of_threads_changes_no_byte() {
    let place = place();
    place.run("make plant --parts 60 --flush 0.5 -o plant").answered(0);
    place.write("broken.obj", "v 0 0 zero\n");
    place.write("lost.csv", format!("{TABLE}lost,broken.obj,0,0,0,0,0,0,1,things\n"));
    let asked = "--json --solids --clearance 0.125 --contacts";
    for (scene, status) in
        [("lost.csv", 2), ("lost.csv --groups wall,things", 2), ("plant/scene.csv", 1)]
    {
        let with = |threads: &str| {
            let mut command = place.command(&format!("clash {scene} {asked}"));
            let output = command.env("RAYON_NUM_THREADS", threads).output().expect("it ends");
            assert_eq!(output.status.code(), Some(status), "{scene}: {threads}");
            assert!(output.stdout.len() > 2_000, "{scene}: {} bytes", output.stdout.len());
            (output.stdout, output.stderr)
        };
        let one = with("1");
        for threads in ["2", "5"] {
            assert!(with(threads) == one, "{scene}: {threads} threads print something else");
        }
    }
}

/// A list of pairs that may clash serves every choice of groups: it may name all parts.
#[test]
fn exceptions_may_name_parts_of_other_groups() {
    let place = place();
    place.write("known.csv", "within,again\nbase,again\nbase,through\n");
    let asked = "clash scene.csv --json --groups floor,wall --ignore known.csv";
    assert_eq!(rows(&place.run(asked).answered(1).json()), ["base - beside: touches"]);
    place.write("known.csv", "base,again\nagain,through\n");
    let asked = "clash scene.csv --json --groups wall,things --ignore known.csv";
    assert_eq!(rows(&place.run(asked).answered(1).json()), ["beside - again: touches"]);
    place.write("known.csv", "base,through\nagain,roof\n");
    let run = place.run("clash scene.csv --groups floor,wall --ignore known.csv");
    assert_eq!(run.status, 2);
    assert_eq!(run.err, "impinge: known.csv: line 2: no part is called \"roof\"\n");
}

#[test]
fn files_and_stored_meshes_are_parts_too() {
    let place = place();
    place.run("prepare cube.obj -o cube.impinge").answered(0);
    let run = place.run("clash cube.impinge small.off torus.ply --solids --json").answered(1);
    assert_eq!(
        rows(&run.json()),
        [
            "cube.impinge - small.off: inside",
            "cube.impinge - torus.ply: pierces",
            "small.off - torus.ply: pierces",
        ]
    );
    let groups = place.run("clash cube.impinge small.off --solids --groups cube,small").answered(1);
    assert!(groups.out.starts_with("inside "), "{}", groups.out);
}

/// A part that cannot be read is named, and the others are answered.
#[test]
fn a_part_that_cannot_be_read_stops_nothing_else() {
    let place = place();
    place.write("broken.obj", "v 0 0 zero\n");
    place.write("lost.csv", format!("{TABLE}lost,broken.obj,0,0,0,0,0,0,1,things\n"));
    let run = place.run("clash lost.csv --json");
    assert_eq!(run.status, 2);
    assert!(run.err.starts_with("impinge: lost: broken.obj: line 1: coordinate z"), "{}", run.err);
    let lines = run.json();
    assert_eq!(lines[0]["error"]["place"], "lost");
    assert_eq!(lines.len(), 7);
    // Names of parts that were left out may stand in the list of exceptions.
    place.write("known.csv", "lost,base\n");
    assert_eq!(place.run("clash lost.csv --ignore known.csv").status, 2);
}

/// So are glTF files, tables, and rows of tables; where the group is not known, in every choice of groups.
#[test]
fn files_and_rows_that_cannot_be_read_stop_nothing_else() {
    let place = place();
    let rows = "odd,cube.obj,0,0,x,0,0,0,1,wall\n,cube.obj,0,0,0,0,0,0,1,wall\n";
    place.write("scene.csv", format!("{TABLE}{rows}"));
    place.write("bad.glb", "glTF");
    place.write("bad.csv", "name,file\n");
    place.write("known.csv", "odd,bad.glb\nbase,through\n");
    let bare = place.run("clash scene.csv bad.glb none.csv none.gltf bad.csv --json");
    let run = |options: &str| {
        let paths = "scene.csv bad.glb none.csv none.gltf bad.csv cube.obj none.obj";
        let run = place.run(&format!("clash {paths} --json {options}"));
        assert_eq!(run.status, 2, "{run:?}");
        let (errors, clashes): (Vec<_>, Vec<_>) =
            run.json().into_iter().partition(|line| line.get("error").is_some());
        let of = |line: &Value| line["error"]["place"].as_str().expect("a text").to_owned();
        (errors.iter().map(of).collect::<Vec<_>>(), self::rows(&clashes), run.err)
    };
    let (places, clashes, text) = run("");
    let row = "scene.csv: line 10";
    assert_eq!(places, ["odd", row, "bad.glb", "none.csv", "none.gltf", "bad.csv", "none.obj"]);
    assert!(clashes.len() > 6 && clashes.contains(&"base - cube.obj: duplicate".to_owned()));
    assert!(
        text.starts_with("impinge: odd: scene.csv: line 9: tz is \"x\", not a number\n"),
        "{text}"
    );
    assert!(text.contains("impinge: bad.csv: bad.csv: line 1: the header has no column"), "{text}");
    assert_eq!(bare.json().len(), 6 + 6, "{bare:?}");
    let (places, clashes, _) = run("--groups floor,wall --ignore known.csv");
    assert_eq!(
        (places, clashes.len()),
        (["odd", row, "none.csv", "bad.csv"].map(str::to_owned).into(), 1)
    );
    // Whether a part is in a group of this name is not known.
    let (places, clashes, _) = run("--groups floor,roof");
    assert_eq!(
        (places, clashes.len()),
        ([row, "none.csv", "bad.csv"].map(str::to_owned).into(), 0)
    );
}

#[test]
fn errors_name_file_and_place() {
    let place = place();
    let error = |arguments: &str| {
        let run = place.run(&format!("clash {arguments}"));
        assert_eq!(run.status, 2, "{arguments}: {run:?}");
        run.err
    };
    let twice = error("cube.obj cube.obj");
    assert_eq!(twice, "impinge: cube.obj: parts 1 and 2 of the scene have this name\n");
    let group = error("scene.csv --groups wall,roof");
    assert!(group.ends_with("no part is in group \"roof\"; there are floor, things, wall\n"));
    place.write("known.csv", "base,beside\nbase,roof\n");
    let unknown = error("scene.csv --ignore known.csv");
    assert_eq!(unknown, "impinge: known.csv: line 2: no part is called \"roof\"\n");
    place.write("known.csv", "\n\n# known\nbase,beside\r\n\r\nbase,roof\r\n");
    let unknown = error("scene.csv --ignore known.csv");
    assert_eq!(unknown, "impinge: known.csv: line 6: no part is called \"roof\"\n");
    place.write("known.csv", "base\n");
    assert!(error("scene.csv --ignore known.csv").contains("known.csv: line 1: 1 names"));
    // A part is a file, never standard input.
    place.write("dash.csv", "name,file,tx,ty,tz,qx,qy,qz,qw\nx,-,0,0,0,0,0,0,1\n");
    assert!(error("dash.csv").contains("./-: "));
    #[cfg(unix)]
    assert!(error("scene.csv --ignore /dev/zero").contains("only regular files are read"));
    assert!(error("none.csv").starts_with("impinge: none.csv: "));
    place.write("bad.csv", "name,file,tx,ty,tz,qx,qy,qz,qw\na,cube.obj,0,0,x,0,0,0,1\n");
    assert!(error("bad.csv").contains("bad.csv: line 2"));
    place.write("bad.csv", format!("{TABLE}far,torus.ply,9,0,0,0,0,0,1,things\n"));
    let twice = error("bad.csv");
    assert_eq!(twice, "impinge: bad.csv: line 9: the name \"far\" stands in line 8 already\n");
    assert!(error("").contains("PATH"));
}

/// A pair without an answer ends the list after all pairs before it, though others were asked about early.
#[test]
fn clashes_before_an_error_are_printed() {
    let place = place();
    let row = |(number, x)| format!("{number},cube.obj,{x},0,0,0,0,0,1\n");
    let places = ["0", "9e299", "0", "0.5", "-9e299", "0", "0"];
    let lines: String = places.into_iter().enumerate().map(row).collect();
    place.write("wide.csv", format!("name,file,tx,ty,tz,qx,qy,qz,qw\n{lines}"));
    let run = place.run("clash wide.csv --clearance 1e307 --json");
    assert_eq!(run.status, 2);
    assert!(
        run.err.starts_with("impinge: 1 and 4: the pose moves mesh B out of range"),
        "{}",
        run.err
    );
    let mut lines = run.json();
    assert_eq!(lines.pop().expect("an error")["error"]["place"], "1 and 4");
    let [far, same, over] = ["too-near", "duplicate", "pierces"];
    let all = [[0, 1], [0, 2], [0, 3], [0, 4], [0, 5], [0, 6], [1, 2], [1, 3]];
    let classes = [far, same, over, far, same, same, far, far];
    let wanted: Vec<_> =
        all.iter().zip(classes).map(|([a, b], class)| format!("{a} - {b}: {class}")).collect();
    assert_eq!(rows(&lines), wanted);
}

/// The nodes of a glTF file are the parts; two files of nodes with the same names get along.
#[test]
fn the_nodes_of_a_gltf_file_are_parts() {
    let place = place();
    let mesh = Shape::Cube.mesh(12, 0);
    let (text, bytes) = gltf(&mesh);
    place.write("two.gltf", text);
    place.write("two.bin", bytes);
    let run = place.run("clash two.gltf --json").answered(1);
    assert_eq!(rows(&run.json()), ["left - right: touches"]);
    std::fs::copy(place.path("two.gltf"), place.path("other.gltf")).expect("copied");
    let run = place.run("clash two.gltf other.gltf --json --groups two,other").answered(1);
    assert_eq!(
        rows(&run.json()),
        [
            "two.gltf/left - other.gltf/left: duplicate",
            "two.gltf/left - other.gltf/right: touches",
            "two.gltf/right - other.gltf/left: touches",
            "two.gltf/right - other.gltf/right: duplicate",
        ]
    );
}

/// A program may give any name; quotes hold it.
#[test]
fn quoted_names_may_clash() {
    let place = place();
    let (text, bytes) = gltf(&Shape::Cube.mesh(12, 0));
    let text = text.replace("\"left\"", "\" #1, \\\"x\\\" \"");
    place.write("two.gltf", text.replace("right", &"r".repeat(300)));
    place.write("two.bin", bytes);
    let cut = "r".repeat(256);
    place.write("known.csv", format!("\" #1, \"\"x\"\" \" , {cut}\n"));
    let run = place.run("clash two.gltf --ignore known.csv");
    assert_eq!(run.err, "impinge: two.gltf: 1 names longer than 256 bytes cut\n");
    assert!(run.status == 0 && run.out.ends_with(": no clash\n"), "{run:?}");
    place.write("known.csv", format!("\"#1, \"\"x\"\" \",{cut}\n"));
    let run = place.run("clash two.gltf --ignore known.csv");
    assert_eq!(run.status, 2);
    assert!(run.err.ends_with("known.csv: line 1: no part is called \"#1, \"x\" \"\n"), "{run:?}");
}

/// The limit of triangles is that of every file.
#[test]
fn gltf_files_keep_to_the_limit_of_triangles() {
    let place = place();
    let (text, bytes) = gltf(&Shape::Cube.mesh(12, 0));
    place.write("two.gltf", text);
    place.write("two.bin", bytes);
    place.run("clash two.gltf --max-triangles 24").answered(1);
    let words = ["two.gltf: 24 triangles or more", "at most 23", "limit with --max-triangles"];
    place.run("clash two.gltf --max-triangles 23").refused(&words);
}

/// A file with two nodes of one mesh, side by side, and its buffer.
fn gltf(mesh: &impinge::Mesh) -> (String, Vec<u8>) {
    let mut bytes = Vec::new();
    for p in mesh.vertices() {
        p.coords.iter().for_each(|x| bytes.extend((*x as f32).to_le_bytes()));
    }
    let indices = bytes.len();
    mesh.triangles().iter().flatten().for_each(|v| bytes.extend(v.to_le_bytes()));
    let text = json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "nodes": [0, 1] }],
        "nodes": [
            { "name": "left", "mesh": 0 },
            { "name": "right", "mesh": 0, "translation": [1.0, 0.0, 0.0] },
        ],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1 }] }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": mesh.vertices().len(), "type": "VEC3",
              "min": [-0.5, -0.5, -0.5], "max": [0.5, 0.5, 0.5] },
            { "bufferView": 1, "componentType": 5125, "count": 3 * mesh.triangles().len(),
              "type": "SCALAR" },
        ],
        "bufferViews": [
            { "buffer": 0, "byteOffset": 0, "byteLength": indices },
            { "buffer": 0, "byteOffset": indices, "byteLength": bytes.len() - indices },
        ],
        "buffers": [{
            "byteLength": bytes.len(),
            "uri": "two.bin",
        }],
    });
    (text.to_string(), bytes)
}
