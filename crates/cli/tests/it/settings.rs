//! `--mode`, `--backend`, `--form`, `--resolution`.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::harness::Place;

/// Poses about a torus: some apart, some inside its tube's reach, some crossing, turned at random.
fn poses(count: usize) -> String {
    let (mut state, mut text) = (7_u64, String::new());
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 11) as f64 / (1_u64 << 53) as f64 * 2.0 - 1.0
    };
    while text.lines().count() < count {
        let (t, q) = ([next() * 0.7, next() * 0.7, next() * 0.7], [next(), next(), next(), next()]);
        let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length > 0.1 {
            let q = q.map(|x| x / length);
            writeln!(text, "{},{},{},{},{},{},{}", t[0], t[1], t[2], q[0], q[1], q[2], q[3])
                .expect("a string grows");
        }
    }
    text
}

fn verdicts(lines: &[Value]) -> Vec<&Value> {
    lines.iter().map(|line| &line["verdict"]).collect()
}

#[test]
fn certified_images_in_software_are_never_wrong() {
    let place = Place::new();
    place.write("poses.txt", poses(192));
    let asked = "check torus.ply small.off --poses poses.txt --solids --json";
    let exact = place.run(asked).json();
    let images = place
        .run(&format!("{asked} --method ibcd --mode certified --backend software --resolution 16"))
        .answered(1)
        .json();
    assert_eq!(verdicts(&images), verdicts(&exact));
    let hits = exact.iter().filter(|line| line["verdict"] != "separated").count();
    assert!((58..=134).contains(&hits), "{hits} of 192 hit");
    for line in &images {
        let method = &line["methods"]["ibcd"];
        assert_eq!(method["kind"], "exact");
        assert!(method["certainty"]["certified"]["settled"].is_u64(), "{line}");
    }
}

#[test]
fn sampled_answers_say_so() {
    let place = Place::new();
    let asked = "check cube.obj torus.ply --pose 0.5,0,0,0,0,0,1 --method ibcd --mode sampled";
    let line = &place.run(&format!("{asked} --resolution 64 --json")).answered(1).json()[0];
    let method = &line["methods"]["ibcd"];
    assert_eq!(method["certainty"], json!({ "sampled": { "resolution": 64 } }));
    assert_eq!(method["kind"], "faithful");
    let text = place.run(asked).answered(1).out;
    assert!(text.contains("decided on images of 32 pixels a side, so it may be wrong"), "{text}");
}

#[test]
fn answers_of_methods_that_lose_contacts_say_so() {
    let place = Place::new();
    for method in ["leaf-block", "leaf-faithful"] {
        let asked = format!("check cube.obj torus.ply --pose 0.5,0,0,0,0,0,1 --method {method}");
        let found = &place.run(&format!("{asked} --json")).answered(1).json()[0];
        assert_eq!(found["methods"][method]["certainty"], "incomplete", "{found}");
        let text = place.run(&asked).answered(1).out;
        assert!(text.contains("the method loses contacts, so there may be more"), "{text}");
        let run = place.run(&format!("{asked} --touching-ok"));
        assert_eq!(run.status, 2, "{run:?}");
        assert!(
            run.err.contains("does not answer the question \"whether surfaces only touch\""),
            "{run:?}"
        );
    }
    let asked = "check cube.obj torus.ply --pose 0.5,0,0,0,0,0,1";
    assert!(!place.run(asked).answered(1).out.contains("loses contacts"));
}

#[test]
fn answers_in_32_bits_say_so() {
    let place = Place::new();
    for method in ["stream-basic", "stream-tree", "stream-shrink"] {
        let asked = format!("check cube.obj torus.ply --pose 0.5,0,0,0,0,0,1 --method {method}");
        let line = &place.run(&format!("{asked} --mode sampled --json")).answered(1).json()[0];
        let found = &line["methods"][method];
        assert_eq!(found["certainty"], json!({ "rounded": { "bits": 24 } }));
        assert_eq!(found["kind"], "faithful");
        let text = place.run(&format!("{asked} --mode sampled")).answered(1).out;
        assert!(text.contains("numbers of 24 significant bits, so it may be wrong"), "{text}");
        let line = &place.run(&format!("{asked} --mode certified --json")).answered(1).json()[0];
        assert_eq!(line["methods"][method]["kind"], "exact");
        let refused = place.run(&format!("{asked} --mode sampled --resolution 64"));
        refused.refused(&["--resolution", "has no resolution"]);
    }
}

#[test]
fn a_choice_that_a_method_does_not_have_is_refused_by_name() {
    let place = Place::new();
    let asked = "check cube.obj torus.ply";
    for (options, words) in [
        ("--mode sampled", ["--mode", "wide has no mode sampled"]),
        ("--resolution 64", ["--resolution", "wide has no resolution"]),
        ("--method obbtree --backend software", ["--backend", "obbtree has no backend software"]),
        ("--method ibcd --backend cpu", ["--backend", "there are software and adapter"]),
        ("--method stream-tree --backend software", ["--backend", "has no backend software"]),
        ("--method stream-tree --resolution 9", ["--resolution", "stream-tree has no resolution"]),
        ("--method stream-pairs --mode sampled", ["--mode", "stream-pairs has no mode sampled"]),
        ("--method ldi --mode sampled", ["--mode", "ldi has no mode sampled"]),
        ("--method ldi --form raster", ["--form", "ldi has no form raster"]),
        ("--method ldi --backend cpu", ["--backend", "there are software and adapter"]),
        ("--form raster", ["--form", "wide has no form raster"]),
        ("--method ibcd --form compute", ["--form", "ibcd has no form compute"]),
        ("--method stream-tree --form raster", ["--form", "form raster without backend adapter"]),
        ("--method all --form raster", ["--method all", "are for one method"]),
        ("--method stream-basic --form drawn", ["drawn", "compute, raster"]),
        ("--method all --mode certified", ["--method all", "are for one method"]),
        ("--method ibcd --mode rough", ["rough", "certified, sampled"]),
        ("--method ibcd --resolution 0", ["0", "1..=4096"]),
    ] {
        place.run(&format!("{asked} {options}")).refused(&words);
    }
    place.run(&format!("{asked} --backend cpu")).answered(1);
}

#[cfg(not(feature = "gpu"))]
#[test]
fn without_graphics_an_adapter_is_refused_with_the_way_to_get_it() {
    for method in ["ibcd", "stream-shrink", "stream-pairs", "stream-tree --form raster"] {
        let asked = format!("check cube.obj torus.ply --method {method} --backend adapter");
        Place::new().run(&asked).refused(&["--backend", "--features gpu"]);
    }
}

/// On a machine without an adapter, software does the work, and the answer says why.
#[cfg(feature = "gpu")]
#[test]
fn with_graphics_an_adapter_or_the_reason_is_named() {
    for (method, form) in [
        ("ibcd", ""),
        ("stream-basic", ""),
        ("stream-basic", "--form compute"),
        ("stream-basic", "--form raster"),
        ("stream-pairs", ""),
    ] {
        let run = Place::new().run(&format!(
            "check cube.obj torus.ply --pose 0.5,0,0,0,0,0,1 --method {method} --backend adapter \
             {form} --json"
        ));
        // Drivers may write to standard error.
        assert_eq!(run.status, 1, "{run:?}");
        let backend = &run.json()[0]["methods"][method]["backend"];
        assert!(backend["gpu"].is_string() || backend["software"].is_string(), "{backend}");
    }
}
