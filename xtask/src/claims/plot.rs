//! Plots of a claim: curves in one chart with logarithmic axes, or one strip per curve.

use super::figures::number;
use super::record::{Layout, Plot};
use crate::chart::{self, Axis, Field};

/// Number of colours in the style sheet.
const COLOURS: usize = 4;
/// Left end of the curves, in pixels; their names are written to the left of it.
const LEFT: f64 = 190.0;

/// Draws the plot as SVG.
pub(super) fn svg(plot: &Plot) -> String {
    let steps = || (0..).map(f64::from);
    let curves: Vec<chart::Curve> = (0..)
        .zip(&plot.curves)
        .map(|(k, curve)| {
            let (name, note) = (curve.name.clone(), curve.note.clone());
            let values = curve.values.iter().copied();
            let (colour, points) = match plot.layout {
                Layout::Lines => (k % COLOURS, plot.across.iter().copied().zip(values).collect()),
                Layout::Panels => (0, steps().zip(values).collect()),
            };
            chart::Curve { name, note, colour, points, hints: Vec::new() }
        })
        .collect();
    match plot.layout {
        Layout::Lines => lines(plot, &curves),
        Layout::Panels => chart::strips(&plot.title, LEFT, &curves),
    }
}

/// Curves over a common axis. Values that are not positive have no logarithm and are clamped to the
/// border.
fn lines(plot: &Plot, curves: &[chart::Curve]) -> String {
    let values = plot.curves.iter().flat_map(|curve| curve.values.iter().copied());
    let up = Axis::around(values, [270.0, 12.0]);
    let field = Field {
        title: &plot.title,
        size: (920.0, 300.0),
        across: Axis::around(plot.across.iter().copied(), [LEFT, 905.0]),
        columns: plot.across.iter().map(|&place| (place, number(place))).collect(),
        rows: up.decades(number),
        up,
        caption: "",
        named: true,
    };
    field.draw(curves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_records::claims::Curve;

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
}
