//! `info`, `methods`, `make`, and the help.

use crate::harness::Place;
use serde_json::json;

#[test]
fn info_of_a_closed_mesh() {
    let place = Place::new();
    let info = place.run("info cube.obj --json").answered(0).json()[0].clone();
    assert_eq!(info["format"], "obj");
    assert_eq!((&info["triangles"], &info["vertices"]), (&json!(48), &json!(26)));
    assert_eq!((&info["closed"], &info["open_edge"]), (&json!(true), &json!(null)));
    assert_eq!((&info["components"], &info["degenerate_triangles"]), (&json!(1), &json!(0)));
    assert!((info["area"].as_f64().expect("an area") - 6.0).abs() < 1e-12);
    assert!((info["volume"].as_f64().expect("a volume") - 1.0).abs() < 1e-12);
    assert_eq!(
        (&info["lower"], &info["upper"]),
        (&json!([-0.5, -0.5, -0.5]), &json!([0.5, 0.5, 0.5]))
    );
    let run = place.run("info cube.obj").answered(0);
    assert!(run.out.contains("48 triangles, 26 vertices"), "{run:?}");
    assert!(run.out.contains("closed"), "{run:?}");
}

#[test]
fn info_of_an_open_mesh_names_the_edge() {
    let place = Place::new();
    let info = place.run("info sheet.off --json").answered(0).json()[0].clone();
    assert_eq!(info["closed"], false);
    assert_eq!(info["boundary_edges"], 4);
    assert_eq!(info["volume"], json!(null));
    assert_eq!((&info["open_edge"]["from"], &info["open_edge"]["to"]), (&json!(0), &json!(1)));
    let run = place.run("info sheet.off").answered(0);
    assert!(run.out.contains("edge between vertices 0 and 1"), "{run:?}");
}

#[test]
fn info_finds_what_may_surprise() {
    let place = Place::new();
    place.write(
        "odd.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 2 0 0\nv 1 0 0\nv 7 7 7\nf 1 2 3\nf 1 2 4\nf 1 5 3\n",
    );
    let info = place.run("info odd.obj --json").answered(0).json()[0].clone();
    assert_eq!(info["degenerate_triangles"], 1);
    assert_eq!(info["duplicate_vertices"], 1);
    assert_eq!(info["unused_vertices"], 1);
    // The first triangle and the last have the same corners.
    assert_eq!((&info["self_contacts"], &info["first_self_contact"]), (&json!(1), &json!([0, 2])));
    let run = place.run("info odd.obj").answered(0);
    assert!(
        run.out.contains("intersects itself: 1 pair of triangles, the first is 0 and 2"),
        "{run:?}"
    );
    assert_eq!(info["closed"], false);
    let info = place.run("info quads.obj --json").answered(0).json()[0].clone();
    assert_eq!((&info["faces"], &info["triangles"]), (&json!(6), &json!(12)));
}

/// Areas and volumes are right as long as they are in the range of f64.
#[test]
fn areas_and_volumes_of_any_size() {
    let place = Place::new();
    let shape = |[x, y, z]: [f64; 3], faces: &str| {
        let text = format!("v 0 0 0\nv {x:e} 0 0\nv 0 {y:e} 0\nv 0 0 {z:e}\n{faces}");
        place.write("shape.obj", text);
        let info = place.run("info shape.obj --json").answered(0).json()[0].clone();
        [info["area"].as_f64(), info["volume"].as_f64()]
    };
    let near = |found: Option<f64>, wanted: f64| match found {
        Some(found) => wanted.is_finite() && (found - wanted).abs() <= 1e-12 * wanted,
        None => wanted.is_infinite(),
    };
    let closed = "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    for edge in [1.0, 1e-75, 1e-82, 1e-100, 1e-150, 1e70, 1e80, 1e102, 1e150, 1e200_f64] {
        let [area, volume] = shape([edge; 3], closed);
        let wanted = f64::midpoint(3.0, 3_f64.sqrt()) * edge * edge;
        assert!(near(area, wanted), "{edge:e}: {area:?} {wanted:e}");
        let wanted = edge * edge * edge / 6.0;
        assert!(near(volume, wanted), "{edge:e}: {volume:?} {wanted:e}");
    }
    // A thin triangle, and one beside an unused vertex far away.
    let [area, _] = shape([1.0, 1e-170, 1.0], "f 1 2 3\n");
    assert!(near(area, 5e-171), "{area:?}");
    let [area, _] = shape([1.0, 1.0, 1e200], "f 1 2 3\n");
    assert!(near(area, 0.5), "{area:?}");
    let [area, volume] = shape([1.0; 3], &format!("{closed}v -1e200 0 0\n"));
    assert!(near(volume, 1.0 / 6.0) && area.is_some(), "{volume:?}");
}

#[test]
fn methods_are_listed() {
    let place = Place::new();
    let run = place.run("methods").answered(0);
    for word in ["obbtree", "parry", "parry-pairs", "exact", "outside", "default: "] {
        assert!(run.out.contains(word), "{word} in {run:?}");
    }
    let rows = place.run("methods --json").answered(0).json()[0]["methods"].clone();
    let rows = rows.as_array().expect("an array");
    assert_eq!(rows.len(), impinge::Method::all().len());
    assert_eq!(rows.iter().filter(|row| row["default"] == true).count(), 1);
}

#[test]
fn make_writes_what_check_reads() {
    let place = Place::new();
    for format in ["obj", "stl", "ply", "off"] {
        let run = place.run(&format!("make gear --triangles 500 -o gear.{format}")).answered(0);
        assert!(run.out.starts_with(&format!("wrote gear.{format}: gear, ")), "{run:?}");
        place.run(&format!("check gear.{format} gear.{format}")).answered(1);
    }
    place.run("make gear -o gear.xyz").refused(&["gear.xyz", "obj"]);
    place.run("make gear -o nowhere/gear.obj").refused(&["nowhere/gear.obj"]);
    place.run("make nosuch -o x.obj").refused(&["nosuch", "torus"]);
    place.run("make gear --triangles 0 -o x.obj").refused(&["--triangles"]);
    place.run("make gear --triangles 999999999999 -o x.obj").refused(&["--triangles"]);
}

#[test]
fn help_teaches() {
    let place = Place::new();
    let run = place.run("--help").answered(0);
    assert!(run.out.contains("impinge make gear"), "{run:?}");
    let run = place.run("check --help").answered(0);
    for word in ["Exit status", "tx,ty,tz,qx,qy,qz,qw", "Examples:", "contacts_found"] {
        assert!(run.out.contains(word), "{word} in {run:?}");
    }
    place.run("--version").answered(0);
}
