//! Sampled forms: the share of wrong answers over the resolution, and their kinds.

use serde_json::{Value, json};

use super::super::record::{Results, Sampling};
use super::bars::number;
use super::plot::{Axis, Svg};
use crate::numbers::{digits, grouped, time};

const SIZE: (f64, f64) = (620.0, 300.0);
const LEFT: f64 = 62.0;
const RIGHT: f64 = 600.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 256.0;

/// The section's data; null if no method has a sampled form.
pub(super) fn section(results: &Results) -> Value {
    let methods = results.sampled();
    if methods.is_empty() {
        return Value::Null;
    }
    let method = |(word, list): &(&str, Vec<&Sampling>)| {
        let rows: Vec<Value> = list.iter().map(|sampling| row(sampling)).collect();
        json!({ "word": word, "number": number(results, word), "rows": rows })
    };
    let rows: Vec<Value> = methods.iter().map(method).collect();
    json!({ "methods": rows, "svg": plot(results, &methods) })
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

/// Plots the percentage of wrong answers over log2 of the resolution.
fn plot(results: &Results, methods: &[(&str, Vec<&Sampling>)]) -> String {
    let all = || methods.iter().flat_map(|(_, list)| list.iter());
    let doublings = |sampling: &Sampling| f64::from(sampling.resolution.max(1)).log2();
    let low = all().map(|s| doublings(s)).fold(f64::INFINITY, f64::min);
    let high = all().map(|s| doublings(s)).fold(low + 1.0, f64::max);
    let most = all().map(|s| s.wrong_percent()).fold(1.0, f64::max);
    let step = step(most);
    let across = Axis { low, high, from: LEFT + 12.0, to: RIGHT };
    let lines = (most / step).ceil();
    let up = Axis { low: 0.0, high: lines * step, from: BOTTOM, to: TOP };
    let mut svg = Svg::new(SIZE.0, SIZE.1, "Share of wrong answers of sampled forms by resolution");
    for line in 0..=lines as u32 {
        let value = f64::from(line) * step;
        let y = up.at(value);
        svg.line(if value == 0.0 { "axis" } else { "grid" }, [LEFT, y, RIGHT, y]);
        svg.text("tick end", LEFT - 6.0, y + 4.0, &format!("{value} %"));
    }
    let mut ticks: Vec<u32> = all().map(|sampling| sampling.resolution).collect();
    ticks.sort_unstable();
    ticks.dedup();
    for tick in ticks {
        let x = across.at(f64::from(tick.max(1)).log2());
        svg.text("tick mid", x, BOTTOM + 16.0, &tick.to_string());
    }
    svg.text("tick mid", f64::midpoint(LEFT, RIGHT), BOTTOM + 36.0, "pixels a side");
    for (word, list) in methods {
        let method = number(results, word);
        let place = |s: &&Sampling| (across.at(doublings(s)), up.at(s.wrong_percent()));
        let points: Vec<(f64, f64)> = list.iter().map(place).collect();
        svg.path(method, &points);
        for (sampling, &(x, y)) in list.iter().zip(&points) {
            svg.dot(method, x, y, &hint(word, sampling));
        }
    }
    svg.finish()
}

fn hint(word: &str, sampling: &Sampling) -> String {
    let Sampling { resolution, poses, false_hits, false_misses, errors, .. } = sampling;
    format!(
        "{word}, {resolution} pixels: {} of {poses} wrong: {false_hits} false hits, {false_misses} \
         false misses, {errors} errors",
        sampling.wrong()
    )
}

/// Spacing of the grid in per cent: at most six intervals up to `most`.
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
