//! Charts as SVG: axes, curves in one field, and one strip per curve. Colours are classes numbered
//! in the page's style sheet, which differs for light and dark pages.

use std::fmt::Write as _;

/// Escapes text for SVG.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// An axis that maps values to pixels, linearly or logarithmically.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    logarithmic: bool,
}

impl Axis {
    /// A linear axis from `low` to `high`, drawn from pixel `from` to pixel `to`.
    pub(crate) const fn linear([low, high]: [f64; 2], [from, to]: [f64; 2]) -> Self {
        Self { low, high, from, to, logarithmic: false }
    }

    /// A logarithmic axis over the positive values, with a small margin.
    pub(crate) fn around(values: impl Iterator<Item = f64>, [from, to]: [f64; 2]) -> Self {
        let logs = values.filter(|v| *v > 0.0 && v.is_finite()).map(f64::log10);
        let (low, high) =
            logs.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        let (low, high) = if low <= high { (low - 0.1, high + 0.1) } else { (0.0, 1.0) };
        Self { low, high, from, to, logarithmic: true }
    }

    /// The same axis extended to whole decades.
    pub(crate) fn whole(self) -> Self {
        let (low, high) = (self.low.floor(), self.high.ceil());
        Self { low, high: high.max(low + 1.0), ..self }
    }

    /// The pixel of a value. Values outside are clamped to the border.
    pub(crate) fn at(&self, value: f64) -> f64 {
        let value = if self.logarithmic { value.log10() } else { value };
        let part = (value - self.low) / (self.high - self.low);
        let part = if part.is_nan() { 0.0 } else { part.clamp(0.0, 1.0) };
        self.from + (self.to - self.from) * part
    }

    /// The powers of ten on the axis, formatted by `word`.
    pub(crate) fn decades(&self, word: fn(f64) -> String) -> Vec<(f64, String)> {
        let powers = (self.low.ceil() as i32)..=(self.high.floor() as i32);
        powers.map(|k| 10.0_f64.powi(k)).map(|decade| (decade, word(decade))).collect()
    }
}

/// A curve through points, optionally with a hover text per point.
#[derive(Clone, Debug, Default)]
pub(crate) struct Curve {
    /// The label beside it, in two lines.
    pub(crate) name: String,
    pub(crate) note: String,
    /// Number of its colour in the style sheet.
    pub(crate) colour: usize,
    pub(crate) points: Vec<(f64, f64)>,
    /// One hover text per point, or none at all.
    pub(crate) hints: Vec<String>,
}

/// A chart of several curves over common axes.
#[derive(Clone, Debug)]
pub(crate) struct Field<'t> {
    /// The title for screen readers.
    pub(crate) title: &'t str,
    pub(crate) size: (f64, f64),
    pub(crate) across: Axis,
    pub(crate) up: Axis,
    /// Positions of the vertical grid lines, with their labels.
    pub(crate) columns: Vec<(f64, String)>,
    pub(crate) rows: Vec<(f64, String)>,
    /// Caption of the horizontal axis.
    pub(crate) caption: &'t str,
    /// Whether the curves' names are written at their left ends.
    pub(crate) named: bool,
}

impl Field<'_> {
    /// Draws the chart as SVG.
    pub(crate) fn draw(&self, curves: &[Curve]) -> String {
        let Self { across, up, .. } = self;
        let mut svg = Svg::new(self.size.0, self.size.1, self.title);
        for (place, word) in &self.columns {
            let x = across.at(*place);
            svg.line("grid", [x, up.to, x, up.from]);
            svg.text("tick mid", x, up.from + 16.0, word);
        }
        svg.rows(across, up, &self.rows);
        svg.text("tick mid", f64::midpoint(across.from, across.to), up.from + 36.0, self.caption);
        for (k, curve) in curves.iter().enumerate() {
            svg.curve(across, up, curve);
            if self.named {
                svg.text(&format!("f{}", curve.colour), 4.0, 28.0 + 20.0 * k as f64, &curve.name);
            }
        }
        svg.finish()
    }
}

const WIDTH: f64 = 920.0;
/// Height of one curve's strip, in pixels.
const STRIP: f64 = 84.0;
/// Strips show η from −1, its minimum, to this value. Larger values are clamped.
const HIGHEST: f64 = 4.0;

