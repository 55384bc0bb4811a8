//! The program `measure`, tested from the outside.

use std::process::{Command, Output};

use serde_json::Value;

use super::lines;

fn measure(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_measure"));
    command.args(arguments).output().expect("measure was built with its tests")
}

#[test]
fn a_scene_is_measured_and_checked() {
    let output = measure(&["--quick", "--scene", "smoke"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = lines(&output);
    assert_eq!(lines[0]["record"], "run");
    assert!(lines.iter().all(|line| line["update"].is_null()), "nothing deforms");
    assert_eq!(lines[1]["record"], "scene");
    assert_eq!(lines[1]["judge"]["name"], "rational oracle");
    let end = &lines[lines.len() - 1];
    assert_eq!(end["record"], "end");
    assert_eq!(end["wrong_answers_of_exact_methods"], 0);
    let tree: Vec<&Value> = lines.iter().filter(|line| line["method"] == "obbtree").collect();
    assert_eq!(tree.len(), 3, "one line per question");
    for line in tree {
        let all = &line["all"];
        assert!(all["median_ns"].as_f64().is_some_and(|ns| ns > 0.0), "{all}");
        assert!(all["volume_tests"].as_f64().is_some_and(|n| n > 1.0), "{all}");
        assert_eq!(all["judged"], all["of"]);
    }
    // Both verdicts must occur, or nothing was compared.
    let judge = &lines[1]["judge"];
    assert_eq!((&judge["queries"], &judge["hits"]), (&Value::from(64), &Value::from(32)));
}

#[test]
fn deforming_meshes_are_followed_and_checked_step_by_step() {
    let output = measure(&["--quick", "--scene", "deforming-hand", "--method", "obbtree"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = lines(&output);
    assert_eq!((&lines[1]["group"], &lines[1]["bodies"]), (&"deforming".into(), &2.into()));
    let hits = lines[1]["judge"]["hits"].as_u64().expect("hits are counted");
    assert!((1..20).contains(&hits), "{hits} hits of 20");
    let tree: Vec<&Value> = lines.iter().filter(|line| line["method"] == "obbtree").collect();
    assert_eq!(tree.len(), 2, "first contact and all contacts");
    for line in tree {
        assert!(["refit", "rebuild"].iter().any(|word| line["update"] == *word), "{line}");
        let updates = line["updates_ns"].as_array().map_or(0, Vec::len);
        assert_eq!(updates, line["times_ns"].as_array().map_or(1, Vec::len));
        assert!(line["all"]["update_ns"].as_f64().is_some_and(|ns| ns > 0.0));
    }
}

#[test]
fn pairs_of_leaves_are_measured() {
    let output = measure(&["--quick", "--scene", "leaves", "--method", "obbtree"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let judge = &lines(&output)[1]["judge"];
    assert_eq!(judge["name"], "rational oracle");
    let hits = judge["hits"].as_u64().expect("hits are counted");
    assert!((20..45).contains(&hits), "{hits} of 64 collide");
}

#[test]
fn sampled_forms_err_less_with_more_pixels() {
    let output = measure(&["--quick", "--scene", "sampled", "--method", "ibcd"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = lines(&output);
    assert_eq!(lines[lines.len() - 1]["samplings"], 7);
    let found: Vec<&Value> = lines.iter().filter(|line| line["record"] == "sampling").collect();
    let resolutions: Vec<u64> = found.iter().filter_map(|f| f["resolution"].as_u64()).collect();
    assert_eq!(resolutions, [4, 8, 16, 32, 64, 128, 256]);
    let number = |line: &Value, field: &str| line[field].as_u64().unwrap_or(u64::MAX);
    let wrong = |line: &Value| number(line, "false_hits") + number(line, "false_misses");
    for line in &found {
        let (poses, hits) = (number(line, "poses"), number(line, "hits"));
        assert!(0 < hits && hits < poses && number(line, "errors") == 0, "{line}");
    }
    assert!(wrong(found[0]) > wrong(found[4]), "4 pixels must not do as well as 64");
    // In 32 bits, generic bodies are told right; as printed, hardly any are apart.
    let streams = measure(&["--quick", "--scene", "sampled", "--method", "stream-basic"]);
    let streams = super::lines(&streams);
    let found: Vec<&Value> = streams.iter().filter(|line| line["record"] == "sampling").collect();
    assert_eq!((&found[0]["form"], wrong(found[0])), (&"32 bits".into(), 0));
    assert!(found[1]["form"] == "32 bits, as printed" && wrong(found[1]) > 50, "{}", found[1]);
    // A method without a sampled form gives no record.
    let other = measure(&["--quick", "--scene", "sampled", "--method", "obbtree"]);
    assert_eq!(super::lines(&other).len(), 2);
}

#[test]
fn streams_are_compared_with_wide() {
    let output = measure(&["--quick", "--scene", "stream"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = lines(&output);
    let records: Vec<&Value> = lines.iter().map(|line| &line["record"]).collect();
    assert_eq!(records, ["run", "streams", "end"]);
    let found = &lines[1];
    let queries = found["queries"].as_array().expect("a list");
    let forms: Vec<(&Value, &Value)> = queries.iter().map(|q| (&q["method"], &q["form"])).collect();
    let processor = Value::from("processor");
    let methods = ["stream-basic", "stream-shrink"].map(Value::from);
    assert_eq!(forms, [(&methods[0], &processor), (&methods[1], &processor)]);
    assert!(found["adapter"].is_null() && found["batch"]["poses"] == 40, "{found}");
    let other = measure(&["--quick", "--scene", "stream", "--method", "obbtree"]);
    assert_eq!(super::lines(&other).len(), 2, "it is no stream");
}

#[test]
fn files_of_the_user_are_measured() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("corner.obj");
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    std::fs::write(&path, text).expect("the folder is writable");
    let path = path.to_str().expect("temporary paths are text");
    let output = measure(&["--quick", "--mesh", path, "--method", "obbtree"]);
    let lines = lines(&output);
    assert_eq!(lines[1]["scene"], "corner");
    assert_eq!(lines[1]["meshes"][0]["triangles"], 4);
    assert!(lines.iter().all(|line| line["method"].is_null() || line["method"] == "obbtree"));
}

#[test]
fn a_wrong_word_or_file_is_an_error_that_names_it() {
    for (arguments, named) in [
        (["--scene", "attic"], "attic"),
        (["--method", "attic"], "attic"),
        (["--mesh", "attic.obj"], "attic.obj"),
    ] {
        let output = measure(&arguments);
        assert!(!output.status.success(), "{arguments:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(named), "{said}");
    }
}
