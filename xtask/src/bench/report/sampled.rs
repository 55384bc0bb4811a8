//! Sampled forms: the share of wrong answers over the resolution, by kind of error.

use serde_json::{Value, json};

use super::super::record::{Results, Sampling, role};
use crate::chart::{Axis, Curve, Field};
use crate::numbers::{digits, grouped, time};

/// The data of the section; null if no method has such a form.
pub(super) fn section(results: &Results) -> Value {
    let methods = results.sampled();
    if methods.is_empty() {
        return Value::Null;
    }
    let method = |(word, list): &(&str, Vec<&Sampling>)| {
        let rows: Vec<Value> = list.iter().map(|sampling| row(sampling)).collect();
        json!({ "word": word, "rows": rows })
    };
    let rows: Vec<Value> = methods.iter().map(method).collect();
    json!({ "methods": rows, "svg": plot(&methods) })
}

fn row(sampling: &Sampling) -> Value {
    let count = |n: usize| grouped(n as u64);
    json!({
        "resolution": sampling.resolution,
        "poses": count(sampling.poses),
        "hits": count(sampling.hits),
        "false_hits": count(sampling.false_hits),
        "false_misses": count(sampling.false_misses),
        "errors": count(sampling.errors),
        "share": format!("{} %", digits(sampling.wrong_percent())),
        "median": time(sampling.median_ns),
        "error": sampling.error,
    })
}

/// Horizontal: resolution, logarithmic to base 2 and falling, since the curves differ where pixels are
/// few, and their names are at their right ends. Vertical: wrong answers in per cent.
fn plot(methods: &[(&str, Vec<&Sampling>)]) -> String {
    let all = || methods.iter().flat_map(|(_, list)| list.iter());
    let doublings = |sampling: &Sampling| f64::from(sampling.resolution.max(1)).log2();
    let low = all().map(|s| doublings(s)).fold(f64::INFINITY, f64::min);
    let high = all().map(|s| doublings(s)).fold(low + 1.0, f64::max);
    let most = all().map(|s| s.wrong_percent()).fold(1.0, f64::max);
    let step = step(most);
    let lines = (most / step).ceil();
    let mut columns: Vec<u32> = all().map(|sampling| sampling.resolution).collect();
    columns.sort_unstable();
    columns.dedup();
    let column = |tick: u32| (f64::from(tick.max(1)).log2(), tick.to_string());
    let row = |line: u32| f64::from(line) * step;
    let field = Field {
        title: "Share of wrong answers of sampled forms by resolution",
        size: (620.0, 300.0),
        across: Axis::linear([high, low], [62.0, 520.0]),
        up: Axis::linear([0.0, lines * step], [256.0, 14.0]),
        columns: columns.into_iter().map(column).collect(),
        rows: (0..=lines as u32).map(row).map(|value| (value, format!("{value} %"))).collect(),
        caption: "pixels a side, fewer to the right",
    };
    let curve = |(word, list): &(&str, Vec<&Sampling>)| Curve {
        name: (*word).to_owned(),
        role: role(word),
        points: list.iter().rev().map(|s| (doublings(s), s.wrong_percent())).collect(),
        hints: list.iter().rev().map(|sampling| hint(word, sampling)).collect(),
    };
    field.draw(&methods.iter().map(curve).collect::<Vec<_>>())
}

fn hint(word: &str, sampling: &Sampling) -> String {
    let Sampling { resolution, poses, false_hits, false_misses, errors, .. } = sampling;
    format!(
        "{word}, {resolution} pixels: {} of {poses} wrong: {false_hits} false hits, {false_misses} \
         false misses, {errors} errors",
        sampling.wrong()
    )
}

/// Spacing of the grid lines in per cent: about five lines up to `most`.
fn step(most: f64) -> f64 {
    [1.0, 2.0, 5.0, 10.0].into_iter().find(|step| most / step <= 6.0).unwrap_or(20.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_resolution_has_a_row_and_a_dot() {
        let sample = Results::parse(include_str!("sample.jsonl")).expect("a whole file");
        let section = section(&sample);
        let rows = section["methods"][0]["rows"].as_array().map_or(0, Vec::len);
        let svg = section["svg"].as_str().unwrap_or_default();
        assert_eq!((rows, svg.matches("<circle").count()), (7, 7));
        assert!(svg.contains(">256<") && svg.contains(">10 %<"), "{svg}");
        assert_eq!(section["methods"][0]["rows"][0]["share"], "9.58 %");
    }

    #[test]
    fn a_form_without_errors_can_be_drawn() {
        let mut sample = Results::parse(include_str!("sample.jsonl")).expect("a whole file");
        sample.samplings.retain(|sampling| sampling.resolution == 256);
        let section = section(&sample);
        assert!(section["svg"].as_str().is_some_and(|svg| !svg.contains("NaN")));
    }
}
