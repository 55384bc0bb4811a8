//! Files that are written: where they go, what stays of what was there, and what is left if writing fails.

use std::fs;
#[cfg(unix)]
use std::os::unix::fs::{PermissionsExt, symlink};
#[cfg(unix)]
use std::process::{Command, Stdio};
#[cfg(unix)]
use std::time::Duration;

use crate::harness::Place;

/// The names in a folder.
fn names(place: &Place, folder: &str) -> Vec<String> {
    let all = fs::read_dir(place.path(folder)).expect("a folder");
    let mut names: Vec<String> =
        all.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into()).collect();
    names.sort_unstable();
    names
}

/// Two cubes side by side, as a command that ends with the file to write.
const CLASH: &str = "clash cube.obj small.off --solids --html";

#[test]
fn no_other_file_is_written() {
    let place = Place::new();
    place.write("page.html.partial", "mine");
    place.write("page.html", "old");
    let before = names(&place, ".");
    place.run(&format!("{CLASH} page.html")).answered(1);
    assert_eq!(fs::read(place.path("page.html.partial")).expect("it is there"), b"mine");
    assert!(fs::read(place.path("page.html")).expect("written").len() > 1000);
    assert_eq!(names(&place, "."), before);
}

#[cfg(unix)]
#[test]
fn links_stay_and_lead_to_the_file() {
    let place = Place::new();
    fs::create_dir(place.path("far")).expect("a folder");
    place.write("far/page.html", "old");
    symlink("far/page.html", place.path("page.html")).expect("a link");
    symlink("far/none.html", place.path("again.html")).expect("a link");
    symlink("again.html", place.path("new.html")).expect("a link");
    for (link, file) in [("page.html", "far/page.html"), ("new.html", "far/none.html")] {
        place.run(&format!("{CLASH} {link}")).answered(1);
        assert!(place.path(link).is_symlink(), "{link}");
        let written = fs::symlink_metadata(place.path(file)).expect("written");
        assert!(written.is_file() && written.len() > 1000, "{file}");
    }
    assert_eq!(names(&place, "far"), ["none.html", "page.html"]);
}

#[cfg(unix)]
#[test]
fn permissions_stay() {
    let place = Place::new();
    let mode = |file: &str| fs::metadata(place.path(file)).expect("written").permissions().mode();
    place.write("page.html", "old");
    fs::set_permissions(place.path("page.html"), PermissionsExt::from_mode(0o640)).expect("ours");
    place.run(&format!("{CLASH} page.html")).answered(1);
    assert_eq!(mode("page.html") & 0o777, 0o640);
    place.run(&format!("{CLASH} new.html")).answered(1);
    place.write("other.html", "as any new file");
    assert_eq!(mode("new.html"), mode("other.html"));
}

/// A pipe gets what a file gets, also of a format that goes back to what it has written.
#[cfg(unix)]
#[test]
fn pipes_and_devices_are_written_to() {
    let place = Place::new();
    let made = Command::new("mkfifo").arg(place.path("pipe.bcf")).status();
    assert!(made.expect("mkfifo runs").success());
    let asked = "clash cube.obj small.off --solids --date 2026-05-01T12:00:00Z --bcf";
    place.run(&format!("{asked} file.bcf")).answered(1);
    let pipe = place.path("pipe.bcf");
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(fs::read(pipe)));
    place.run(&format!("{asked} pipe.bcf")).answered(1);
    // If nobody writes, the reader waits for ever.
    let read = receiver.recv_timeout(Duration::from_secs(60)).expect("the pipe is written to");
    assert!(read.expect("read") == fs::read(place.path("file.bcf")).expect("written"));
    symlink("/dev/null", place.path("null.html")).expect("a link");
    place.run(&format!("{CLASH} null.html")).answered(1);
    assert!(place.path("null.html").is_symlink());
    fs::create_dir(place.path("folder.html")).expect("a folder");
    let run = place.run(&format!("{CLASH} folder.html"));
    run.refused(&["folder.html: "]);
}

/// A limit of the size of files stands for a full disk.
#[cfg(unix)]
#[test]
fn a_file_that_fails_leaves_what_was_there() {
    let place = Place::new();
    let asked = "clash cube.obj small.off --solids";
    // Blocks of half or one kibibyte: a small zip file fails at its end, a larger one before.
    for (options, file, blocks) in [
        ("--html", "page.html", 64),
        ("--bcf", "issues.bcf", 1),
        ("--bcf-snapshots --bcf", "pictures.bcf", 2),
    ] {
        place.write(file, "old");
        let before = names(&place, ".");
        let binary = env!("CARGO_BIN_EXE_impinge");
        let program = format!("exec '{binary}' {asked} {options} {file}");
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; {program}");
        let mut shell = Command::new("sh");
        shell.current_dir(place.path(".")).args(["-c", &script]).stdin(Stdio::null());
        let output = shell.output().expect("sh runs");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{text}");
        let begin = format!("impinge: {file}: ");
        assert!(text.starts_with(&begin) && text.lines().count() == 1, "{text}");
        assert_eq!(fs::read(place.path(file)).expect("it is there"), b"old");
        assert_eq!(names(&place, "."), before);
    }
}

/// Pictures of many clashes take seconds; the interrupt comes as soon as the file is begun.
#[cfg(unix)]
#[test]
fn an_interrupt_leaves_no_part_of_a_file() {
    let place = Place::new();
    let row = |k| format!("{k},torus.ply,0,0,0.{k},0,0,0,1\n");
    let rows: String = (0..20).map(row).collect();
    place.write("scene.csv", format!("name,file,tx,ty,tz,qx,qy,qz,qw\n{rows}"));
    let before = names(&place, ".");
    let child = place
        .command("clash scene.csv --bcf x.bcf --bcf-snapshots --json")
        .stdout(Stdio::null())
        .spawn()
        .expect("the binary starts");
    let begun = (0..3000).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        names(&place, ".") != before
    });
    assert!(begun, "no file is begun");
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.expect("kill runs").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(names(&place, "."), before);
}

/// The reader of the answers is gone, as with `head`; files do not depend on it.
#[test]
fn files_are_written_though_nobody_reads_the_answers() {
    let place = Place::new();
    let unread = |asked: &str| {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let child = place.command(asked).stdout(writer).spawn().expect("the binary starts");
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{asked}");
        output.status.code()
    };
    for (asked, file) in [
        ("clash cube.obj small.off torus.ply --contacts --html", "page.html"),
        ("clash cube.obj torus.ply --json --date 2026-05-01T12:00:00Z --bcf", "issues.bcf"),
        ("check cube.obj torus.ply --export", "contacts.ply"),
        ("check cube.obj torus.ply --json --picture", "picture.png"),
    ] {
        let asked = format!("{asked} {file}");
        place.run(&asked).answered(1);
        let whole = fs::read(place.path(file)).expect("written");
        fs::remove_file(place.path(file)).expect("it is there");
        assert_eq!(unread(&asked), Some(1), "{asked}");
        assert!(fs::read(place.path(file)).expect("written") == whole, "{asked}");
    }
    assert_eq!(unread("clash cube.obj torus.ply"), Some(2));
    assert_eq!(unread("check cube.obj torus.ply"), Some(2));
}
