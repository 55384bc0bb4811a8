//! The matrices: one row per method, one column per scene, the ratio to the baseline in each cell.

use serde_json::{Value, json};

use super::super::ratios::{Aspect, Entry, Matrix, Row};
use super::super::record::{
    BASELINE, DEFAULT, DEFORMING, GROUPS, Results, Scene, role, wrong_words,
};
use super::dots;
use crate::chart::{Axis, Svg};
use crate::numbers::{digits, grouped, ratio, time};

/// Upper ends of the shades of faster and slower ratios, with their classes in the style sheet.
const SHADES: [(f64, &str); 8] = [
    (0.125, "f4"),
    (0.25, "f3"),
    (0.5, "f2"),
    (0.8, "f1"),
    (1.25, "even"),
    (2.0, "s1"),
    (4.0, "s2"),
    (8.0, "s3"),
];

/// One matrix per aspect with measurements.
pub(super) fn all(results: &Results) -> Vec<Value> {
    let every = |(aspect, title)| {
        let matrix = Matrix::new(results, aspect, |_| true);
        (!matrix.rows.is_empty()).then(|| value(&matrix, aspect, title))
    };
    Aspect::all().into_iter().filter_map(every).collect()
}

fn value(matrix: &Matrix<'_>, aspect: Aspect, title: &str) -> Value {
    let question = matches!(aspect, Aspect::Question(_));
    let panel = |column: usize| dots::panel(matrix, column);
    let panels: Vec<Value> =
        if question { (0..matrix.scenes.len()).filter_map(panel).collect() } else { Vec::new() };
    let axis = axis(matrix);
    let rows: Vec<Value> =
        matrix.rows.iter().map(|row| row_value(matrix, row, &axis, aspect)).collect();
    let deforms = matrix.scenes.iter().any(|scene| scene.group == DEFORMING);
    json!({
        "title": title,
        "note": match aspect {
            Aspect::Question(_) if deforms => "Median time of a query; where meshes deform, of update and query together.",
            Aspect::Question(_) => "Median time of a query.",
            Aspect::Preparation => "Time to prepare the meshes of a scene, once.",
            Aspect::Memory => "Bytes per triangle of the prepared models, with the meshes’ own arrays.",
        },
        "question": question,
        "compared": matrix.compared,
        "groups": groups(&matrix.scenes),
        "scenes": matrix.scenes.iter().map(|s| s.scene.as_str()).collect::<Vec<_>>(),
        "scale": scale(&axis),
        "rows": rows,
        "legend": dots::legend(matrix),
        "panels": panels,
    })
}

fn bytes(count: f64) -> String {
    format!("{} B", digits(count))
}

/// Titles of the groups of scenes, with their numbers of columns.
fn groups(scenes: &[&Scene]) -> Vec<Value> {
    let of = |group: &str| scenes.iter().filter(|scene| scene.group == group).count();
    let found = GROUPS.iter().map(|(group, title)| (of(group), title)).filter(|(n, _)| *n > 0);
    found.map(|(span, title)| json!({ "title": title, "span": span })).collect()
}

fn row_value(matrix: &Matrix<'_>, row: &Row<'_>, axis: &Axis, aspect: Aspect) -> Value {
    let cells: Vec<Value> =
        row.entries.iter().map(|entry| cell(entry.as_ref(), matrix, aspect)).collect();
    let complete = matrix.is_complete(row);
    // Means over fewer scenes are not sorted among the others.
    let sorted = row.mean.filter(|_| complete);
    json!({
        "word": row.method.word,
        "role": role(&row.method.word).class(),
        "tag": tag(row),
        "title": row.method.title,
        "mean": row.mean.map(ratio),
        "sorted": sorted,
        "over": row.over,
        "partial": !complete,
        "range": range(row, axis),
        "wrong": grouped(row.wrong),
        "cells": cells,
    })
}

