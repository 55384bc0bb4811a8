//! Errors: status 2, and one line on standard error that names the file and the place.

use crate::harness::Place;

#[test]
fn bad_files_are_named_with_the_place() {
    let place = Place::new();
    place.write("empty.obj", "");
    place.write("cut.off", "OFF\n4 2 0\n0 0 0\n1 0 0\n");
    place.write("nan.obj", "v 0 0 0\nv 1 nan 0\nv 0 1 0\nf 1 2 3\n");
    place.write("index.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n");
    place.write("photo.xyz", b"\x89PNG\r\n\x1a\n\0\0\0\0");
    place.write("pointless.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
    for (file, words) in [
        ("none.stl", &["none.stl"][..]),
        ("empty.obj", &["empty.obj", "empty"]),
        ("cut.off", &["cut.off"]),
        ("nan.obj", &["nan.obj"]),
        ("index.obj", &["index.obj", "4"]),
        ("photo.xyz", &["photo.xyz", "format"]),
        ("pointless.obj", &["pointless.obj", "no triangles"]),
        (".", &["."]),
    ] {
        for arguments in [format!("check cube.obj {file}"), format!("info {file}")] {
            let run = place.run(&arguments).refused(words);
            assert_eq!(run.out, "", "{arguments}");
            assert_eq!(run.err.lines().count(), 1, "{run:?}");
            assert!(run.err.starts_with("impinge: "), "{run:?}");
        }
        place.run(&format!("check {file} cube.obj")).refused(words);
    }
}

#[test]
fn an_open_mesh_is_no_solid_and_the_edge_is_named() {
    let place = Place::new();
    let run = place.run("check cube.obj sheet.off --solids").refused(&[
        "sheet.off",
        "not closed",
        "vertices 0 and 1",
    ]);
    assert_eq!(run.out, "");
    place.run("check sheet.off cube.obj --solids").refused(&["sheet.off", "not closed"]);
    place.run("check cube.obj sheet.off").answered(1);
}

#[test]
fn usage_errors_are_status_2() {
    let place = Place::new();
    place.run("check cube.obj cube.obj --method nosuch").refused(&["nosuch", "obbtree", "all"]);
    place.run("check cube.obj").refused(&["Usage"]);
    place.run("check cube.obj cube.obj --pose 1,2,3").refused(&["--pose", "7 numbers", "has 3"]);
    place.run("check cube.obj cube.obj --pose 0,0,0,1,1,1,1").refused(&["--pose", "rigid"]);
    place.run("check cube.obj cube.obj --pose 0,0,0,0,0,0,1 --poses x").refused(&["--pose"]);
    place.run("check cube.obj cube.obj --nearer-than -1").refused(&["nearer-than"]);
    place.run("check cube.obj cube.obj --nearer-than nan").refused(&["not negative"]);
    place.run("check cube.obj cube.obj --mode sampled").refused(&["--mode", "wide has no mode"]);
    place.run("check cube.obj cube.obj --roughly").refused(&["--roughly"]);
    place.run("frobnicate").refused(&["frobnicate"]);
    place.run("").refused(&["Usage"]);
}

#[test]
fn a_pose_out_of_range_is_an_error() {
    let place = Place::new();
    place.run("check cube.obj cube.obj --pose 1e299,0,0,0,0,0,1").answered(0);
    place.run("check cube.obj cube.obj --pose 1e300,0,0,0,0,0,1");
    place.run("check cube.obj cube.obj --pose 1e301,0,0,0,0,0,1").refused(&["--pose", "finite"]);
    place
        .run("check cube.obj cube.obj --method parry --pose 1e30,0,0,0,0,0,1")
        .refused(&["parry", "32-bit"]);
}
