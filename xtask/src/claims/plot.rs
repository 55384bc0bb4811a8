//! Plots of a claim: curves in one chart with logarithmic axes, or a row with a small curve each.

use serde_json::{Value, json};

use super::figures::number;
use super::record::{Curve, Layout, Plot};
use crate::bench::BASELINE;
use crate::chart::{self, Axis, Field, Role};

/// The plot: its title, and a picture or one row per curve.
pub(super) fn value(plot: &Plot) -> Value {
    match plot.layout {
        Layout::Lines => json!({ "title": plot.title, "svg": lines(plot) }),
        Layout::Panels => {
            let row = |(k, curve): (usize, &Curve)| {
                let (Curve { name, note, values }, role) = (curve, role(k, curve));
                let svg = chart::spark(&format!("{name}: {note}"), role, values);
                json!({ "name": name, "note": note, "role": role.class(), "svg": svg })
            };
            let rows: Vec<Value> = plot.curves.iter().enumerate().map(row).collect();
            json!({ "title": plot.title, "rows": rows })
        }
    }
}

/// The first curve is what the claim is about.
fn role(k: usize, curve: &Curve) -> Role {
    match curve.name.as_str() {
        _ if k == 0 => Role::Lead,
        BASELINE => Role::Base,
        _ => Role::Other,
    }
}

/// Curves over a common axis. Values that are not positive have no logarithm and are clamped to the
/// border.
fn lines(plot: &Plot) -> String {
    let curve = |(k, curve): (usize, &Curve)| {
        let values = curve.values.iter().copied();
        let points = plot.across.iter().copied().zip(values).collect();
        chart::Curve { name: curve.name.clone(), role: role(k, curve), points, hints: Vec::new() }
    };
    let curves: Vec<chart::Curve> = plot.curves.iter().enumerate().map(curve).collect();
    let values = plot.curves.iter().flat_map(|curve| curve.values.iter().copied());
    let up = Axis::around(values, [270.0, 12.0]);
    let field = Field {
        title: &plot.title,
        size: (520.0, 300.0),
        across: Axis::around(plot.across.iter().copied(), [62.0, 396.0]),
        columns: plot.across.iter().map(|&place| (place, number(place))).collect(),
        rows: up.decades(number),
        up,
        caption: "",
    };
    field.draw(&curves)
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
                let value = value(&plot(layout, across.clone(), values.clone()));
                let svg = value["svg"].as_str().or(value["rows"][0]["svg"].as_str());
                let svg = svg.expect("a picture");
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
                assert!(svg.contains("a&lt;b") && svg.ends_with("</svg>"), "{svg}");
            }
        }
    }

    #[test]
    fn the_claims_subject_and_the_baseline_stand_out() {
        let mut plot = plot(Layout::Lines, vec![1.0, 10.0], vec![1.0, 2.0]);
        for name in [BASELINE, "third", "fourth", "fifth", "sixth"] {
            let values = vec![2.0, 4.0];
            plot.curves.push(Curve { name: name.to_owned(), note: String::new(), values });
        }
        let svg = value(&plot)["svg"].as_str().expect("a picture").to_owned();
        let count = |text: &str| svg.matches(text).count();
        let of = |role: &str| {
            [count(&format!("<polyline class=\"{role}\"")), count(&format!("name {role}\""))]
        };
        assert_eq!(["lead", "base", "other"].map(of), [[1, 1], [1, 1], [4, 4]]);
    }
}
