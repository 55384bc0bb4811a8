//! Sources of meshes: files, standard input, and special files; their limits.

use crate::harness::Place;

#[test]
fn meshes_come_from_standard_input() {
    let place = Place::new();
    let cube = std::fs::read_to_string(place.path("cube.obj")).expect("it was written");
    let run = place.run_with("check - small.off --pose 9,0,0,0,0,0,1", &cube).answered(0);
    assert_eq!(run.out, "separated: standard input and small.off have no point in common\n");
    place.run_with("check small.off - --format obj --solids", &cube).answered(1);
    let run = place.run_with("info -", &cube).answered(0);
    assert!(run.out.starts_with("standard input: obj\n  48 triangles"), "{run:?}");
    let quads = "f 1 2 3 4\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
    place.run_with("info - --format obj", quads).answered(0);
    place
        .run_with("check - cube.obj", "hello")
        .refused(&["standard input: no known mesh format", "; set the format with --format\n"]);
    place.run_with("info - --format obj", "\0").refused(&["do not look like obj\n"]);
    place.write("what", "hello");
    place.run("info what").refused(&["by content\n"]);
    place.run_with("check - cube.obj", "").refused(&["standard input: the file is empty\n"]);
    place.run_with("info - --format ply", &cube).refused(&["standard input: ", "look like ply"]);
    place.run_with("info - --format xyz", &cube).refused(&["--format", "xyz", "obj, stl"]);
}

/// What a reader leaves out is told on standard error, in `info` in its report.
#[test]
fn notes_of_readers_are_told() {
    let place = Place::new();
    let cube = std::fs::read_to_string(place.path("cube.obj")).expect("it was written");
    place.write("part.obj", format!("{cube}call rest.obj\n"));
    let note =
        "1 statements \"call\" skipped, the first in line 75: the files they name are not read";
    for asked in [
        "check part.obj small.off",
        "check small.off part.obj --json",
        "overlap part.obj small.off --resolution 16",
        "prepare part.obj -o part.impinge",
        "clash part.obj small.off",
    ] {
        let run = place.run(asked);
        assert_ne!(run.status, 2, "{run:?}");
        assert_eq!(run.err, format!("impinge: part.obj: {note}\n"), "{asked}");
    }
    let run = place.run_with("check - small.off", &format!("{cube}call rest.obj\n"));
    assert_eq!(run.err, format!("impinge: standard input: {note}\n"));
    let run = place.run("info part.obj").answered(0);
    assert!(run.out.ends_with(&format!("  note: {note}\n")), "{run:?}");
}

#[test]
fn standard_input_is_one_input() {
    let place = Place::new();
    for asked in ["check - -", "check - cube.obj --poses -", "check cube.obj - --poses -"] {
        place.run_with(asked, "").refused(&["standard input: only one input can be -"]);
    }
    place
        .run("info cube.obj --format obj")
        .refused(&["--format: it sets the format of standard input"]);
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_refused() {
    let place = Place::new();
    let made = std::process::Command::new("mkfifo").arg(place.path("pipe.obj")).status();
    assert!(made.expect("mkfifo runs").success());
    std::os::unix::fs::symlink("/dev/zero", place.path("zero.stl")).expect("a link");
    for (file, what) in [
        ("pipe.obj", "this is a pipe"),
        ("zero.stl", "this is a character device"),
        ("/dev/null", "this is a character device"),
        (".", "this is a directory"),
    ] {
        for asked in [
            format!("info {file}"),
            format!("check {file} cube.obj"),
            format!("check cube.obj {file}"),
            format!("check cube.obj cube.obj --poses {file}"),
        ] {
            let run = place.run(&asked).refused(&[&format!("impinge: {file}: {what}")]);
            assert_eq!(run.err.lines().count(), 1, "{run:?}");
        }
    }
}

#[test]
fn too_many_triangles_are_refused_with_the_memory_they_take() {
    let place = Place::new();
    for asked in [
        "info cube.obj --max-triangles 47",
        "check cube.obj torus.ply --max-triangles 47",
        "check torus.ply cube.obj --max-triangles 47",
    ] {
        let run = place.run(asked).refused(&["triangles or more", "0.3 GB of memory"]);
        assert!(
            run.err.ends_with("at most 47 are read; raise the limit with --max-triangles\n"),
            "{run:?}"
        );
    }
    place.run("info cube.obj --max-triangles 48").answered(0);
}

/// A small file with 135 million placed triangles, under a limit of one gigabyte.
#[cfg(unix)]
#[test]
fn many_instances_of_a_small_file_take_no_memory() {
    let place = Place::new();
    let nodes = vec!["{\"mesh\":0}"; 300].join(",");
    let count = 3 * 450_000;
    let values = "A".repeat(48_000);
    place.write(
        "bomb.gltf",
        format!(
            r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":36000,"uri":"data:;base64,{values}"}}],
            "bufferViews":[{{"buffer":0,"byteLength":36000}},{{"buffer":0,"byteLength":4}}],
            "accessors":[{{"componentType":5126,"count":{count},"type":"VEC3","sparse":{{"count":1,
            "indices":{{"bufferView":1,"componentType":5125}},"values":{{"bufferView":0}}}}}}],
            "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],"nodes":[{nodes}]}}"#
        ),
    );
    let run = place.limited("info bomb.gltf", 1 << 20);
    let run = run.refused(&["135000000 triangles or more", "54.3 GB of memory"]);
    assert_eq!(run.out, "");
}

#[test]
fn tiny_numbers_are_short_and_come_back() {
    let place = Place::new();
    place.write("tiny_a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    place.write("tiny_b.obj", "v 0 0 1e-320\nv 1 0 1e-320\nv 0 1 1e-320\nf 1 2 3\n");
    for asked in ["check tiny_a.obj tiny_b.obj --distance --nearer-than 1e-300", "info tiny_b.obj"]
    {
        let run = place.run(asked);
        let longest = run.out.split(|c: char| c.is_whitespace() || ",()".contains(c)).map(str::len);
        assert!(longest.max() < Some(25), "{run:?}");
    }
    let run = place.run("check tiny_a.obj tiny_b.obj --distance --nearer-than 1e-300").answered(1);
    assert!(run.out.contains("they are at most 1e-300 apart"), "{run:?}");
    let words: Vec<&str> = run.out.split_whitespace().collect();
    let at = words.iter().position(|word| *word == "distance").expect("a distance");
    let value: f64 = words[at + 1].parse().expect("a number");
    let json = place.run("check tiny_a.obj tiny_b.obj --distance --json").answered(0);
    assert_eq!(json.json()[0]["distance"]["value"].as_f64(), Some(value), "{json:?}");
    assert!(value > 0.0 && value < 1e-300, "{value:e}");
    assert!(json.out.lines().all(|line| line.len() < 2000), "{json:?}");
}
