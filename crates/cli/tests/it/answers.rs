//! Verdicts, contacts, distances: the text, the JSON and the exit status.

use crate::harness::Place;
use serde_json::{Value, json};

#[test]
fn separated_is_status_0() {
    let place = Place::new();
    let run = place.run("check cube.obj torus.ply --pose 2,0,0,0,0,0,1").answered(0);
    assert_eq!(run.out, "separated: cube.obj and torus.ply have no point in common\n");
}

#[test]
fn intersecting_is_status_1_and_names_a_pair() {
    let place = Place::new();
    let run = place.run("check cube.obj torus.ply --pose 0.5,0,0,0,0,0,1").answered(1);
    assert!(run.out.starts_with("intersecting: triangle "), "{run:?}");
    assert!(run.out.contains(" of cube.obj meets triangle "), "{run:?}");
    assert!(run.out.ends_with(" of torus.ply\n"), "{run:?}");
}

#[test]
fn without_a_pose_b_stays_where_it_is() {
    let place = Place::new();
    place.run("check cube.obj cube.obj").answered(1);
    place.run("check cube.obj small.off").answered(0);
}

#[test]
fn touching_counts() {
    let place = Place::new();
    place.run("check cube.obj cube.obj --pose 1,1,1,0,0,0,1").answered(1);
    place.run("check cube.obj cube.obj --pose 1.0000000000000002,1,1,0,0,0,1").answered(0);
}

#[test]
fn contained_needs_solids() {
    let place = Place::new();
    place.run("check cube.obj small.off").answered(0);
    let run = place.run("check cube.obj small.off --solids").answered(1);
    assert_eq!(run.out, "contained: small.off, or a part of it, lies inside cube.obj\n");
    let line = &place.run("check small.off cube.obj --solids --json").answered(1).json()[0];
    assert_eq!((&line["verdict"], &line["inner"]), (&json!("contained"), &json!("a")));
    let run = place.run("check cube.obj small.off --solids --pose 5,0,0,0,0,0,1").answered(0);
    assert!(run.out.contains("neither lies inside"), "{run:?}");
}

#[test]
fn json_has_the_promised_keys() {
    let place = Place::new();
    let run = place
        .run("check cube.obj torus.ply --pose 0.5,0,0,0,0,0,1 --contacts --distance --json --count")
        .answered(1);
    let lines = run.json();
    assert_eq!(lines.len(), 1);
    let line = &lines[0];
    assert_eq!(line["pose"], 0);
    assert_eq!(line["verdict"], "intersecting");
    let contacts = line["contacts"].as_array().expect("an array");
    assert_eq!(line["contacts_found"], contacts.len());
    assert!(contacts.len() > 10);
    let pair = |v: &Value| (v[0].as_u64().expect("a"), v[1].as_u64().expect("b"));
    assert!(contacts.windows(2).all(|w| pair(&w[0]) < pair(&w[1])), "not in order");
    assert_eq!(line["distance"]["value"], 0.0);
    assert_eq!(line["distance"]["on_a"].as_array().expect("a point").len(), 3);
    let method = &line["methods"]["wide"];
    assert_eq!(method["kind"], "exact");
    assert_eq!(method["verdict"], "intersecting");
    assert_eq!((&method["certainty"], &method["backend"]), (&json!("exact"), &json!("cpu")));
    assert!(method["time_ns"].as_u64().expect("a time") > 0);
    assert!(method["stats"]["volume_tests"].as_u64().expect("a count") > 0);
    assert!(method["stats"]["primitive_tests"].as_u64().expect("a count") > 0);
}

#[test]
fn json_without_options_is_small() {
    let place = Place::new();
    let line = &place.run("check cube.obj cube.obj --pose 0.5,0,0,0,0,0,1 --json").json()[0];
    assert_eq!(line["contacts"].as_array().expect("the one found").len(), 1);
    for absent in ["contacts_found", "distance", "details", "faces", "inner", "line", "disagree"] {
        assert!(line.get(absent).is_none(), "{absent} in {line}");
    }
    assert_eq!(line["methods"]["obbtree"]["stats"], Value::Null);
}

