//! Figures as readers see them.

use super::record::Figure;

/// Three or four significant digits; whole numbers with gaps between thousands; tiny ones with a
/// power of ten.
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

/// A whole number with a comma between thousands.
fn grouped(value: f64) -> String {
    let plain = format!("{:.0}", value.abs());
    let mut text = if value < 0.0 { "-".to_owned() } else { String::new() };
    for (k, digit) in plain.chars().enumerate() {
        if k > 0 && (plain.len() - k).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Ours with its unit; a dash if there is none.
pub(crate) fn ours(figure: &Figure) -> String {
    figure.value.map_or_else(|| "–".to_owned(), |value| with_unit(value, &figure.unit))
}

/// The paper's with its unit; nothing if it prints none.
pub(crate) fn papers(figure: &Figure) -> String {
    figure.paper.map_or_else(String::new, |value| with_unit(value, &figure.unit))
}

fn with_unit(value: f64, unit: &str) -> String {
    let number = number(value);
    if unit.is_empty() { number } else { format!("{number} {unit}") }
}

/// Seconds since 1970 as `2026-11-21 08:30 UTC`.
pub(crate) fn date(unix_s: u64) -> String {
    // Days to year, month, day: Hinnant, "chrono-compatible low-level date algorithms".
    let days = (unix_s / 86_400) as i64 + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hour, minute) = (unix_s / 3_600 % 24, unix_s / 60 % 60);
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02} UTC")
}
