//! Tests of tables and bars of broad phases on a small synthetic run.

use super::*;

const SAMPLE: &str = include_str!("sample.jsonl");

fn sample() -> Results {
    Results::parse(SAMPLE).expect("a whole file")
}

fn row<'t>(text: &'t str, start: &str) -> &'t str {
    let start = format!("│ {start} ");
    text.lines().find(|line| line.starts_with(&start)).expect("a row")
}

#[test]
fn records_go_and_come_back() {
    let line = SAMPLE.lines().find(|line| line.contains("\"boxes\"")).expect("there is one");
    let Ok(super::super::record::Record::Boxes(boxes)) = serde_json::from_str(line) else {
        panic!("boxes are a record");
    };
    let text = serde_json::to_string(&boxes).expect("it can be written");
    assert_eq!(serde_json::from_str::<Boxes>(&text).expect("it can be read"), boxes);
    assert!(line.ends_with(&text[1..]), "nothing is left out: {text}");
    let more = text.replace("\"kind\"", "\"colour\":1,\"kind\"");
    assert!(serde_json::from_str::<Boxes>(&more).is_err(), "unknown fields are refused");
    let less = text.replace("\"objects\":10000,", "");
    assert!(serde_json::from_str::<Boxes>(&less).is_err(), "missing fields are refused");
}

#[test]
fn the_fastest_form_on_each_scene_counts() {
    let found = BARS[0].find(&sample());
    let ratios: Vec<(f64, &str, &str)> =
        found.workloads.iter().map(|w| (w.ratio, w.scene.as_str(), w.peer.as_str())).collect();
    let expected = [
        (1.0, "teleports10k", "parry-optimized"),
        (4.0, "uniform10k", "parry-optimized"),
        (4.8, "uniform100k", "parry"),
    ];
    assert_eq!(ratios, expected);
    // fcl-sap has no step in teleports10k: its time of 0 counts for nothing.
    let ratios = BARS[1].find(&sample()).workloads;
    assert_eq!(ratios.iter().map(|w| w.ratio).collect::<Vec<_>>(), [4.0, 10.0, 16.0]);
}

#[test]
fn a_median_is_met_where_not_every_scene_is() {
    let met: Vec<Option<bool>> = BARS.iter().map(|bar| bar.is_met(&sample())).collect();
    // Medians 4.0 of 2.5, 10 of 8, 1.875 of 1.6, 5.0 of 5; the least 1.0 and 0.8 of 1.2.
    assert_eq!(met, [Some(true), Some(true), Some(true), Some(true), Some(false), Some(false)]);
    let mut slower = sample();
    slower.boxes.truncate(1);
    let ours = &mut slower.boxes[0].rows[0];
    ours.median_us = 321.0;
    assert_eq!(BARS[0].is_met(&slower), Some(false), "800 over 321 is below 2.5");
    assert_eq!(BARS[4].is_met(&slower), Some(true));
}

#[test]
fn what_is_not_there_is_not_measured() {
    let mut sample = sample();
    for boxes in &mut sample.boxes {
        boxes.rows.retain(|row| !row.peer.starts_with("fcl") && row.peer != AVX512);
    }
    sample.run.absent[0].word = "fcl".to_owned();
    let met: Vec<Option<bool>> = BARS.iter().map(|bar| bar.is_met(&sample)).collect();
    assert_eq!(met, [None, None, Some(true), None, None, Some(false)]);
    let text = bars(&sample).to_string();
    assert_eq!(text.matches("not measured").count(), 4, "{text}");
    assert_eq!(text.matches("any of them but fcl").count(), 2, "{text}");
    assert_eq!(text.matches(" but ").count(), 2, "{text}");
}

#[test]
fn a_table_shows_times_ratios_and_who_left() {
    let sample = sample();
    let text = times(&sample.boxes[0]).to_string();
    let first = row(&text, AVX512);
    for part in ["150 µs", "200 µs", "250 µs", "800 µs", "1.00×"] {
        assert!(first.contains(part), "{part} in {first}");
    }
    assert!(row(&text, "parry-optimized").contains("4.00×"), "{text}");
    assert!(row(&text, "fcl-sap (12 of 400 steps)").contains("50.0 ms"), "{text}");
    let text = times(&sample.boxes[2]).to_string();
    let none = row(&text, "fcl-sap (0 of 400 steps)");
    assert_eq!(none.matches('–').count(), 5, "{none}");
    let head = scene_head(&sample.boxes[0]);
    assert!(head.contains("uniform10k: 10,000 boxes") && head.contains("13,000 pairs"), "{head}");
}

#[test]
fn growth_is_told_of_kinds_with_both_numbers() {
    let mut sample = sample();
    let found = exponents(&sample, AVX512);
    assert_eq!(found.len(), 1, "teleports were measured in one number");
    assert!((found[0].1 - 12.5_f64.log10()).abs() < 1e-12 && found[0].0 == "uniform");
    let text = growth(&sample).expect("two scenes differ in number").to_string();
    let (wide, narrow) = (row(&text, AVX512), row(&text, AVX2));
    assert!(wide.contains("1.10") && wide.contains("met"), "{text}");
    assert!(narrow.contains("1.20") && narrow.contains("missed"), "{text}");
    let parry = row(&text, "parry");
    assert!(parry.contains("1.08") && !parry.contains("met"), "no bar is for parry3d: {text}");
    assert!(!text.contains("fcl-sap"), "{text}");
    sample.boxes.remove(1);
    assert!(growth(&sample).is_none());
}

#[test]
fn all_parts_are_printed() {
    let text = text(&sample());
    for part in ["## uniform10k", "## teleports10k", "Exponent", "every scene, AVX2", "0.80×"] {
        assert!(text.contains(part), "{part} in {text}");
    }
}
