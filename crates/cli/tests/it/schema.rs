//! The published JSON schemas against real output. Keys that a schema does not name are an error
//! here, though not in the schema, since later versions may add some.

use std::collections::BTreeSet;

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::harness::Place;

/// What `impinge schema` prints, and a validator that also refuses unknown keys.
fn schema(place: &Place, of: &str) -> (Value, Validator) {
    let run = place.run(&format!("schema {of}")).answered(0);
    let schema: Value = serde_json::from_str(&run.out).expect("JSON");
    let mut strict = schema.clone();
    forbid_unknown(&mut strict);
    (schema, jsonschema::validator_for(&strict).expect("a schema"))
}

fn forbid_unknown(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.values_mut().for_each(forbid_unknown);
            if map.get("properties").is_some_and(Value::is_object) {
                map.entry("additionalProperties").or_insert(json!(false));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(forbid_unknown),
        _ => {}
    }
}

fn holds(validator: &Validator, line: &Value) {
    let errors: Vec<String> = validator
        .iter_errors(line)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}\n{line:#}");
}

#[test]
fn every_answer_of_check_is_as_its_schema_says() {
    let place = Place::new();
    let (schema, validator) = schema(&place, "check");
    place.write("poses.txt", "0.5,0,0,0,0,0,1\n\n9 0 0 0 0 0 1\n");
    let at = "--pose 0.5,0,0,0,0,0,1";
    let mut seen = BTreeSet::new();
    for arguments in [
        "cube.obj torus.ply".to_owned(),
        format!(
            "cube.obj torus.ply {at} --method all --details --distance --nearer-than 1 --count"
        ),
        format!("cube.obj small.off {at} --method all --contains --count"),
        "cube.obj small.off --solids".to_owned(),
        "quads.obj torus.ply --details --cap 3 --touching-ok".to_owned(),
        "cube.obj torus.ply --poses poses.txt --distance".to_owned(),
        "cube.obj torus.ply --poses poses.txt --penetration".to_owned(),
        "cube.obj torus.ply --poses poses.txt --exit 0,0,1".to_owned(),
        "torus.ply --self --contacts --count".to_owned(),
        "cube.obj torus.ply --pose 3,0,0,0,0,0,1 --sweep -3,0,0,0,0,0,1".to_owned(),
        "cube.obj torus.ply --pose 3,0,0,0,0,0,1 --sweep 0,3,0,0,0,0,1".to_owned(),
        "cube.obj sheet.off --contains".to_owned(),
        "cube.obj none.obj".to_owned(),
        "cube.obj cube.obj --pose 1e301,0,0,0,0,0,1".to_owned(),
        "cube.obj torus.ply --max-triangles 20".to_owned(),
        "cube.obj".to_owned(),
        "cube.obj torus.ply --pose 1,2".to_owned(),
    ] {
        let run = place.run(&format!("check {arguments} --json"));
        assert!(!run.out.is_empty(), "{run:?}");
        for line in run.json() {
            holds(&validator, &line);
            seen.extend(line.as_object().expect("an object").keys().cloned());
            let method = &line["methods"]["wide"];
            seen.extend(method.as_object().into_iter().flatten().map(|(key, _)| key.clone()));
        }
    }
    // Every key that the schema names has been printed, or the schema promises what is not there.
    let answer = schema["oneOf"][0]["properties"].as_object().expect("keys");
    let method = schema["$defs"]["method"]["properties"].as_object().expect("keys");
    let promised: BTreeSet<String> = answer.keys().chain(method.keys()).cloned().collect();
    let elsewhere = ["disagree", "unanswered", "error"].map(str::to_owned);
    let missing: Vec<_> =
        promised.iter().filter(|key| !seen.contains(*key) && !elsewhere.contains(key)).collect();
    assert!(missing.is_empty(), "{missing:?} were never printed");
}

