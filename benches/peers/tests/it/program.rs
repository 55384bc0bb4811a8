//! The program `peers`, tested from the outside.

use std::process::{Command, Output};

use serde_json::Value;

fn peers(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_peers"));
    command.args(arguments).output().expect("peers was built with its tests")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_scene_is_measured_and_checked() {
    let output =
        peers(&["--quick", "--scene", "torus200", "--poses", "2", "--absent", "fcl=not here"]);
    assert!(output.status.success(), "{}", said(&output));
    let text = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("every line is JSON")).collect();
    let run = &lines[0];
    assert_eq!((&run["record"], &run["peers"][0]["word"]), (&"run".into(), &"wide".into()));
    assert_eq!(run["absent"][0], serde_json::json!({ "word": "fcl", "why": "not here" }));
    assert_eq!(
        (&lines[1]["record"], &lines[1]["judge"]),
        (&"scene".into(), &"rational oracle".into())
    );
    let of = |record: &str, peer: &str| {
        lines.iter().filter(|line| line["record"] == record && line["peer"] == peer).count()
    };
    for (peer, rows) in [("wide", 16), ("parry", 12), ("parry-pairs", 12)] {
        assert_eq!((of("preparation", peer), of("measurement", peer)), (1, rows), "{peer}");
    }
    let end = &lines[lines.len() - 1];
    assert_eq!((&end["record"], &end["wrong_answers_of_reference"]), (&"end".into(), &0.into()));
}

#[test]
fn sweeps_and_depths_are_measured_beside_parry() {
    let words = ["--quick", "--scene", "sweeps60", "--scene", "depths60", "--poses", "3"];
    let output = peers(&words);
    assert!(output.status.success(), "{}", said(&output));
    let text = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("every line is JSON")).collect();
    let rows = |name: &str| {
        let line = lines.iter().find(|line| line["record"] == name).expect("a record");
        line["rows"].as_array().expect("a list").len()
    };
    assert_eq!([rows("sweeps"), rows("depths")], [8, 4]);
    assert_eq!(lines[lines.len() - 1]["measurements"], 12);
    let output = peers(&[&words[..], &["--without-parry"]].concat());
    assert!(!output.status.success() && said(&output).contains("parry3d"), "{}", said(&output));
}

#[test]
fn moving_boxes_are_measured_by_every_broad_phase() {
    let output = peers(&["--quick", "--scene", "teleports300", "--steps", "3"]);
    assert!(output.status.success(), "{}", said(&output));
    let text = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("every line is JSON")).collect();
    let of = |name: &str| lines.iter().filter(|line| line["record"] == name).count();
    assert_eq!([of("run"), of("scene"), of("boxes"), of("end")], [1, 0, 1, 1], "{text}");
    let words = |list: &Value, key: &str| -> Vec<String> {
        let rows = list.as_array().expect("it is a list");
        rows.iter().map(|row| row[key].as_str().expect("a name").to_owned()).collect()
    };
    let ran = words(&lines[1]["rows"], "peer");
    assert_eq!(ran, words(&lines[0]["broad"], "word"), "all of them");
    assert!(ran[0].starts_with("box-tree-"), "{ran:?}");
    for word in ["box-tree-portable", "sweep", "grid", "octree-scene", "regions", "parry"] {
        assert!(ran.iter().any(|other| other == word), "{word} in {ran:?}");
    }
    let output = peers(&["--quick", "--scene", "teleports300", "--steps", "3", "--without-parry"]);
    assert!(!String::from_utf8_lossy(&output.stdout).contains("parry"));
    let listed = peers(&["--list"]);
    assert!(String::from_utf8_lossy(&listed.stdout).contains("flat100k"));
}

#[test]
fn what_is_not_there_is_named() {
    let output = peers(&["--library", "fcl=no-such-file.so"]);
    assert!(!output.status.success());
    assert!(said(&output).contains("no-such-file.so"), "{}", said(&output));
    let output = peers(&["--library", "bullet=x.so"]);
    assert!(said(&output).contains("bullet") && said(&output).contains("coal"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_library_that_is_no_shim_is_refused() {
    let output = peers(&["--library", "coal=libc.so.6"]);
    assert!(!output.status.success());
    assert!(said(&output).contains("peer_interface"), "{}", said(&output));
}

#[test]
fn a_wrong_scene_is_an_error_that_leaves_older_records() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("peers.jsonl");
    std::fs::write(&path, "older").expect("the folder is writable");
    let path_text = path.to_str().expect("temporary paths are text");
    let output = peers(&["--scene", "attic10k", "--out", path_text]);
    assert!(!output.status.success());
    assert!(said(&output).contains("attic10k"), "{}", said(&output));
    assert_eq!(std::fs::read_to_string(&path).expect("still there"), "older");
}
