//! The memory of `impinge clash`: of meshes, not of instances.

use std::fs;
use std::time::Duration;

use impinge_models::Shape;

use crate::harness::Place;

/// Places of parts. The mesh and tree of one take about 2 MiB.
const PARTS: usize = 30;

/// The most memory that a run has in use, in KiB, as far as looks at it every millisecond tell.
fn peak(place: &Place, arguments: &str) -> u64 {
    let mut child = place.command(arguments).spawn().expect("the binary starts");
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    let ended = loop {
        // Without the line once the process has ended.
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        if let Some(value) = line.and_then(|rest| rest.trim().strip_suffix(" kB")) {
            most = most.max(value.parse().expect("a number"));
        }
        if let Some(ended) = child.try_wait().expect("it can be waited for") {
            break ended;
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    assert_eq!(ended.code(), Some(0), "{arguments}: no clash is there");
    assert!(most > 0);
    most
}

#[test]
fn instances_are_not_copied() {
    let place = Place::new();
    let mesh = Shape::Torus.mesh(20_000, 0);
    let mut tables = [const { String::new() }; 3];
    for part in 0..PARTS {
        let file = format!("{part}.ply");
        place.write_mesh(&file, &mesh);
        // Beside each other: the memory is that of what is kept.
        let row = |file: &str| format!("part {part},{file},{},0,0,0,0,0,1\n", 2 * part);
        tables[0] += &if part < 1 { row(&file) } else { String::new() };
        tables[1] += &row("0.ply");
        tables[2] += &row(&file);
    }
    let [one, instances, files] = ["one", "instances", "files"].map(|name| format!("{name}.csv"));
    for (name, rows) in [&one, &instances, &files].into_iter().zip(tables) {
        place.write(name, format!("name,file,tx,ty,tz,qx,qy,qz,qw\n{rows}"));
    }
    let [one, instances, files] =
        [one, instances, files].map(|table| peak(&place, &format!("clash {table}")));
    let mesh = 1 << 10;
    assert!(instances < one + 4 * mesh, "{PARTS} parts of one file: {instances} KiB, one: {one}");
    let kept = PARTS as u64 * mesh;
    assert!(files > one + kept, "the fault: {PARTS} files: {files} KiB, one: {one}");
}
