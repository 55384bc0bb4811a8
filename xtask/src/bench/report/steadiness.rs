//! Steadiness: `η_i = (t_i − t̄) / t̄` of each step of a motion (fan eq. 2-12), one small curve per
//! method and motion, in one table. The line of a method whose time hardly varies stays near zero.

use serde_json::{Value, json};

use super::super::record::{Measurement, QUESTIONS, Results, Scene, role};
use crate::chart;

/// The table: its columns, and a row per method, the steadiest first; null without motions.
pub(super) fn table(results: &Results) -> Value {
    let pairs = results.scenes.iter().flat_map(|scene| QUESTIONS.map(|asked| (scene, asked)));
    let columns: Vec<(&Scene, (&str, &str))> = pairs
        .filter(|(scene, (question, _))| {
            results.of(&scene.scene, question).any(|m| eta(m).is_some())
        })
        .collect();
    if columns.is_empty() {
        return Value::Null;
    }
    let mut rows: Vec<(f64, Value)> = Vec::new();
    for method in &results.run.methods {
        let find = |scene, question| results.of(scene, question).find(|m| m.method == method.word);
        let etas: Vec<Option<&[f64]>> = (columns.iter())
            .map(|(scene, (question, _))| find(&scene.scene, question).and_then(eta))
            .collect();
        let known: Vec<f64> = etas.iter().flatten().map(|eta| deviation(eta)).collect();
        if known.is_empty() {
            continue;
        }
        let cell = |eta: Option<&[f64]>| {
            eta.map(|eta| {
                let sigma = format!("{:.0} %", 100.0 * deviation(eta));
                let title = format!("{}: σ = {sigma}", method.word);
                json!({ "sigma": sigma, "svg": chart::spark(&title, role(&method.word), eta) })
            })
        };
        let cells: Vec<Option<Value>> = etas.iter().copied().map(cell).collect();
        let mean = known.iter().sum::<f64>() / known.len() as f64;
        // Methods that did not finish every motion come last.
        let late = if known.len() < columns.len() { 1e9 } else { 0.0 };
        let role = role(&method.word).class();
        rows.push((mean + late, json!({ "word": method.word, "role": role, "cells": cells })));
    }
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let column = |(scene, (_, asked)): &(&Scene, (&str, &str))| json!({ "scene": scene.scene, "asked": asked.to_lowercase() });
    json!({
        "columns": columns.iter().map(column).collect::<Vec<_>>(),
        "rows": rows.into_iter().map(|(_, row)| row).collect::<Vec<_>>(),
    })
}

/// The deviations of a measurement that finished all steps of a motion.
fn eta(row: &Measurement) -> Option<&[f64]> {
    let eta = row.eta.as_deref().filter(|eta| eta.len() > 1)?;
    (row.all.steps == row.all.of).then_some(eta)
}

/// The standard deviation; the mean of η is 0.
fn deviation(eta: &[f64]) -> f64 {
    (eta.iter().map(|e| e * e).sum::<f64>() / eta.len().max(1) as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviation_of_a_steady_method_is_zero() {
        assert_eq!(deviation(&[0.0; 4]), 0.0);
        assert_eq!(deviation(&[-1.0, 1.0]), 1.0);
        assert_eq!(deviation(&[]), 0.0);
    }

    #[test]
    fn the_steadiest_comes_first_and_who_was_late_comes_last() {
        let mut sample = Results::parse(include_str!("sample.jsonl")).expect("a whole file");
        let table_of = |sample: &Results| {
            let table = table(sample);
            let rows = table["rows"].as_array().cloned().unwrap_or_default();
            (table["columns"].as_array().map_or(0, Vec::len), rows)
        };
        let (columns, rows) = table_of(&sample);
        assert!(
            columns >= 2
                && rows
                    .iter()
                    .all(|row| row["cells"].as_array().is_some_and(|c| c.len() == columns))
        );
        let first = rows[0]["word"].as_str().expect("a name").to_owned();
        for row in sample.measurements.iter_mut().filter(|m| m.method == first && m.scene == "walk")
        {
            row.all.steps -= 1;
        }
        let (_, rows) = table_of(&sample);
        assert_eq!(rows.last().expect("rows")["word"], first.as_str());
        sample.measurements.iter_mut().for_each(|row| row.eta = None);
        assert!(table(&sample).is_null());
    }
}
