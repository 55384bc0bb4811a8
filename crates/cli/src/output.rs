//! Standard output, one whole line at a time, so that answers stream; and how numbers are shown.

use std::io::{self, Write};

use serde::Serialize;

use crate::failure::Failure;

/// Writes `line` and a line break at once.
pub(crate) fn line(line: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(format!("{line}\n").as_bytes())?;
    Ok(out.flush()?)
}

/// Writes `value` as one line of JSON.
pub(crate) fn json(value: &impl Serialize) -> Result<(), Failure> {
    let text =
        serde_json::to_string(value).map_err(|error| Failure::Output(io::Error::other(error)))?;
    line(&text)
}

/// A time with three digits and a unit: `12.3 µs`.
pub(crate) fn time(nanoseconds: u64) -> String {
    let mut value = nanoseconds as f64;
    for unit in ["ns", "µs", "ms"] {
        if value < 999.5 {
            return format!("{value:.*} {unit}", decimals(value));
        }
        value /= 1000.0;
    }
    format!("{value:.*} s", decimals(value))
}

/// So many that three digits are shown; none below the nanosecond.
fn decimals(value: f64) -> usize {
    if value >= 99.95 || value.fract() == 0.0 {
        0
    } else if value >= 9.995 {
        1
    } else {
        2
    }
}

/// A number of things: `1 triangle`, `2 triangles`.
pub(crate) fn counted(n: usize, thing: &str) -> String {
    if n == 1 { format!("1 {thing}") } else { format!("{n} {thing}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits_and_a_unit() {
        let shown = [0, 999, 1_000, 12_345, 999_499, 1_500_000, 61_234_000_000].map(time);
        assert_eq!(shown, ["0 ns", "999 ns", "1 µs", "12.3 µs", "999 µs", "1.50 ms", "61.2 s"]);
    }
}
