//! Rule: the table of tolerances in `docs/conventions.md` agrees with the constants.
//!
//! A row names constants in capitals, their values in the same order, separated by `;`, and the
//! modules that define them. Of a value, the leading formula is evaluated: numbers, `u` for 2⁻⁵³,
//! powers of two, sums, products and quotients. Words after it are ignored.

use super::Finding;
use crate::repository::TextFile;

const PAGE: &str = "docs/conventions.md";
const HEADING: &str = "## Every tolerance";
/// Least number of rows with constants; fewer mean that the table was parsed wrongly.
const LEAST: usize = 25;

/// Checks every row.
pub(crate) fn check(files: &[TextFile]) -> Vec<Finding> {
    let Some(page) = files.iter().find(|file| file.path == PAGE) else {
        return vec![Finding::new(PAGE, 1, "the page of conventions is not there")];
    };
    let lines = page.text.lines().enumerate().skip_while(|(_, line)| *line != HEADING).skip(1);
    let table = lines.take_while(|(_, line)| !line.starts_with("## "));
    let (mut findings, mut compared) = (Vec::new(), 0);
    for (n, line) in table.filter(|(_, line)| line.starts_with('|')) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [names, values, _, modules, ..] = cells[..] else { continue };
        for (name, value) in constants(names).zip(values.split(';')) {
            compared += 1;
            if let Err(why) = compare(name, value, modules, files) {
                findings.push(Finding::new(PAGE, n + 1, why));
            }
        }
    }
    if compared < LEAST {
        let message = format!("{compared} constants in the table of tolerances, at least {LEAST}");
        findings.push(Finding::new(PAGE, 1, message));
    }
    findings
}

/// The parts of a cell in backticks.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// The names in capitals, without their module paths.
fn constants(cell: &str) -> impl Iterator<Item = &str> {
    let capital =
        |name: &&str| name.chars().all(|c| c.is_ascii_uppercase() || "_0123456789".contains(c));
    quoted(cell).map(|name| name.rsplit("::").next().unwrap_or(name)).filter(capital)
}

fn compare(name: &str, value: &str, modules: &str, files: &[TextFile]) -> Result<(), String> {
    let told = formula(value).ok_or_else(|| format!("`{name}`: \"{value}\" is no formula"))?;
    let mut found = Vec::new();
    for module in quoted(modules) {
        let mut path = module.split("::");
        let folder = format!("crates/{}/src/", path.next().unwrap_or_default());
        let stem = folder + &path.collect::<Vec<_>>().join("/");
        let within = |path: &str| {
            path.strip_prefix(&stem).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
        };
        for file in files.iter().filter(|file| within(&file.path)) {
            found.extend(definition(&file.text, name));
        }
    }
    if found.is_empty() {
        return Err(format!("no constant `{name}` in {modules}"));
    }
    let values: Vec<f64> = found.iter().filter_map(|text| formula(text)).collect();
    // Both are the same few f64 operations, but maybe in another order.
    if values.iter().any(|value| (value - told).abs() <= 1e-12 * told.abs()) {
        return Ok(());
    }
    Err(format!("`{name}` is {} in the code, {value} in the table", found.join(" or ")))
}

/// The expression that defines a constant, with other constants of the file substituted.
fn definition(text: &str, name: &str) -> Option<String> {
    let mark = format!("const {name}: ");
    let line = text.lines().find(|line| line.contains(&mark))?;
    let value = line.split_once('=')?.1.trim().trim_end_matches(';');
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let other = value.split(|c| !word(c)).find(|part| {
        *part != "UNIT" && part.len() > 2 && text.contains(&format!("const {part}: f64"))
    });
    Some(match other.and_then(|other| Some((other, definition(text, other)?))) {
        Some((other, inner)) => value.replace(other, &format!("({inner})")),
        None => value.to_owned(),
    })
}

/// The value of the leading formula in a text of the page or of the code.
fn formula(text: &str) -> Option<f64> {
    let mut text = text.replace('−', "-").replace('·', "*");
    for (code, plain) in [
        ("f64::EPSILON", "(2*u)"),
        ("f64::from_bits(1)", "(2⁻¹⁰⁷⁴)"),
        ("UNIT", "u"),
        ("1u64 <<", "1 <<"),
        ("as f64", ""),
        ("as f32", ""),
        ("1 << ", "2^"),
    ] {
        text = text.replace(code, plain);
    }
    let raised = |c: char| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|digit| digit == c);
    let mut plain = String::new();
    let mut in_power = false;
    for c in text.chars() {
        let part = match raised(c) {
            Some(digit) => char::from(b'0' + digit as u8),
            None if c == '⁻' => '-',
            None => c,
        };
        let power = part != c;
        if power && !in_power {
            plain.push('^');
        }
        in_power = power;
        plain.push(part);
    }
    let mut reader = Reader { text: plain.as_bytes(), at: 0 };
    reader.sum()
}