#[test]
fn a_cap_gives_the_first_contacts() {
    let place = Place::new();
    let asked = "check cube.obj torus.ply --pose 0.5,0,0,0,0,0,1 --json";
    let all = place.run(&format!("{asked} --contacts")).json()[0].clone();
    let few = place.run(&format!("{asked} --cap 3")).json()[0].clone();
    let prefix = &all["contacts"].as_array().expect("an array")[..3];
    assert_eq!(few["contacts"].as_array().expect("an array"), prefix);
    assert_eq!(few["contacts_found"], all["contacts_found"]);
    let run = place.run("check cube.obj torus.ply --pose 0.5,0,0,0,0,0,1 --cap 3").answered(1);
    let more = all["contacts_found"].as_u64().expect("a count") - 3;
    assert!(run.out.ends_with(&format!("and {more} more\n")), "{run:?}");
    assert_eq!(run.out.lines().count(), 5, "{run:?}");
}

#[test]
fn details_are_parallel_to_contacts() {
    let place = Place::new();
    let line =
        &place.run("check cube.obj cube.obj --pose 0.25,0.5,0,0,0,0,1 --details --json").json()[0];
    let (contacts, details) = (&line["contacts"], &line["details"]);
    assert_eq!(contacts.as_array().map(Vec::len), details.as_array().map(Vec::len));
    for detail in details.as_array().expect("an array") {
        let points = detail["points"].as_array().expect("points").len();
        match detail["kind"].as_str().expect("a kind") {
            "point" => assert_eq!(points, 1),
            "segment" => assert_eq!(points, 2),
            "polygon" => assert!((3..=6).contains(&points)),
            kind => panic!("{kind}"),
        }
        assert_eq!(detail["normal"].as_array().expect("a vector").len(), 3);
    }
}

#[test]
fn polygons_are_named() {
    let place = Place::new();
    let asked = "check quads.obj quads.obj --pose 0.5,0.25,0.125,0,0,0,1 --contacts --json";
    let line = &place.run(asked).answered(1).json()[0];
    let faces = line["faces"].as_array().expect("polygon pairs");
    assert_eq!(faces.len(), line["contacts"].as_array().expect("contacts").len());
    for (contact, face) in line["contacts"].as_array().expect("contacts").iter().zip(faces) {
        for k in 0..2 {
            // Two triangles per square, in file order.
            assert_eq!(contact[k].as_u64().map(|t| t / 2), face[k].as_u64());
        }
    }
    let run = place.run("check quads.obj quads.obj --pose 0.5,0.25,0.125,0,0,0,1").answered(1);
    assert!(run.out.contains("(of polygon "), "{run:?}");
}

#[test]
fn distance_and_clearance() {
    let place = Place::new();
    let asked = "check cube.obj cube.obj --pose 3,0,0,0,0,0,1";
    let line = &place.run(&format!("{asked} --distance --json")).answered(0).json()[0];
    assert_eq!(line["distance"]["value"], 2.0);
    assert_eq!(
        (&line["distance"]["on_a"][0], &line["distance"]["on_b"][0]),
        (&json!(0.5), &json!(2.5))
    );
    let run = place.run(&format!("{asked} --distance")).answered(0);
    assert!(run.out.contains("distance 2 from (0.5, "), "{run:?}");
    let run = place.run(&format!("{asked} --nearer-than 2")).answered(1);
    assert!(run.out.starts_with("separated") && run.out.contains("at most 2 apart"), "{run:?}");
    let run = place.run(&format!("{asked} --nearer-than 1.999")).answered(0);
    assert!(run.out.contains("more than 1.999 apart"), "{run:?}");
    let line = &place.run(&format!("{asked} --nearer-than 2 --json")).answered(1).json()[0];
    assert_eq!(line["nearer_than"], json!({"value": 2.0, "nearer": true}));
    assert_eq!(line["verdict"], "separated");
}

#[test]
fn wholly_inside_or_not() {
    let place = Place::new();
    for (files, x, inside, exit) in [
        ("cube.obj small.off", "0", true, 1),
        ("small.off cube.obj", "0", false, 1),
        ("cube.obj cube.obj", "0", false, 1),
        ("cube.obj small.off", "9", false, 0),
    ] {
        let asked = format!("check {files} --contains --pose {x},0,0,0,0,0,1");
        let run = place.run(&asked).answered(exit);
        let (a, b) = files.split_once(' ').expect("two");
        let is = if inside { "is" } else { "is not" };
        assert!(run.out.contains(&format!("{b} {is} wholly inside {a}\n")), "{run:?}");
        let line = &place.run(&format!("{asked} --json --method all")).answered(exit).json()[0];
        assert_eq!(line["contains"], json!(inside));
        assert_eq!(line["methods"]["obbtree"]["contains"], json!(inside));
    }
}

