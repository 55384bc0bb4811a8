//! The program `claims`, tested from the outside.

use std::process::{Command, Output};

use super::lines;

fn claims(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_claims"));
    command.args(arguments).output().expect("claims was built with its tests")
}

#[test]
fn a_claim_is_run_and_decided() {
    let output = claims(&["--quick", "--claim", "a8"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = lines(&output);
    assert_eq!(lines.len(), 3);
    assert_eq!((&lines[0]["record"], &lines[2]["record"]), (&"run".into(), &"end".into()));
    let claim = &lines[1];
    let [statement] = &claim["statements"].as_array().expect("a list")[..] else {
        panic!("A8 has one statement")
    };
    assert_eq!((&claim["id"], &statement["verdict"]), (&"A8".into(), &"holds".into()));
    let products = &claim["ours"][2];
    assert_eq!((&products["value"], &products["paper"]), (&81.0.into(), &81.0.into()));
}

#[test]
fn the_same_seed_gives_the_same_figures() {
    let figures = |seed: &str| {
        let output = claims(&["--quick", "--claim", "A8", "--seed", seed]);
        lines(&output)[1]["ours"].to_string()
    };
    assert_eq!(figures("7"), figures("7"));
    assert_ne!(figures("7"), figures("8"));
}

#[test]
fn a_claim_that_cannot_be_run_is_a_result_and_no_error() {
    let output = claims(&["--quick", "--claim", "A7"]);
    assert!(output.status.success());
    let statement = &lines(&output)[1]["statements"][0];
    assert_eq!(statement["verdict"], "cannot be run here");
    assert!(statement["reason"].as_str().is_some_and(|why| !why.is_empty()));
}

#[test]
fn a_wrong_id_is_an_error_that_names_it_and_leaves_older_records() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("claims.jsonl");
    std::fs::write(&path, "older").expect("the folder is writable");
    let path_text = path.to_str().expect("temporary paths are text");
    let output = claims(&["--claim", "B1", "--out", path_text]);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("\"B1\""));
    assert_eq!(std::fs::read_to_string(&path).expect("still there"), "older");
}
