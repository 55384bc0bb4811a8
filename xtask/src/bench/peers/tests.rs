//! Tests of tables and bars on a small synthetic run.

use super::*;

const SAMPLE: &str = include_str!("sample.jsonl");

fn sample() -> Results {
    Results::parse(SAMPLE).expect("a whole file")
}

fn nobody_absent() -> Results {
    let mut all = sample();
    all.run.absent.clear();
    all
}

fn bar(title: &str, against: &str) -> Bar {
    let bar =
        BARS.into_iter().find(|bar| bar.title == title && bar.whom(&nobody_absent()) == against);
    bar.expect("it is in the table")
}

#[test]
fn a_cut_off_file_and_another_version_are_refused() {
    let cut: Vec<&str> = SAMPLE.lines().filter(|line| !line.contains("\"end\"")).collect();
    assert!(Results::parse(&cut.join("\n")).is_err_and(|why| why.contains("cut off")));
    let newer = SAMPLE.replace("\"peers_schema\":4", "\"peers_schema\":5");
    assert!(Results::parse(&newer).is_err_and(|why| why.contains("version 5")));
    assert!(Results::parse("{}").is_err_and(|why| why.contains("line 1")));
}

#[test]
fn the_fastest_of_a_bars_peers_counts_and_the_worst_workload_comes_first() {
    let found = bar("first contact, 0.1 % apart", "FCL, Coal").find(&sample());
    // small: fcl 30 µs and coal 40 µs against 1 µs; large: 60 and 50 against 2.
    let work = |ratio, peer: &str, scene: &str| Workload {
        ratio,
        peer: peer.to_owned(),
        scene: scene.to_owned(),
        question: "first".to_owned(),
        target: "0.1 % apart".to_owned(),
    };
    assert_eq!(found.workloads, [work(25.0, "coal", "large"), work(30.0, "fcl", "small")]);
    assert_eq!((found.left_out, found.reach(25.0), found.reach(26.0)), (0, 2, 1));
    assert_eq!((found.is_met(25.0), found.is_met(26.0)), (Some(true), Some(false)));
    assert_eq!(found.middle(), Some(30.0));
}

#[test]
fn wrong_verdicts_and_small_meshes_compare_with_nothing() {
    // small has 1,000 triangles. In large parry is wrong at pose 0 and takes 500 µs at pose 1.
    let found = bar("first contact, 10k triangles and more", "parry3d").find(&sample());
    let ratios: Vec<f64> = found.workloads.iter().map(|work| work.ratio).collect();
    assert_eq!((ratios, found.left_out), (vec![250.0], 0));
    // parry-pairs is wrong everywhere.
    let found = bar("first contact, 10k triangles and more", "parry3d by pairs").find(&sample());
    assert_eq!((found.workloads.len(), found.left_out), (0, 1));
    assert_eq!(found.is_met(100.0), None);
}

#[test]
fn what_was_not_measured_is_neither_met_nor_missed() {
    let distance = bar("distance", "FCL, Coal");
    assert_eq!(distance.find(&sample()), Found::default());
    let text = bars(&sample()).to_string();
    let row = text.lines().find(|line| line.contains("│ distance ")).expect("a row");
    assert!(row.contains("not measured"), "{row}");
}

#[test]
fn being_slower_anywhere_misses_the_last_bar() {
    let found = bar("no workload slower", "any of them").find(&sample());
    assert_eq!(found.is_met(1.0), Some(false));
    let worst = &found.workloads[0];
    assert_eq!((worst.ratio, worst.peer.as_str(), worst.question.as_str()), (0.5, "fcl", "all"));
    let text = bars(&sample()).to_string();
    let row = text.lines().find(|line| line.contains("no workload slower")).expect("a row");
    for part in [
        "any of them but bullet",
        "missed",
        "0.50×",
        "small, all contacts, 1 % deep: fcl",
        "2 of 3",
    ] {
        assert!(row.contains(part), "{part} in {row}");
    }
}

#[test]
fn a_table_shows_times_ratios_and_what_is_against_them() {
    let sample = sample();
    let large = &sample.scenes[1];
    let text = times(&sample, large, "first", "first contact").expect("asked").to_string();
    let row = text.lines().find(|line| line.contains("0.1 % apart")).expect("a row");
    for part in ["2.00 µs", "60.0 µs  30.0×", "(1 wrong) 260 µs   250×", "(2 wrong) 8.00 µs      –"]
    {
        assert!(row.contains(part), "{part} in {row}");
    }
    assert!(times(&sample, large, "distance", "distance").is_none(), "it was not asked");
    let small = &sample.scenes[0];
    let text = times(&sample, small, "all", "all contacts").expect("asked").to_string();
    assert!(text.contains("(1 of 2) 5.00 µs  0.50×"), "{text}");
    let text = preparations(&sample).to_string();
    for part in ["1.00 ms, 80.0 B", "5.00 ms + 6.00 ms, 312 B", "refused"] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn lengths_keep_their_digits() {
    assert_eq!([1.4567, 0.0145, 0.00288, 3e7].map(length), ["1.46", "0.01", "2.88e-3", "3.00e7"]);
}

#[test]
fn who_is_wrong_is_named_by_question_and_target() {
    let text = faults(&sample()).to_string();
    let rows = |who: &str| {
        let start = format!("│ {who} ");
        text.lines().filter(|line| line.starts_with(&start)).collect::<Vec<_>>()
    };
    assert_eq!(rows("wide").len(), 1, "nothing wrong:\n{text}");
    assert!(rows("wide")[0].contains("all"), "{text}");
    let parry = rows("parry");
    assert_eq!(parry.len(), 2, "{text}");
    assert!(parry[0].contains("first contact") && parry[0].contains("0.1 % apart"), "{text}");
    let head = head(&sample());
    assert!(head.contains("bullet       not here: nobody asked"), "{head}");
    assert!(head.contains("load before the run 0.25"), "{head}");
}