#[test]
fn all_methods_side_by_side() {
    let place = Place::new();
    let asked =
        "check cube.obj torus.ply --pose 0.5,0,0,0,0,0,1 --method all --contacts --distance";
    let line = &place.run(&format!("{asked} --json")).answered(1).json()[0];
    let listed = place.run("methods --json").json()[0]["methods"].clone();
    let listed = listed.as_array().expect("an array");
    let methods = line["methods"].as_object().expect("an object");
    assert_eq!(methods.len(), listed.len());
    for row in listed {
        let method = &methods[row["method"].as_str().expect("a word")];
        assert_eq!(method["kind"], row["kind"]);
        if row["method"] == "gjk" {
            // A torus is not convex: the error is reported in place of the verdict.
            assert_eq!(method["verdict"], json!(null));
            assert!(method["error"].as_str().is_some_and(|why| why.contains("reflex")), "{method}");
        } else {
            assert_eq!(method["verdict"], "intersecting", "{row}");
        }
    }
    assert_eq!(methods["parry"]["unanswered"], json!(["contacts"]));
    assert_eq!(methods["parry"]["certainty"], "unproven");
    assert_eq!(methods["parry-pairs"]["unanswered"], json!(["distance"]));
    assert!(line.get("disagree").is_none());
    let run = place.run(asked).answered(1);
    assert!(run.out.contains("\n  parry: intersecting, "), "{run:?}");
}

#[test]
fn a_wrong_outside_method_is_shown() {
    // A gap of 1e-9 between two sheets: easy in exact arithmetic, too small for f32.
    let place = Place::new();
    let asked = "check sheet.off sheet.off --pose 0.25,0.25,1e-9,0,0,0,1 --method all";
    let run = place.run(asked).answered(0);
    assert!(run.out.starts_with("separated"), "{run:?}");
    assert!(run.out.contains("(DISAGREES)"), "{run:?}");
    let line = &place.run(&format!("{asked} --json")).answered(0).json()[0];
    assert_eq!(line["verdict"], "separated");
    assert!(!line["disagree"].as_array().expect("the wrong ones").is_empty());
}

#[test]
fn a_method_that_cannot_is_shown_among_all_and_refused_alone() {
    let place = Place::new();
    let line =
        &place.run("check cube.obj small.off --solids --method all --json").answered(1).json()[0];
    assert_eq!(line["verdict"], "contained");
    assert_eq!(line["methods"]["parry"]["verdict"], Value::Null);
    assert!(line["methods"]["parry"]["error"].as_str().expect("why").contains("solids"));
    place.run("check cube.obj small.off --solids --method parry").refused(&["parry", "solids"]);
    place.run("check cube.obj small.off --contacts --method parry").refused(&["all contacts"]);
}

#[test]
fn a_mesh_meets_itself_or_does_not() {
    let place = Place::new();
    let run = place.run("check torus.ply --self").answered(0);
    assert_eq!(run.out, "separated: torus.ply does not intersect itself\n");
    let crossed = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0.2 0.2 -1\nv 0.3 0.2 1\nv 0.2 0.3 1\n\
                   f 1 2 3\nf 4 5 6\n";
    place.write("crossed.obj", crossed);
    let run = place.run("check crossed.obj --self").answered(1);
    let sentence = "triangle 0 of crossed.obj meets triangle 1 of crossed.obj";
    assert_eq!(run.out, format!("intersecting: {sentence}\n"));
    let run = place.run("check crossed.obj --self --contacts").answered(1);
    let listed = "intersecting: 1 pair of triangles meets in crossed.obj\n  0 and 1\n";
    assert_eq!(run.out, listed);
    let asked = "check crossed.obj --self --method all";
    let run = place.run(asked).answered(1);
    let unanswered = "parry: does not answer: contacts of a mesh with itself\n";
    assert!(run.out.contains(unanswered), "{run:?}");
    let line = &place.run(&format!("{asked} --contacts --json")).answered(1).json()[0];
    assert_eq!((&line["contacts"], &line["contacts_found"]), (&json!([[0, 1]]), &json!(1)));
    assert_eq!(line["methods"]["kdop"]["verdict"], "intersecting");
    assert_eq!(line["methods"]["parry"]["verdict"], Value::Null);
    place.run("check crossed.obj --self --method parry").refused(&["parry", "itself"]);
    place.run("check crossed.obj torus.ply --self").refused(&["--self"]);
    place.run("check crossed.obj --self --distance").refused(&["--self"]);
    for option in ["--screw", "--first-free"] {
        place.run(&format!("check crossed.obj --self {option}")).refused(&["--self", option]);
    }
    place.run("check crossed.obj").refused(&["<B>"]);
}