/// A recursive-descent parser of sums of products.
struct Reader<'t> {
    text: &'t [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&mut self) -> u8 {
        while self.text.get(self.at) == Some(&b' ') {
            self.at += 1;
        }
        self.text.get(self.at).copied().unwrap_or(0)
    }

    fn sum(&mut self) -> Option<f64> {
        let mut sum = self.product()?;
        loop {
            let sign = match self.peek() {
                b'+' => 1.0,
                b'-' => -1.0,
                _ => return Some(sum),
            };
            self.at += 1;
            sum += sign * self.product()?;
        }
    }

    /// Adjacent factors are multiplied: `16 u`.
    fn product(&mut self) -> Option<f64> {
        let mut product = self.power()?;
        loop {
            let sign = self.peek();
            let before = self.at;
            self.at += usize::from(matches!(sign, b'*' | b'/'));
            match self.power() {
                Some(factor) if sign == b'/' => product /= factor,
                Some(factor) => product *= factor,
                None => {
                    self.at = before;
                    return Some(product);
                }
            }
        }
    }

    fn power(&mut self) -> Option<f64> {
        let base = self.atom()?;
        if self.text.get(self.at) != Some(&b'^') {
            return Some(base);
        }
        self.at += 1;
        let negative = self.peek() == b'-';
        self.at += usize::from(negative);
        let exponent = self.atom()? as i32;
        let exponent = if negative { -exponent } else { exponent };
        // In two steps: 2⁻¹⁰⁷² in one step would be 1/∞ = 0.
        Some(base.powi(exponent / 2) * base.powi(exponent - exponent / 2))
    }

    fn atom(&mut self) -> Option<f64> {
        match self.peek() {
            b'(' => {
                self.at += 1;
                let value = self.sum()?;
                (self.peek() == b')').then(|| self.at += 1)?;
                Some(value)
            }
            b'u' if !self.text.get(self.at + 1).is_some_and(u8::is_ascii_alphanumeric) => {
                self.at += 1;
                Some(2f64.powi(-53))
            }
            b'0'..=b'9' => {
                let rest = std::str::from_utf8(&self.text[self.at..]).ok()?;
                // The longest prefix that is a number; `1e-90..=1e90` begins with one.
                let whole = |n: usize| rest.is_char_boundary(n) && !rest[..n].ends_with(['.', '-']);
                let length = (1..=rest.len().min(24))
                    .rfind(|&n| whole(n) && rest[..n].parse::<f64>().is_ok())?;
                self.at += length;
                rest[..length].parse().ok()
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_of_page_and_code_are_read() {
        let u = 2f64.powi(-53);
        for (text, value) in [
            ("(7 + 56 u) u", (7.0 + 56.0 * u) * u),
            ("(7.0 + 56.0 * UNIT) * UNIT", (7.0 + 56.0 * u) * u),
            ("2⁻¹⁰⁷² · 1e100", 4.0 * f64::from_bits(1) * 1e100),
            ("2⁻⁴⁴", 2f64.powi(-44)),
            ("1.0 / (1u64 << 44) as f64", 2f64.powi(-44)),
            ("40.0 / (1 << 24) as f32", 40.0 * 2f64.powi(-24)),
            ("f64::EPSILON / 16.0", 2.0 * u / 16.0),
            ("1 − 1e-11", 1.0 - 1e-11),
            ("1 - 4 u", 1.0 - 4.0 * u),
            ("1e-90 … 1e90", 1e-90),
            ("1e-90..=1e90", 1e-90),
            ("0.26 times the chord's square", 0.26),
            ("54 u", 54.0 * u),
            ("1/1024", 1.0 / 1024.0),
        ] {
            let read = formula(text).unwrap_or_else(|| panic!("{text} is a formula"));
            assert!((read - value).abs() <= 1e-14 * value.abs(), "{text}: {read:e}, not {value:e}");
        }
        assert_eq!(formula("the least normal number"), None);
    }

    fn files(row: &str, code: &str) -> Vec<TextFile> {
        let file = |path: &str, text: String| TextFile { path: path.to_owned(), text };
        let table =
            format!("{HEADING}\n| name | value | unit | where | larger |\n{row}\n\n## End\n");
        vec![file(PAGE, table), file("crates/a/src/b/c.rs", code.to_owned())]
    }

    /// Number of findings, except the one for a short table.
    fn wrong(row: &str, code: &str) -> usize {
        check(&files(row, code)).len() - 1
    }

    #[test]
    fn a_value_that_differs_or_is_not_there_is_found() {
        let row = "| `X`, `Y` | 2 u; 3 | m | `a::b` | more |";
        let code = "const X: f64 = 2.0 * UNIT;\npub(crate) const Y: f64 = 3.0;\n";
        assert_eq!(wrong(row, code), 0);
        assert_eq!(wrong(row, &code.replace("3.0", "3.1")), 1);
        assert_eq!(wrong(row, &code.replace("2.0", "1.0")), 1);
        assert_eq!(wrong(row, &code.replace("const Y", "const Z")), 1);
        assert_eq!(wrong(&row.replace("a::b", "a::d"), code), 2);
        assert_eq!(wrong(&row.replace("2 u", "some"), code), 1);
        let through = "const SIZE: f64 = 1e60;\nconst X: f64 = SIZE * UNIT;\n";
        assert_eq!(wrong("| `X` | 1e60 u | m | `a::b::c` | more |", through), 0);
    }
}
