//! `impinge overlap`: text, JSON, exit status, errors.

use serde_json::{Value, json};

use crate::harness::Place;

/// What the answer says of a value must hold the truth.
fn holds(measure: &Value, truth: f64) {
    let of = |key: &str| measure[key].as_f64().expect("a number");
    assert!((of("value") - truth).abs() <= of("error"), "{measure}, not {truth}");
    assert!(of("error") < 0.1 * truth, "{measure}");
}

#[test]
fn cubes_overlap_by_a_box() {
    let place = Place::new();
    let asked = "overlap cube.obj cube.obj --pose 0.5,0.25,0,0,0,0,1";
    let run = place.run(&format!("{asked} --json --intervals 3 --cap 2")).answered(1);
    let line = &run.json()[0];
    holds(&line["volume"], 0.375);
    assert_eq!(line["region"], json!([[0.0, -0.25, -0.5], [0.5, 0.5, 0.5]]));
    assert_eq!((&line["closed"], &line["a"]), (&json!([true, true]), &json!("cube.obj")));
    assert_eq!(line["contacts"].as_array().map(Vec::len), Some(2));
    assert!(line["contacts_found"].as_u64() > Some(2));
    for (direction, (axis, depth)) in line["directions"].as_array().expect("three").iter().zip([
        ("x", 0.5),
        ("y", 0.75),
        ("z", 1.0),
    ]) {
        assert_eq!(direction["axis"], axis);
        holds(&direction["volume"], 0.375);
        holds(&direction["depth"], depth);
        assert_eq!(
            (&direction["unpaired"], &direction["layers"]),
            (&json!([0, 0]), &json!([2, 2]))
        );
        assert_eq!(direction["intervals"].as_array().map(Vec::len), Some(3));
    }
    let text = place.run(asked).answered(1).out;
    assert!(text.starts_with("cube.obj and cube.obj: volume 3.7"), "{text}");
    assert!(text.contains(" pairs of triangles meet") && text.contains("along z: "), "{text}");
}

#[test]
fn the_text_states_true_intervals() {
    let place = Place::new();
    let pose = "0.123456789,0.25,0,0,0,0,1";
    let text = place.run(&format!("overlap cube.obj cube.obj --pose {pose}")).answered(1).out;
    let holds = |said: &str, truth: f64| {
        let (value, error) = said.split_once(" ± ").expect("a value and an error");
        let [value, error] = [value, error].map(|part| part.parse::<f64>().expect("a number"));
        assert!((value - truth).abs() <= error, "{said}, not {truth}");
        assert!(error < 0.1 * truth, "{said}");
    };
    for (axis, depth) in [("x", 0.876_543_211), ("y", 0.75), ("z", 1.0)] {
        let start = format!("  along {axis}: volume ");
        let line = text.lines().find_map(|line| line.strip_prefix(&start)).expect("three axes");
        let (volume, rest) = line.split_once(", depth ").expect("a depth");
        holds(volume, 0.876_543_211 * 0.75);
        holds(rest.split_once(", ").expect("contact pixels").0, depth);
    }
}

#[test]
fn the_exit_status_is_exact() {
    let place = Place::new();
    for (arguments, status) in [
        ("cube.obj cube.obj --pose 3,0,0,0,0,0,1", 0),
        ("cube.obj cube.obj --pose 1,1,1,0,0,0,1", 1),
        ("cube.obj cube.obj --pose 1.0000000000000002,1,1,0,0,0,1", 0),
        ("cube.obj small.off --resolution 8", 1),
        ("sheet.off torus.ply --pose 0,0,3,0,0,0,1", 0),
        ("cube.obj sheet.off --resolution 8", 1),
    ] {
        place.run(&format!("overlap {arguments}")).answered(status);
    }
    let inside = &place.run("overlap cube.obj small.off --json").answered(1).json()[0];
    assert_eq!(inside["contacts_found"], 0);
    holds(&inside["volume"], 1.0 / 27.0);
    let open = place.run("overlap cube.obj sheet.off").answered(1).out;
    assert!(open.contains("sheet.off is open"), "{open}");
}

#[test]
fn errors_name_the_file_or_the_option() {
    let place = Place::new();
    for (arguments, words) in [
        ("cube.obj none.obj", ["none.obj", "No such file"]),
        ("cube.obj torus.ply --backend cpu", ["--backend", "software"]),
        ("cube.obj torus.ply --resolution 0", ["--resolution", "1..=4096"]),
        ("cube.obj cube.obj --pose 1e301,0,0,0,0,0,1", ["--pose", "1e301"]),
    ] {
        place.run(&format!("overlap {arguments}")).refused(&words);
    }
}