/// What a reader must know about a method beside its name.
fn tag(row: &Row<'_>) -> &'static str {
    match (row.method.word.as_str(), row.method.kind.as_str()) {
        (DEFAULT, _) => "default",
        (BASELINE, _) => "baseline",
        (_, "faithful") => "as printed",
        (_, "outside") => "outside",
        _ => "",
    }
}

fn cell(entry: Option<&Entry<'_>>, matrix: &Matrix<'_>, aspect: Aspect) -> Value {
    let unit = if aspect == Aspect::Memory { bytes } else { time };
    let Some(entry) = entry else { return json!({ "text": "", "class": "none", "hint": "" }) };
    let all = &entry.row.all;
    let (text, class) = match entry.ratio {
        Some(ratio) => (digits(ratio), shade(ratio)),
        None if !entry.whole => ("late".to_owned(), "none"),
        None if matrix.compared == 0 => (unit(entry.cost.median), "even"),
        None => ("–".to_owned(), "none"),
    };
    let is_question = matches!(aspect, Aspect::Question(_));
    let wrong = if is_question { wrong_words(all) } else { String::new() };
    let late = if entry.whole {
        String::new()
    } else {
        format!(", {} of {} steps in time", all.steps, all.of)
    };
    json!({
        "text": text,
        "class": class,
        "hint": format!("{}, {}: {}{late}", entry.row.method, entry.row.scene, unit(entry.cost.median)),
        "wrong": wrong,
    })
}

/// The class of a ratio's shade.
fn shade(ratio: f64) -> &'static str {
    SHADES.iter().find(|(end, _)| ratio < *end).map_or("s4", |(_, class)| class)
}

/// The axis of the ranges of all rows.
fn axis(matrix: &Matrix<'_>) -> Axis {
    let entries = matrix.rows.iter().flat_map(|row| row.entries.iter().flatten());
    Axis::around(entries.filter_map(|entry| entry.ratio).chain([1.0]), [8.0, 142.0])
}

/// The head of the column of ranges: the powers of ten.
fn scale(axis: &Axis) -> String {
    let mut svg = Svg::new(150.0, 16.0, "powers of ten");
    for (decade, word) in axis.decades(|decade| format!("{decade}×")) {
        svg.text("tick mid", axis.at(decade), 12.0, &word);
    }
    svg.finish()
}

/// The least, mean and largest ratio of a row as a picture.
fn range(row: &Row<'_>, axis: &Axis) -> Option<String> {
    let mean = row.mean?;
    let ratios = row.entries.iter().flatten().filter_map(|entry| entry.ratio);
    let (least, most) =
        ratios.fold((f64::INFINITY, 0.0_f64), |(least, most), r| (least.min(r), most.max(r)));
    let hint =
        format!("{}: {} to {}, mean {}", row.method.word, ratio(least), ratio(most), ratio(mean));
    let role = role(&row.method.word);
    let mut svg = Svg::new(150.0, 18.0, &hint);
    svg.line("one", [axis.at(1.0), 0.0, axis.at(1.0), 18.0]);
    svg.line(&format!("range {}", role.class()), [axis.at(least), 9.0, axis.at(most), 9.0]);
    svg.mark(role, false, [axis.at(mean), 9.0], &hint);
    Some(svg.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shades_follow_ratios_and_are_in_the_style_sheet() {
        let css = include_str!("../../../templates/page.css");
        let found = [0.05, 0.2, 0.4, 0.6, 1.0, 1.5, 3.0, 5.0, 50.0].map(shade);
        assert_eq!(found, ["f4", "f3", "f2", "f1", "even", "s1", "s2", "s3", "s4"]);
        for class in found.iter().filter(|class| **class != "even") {
            assert!(css.contains(&format!("td.{class} {{")), "{class}");
            assert_eq!(css.matches(&format!("--{class}: ")).count(), 2, "{class}, light and dark");
        }
    }

    #[test]
    fn cells_tell_late_and_wrong_answers_from_right_ones() {
        let mut sample = Results::parse(include_str!("sample.jsonl")).expect("a whole file");
        let late = sample.measurements.iter_mut().find(|m| m.method == "wide").expect("measured");
        late.all.steps -= 1;
        let first = &all(&sample)[0];
        let row = |word: &str| {
            let rows = first["rows"].as_array().expect("rows");
            rows.iter().find(|row| row["word"] == word).expect("a row").clone()
        };
        let wide = row("wide");
        assert_eq!(wide["cells"][0]["text"], "late");
        assert_eq!((&wide["partial"], &wide["over"]), (&json!(true), &json!(3)));
        let wrong = row("parry-pairs");
        assert_eq!(wrong["cells"][0]["wrong"], "8 false hits, 8 extra pairs");
        assert_ne!(wrong["wrong"], "0");
        assert_eq!(row("obbtree")["cells"][0]["wrong"], "");
    }

    #[test]
    fn times_are_shown_where_there_is_no_baseline() {
        let mut sample = Results::parse(include_str!("sample.jsonl")).expect("a whole file");
        sample.measurements.retain(|row| row.method != BASELINE);
        let text = all(&sample)[0]["rows"][0]["cells"][0]["text"].to_string();
        assert!(text.contains("µs"), "{text}");
    }
}
