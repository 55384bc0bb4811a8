//! Standard output, one whole line per write so that answers stream, and the format of numbers.
//! [`file`]: files that are written.

mod file;

use std::io::{self, Write};

use serde::Serialize;

use crate::failure::Failure;

pub(crate) use file::{discard, keep_inputs, replace};
pub(crate) use impinge::report::VERSION as JSON_VERSION;

/// Writes `line` and a line break in one call.
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

/// What came of printing, if files were asked for and `written`: it is no error then that nobody reads the
/// rest.
pub(crate) fn beside_files(written: bool, told: Result<(), Failure>) -> Result<(), Failure> {
    match told {
        Err(Failure::NobodyReads) if written => Ok(()),
        told => told,
    }
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

/// The number of decimals that shows three significant digits; none for whole numbers.
fn decimals(value: f64) -> usize {
    if value >= 99.95 || value.fract() == 0.0 {
        0
    } else if value >= 9.995 {
        1
    } else {
        2
    }
}

/// The shortest decimal form that parses back to the same bits, with an exponent where the number
/// is very large or very small.
pub(crate) fn number(value: f64) -> String {
    let plain = format!("{value:?}");
    plain.strip_suffix(".0").unwrap_or(&plain).to_owned()
}

/// Three numbers in parentheses, separated by commas.
pub(crate) fn triple(values: [f64; 3]) -> String {
    format!("({})", values.map(number).join(", "))
}

/// A count with its noun: `1 triangle`, `2 triangles`.
pub(crate) fn counted(n: usize, thing: &str) -> String {
    if n == 1 { format!("1 {thing}") } else { format!("{n} {thing}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_come_back() {
        let shown = [0.0, -0.0, 1.0, 0.1, -2.5, 1e15, 1e16, 1e-4, 1e-5, 5e-324, 1e300].map(number);
        let wanted = ["0", "-0", "1", "0.1", "-2.5", "1000000000000000", "1e16", "0.0001", "1e-5"];
        assert_eq!(shown[..9], wanted);
        assert_eq!(shown[9..], ["5e-324", "1e300"]);
        let mut bits = 1_u64;
        for _ in 0..10_000 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let value = f64::from_bits(bits);
            if value.is_finite() {
                let text = number(value);
                assert_eq!(text.parse::<f64>().map(f64::to_bits), Ok(value.to_bits()), "{text}");
                assert!(text.len() <= 24, "{text}");
            }
        }
    }

    #[test]
    fn times_have_three_digits_and_a_unit() {
        let shown = [0, 999, 1_000, 12_345, 999_499, 1_500_000, 61_234_000_000].map(time);
        assert_eq!(shown, ["0 ns", "999 ns", "1 µs", "12.3 µs", "999 µs", "1.50 ms", "61.2 s"]);
    }
}
