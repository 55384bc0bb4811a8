//! Sampled forms: the share of wrong answers over the resolution, by kind of error.

use serde_json::{Value, json};

use super::super::record::{Results, Sampling, role};
use crate::chart::{Axis, Curve, Field};
use crate::numbers::{digits, grouped, time};

/// The data of the section; null if no method has such a form. Forms without images are in the
/// tables only.
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
    let drawn = methods.iter().map(|(word, list)| (*word, with_pixels(list)));
    let drawn: Vec<_> = drawn.filter(|(_, list)| !list.is_empty()).collect();
    let svg = if drawn.is_empty() { String::new() } else { plot(&drawn) };
    json!({ "methods": rows, "svg": svg })
}

fn row(sampling: &Sampling) -> Value {
    let count = |n: usize| grouped(n as u64);
    json!({
        "form": sampling.form,
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

/// Forms that draw images, each with the pixels along a side.
fn with_pixels<'r>(list: &[&'r Sampling]) -> Vec<(u32, &'r Sampling)> {
    list.iter().filter_map(|&sampling| Some((sampling.resolution?.max(1), sampling))).collect()
}

/// Horizontal: resolution, logarithmic to base 2 and falling, since the curves differ where pixels are
/// few, and their names are at their right ends. Vertical: wrong answers in per cent.
fn plot(methods: &[(&str, Vec<(u32, &Sampling)>)]) -> String {
    let all = || methods.iter().flat_map(|(_, list)| list.iter().copied());
    let doublings = |pixels: u32| f64::from(pixels).log2();
    let low = all().map(|(pixels, _)| doublings(pixels)).fold(f64::INFINITY, f64::min);
    let high = all().map(|(pixels, _)| doublings(pixels)).fold(low + 1.0, f64::max);
    let most = all().map(|(_, s)| s.wrong_percent()).fold(1.0, f64::max);
    let step = step(most);
    let lines = (most / step).ceil();
    let mut columns: Vec<u32> = all().map(|(pixels, _)| pixels).collect();
    columns.sort_unstable();
    columns.dedup();
    let column = |tick: u32| (doublings(tick), tick.to_string());
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
    let curve = |(word, list): &(&str, Vec<(u32, &Sampling)>)| Curve {
        name: (*word).to_owned(),
        role: role(word),
        points: list.iter().rev().map(|(n, s)| (doublings(*n), s.wrong_percent())).collect(),
        hints: list.iter().rev().map(|(_, sampling)| hint(word, sampling)).collect(),
    };
    field.draw(&methods.iter().map(curve).collect::<Vec<_>>())
}

fn hint(word: &str, sampling: &Sampling) -> String {
    let Sampling { form, poses, false_hits, false_misses, errors, .. } = sampling;
    format!(
        "{word}, {form}: {} of {poses} wrong: {false_hits} false hits, {false_misses} \
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
    fn a_form_without_images_is_in_the_table_only() {
        let mut sample = Results::parse(include_str!("sample.jsonl")).expect("a whole file");
        for sampling in &mut sample.samplings {
            (sampling.resolution, sampling.form) = (None, "32 bits".to_owned());
        }
        let section = section(&sample);
        assert_eq!(section["svg"], "");
        assert_eq!(section["methods"][0]["rows"][6]["form"], "32 bits");
    }

    #[test]
    fn a_form_without_errors_can_be_drawn() {
        let mut sample = Results::parse(include_str!("sample.jsonl")).expect("a whole file");
        sample.samplings.retain(|sampling| sampling.resolution == Some(256));
        let section = section(&sample);
        assert!(section["svg"].as_str().is_some_and(|svg| !svg.contains("NaN")));
    }
}
