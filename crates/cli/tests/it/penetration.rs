//! `impinge check --penetration`: the text, the JSON and the errors.

use crate::harness::Place;

#[test]
fn cubes_are_as_deep_as_they_overlap() {
    let place = Place::new();
    let run = place.run("check cube.obj cube.obj --pose 0.875,0.25,0,0,0,0,1 --penetration");
    let run = run.answered(1);
    let depth = run.out.lines().last().expect("a line");
    assert!(depth.starts_with("  depth from 0.12"), "{run:?}");
    assert!(depth.contains("; cube.obj is out after "), "{run:?}");
    let run = place.run("check cube.obj cube.obj --pose 0.875,0.25,0,0,0,0,1 --penetration --json");
    let line = &run.answered(1).json()[0]["penetration"];
    let number = |key: &str| line[key].as_f64().expect("a number");
    assert!(number("lower") <= 0.125 && number("upper") >= 0.125 && number("upper") < 0.1251);
    let way = line["translation"].as_array().expect("an array");
    assert!((way[0].as_f64().expect("a number") - 0.125).abs() < 1e-6, "{line}");
}

#[test]
fn what_is_inside_is_deep_only_as_a_solid() {
    let place = Place::new();
    let run = place.run("check cube.obj small.off --penetration").answered(0);
    assert!(run.out.ends_with("\n  they are apart, so their depth is 0\n"), "{run:?}");
    let run = place.run("check cube.obj small.off --penetration --solids").answered(1);
    assert!(run.out.contains("\n  depth from "), "{run:?}");
    let run = place.run("check cube.obj small.off --penetration --pose 5,0,0,0,0,0,1").answered(0);
    assert!(run.out.ends_with("their depth is 0\n"), "{run:?}");
}

#[test]
fn each_pose_has_its_depth_and_one_mesh_alone_has_none() {
    let place = Place::new();
    place.write("poses.txt", "0.5,0,0,0,0,0,1\n9 0 0 0 0 0 1\n");
    let run = place.run("check cube.obj cube.obj --poses poses.txt --penetration").answered(1);
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(lines[0].contains("; depth from ") && lines[1].contains("depth is 0"), "{run:?}");
    place.run("check cube.obj --self --penetration").refused(&["--penetration", "--self"]);
}
