//! Plots of a claim as SVG: all curves in one diagram with logarithmic axes, or one diagram per
//! curve. Colours come from the page's style sheet.

use std::fmt::Write as _;

use super::figures::number;
use super::record::{Curve, Layout, Plot};

const WIDTH: f64 = 920.0;
const LEFT: f64 = 190.0;
const RIGHT: f64 = 905.0;
/// Height of a diagram that holds all curves.
const FIELD: f64 = 300.0;
/// Height of a diagram for one curve.
const PANEL: f64 = 64.0;
/// Upper end of the η axis; its lower end is the least possible value. Larger values are clamped.
const HIGHEST: f64 = 3.0;
/// Number of colours in the style sheet.
const COLOURS: usize = 4;

/// Draws a plot as SVG.
pub(super) fn svg(plot: &Plot) -> String {
    let (height, parts) = match plot.layout {
        Layout::Lines => (FIELD, lines(plot)),
        Layout::Panels => (plot.curves.len() as f64 * PANEL + 24.0, panels(plot)),
    };
    format!(
        "<svg viewBox=\"0 0 {WIDTH:.0} {height:.0}\" role=\"img\" aria-label=\"{}\">{parts}</svg>",
        escaped(&plot.title)
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Maps values to pixels; values outside are clamped to the border.
#[derive(Clone, Copy, Debug)]
struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    fn at(self, value: f64) -> f64 {
        let part = (value - self.low) / (self.high - self.low);
        let part = if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 };
        self.from + (self.to - self.from) * part
    }

    /// A logarithmic axis around the positive values.
    fn around(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let logs = values.filter(|v| *v > 0.0 && v.is_finite()).map(f64::log10);
        let (low, high) =
            logs.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        let (low, high) = if low <= high { (low - 0.1, high + 0.1) } else { (0.0, 1.0) };
        Self { low, high, from, to }
    }
}

fn text(out: &mut String, class: &str, [x, y]: [f64; 2], text: &str) {
    // Writing to a string cannot fail.
    let _ =
        write!(out, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escaped(text));
}

fn line(out: &mut String, class: &str, [x1, y1, x2, y2]: [f64; 4]) {
    let _ = write!(
        out,
        "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
    );
}

fn path(out: &mut String, colour: usize, points: impl Iterator<Item = [f64; 2]>) {
    let points: Vec<String> = points.map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
    let _ = write!(out, "<polyline class=\"c{colour}\" points=\"{}\"/>", points.join(" "));
}

/// All curves over the same abscissae. Values that are not positive are clamped to the border.
fn lines(plot: &Plot) -> String {
    let mut out = String::new();
    let bottom = FIELD - 30.0;
    let across = Axis::around(plot.across.iter().copied(), LEFT, RIGHT);
    let values = plot.curves.iter().flat_map(|curve| curve.values.iter().copied());
    let up = Axis::around(values, bottom, 12.0);
    for power in up.low.ceil() as i32..=up.high.floor() as i32 {
        let y = up.at(f64::from(power));
        line(&mut out, "grid", [LEFT, y, RIGHT, y]);
        text(&mut out, "end", [LEFT - 6.0, y + 4.0], &number(10.0_f64.powi(power)));
    }
    for &place in &plot.across {
        let x = across.at(place.log10());
        line(&mut out, "grid", [x, 12.0, x, bottom]);
        text(&mut out, "mid", [x, bottom + 18.0], &number(place));
    }
    for (k, curve) in plot.curves.iter().enumerate() {
        let colour = k % COLOURS;
        let points = plot.across.iter().zip(&curve.values);
        path(&mut out, colour, points.map(|(x, y)| [across.at(x.log10()), up.at(y.log10())]));
        text(&mut out, &format!("n{colour}"), [4.0, 28.0 + 20.0 * k as f64], &curve.name);
    }
    out
}

/// A diagram for each curve, over its steps; for values of at least −1 with mean 0.
fn panels(plot: &Plot) -> String {
    let mut out = String::new();
    let steps = plot.curves.iter().map(|curve| curve.values.len()).max().unwrap_or(0);
    let across = Axis { low: 0.0, high: steps.max(2) as f64 - 1.0, from: LEFT, to: RIGHT };
    for (k, Curve { name, note, values }) in plot.curves.iter().enumerate() {
        let top = k as f64 * PANEL;
        let up = Axis { low: -1.0, high: HIGHEST, from: top + PANEL - 8.0, to: top + 4.0 };
        for value in [-1.0, 0.0, HIGHEST] {
            let (class, y) = (if value == 0.0 { "axis" } else { "grid" }, up.at(value));
            line(&mut out, class, [LEFT, y, RIGHT, y]);
            text(&mut out, "end", [LEFT - 6.0, y + 4.0], &number(value));
        }
        text(&mut out, "name", [4.0, top + 22.0], name);
        text(&mut out, "note", [4.0, top + 38.0], note);
        let points = values.iter().enumerate();
        path(&mut out, 0, points.map(|(step, &value)| [across.at(step as f64), up.at(value)]));
    }
    let foot = plot.curves.len() as f64 * PANEL + 16.0;
    text(
        &mut out,
        "mid",
        [f64::midpoint(LEFT, RIGHT), foot],
        &format!("step, 0 to {}", steps.max(1) - 1),
    );
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(layout: Layout, across: Vec<f64>, values: Vec<f64>) -> Plot {
        let curve = Curve { name: "a<b".to_owned(), note: "\"n\"".to_owned(), values };
        Plot { title: "t & u".to_owned(), layout, across, curves: vec![curve] }
    }

    #[test]
    fn values_out_of_range_stay_inside_and_text_cannot_break_out() {
        for (across, values) in [
            (vec![], vec![]),
            (vec![0.0, -1.0], vec![f64::NAN, f64::INFINITY]),
            (vec![1.0, 1e9], vec![-5.0, 1e9]),
        ] {
            for layout in [Layout::Lines, Layout::Panels] {
                let svg = svg(&plot(layout, across.clone(), values.clone()));
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
                assert!(svg.contains("a&lt;b") && svg.contains("t &amp; u"));
                assert!(svg.ends_with("</svg>"));
            }
        }
    }

    #[test]
    fn more_is_higher() {
        let axis = Axis::around([1.0, 100.0].into_iter(), 270.0, 12.0);
        assert!(axis.at(0.0) > axis.at(1.0) && axis.at(1.0) > axis.at(2.0));
        assert!(axis.at(2.0) > 12.0 && axis.at(0.0) < 270.0);
        assert_eq!(axis.at(9.0), 12.0);
    }
}