#[test]
fn the_other_commands_print_what_their_schemas_say() {
    let place = Place::new();
    let (_, validator) = schema(&place, "info");
    place.run("prepare cube.obj -o cube.impinge").answered(0);
    for file in ["cube.obj", "cube.impinge", "quads.obj", "sheet.off", "torus.ply", "none.obj"] {
        holds(&validator, &place.run(&format!("info {file} --json")).json()[0]);
    }
    let (_, validator) = schema(&place, "overlap");
    for arguments in [
        "cube.obj torus.ply --pose 0.5,0,0,0,0,0,1 --intervals 2",
        "cube.obj torus.ply --pose 9,0,0,0,0,0,1",
        "cube.obj sheet.off",
        "cube.obj none.obj",
        "cube.obj",
    ] {
        holds(&validator, &place.run(&format!("overlap {arguments} --json")).json()[0]);
    }
    let (_, validator) = schema(&place, "clash");
    let table =
        "name,file,tx,ty,tz,qx,qy,qz,qw\nlost,none.obj,0,0,0,0,0,0,1\nin,small.off,0,0,0,0,0,0,1";
    place.write("scene.csv", table);
    let paths = "scene.csv cube.obj torus.ply";
    let run = place.run(&format!("clash {paths} --solids --clearance 1 --contacts --json"));
    let lines = run.json();
    assert_eq!(lines.len(), 4, "an error and three clashes: {lines:?}");
    let classes = place.run(&format!("clash {paths} --only-class --json")).json();
    for line in lines.iter().chain(&classes) {
        holds(&validator, line);
    }
    let (_, validator) = schema(&place, "methods");
    holds(&validator, &place.run("methods --json").answered(0).json()[0]);
}

#[test]
fn help_names_every_key() {
    let place = Place::new();
    for command in ["check", "clash"] {
        let (schema, _) = schema(&place, command);
        let help = place.run(&format!("{command} --help")).answered(0).out;
        let (_, keys) = help.split_once("Its keys:\n").expect("a list of keys");
        let (keys, _) = keys.split_once("\nAn error is").expect("its end");
        // A line of keys has them before the first wide gap; what follows from it is indented.
        let heads = keys.lines().filter(|line| !line.starts_with("   "));
        let heads = heads.map(|line| line.trim_start().split("  ").next().unwrap_or_default());
        let named: BTreeSet<&str> = heads.flat_map(|head| head.split(", ")).collect();
        let known = schema["oneOf"][0]["properties"].as_object().expect("keys");
        let missing: Vec<_> = known.keys().filter(|key| !named.contains(key.as_str())).collect();
        assert!(missing.is_empty(), "{command}: {missing:?} of {named:?}");
    }
}

#[test]
fn a_wrong_line_is_refused() {
    let place = Place::new();
    let (_, validator) = schema(&place, "check");
    let line = place.run("check cube.obj torus.ply --json").json()[0].clone();
    for (key, value) in
        [("version", json!(2)), ("verdict", json!("maybe")), ("pose", json!(-1)), ("new", json!(1))]
    {
        let mut wrong = line.clone();
        wrong[key] = value;
        assert!(!validator.is_valid(&wrong), "{key}");
    }
}

#[test]
fn errors_are_json_too() {
    let place = Place::new();
    place.write("bad.obj", "v 0 0 zero\n");
    place.write("bad.txt", "# a pose\n1,2,3\n");
    place.write("none.txt", "# a pose\n");
    for (arguments, kind, at, message) in [
        ("check cube.obj none.obj", "file", Some("none.obj"), "No such file"),
        ("check bad.obj cube.obj", "file", Some("bad.obj"), "line 1: coordinate z is \"zero\""),
        ("info bad.obj", "file", Some("bad.obj"), "line 1"),
        (
            "check cube.obj torus.ply --max-triangles 20",
            "limit",
            Some("cube.obj"),
            "--max-triangles",
        ),
        ("check cube.obj sheet.off --solids", "query", Some("sheet.off"), "not a solid"),
        ("check cube.obj cube.obj --poses bad.txt", "file", Some("bad.txt:2"), "has 3"),
        ("check cube.obj cube.obj --poses none.txt", "file", Some("none.txt"), "no pose"),
        ("check cube.obj", "usage", None, "required"),
    ] {
        let run = place.run(&format!("{arguments} --json")).refused(&[message]);
        let lines = run.json();
        let error = &lines.last().expect("a line")["error"];
        assert_eq!(error["kind"], kind, "{run:?}");
        assert_eq!(error["place"].as_str(), at, "{run:?}");
        let text = error["message"].as_str().expect("a message");
        assert!(text.contains(message) && !text.starts_with(at.unwrap_or("\0")), "{run:?}");
        place.run(arguments).refused(&[message]);
    }
}
