//! Stored data survives JSON unchanged. Damaged data is an error, and `validate` finds data of
//! another mesh.

use impinge_decompose::{Decomposition, Options, PatchTree, Strips};
use impinge_geometry::Mesh;
use impinge_models::Shape;
use impinge_threads::Control;
use serde_json::{Value, from_value, json, to_value};

fn made() -> (Mesh, Decomposition) {
    let mesh = Shape::Torus.mesh(300, 0);
    let d = Decomposition::new(&mesh, &Options::default(), &Control::NONE).expect("closed");
    (mesh, d)
}

#[test]
fn there_and_back() {
    let (mesh, d) = made();
    let back: Decomposition = from_value(to_value(&d).expect("writes")).expect("reads");
    assert_eq!(back, d);
    let tree = PatchTree::new(&mesh, &d, &Control::NONE).expect("its own mesh");
    let strips = Strips::of(&tree.root().hull);
    assert_eq!(from_value::<PatchTree>(to_value(&tree).expect("writes")).expect("reads"), tree);
    assert_eq!(from_value::<Strips>(to_value(&strips).expect("writes")).expect("reads"), strips);
}

#[test]
fn damage_is_an_error() {
    let (mesh, d) = made();
    let tree = PatchTree::new(&mesh, &d, &Control::NONE).expect("its own mesh");
    let whole = to_value(&d).expect("writes");
    let damage: [(&str, Value); 7] = [
        ("/patches/0/faces/0", json!(100_000)),
        ("/patches/0/faces/0", whole["patches"][1]["faces"][0].clone()),
        ("/patches/0/faces", json!([])),
        ("/patches/0/hull/vertices/0", json!(77_777)),
        ("/patches/0/hull/faces/0", json!([1, 1, 2])),
        ("/patches/0/hull/faces", json!([])),
        ("/patches", json!([])),
    ];
    for (place, value) in damage {
        let mut bad = whole.clone();
        *bad.pointer_mut(place).expect("there") = value;
        assert!(from_value::<Decomposition>(bad).is_err(), "{place}");
    }
    let whole = to_value(&tree).expect("writes");
    let damage: [(&str, Value); 4] = [
        ("/nodes/0/content", json!({ "children": [0, 1] })),
        ("/nodes/0/content", json!({ "children": [1, 1] })),
        ("/nodes/0/obb/half/0", json!(-1.0)),
        ("/nodes", json!([])),
    ];
    for (place, value) in damage {
        let mut bad = whole.clone();
        *bad.pointer_mut(place).expect("there") = value;
        assert!(from_value::<PatchTree>(bad).is_err(), "{place}");
    }
    for bad in [
        json!({ "vertices": [1, 2], "starts": [0] }),
        json!({ "vertices": [1, 2, 3], "starts": [0, 9] }),
    ] {
        assert!(from_value::<Strips>(bad).is_err());
    }
}

#[test]
fn what_is_whole_but_wrong_does_not_validate() {
    let (mesh, d) = made();
    let whole = to_value(&d).expect("writes");
    d.validate(&mesh).expect("valid");
    assert!(d.validate(&Shape::Torus.mesh(400, 0)).is_err());
    // A face moved to the next patch, an inverted hull, a wrong flag.
    let mut moved = whole.clone();
    let face = moved["patches"][0]["faces"].as_array_mut().and_then(Vec::pop).expect("a face");
    moved["patches"][1]["faces"].as_array_mut().expect("faces").push(face);
    let mut inside_out = whole.clone();
    for f in inside_out["patches"][0]["hull"]["faces"].as_array_mut().expect("faces") {
        f.as_array_mut().expect("corners").swap(0, 1);
    }
    let mut flat = whole;
    flat["patches"][0]["flat"] = json!(true);
    for (what, bad) in [("moved", moved), ("inside out", inside_out), ("flat", flat)] {
        let bad: Decomposition = from_value(bad).expect("whole");
        assert!(bad.validate(&mesh).is_err(), "{what}");
    }
}

#[test]
fn patches_that_could_be_one_do_not_validate() {
    let mesh = Shape::Cube.mesh(12, 0);
    let one = |faces: &[u32], hull: Value| json!({ "faces": faces, "hull": hull, "flat": true });
    let triangle = |f: usize| {
        let corners = mesh.triangles()[f];
        let mut vertices = corners;
        vertices.sort_unstable();
        json!({ "vertices": vertices, "faces": [corners] })
    };
    let patches: Vec<Value> = (0..12).map(|f| one(&[f as u32], triangle(f))).collect();
    let d: Decomposition = from_value(json!({ "patches": patches, "merges": 0 })).expect("whole");
    let error = d.validate(&mesh).expect_err("one patch would do");
    assert!(error.contains("could be merged"), "{error}");
}
