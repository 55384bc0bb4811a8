//! Charts as SVG: axes, curves in one field, and small curves for cells. Colours are classes of the
//! pages' style sheet, which differs for light and dark pages.

use std::fmt::Write as _;

use crate::page::escaped;

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

    /// The pixel of a value. Values outside are clamped to the border.
    pub(crate) fn at(&self, value: f64) -> f64 {
        let value = if self.logarithmic { value.log10() } else { value };
        let part = (value - self.low) / (self.high - self.low);
        let part = if part.is_nan() { 0.0 } else { part.clamp(0.0, 1.0) };
        self.from + (self.to - self.from) * part
    }

    /// The powers of ten on the axis, formatted by `word`; where there are fewer than two, also
    /// twice and five times each.
    pub(crate) fn decades(&self, word: fn(f64) -> String) -> Vec<(f64, String)> {
        let powers = (self.low.floor() as i32)..=(self.high.ceil() as i32);
        let ticks = |steps: &[f64]| -> Vec<f64> {
            let all = powers.clone().flat_map(|k| steps.iter().map(move |s| s * 10.0_f64.powi(k)));
            all.filter(|tick| (self.low..=self.high).contains(&tick.log10())).collect()
        };
        let mut found = ticks(&[1.0]);
        if found.len() < 2 {
            found = ticks(&[1.0, 2.0, 5.0]);
        }
        found.into_iter().map(|tick| (tick, word(tick))).collect()
    }
}

/// The part of a method in a chart. Colour is never the only difference: shape, width, dashes and
/// the weight of the name differ, too, and every mark or line has a name beside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// All others: grey, a small dot, a thin line.
    #[default]
    Other,
    /// What the others are compared with: a square, a dashed line.
    Base,
    /// What the chart is about: a large dot, a thick line.
    Lead,
}

impl Role {
    /// Its class in the style sheet.
    pub(crate) const fn class(self) -> &'static str {
        match self {
            Self::Other => "other",
            Self::Base => "base",
            Self::Lead => "lead",
        }
    }
}

/// A curve through points, optionally with a hover text per point.
#[derive(Clone, Debug, Default)]
pub(crate) struct Curve {
    /// The name at its end.
    pub(crate) name: String,
    pub(crate) role: Role,
    pub(crate) points: Vec<(f64, f64)>,
    /// One hover text per point, or none at all.
    pub(crate) hints: Vec<String>,
}

/// A chart of several curves over common axes, with their names at their right ends.
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
}

/// Distance between two names at the ends of curves, in pixels.
const BETWEEN_NAMES: f64 = 12.5;

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
        svg.text("tick mid", f64::midpoint(across.from, across.to), up.from + 34.0, self.caption);
        let mut sorted: Vec<&Curve> = curves.iter().collect();
        sorted.sort_by_key(|curve| curve.role);
        for curve in &sorted {
            svg.curve(across, up, curve);
        }
        sorted.sort_by(|a, b| end(up, a).total_cmp(&end(up, b)));
        let ends: Vec<f64> = sorted.iter().map(|curve| end(up, curve)).collect();
        for (curve, y) in sorted.iter().zip(spread(&ends, [up.to, up.from], BETWEEN_NAMES)) {
            let last = curve.points.last().map_or(across.from, |point| across.at(point.0));
            svg.line("leader", [last + 6.0, end(up, curve), across.to + 14.0, y]);
            svg.text(
                &format!("name {}", curve.role.class()),
                across.to + 17.0,
                y + 4.0,
                &curve.name,
            );
        }
        svg.finish()
    }
}

/// Height of the last point of a curve.
fn end(up: &Axis, curve: &Curve) -> f64 {
    curve.points.last().map_or(up.from, |point| up.at(point.1))
}

