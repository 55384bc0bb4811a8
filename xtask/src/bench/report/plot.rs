//! Parts of plots: axes, paths, text. Colours come from the page's style sheet, by the method's
//! number, so that light and dark pages have their own.

use std::fmt::Write as _;

/// Escapes text for SVG.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A logarithmic axis, mapped to pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct LogAxis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl LogAxis {
    /// An axis of whole decades around `values`, from pixel `from` to pixel `to`.
    pub(super) fn around(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| value.is_finite() && *value > 0.0) {
            low = low.min(value.log10());
            high = high.max(value.log10());
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        // A margin, so that the least value has a visible bar.
        let (low, high) = ((low - 0.08).floor(), (high + 0.02).ceil());
        Self { low, high: high.max(low + 1.0), from, to }
    }

    /// The pixel of a value.
    pub(super) fn at(&self, value: f64) -> f64 {
        let part = (value.max(1e-300).log10() - self.low) / (self.high - self.low);
        self.from + (self.to - self.from) * part.clamp(0.0, 1.0)
    }

    /// The powers of ten along the axis.
    pub(super) fn decades(&self) -> impl Iterator<Item = f64> {
        ((self.low as i32)..=(self.high as i32)).map(|k| 10.0_f64.powi(k))
    }
}

/// A linear axis, mapped to pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) from: f64,
    pub(super) to: f64,
}

impl Axis {
    /// The pixel of a value; values outside are clamped.
    pub(super) fn at(&self, value: f64) -> f64 {
        let part = (value - self.low) / (self.high - self.low);
        self.from + (self.to - self.from) * part.clamp(0.0, 1.0)
    }
}

/// An SVG under construction.
#[derive(Debug)]
pub(super) struct Svg(String);

impl Svg {
    /// An empty picture with a title for screen readers.
    pub(super) fn new(width: f64, height: f64, title: &str) -> Self {
        let title = escaped(title);
        Self(format!(
            "<svg viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" aria-label=\"{title}\" \
             style=\"max-width:{width:.0}px\">"
        ))
    }

    /// Draws a line with a style-sheet class.
    pub(super) fn line(&mut self, class: &str, [x1, y1, x2, y2]: [f64; 4]) {
        self.push(format_args!(
            "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
        ));
    }

    /// Draws text with a style-sheet class, which also sets its anchor.
    pub(super) fn text(&mut self, class: &str, x: f64, y: f64, text: &str) {
        let text = escaped(text);
        self.push(format_args!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>"));
    }

    /// Draws a bar in a method's colour, with a tooltip.
    pub(super) fn bar(&mut self, method: usize, [x, y, w, h]: [f64; 4], hint: &str) {
        let hint = escaped(hint);
        self.push(format_args!(
            "<rect class=\"f{method}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" \
             height=\"{h:.1}\" rx=\"2\"><title>{hint}</title></rect>"
        ));
    }

    /// Draws a dot in a method's colour, with a tooltip.
    pub(super) fn dot(&mut self, method: usize, x: f64, y: f64, hint: &str) {
        let hint = escaped(hint);
        self.push(format_args!(
            "<circle class=\"f{method}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\">\
             <title>{hint}</title></circle>"
        ));
    }

    /// Draws a polyline in a method's colour.
    pub(super) fn path(&mut self, method: usize, points: &[(f64, f64)]) {
        let mut list = String::new();
        for (x, y) in points {
            // Writing to a string cannot fail.
            let _ = write!(list, "{x:.1},{y:.1} ");
        }
        self.push(format_args!("<polyline class=\"s{method}\" points=\"{}\"/>", list.trim_end()));
    }

    /// The complete SVG.
    pub(super) fn finish(mut self) -> String {
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
        let axis = LogAxis::around([20.0, 5_000.0].into_iter(), 100.0, 500.0);
        assert!(axis.at(20.0) > 100.0 && axis.at(5_000.0) < 500.0);
        assert!(axis.at(20.0) < axis.at(200.0));
        assert_eq!(axis.decades().collect::<Vec<_>>(), [10.0, 100.0, 1e3, 1e4]);
        let empty = LogAxis::around(std::iter::empty(), 0.0, 1.0);
        assert!(empty.at(f64::NAN).is_finite());
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