/// One strip per curve over its steps, for values of at least −1 with mean 0. Names are written to
/// the left of pixel `left`.
pub(crate) fn strips(title: &str, left: f64, curves: &[Curve]) -> String {
    let height = curves.len() as f64 * STRIP + 36.0;
    let mut svg = Svg::new(WIDTH, height, title);
    let steps = curves.iter().map(|curve| curve.points.len()).max().unwrap_or(0).max(2);
    let across = Axis::linear([0.0, (steps - 1) as f64], [left, WIDTH - 20.0]);
    let rows = [-1.0, 0.0, 2.0, HIGHEST].map(|value| (value, format!("{value:.0}")));
    for (k, curve) in curves.iter().enumerate() {
        let top = 10.0 + k as f64 * STRIP;
        let up = Axis::linear([-1.0, HIGHEST], [top + STRIP - 12.0, top + 4.0]);
        svg.rows(&across, &up, &rows);
        svg.text("method start", 4.0, top + 34.0, &curve.name);
        svg.text("tick start", 4.0, top + 50.0, &curve.note);
        svg.curve(&across, &up, curve);
    }
    svg.text("tick mid", f64::midpoint(across.from, across.to), height - 6.0, "step");
    svg.finish()
}

/// An SVG under construction.
#[derive(Debug)]
pub(crate) struct Svg(String);

impl Svg {
    /// An empty picture with a title for screen readers.
    pub(crate) fn new(width: f64, height: f64, title: &str) -> Self {
        let title = escaped(title);
        Self(format!(
            "<svg viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" aria-label=\"{title}\" \
             style=\"max-width:{width:.0}px\">"
        ))
    }

    /// A line with a class of the style sheet.
    pub(crate) fn line(&mut self, class: &str, [x1, y1, x2, y2]: [f64; 4]) {
        self.push(format_args!(
            "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
        ));
    }

    /// Text with a class of the style sheet, which also sets its anchor.
    pub(crate) fn text(&mut self, class: &str, x: f64, y: f64, text: &str) {
        let text = escaped(text);
        self.push(format_args!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>"));
    }

    /// A bar with a colour and a hover text.
    pub(crate) fn bar(&mut self, colour: usize, [x, y, w, h]: [f64; 4], hint: &str) {
        let hint = escaped(hint);
        self.push(format_args!(
            "<rect class=\"f{colour}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" \
             height=\"{h:.1}\" rx=\"2\"><title>{hint}</title></rect>"
        ));
    }

    /// The horizontal grid lines with labels at their left.
    fn rows(&mut self, across: &Axis, up: &Axis, rows: &[(f64, String)]) {
        for (value, word) in rows {
            let y = up.at(*value);
            self.line(if *value == 0.0 { "axis" } else { "grid" }, [across.from, y, across.to, y]);
            self.text("tick end", across.from - 6.0, y + 4.0, word);
        }
    }

    fn curve(&mut self, across: &Axis, up: &Axis, curve: &Curve) {
        let colour = curve.colour;
        let pixels = curve.points.iter().map(|&(x, y)| (across.at(x), up.at(y)));
        let list: Vec<String> = pixels.clone().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        self.push(format_args!("<polyline class=\"s{colour}\" points=\"{}\"/>", list.join(" ")));
        for ((x, y), hint) in pixels.zip(&curve.hints) {
            let hint = escaped(hint);
            self.push(format_args!(
                "<circle class=\"f{colour}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\">\
                 <title>{hint}</title></circle>"
            ));
        }
    }

    /// The finished SVG text.
    pub(crate) fn finish(mut self) -> String {
        self.0.push_str("</svg>");
        self.0
    }

    fn push(&mut self, part: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.0.write_fmt(part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_hold_their_values_and_keep_order() {
        let axis = Axis::around([20.0, 5_000.0].into_iter(), [100.0, 500.0]).whole();
        assert!(axis.at(20.0) > 100.0 && axis.at(5_000.0) < 500.0);
        assert!(axis.at(20.0) < axis.at(200.0));
        let decades = axis.decades(|decade| decade.to_string());
        let decades: Vec<f64> = decades.into_iter().map(|(decade, _)| decade).collect();
        assert_eq!(decades, [10.0, 100.0, 1e3, 1e4]);
        let empty = Axis::around(std::iter::empty(), [0.0, 1.0]).whole();
        assert!(empty.at(f64::NAN).is_finite());
    }

    #[test]
    fn more_is_higher() {
        let axis = Axis::around([1.0, 100.0].into_iter(), [270.0, 12.0]);
        assert!(axis.at(1.0) > axis.at(10.0) && axis.at(10.0) > axis.at(100.0));
        assert!(axis.at(100.0) > 12.0 && axis.at(1.0) < 270.0);
        assert_eq!(axis.at(1e9), 12.0);
    }

    #[test]
    fn text_cannot_break_out() {
        let mut svg = Svg::new(10.0, 10.0, "a\"b");
        svg.text("t", 0.0, 0.0, "<script>");
        let text = svg.finish();
        assert!(text.contains("&lt;script&gt;") && text.contains("a&quot;b"));
        assert!(text.ends_with("</svg>"));
    }
}