/// Moves ascending positions apart until neighbours are `gap` apart and all are in the range; if
/// there is too little room, the gap is smaller.
fn spread(wanted: &[f64], [low, high]: [f64; 2], gap: f64) -> Vec<f64> {
    let gap = gap.min((high - low) / wanted.len().saturating_sub(1).max(1) as f64);
    let mut places = wanted.to_vec();
    let mut least = low;
    for place in &mut places {
        *place = place.max(least);
        least = *place + gap;
    }
    let mut most = high;
    for place in places.iter_mut().rev() {
        *place = place.min(most);
        most = *place - gap;
    }
    places
}

/// Deviations from a mean are shown from −1, their least, to this. Larger ones are clamped.
const HIGHEST: f64 = 4.0;
/// Most points of a small curve. Of more, the largest of several neighbours is shown.
const MOST_POINTS: usize = 60;

/// A small curve without axes, for a cell of a table: values of at least −1 with mean 0.
pub(crate) fn spark(title: &str, role: Role, values: &[f64]) -> String {
    let mut svg = Svg::new(84.0, 24.0, title);
    let each = values.len().div_ceil(MOST_POINTS).max(1);
    let peaks: Vec<f64> =
        values.chunks(each).map(|part| part.iter().copied().fold(-1.0, f64::max)).collect();
    let across = Axis::linear([0.0, peaks.len().max(2) as f64 - 1.0], [1.0, 83.0]);
    let up = Axis::linear([-1.0, HIGHEST], [23.0, 1.0]);
    svg.line("axis", [1.0, up.at(0.0), 83.0, up.at(0.0)]);
    let points = (0..).map(f64::from).zip(peaks).collect();
    svg.curve(&across, &up, &Curve { role, points, ..Curve::default() });
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

    /// A mark with a hover text; hollow if it stands for an incomplete figure.
    pub(crate) fn mark(&mut self, role: Role, hollow: bool, [x, y]: [f64; 2], hint: &str) {
        let hint = escaped(hint);
        let class = format!("dot {}{}", role.class(), if hollow { " hollow" } else { "" });
        let shape = match role {
            Role::Base => format!(
                "rect class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"8\" height=\"8\"",
                x - 4.0,
                y - 4.0
            ),
            Role::Lead => format!("circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.6\""),
            Role::Other => format!("circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\""),
        };
        let element = shape.split(' ').next().unwrap_or_default();
        self.push(format_args!("<{shape}><title>{hint}</title></{element}>"));
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
        let pixels = curve.points.iter().map(|&(x, y)| (across.at(x), up.at(y)));
        let list: Vec<String> = pixels.clone().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let class = curve.role.class();
        self.push(format_args!("<polyline class=\"{class}\" points=\"{}\"/>", list.join(" ")));
        for ((x, y), hint) in pixels.zip(&curve.hints) {
            self.mark(curve.role, false, [x, y], hint);
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
        let axis = Axis::around([20.0, 5_000.0].into_iter(), [100.0, 500.0]);
        assert!(axis.at(20.0) > 100.0 && axis.at(5_000.0) < 500.0);
        assert!(axis.at(20.0) < axis.at(200.0));
        let decades = axis.decades(|decade| decade.to_string());
        let decades: Vec<f64> = decades.into_iter().map(|(decade, _)| decade).collect();
        assert_eq!(decades, [100.0, 1e3]);
        let narrow = Axis::around([15.0, 70.0].into_iter(), [0.0, 1.0]);
        let ticks: Vec<f64> = narrow.decades(|_| String::new()).iter().map(|tick| tick.0).collect();
        assert_eq!(ticks, [20.0, 50.0]);
        let empty = Axis::around(std::iter::empty(), [0.0, 1.0]);
        assert!(empty.at(f64::NAN).is_finite());
    }

    #[test]
    fn more_is_higher() {
        let axis = Axis::around([1.0, 100.0].into_iter(), [270.0, 12.0]);
        assert!(axis.at(1.0) > axis.at(10.0) && axis.at(10.0) > axis.at(100.0));
        assert!(axis.at(100.0) > 12.0 && axis.at(1.0) < 270.0);
        assert_eq!(axis.at(1e9), 12.0);
    }

    /// Role by role: the colour in the style sheet, and what else tells it from the others.
    #[test]
    fn roles_differ_in_colour_and_in_shape_and_line() {
        let css = include_str!("../templates/page.css");
        let of = |role: Role, what: &str| {
            let start = format!("{what}.{} {{", role.class());
            let (_, rest) = css.split_once(&start).unwrap_or_else(|| panic!("{start} is missing"));
            rest.split('}').next().unwrap_or_default().trim().to_owned()
        };
        let shape = |role: Role| {
            let mut svg = Svg::new(9.0, 9.0, "");
            svg.mark(role, false, [4.0, 4.0], "");
            svg.finish().replace(role.class(), "")
        };
        let without_colour = |rule: String| {
            let parts = rule.split(';').filter(|part| !part.contains("var(--"));
            parts.collect::<String>()
        };
        let roles = [Role::Lead, Role::Base, Role::Other];
        for (a, b) in [(0, 1), (0, 2), (1, 2)].map(|(a, b)| (roles[a], roles[b])) {
            assert_ne!(shape(a), shape(b));
            for what in ["polyline", ".dot", ".name"] {
                assert_ne!(of(a, what), of(b, what), "{what} {a:?} {b:?}");
            }
            let (a, b) = (of(a, "polyline"), of(b, "polyline"));
            assert_ne!(without_colour(a), without_colour(b), "only a colour differs");
        }
        let colours = ["--lead", "--base", "--mark"].map(|name| {
            let name = format!("{name}: ");
            let values = css.split(&name).skip(1);
            values.map(|rest| rest.split(';').next().unwrap_or_default()).collect::<Vec<_>>()
        });
        assert!(colours.iter().all(|values| values.len() == 2), "light and dark: {colours:?}");
        for k in 0..2 {
            let [lead, base, mark] = colours.each_ref().map(|values| values[k]);
            assert!(lead != base && base != mark && mark != lead);
        }
    }

    #[test]
    fn every_curve_has_its_name_at_its_end_and_names_do_not_overlap() {
        let curve = |k: u32| Curve {
            name: format!("curve {k}"),
            points: vec![(1.0, 1.0), (2.0, 1.0 + f64::from(k) / 100.0)],
            ..Curve::default()
        };
        let curves: Vec<Curve> = (0..12).map(curve).collect();
        let field = Field {
            title: "t",
            size: (400.0, 300.0),
            across: Axis::linear([1.0, 2.0], [60.0, 300.0]),
            up: Axis::linear([0.0, 2.0], [250.0, 10.0]),
            columns: Vec::new(),
            rows: Vec::new(),
            caption: "",
        };
        let svg = field.draw(&curves);
        let mut heights: Vec<f64> = svg
            .split("<text class=\"name other\"")
            .skip(1)
            .filter_map(|rest| rest.split("y=\"").nth(1)?.split('"').next()?.parse().ok())
            .collect();
        heights.sort_unstable_by(f64::total_cmp);
        assert_eq!(heights.len(), 12);
        assert!(heights.windows(2).all(|pair| pair[1] - pair[0] > 12.0), "{heights:?}");
        assert!(curves.iter().all(|curve| svg.contains(&format!(">{}<", curve.name))));
        assert_eq!(spread(&[5.0; 3], [0.0, 4.0], 12.0), [0.0, 2.0, 4.0]);
    }

    #[test]
    fn peaks_of_long_runs_are_kept() {
        let mut values = vec![0.0; 600];
        values[77] = 3.0;
        let svg = spark("t", Role::Lead, &values);
        assert_eq!(svg.matches(',').count(), 60);
        let flat = spark("t", Role::Lead, &[0.0; 600]);
        assert_ne!(svg, flat);
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
