//! Steadiness: `η_i = (t_i − t̄) / t̄` of each step of a motion (fan eq. 2-12). The line of a
//! method that takes the same time at every step is zero.

use serde_json::{Value, json};

use super::super::record::{Measurement, QUESTIONS, Results};
use super::bars::number;
use super::plot::{Axis, Svg};
use crate::numbers::digits;

const WIDTH: f64 = 920.0;
const LEFT: f64 = 130.0;
const RIGHT: f64 = 900.0;
/// Height of one method's strip.
const STRIP: f64 = 84.0;
const TOP: f64 = 10.0;
/// Upper end of the η axis; the lower end is −1, the least possible value. Larger values are
/// clamped.
const HIGHEST: f64 = 4.0;

/// One plot per moving scene and question.
pub(super) fn plots(results: &Results) -> Vec<Value> {
    let mut plots = Vec::new();
    for scene in &results.scenes {
        for (question, asked) in QUESTIONS {
            let rows: Vec<&Measurement> = results
                .of(&scene.scene, question)
                .filter(|m| m.all.steps == m.all.of)
                .filter(|m| m.eta.as_ref().is_some_and(|eta| eta.len() > 1))
                .collect();
            if !rows.is_empty() {
                let svg = plot(results, &rows);
                plots.push(json!({ "title": format!("{}: {asked}", scene.scene), "svg": svg }));
            }
        }
    }
    plots
}

fn plot(results: &Results, rows: &[&Measurement]) -> String {
    let height = TOP + rows.len() as f64 * STRIP + 26.0;
    let mut svg = Svg::new(WIDTH, height, "Deviation of each step's time from the mean");
    let steps = rows.iter().map(|row| row.times_ns.len()).max().unwrap_or(2);
    let across = Axis { low: 0.0, high: (steps - 1) as f64, from: LEFT, to: RIGHT };
    for (k, row) in rows.iter().enumerate() {
        let top = TOP + k as f64 * STRIP;
        let up = Axis { low: -1.0, high: HIGHEST, from: top + STRIP - 12.0, to: top + 4.0 };
        for value in [-1.0, 0.0, 2.0, 4.0] {
            let y = up.at(value);
            svg.line(if value == 0.0 { "axis" } else { "grid" }, [LEFT, y, RIGHT, y]);
            svg.text("tick end", LEFT - 6.0, y + 4.0, &format!("{value:.0}"));
        }
        let eta = row.eta.as_deref().unwrap_or_default();
        svg.text("method start", 4.0, top + 34.0, &row.method);
        svg.text("tick start", 4.0, top + 50.0, &format!("σ = {}", digits(deviation(eta))));
        let points: Vec<(f64, f64)> =
            eta.iter().enumerate().map(|(i, &e)| (across.at(i as f64), up.at(e))).collect();
        svg.path(number(results, &row.method), &points);
    }
    svg.text("tick mid", f64::midpoint(LEFT, RIGHT), height - 6.0, "step");
    svg.finish()
}

/// The standard deviation of η, whose mean is 0.
fn deviation(eta: &[f64]) -> f64 {
    (eta.iter().map(|e| e * e).sum::<f64>() / eta.len().max(1) as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::deviation;

    #[test]
    fn deviation_of_a_steady_method_is_zero() {
        assert_eq!(deviation(&[0.0; 4]), 0.0);
        assert_eq!(deviation(&[-1.0, 1.0]), 1.0);
        assert_eq!(deviation(&[]), 0.0);
    }
}
