//! `impinge check --exit`: the text, the JSON and the errors.

use impinge_models::Shape;
use serde_json::Value;

use crate::harness::Place;

/// The interval in which contact ends, and the place that is free.
fn place(exit: &Value) -> [f64; 3] {
    ["low", "high", "by"].map(|key| exit[key].as_f64().expect("a number"))
}

#[test]
fn a_cube_leaves_another_by_as_much_as_it_overlaps() {
    let here = Place::new();
    let asked = "check cube.obj cube.obj --pose 0.875,0.25,0,0,0,0,1 --exit";
    for (direction, end) in [("1,0,0", 0.125), ("-2,0,0", 0.9375), ("0,0,0.5", 2.0)] {
        let exit =
            here.run(&format!("{asked} {direction} --json")).answered(1).json()[0]["exit"].clone();
        let [low, high, by] = place(&exit);
        assert!(low <= end && end <= high && high <= by && by < end * (1.0 + 1e-9), "{exit}");
        assert_eq!(exit["triangles"].as_array().map(Vec::len), Some(2));
        let free: Vec<String> = (0..3).map(|k| exit["translation"][k].to_string()).collect();
        let pose = format!("--pose={},0,0,0,1", free.join(","));
        here.run(&format!("check cube.obj cube.obj {pose} --solids")).answered(0);
    }
    let run = here.run(&format!("{asked} 1,0,0")).answered(1);
    let line = run.out.lines().last().expect("a line");
    assert!(line.starts_with("  cube.obj is out after 0.125"), "{run:?}");
    assert!(line.contains(" × (1, 0, 0), at (1") && line.contains(" meets triangle "), "{run:?}");
}

#[test]
fn the_first_free_place_may_be_before_the_last_contact() {
    let here = Place::new();
    here.write_mesh("bead.obj", &Shape::Cube.mesh(12, 0).scaled(0.1).expect("smaller"));
    // From the wire of the ring into its hole, and beyond the wire at the other side.
    let asked = "check torus.ply bead.obj --solids --pose -0.35,0,0,0,0,0,1 --exit 1,0,0 --json";
    let [_, _, first] =
        place(&here.run(&format!("{asked} --first-free")).answered(1).json()[0]["exit"]);
    let [_, _, last] = place(&here.run(asked).answered(1).json()[0]["exit"]);
    assert!((0.19..0.21).contains(&first) && (0.88..0.91).contains(&last), "{first} {last}");
}

#[test]
fn what_is_inside_is_free_only_as_a_surface() {
    let here = Place::new();
    let asked = "check cube.obj small.off --exit 0,0,-1 --first-free";
    let run = here.run(asked).answered(0);
    assert!(run.out.ends_with("\n  nothing is in the way along (0, 0, -1)\n"), "{run:?}");
    let run = here.run(&format!("{asked} --solids")).answered(1);
    assert!(run.out.contains("\n  small.off is first free after 0.6666"), "{run:?}");
    let run = here.run("check cube.obj sheet.off --solids --exit 0,0,1");
    assert!(run.refused(&["sheet.off", "not a solid"]).out.is_empty());
}

#[test]
fn each_pose_has_its_way_out_and_bad_directions_are_refused() {
    let here = Place::new();
    here.write("poses.txt", "0.5,0,0,0,0,0,1\n9 0 0 0 0 0 1\n");
    let run = here.run("check cube.obj cube.obj --poses poses.txt --exit 1,0,0").answered(1);
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(lines[0].contains("; cube.obj is out after 0.5"), "{run:?}");
    assert!(lines[1].contains("; nothing is in the way along "), "{run:?}");
    for (direction, why) in [("1,2", "3 numbers"), ("1,,2", "comma 2"), ("x,0,0", "\"x\"")] {
        here.run(&format!("check cube.obj cube.obj --exit {direction}")).refused(&[why]);
    }
    for direction in ["0,0,0", "nan,0,0", "1e301,0,0"] {
        here.run(&format!("check cube.obj cube.obj --exit {direction}")).refused(&["direction"]);
    }
    here.run("check cube.obj --self --exit 0,0,1").refused(&["--exit", "--self"]);
    here.run("check cube.obj cube.obj --first-free").refused(&["--exit"]);
}
