//! Number formats of claim reports.

use super::record::Figure;
use crate::numbers::gapped;

/// Three or four significant digits; integers with commas between thousands; tiny numbers with
/// a power of ten.
pub(crate) fn number(value: f64) -> String {
    let size = value.abs();
    match size {
        _ if value == 0.0 => "0".to_owned(),
        _ if size < 1e-3 => format!("{value:.1e}"),
        _ if value.fract() == 0.0 || size >= 9999.5 => grouped(value.round()),
        _ if size >= 99.95 => format!("{value:.1}"),
        _ if size >= 0.995 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// An integer with commas between thousands.
fn grouped(value: f64) -> String {
    let sign = if value < 0.0 { "-" } else { "" };
    format!("{sign}{}", gapped(&format!("{:.0}", value.abs())))
}

/// The measured value with its unit and its range over seeds, or a dash.
pub(crate) fn ours(figure: &Figure) -> String {
    let Some(value) = figure.value else { return "–".to_owned() };
    match figure.range {
        Some([least, greatest]) if number(least) != number(greatest) => {
            let value = with_unit(value, &figure.unit);
            format!("{value} ({} to {})", number(least), number(greatest))
        }
        _ => with_unit(value, &figure.unit),
    }
}

/// The paper's value with its unit; empty if it prints none.
pub(crate) fn papers(figure: &Figure) -> String {
    figure.paper.map_or_else(String::new, |value| with_unit(value, &figure.unit))
}

fn with_unit(value: f64, unit: &str) -> String {
    let number = number(value);
    if unit.is_empty() { number } else { format!("{number} {unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_stands_beside_its_mean() {
        let figure = |values: &[f64]| Figure::new("", 2.5, "ms").over(values);
        assert_eq!(ours(&figure(&[2.0, 3.0])), "2.50 ms (2 to 3)");
        assert_eq!(ours(&figure(&[2.5, 2.5])), "2.50 ms");
        assert_eq!(ours(&figure(&[2.5])), "2.50 ms");
    }
}
