//! Number formats of tables and reports: three digits and a unit.

/// A time in nanoseconds, with a fitting unit.
pub(crate) fn time(ns: f64) -> String {
    let (value, unit) = match ns {
        _ if !ns.is_finite() => return "–".to_owned(),
        _ if ns < 1e3 => (ns, "ns"),
        _ if ns < 1e6 => (ns / 1e3, "µs"),
        _ if ns < 1e9 => (ns / 1e6, "ms"),
        _ => (ns / 1e9, "s"),
    };
    format!("{} {unit}", digits(value))
}

/// A power of ten in nanoseconds as an axis label: `"10 µs"`.
pub(crate) fn decade(ns: f64) -> String {
    time(ns).replace(".00 ", " ").replace(".0 ", " ")
}

/// A round count as an axis label: `"10k"`, `"1M"`.
pub(crate) fn short(count: f64) -> String {
    match count {
        _ if count >= 1e6 => format!("{:.0}M", count / 1e6),
        _ if count >= 1e3 => format!("{:.0}k", count / 1e3),
        _ => format!("{count:.0}"),
    }
}

/// Three significant digits, without an exponent.
pub(crate) fn digits(value: f64) -> String {
    match value.abs() {
        v if v >= 99.95 => format!("{value:.0}"),
        v if v >= 9.995 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

/// A rounded count, or a dash if it is absent.
pub(crate) fn count(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| grouped(value.round() as u64))
}

/// An integer with commas between thousands.
pub(crate) fn grouped(value: u64) -> String {
    gapped(&value.to_string())
}

/// Digits with commas between thousands.
pub(crate) fn gapped(plain: &str) -> String {
    let mut text = String::new();
    for (k, digit) in plain.chars().enumerate() {
        if k > 0 && (plain.len() - k).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A ratio: `"1.00×"`.
pub(crate) fn ratio(value: f64) -> String {
    if value.is_finite() { format!("{}×", digits(value)) } else { "–".to_owned() }
}

/// Seconds since 1970, formatted as `2026-11-21 08:30 UTC`.
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

/// The median; for an even count, the mean of the two middle values. `None` for an empty list.
pub(crate) fn median(mut list: Vec<f64>) -> Option<f64> {
    list.sort_unstable_by(f64::total_cmp);
    let (low, high) = (list.len().checked_sub(1)? / 2, list.len() / 2);
    Some(f64::midpoint(list[low], list[high]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(time(950.0), "950 ns");
        assert_eq!(time(12_345.0), "12.3 µs");
        assert_eq!(time(1_234_567.0), "1.23 ms");
        assert_eq!(time(2.5e9), "2.50 s");
        assert_eq!([100.0, 1e4, 1e6].map(short), ["100", "10k", "1M"]);
        assert_eq!([1.0, 1e4, 1e8].map(decade), ["1 ns", "10 µs", "100 ms"]);
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(grouped(12), "12");
        assert_eq!((count(None), count(Some(1999.6))), ("–".to_owned(), "2,000".to_owned()));
        assert_eq!((ratio(1.0), ratio(f64::NAN)), ("1.00×".to_owned(), "–".to_owned()));
    }

    #[test]
    fn dates_are_right_at_the_edges() {
        assert_eq!(date(0), "1970-01-01 00:00 UTC");
        assert_eq!(date(951_825_599), "2000-02-29 11:59 UTC");
        assert_eq!(date(1_795_249_376), "2026-11-21 08:22 UTC");
    }
}
