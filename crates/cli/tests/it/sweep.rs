//! `impinge check --sweep`: text, JSON, exit status, errors.

use serde_json::Value;

use crate::harness::Place;

const DOWN: &str = "--pose 0,0,3,0,0,0,1 --sweep 0,0,-1,0,0,0,1";

/// The interval of the first contact.
fn interval(sweep: &Value) -> [f64; 2] {
    ["low", "high"].map(|key| sweep[key].as_f64().expect("a number"))
}

#[test]
fn the_first_contact_of_a_fall_is_at_its_time() {
    let place = Place::new();
    let run = place.run(&format!("check cube.obj cube.obj {DOWN} --json")).answered(1);
    let line = &run.json()[0];
    assert_eq!(
        (&line["verdict"], &line["sweep"]["outcome"]),
        (&"separated".into(), &"touching".into())
    );
    let [low, high] = interval(&line["sweep"]);
    assert!(low <= 0.5 && 0.5 <= high && high - low < 1e-6, "{line}");
    assert_eq!(line["sweep"]["distance"], 0.0);
    assert_eq!(line["sweep"]["triangles"].as_array().map(Vec::len), Some(2));
    let text = place.run(&format!("check cube.obj cube.obj {DOWN}")).answered(1).out;
    assert!(
        text.starts_with("separated: ") && text.contains("first in contact between times 0."),
        "{text}"
    );
    assert!(text.contains(" of cube.obj meets triangle "), "{text}");
}

#[test]
fn nearness_on_the_way_is_told_by_distance() {
    let place = Place::new();
    let asked = format!("check cube.obj cube.obj {DOWN} --nearer-than 1");
    let line = &place.run(&format!("{asked} --json")).answered(1).json()[0];
    let [low, high] = interval(&line["sweep"]);
    assert!(low <= 0.25 && 0.25 <= high && high - low < 1e-6, "{line}");
    assert_eq!(line["nearer_than"]["nearer"], false);
    let text = place.run(&asked).answered(1).out;
    assert!(text.contains("first at most 1 apart between times "), "{text}");
}

#[test]
fn a_free_way_has_a_gap_and_status_0() {
    let place = Place::new();
    let asked = "check cube.obj cube.obj --pose 3,0,0,0,0,0,1 --sweep 0,3,0,0,0,0.6,0.8";
    for course in ["", " --screw"] {
        let run = place.run(&format!("{asked}{course} --json")).answered(0);
        let sweep = &run.json()[0]["sweep"];
        let of = |key: &str| sweep[key].as_f64().expect("a number");
        assert!(sweep["outcome"] == "free" && 0.0 < of("gap") && of("gap") <= of("nearest"));
        let text = place.run(&format!("{asked}{course}")).answered(0).out;
        assert!(
            text.contains("never nearer than 0.") || text.contains("never nearer than 1."),
            "{text}"
        );
    }
    // A screw takes another way: about the middle of the circle through both places.
    let way = "check cube.obj cube.obj --pose -2,-2,0,0,0,0,1 --sweep 2,-2,0,0,0,1,0";
    place.run(way).answered(0);
    place.run("check cube.obj cube.obj --pose -2,0,0,0,0,0,1 --sweep 2,0,0,0,0,1,0").answered(1);
    place
        .run("check cube.obj cube.obj --pose -2,0,0,0,0,0,1 --sweep 2,0,0,0,0,1,0 --screw")
        .answered(0);
}

#[test]
fn contact_at_the_start_counts_and_so_does_being_inside() {
    let place = Place::new();
    let away = "--sweep 9,0,0,0,0,0,1";
    let run = place.run(&format!("check cube.obj cube.obj --pose 1,0,0,0,0,0,1 {away} --json"));
    assert_eq!(interval(&run.answered(1).json()[0]["sweep"]), [0.0, 0.0]);
    let still = "check cube.obj small.off --sweep 0.1,0,0,0,0,0.6,0.8";
    place.run(still).answered(0);
    let run = place.run(&format!("{still} --solids --json")).answered(1);
    assert_eq!(interval(&run.json()[0]["sweep"]), [0.0, 0.0]);
}

#[test]
fn wrong_sweeps_are_refused() {
    let place = Place::new();
    for (arguments, words) in [
        ("cube.obj cube.obj --sweep 1,2", ["--sweep", "7 numbers"]),
        ("cube.obj cube.obj --screw", ["--sweep", "required"]),
        ("cube.obj --self --sweep 0,0,1,0,0,0,1", ["--sweep", "--self"]),
        ("cube.obj cube.obj --sweep 0,0,1,0,0,0,1 --poses p.txt", ["--sweep", "--poses"]),
        ("cube.obj cube.obj --sweep 0,0,1,0,0,0,1 --touching-ok", ["--sweep", "--touching-ok"]),
        ("cube.obj sheet.off --sweep 0,0,1,0,0,0,1 --solids", ["sheet.off", "not a solid"]),
        (
            "cube.obj cube.obj --pose 9e299,0,0,0,0,0,1 --sweep -9e299,0,0,0,0,0,1",
            ["check", "1e300"],
        ),
    ] {
        place.run(&format!("check {arguments}")).refused(&words);
    }
}
