//! Rules on size: a file has at most 800 lines, `lib.rs` fewer than 100, a function at most 60
//! unless a `// long:` comment says why.

use super::Finding;
use super::source::{Source, whole_words};
use crate::repository::TextFile;

/// Intended upper bound of the median file length. Unit: lines. Reported but not enforced, since
/// one file more or less should not fail a build.
pub(crate) const MEDIAN_WANTED: usize = 250;
/// Longest file. Unit: lines.
const FILE_LIMIT: usize = 800;
/// `lib.rs` must be shorter than this. Unit: lines.
const LIB_LIMIT: usize = 100;
/// A function longer than this needs a reason. Unit: lines, signature and braces included.
const FUNCTION_LIMIT: usize = 60;

/// Checks one Rust file.
pub(crate) fn check(file: &TextFile, source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    let lines = source.raw.len();
    if lines > FILE_LIMIT {
        let message = format!("{lines} lines, more than {FILE_LIMIT}; split it by step");
        findings.push(Finding::new(&file.path, FILE_LIMIT + 1, message));
    }
    if file.name() == "lib.rs" && lines >= LIB_LIMIT {
        let message = format!("lib.rs has {lines} lines; it must stay below {LIB_LIMIT}");
        findings.push(Finding::new(&file.path, LIB_LIMIT, message));
    }
    for (first, last) in functions(&source.code) {
        let length = last - first + 1;
        if length > FUNCTION_LIMIT && !has_reason(source, first, last) {
            let message = format!(
                "a function of {length} lines, more than {FUNCTION_LIMIT}; split it, or say why \
                 not in a comment `// long: …`"
            );
            findings.push(Finding::new(&file.path, first + 1, message));
        }
    }
    findings
}

/// First and last line, from 0, of every function with a body.
fn functions(code: &[String]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (line, text) in code.iter().enumerate() {
        for at in whole_words(text, "fn") {
            if let Some(last) = body_end(code, line, at) {
                found.push((line, last));
            }
        }
    }
    found
}

/// The line of the closing brace of the function whose `fn` is at `line`, `at`; `None` if it has no
/// body (a declaration, a function type).
fn body_end(code: &[String], line: usize, at: usize) -> Option<usize> {
    let (mut round, mut curly) = (0_i32, 0_i32);
    for (n, text) in code.iter().enumerate().skip(line) {
        let text = if n == line { &text[at..] } else { text.as_str() };
        for c in text.chars() {
            match c {
                '(' | '[' => round += 1,
                ')' | ']' => round -= 1,
                '{' => curly += 1,
                '}' => {
                    curly -= 1;
                    if curly == 0 {
                        return Some(n);
                    }
                }
                ';' if curly == 0 && round == 0 => return None,
                _ => {}
            }
            if round < 0 || curly < 0 {
                return None;
            }
        }
    }
    None
}

/// Whether there is a `// long:` comment inside, or in the comments and attributes directly above.
fn has_reason(source: &Source, first: usize, last: usize) -> bool {
    let above = (0..first).rev().take_while(|&n| {
        let text = source.raw[n].trim_start();
        text.starts_with("//") || text.starts_with("#[")
    });
    above.chain(first..=last).any(|n| source.comments[n].contains("// long: "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(path: &str, text: &str) -> Vec<Finding> {
        let file = TextFile { path: path.to_owned(), text: text.to_owned() };
        check(&file, &Source::new(text))
    }

    fn long_function(above: &str) -> String {
        format!("//! x\n{above}fn f(a: [u8; 3]) -> u8 {{\n{}}}\n", "    a();\n".repeat(60))
    }

    #[test]
    fn a_long_file_is_found() {
        assert_eq!(findings("a.rs", &"//! x\n".repeat(801)).len(), 1);
        assert!(findings("a.rs", &"//! x\n".repeat(800)).is_empty());
        assert_eq!(findings("crates/a/src/lib.rs", &"//! x\n".repeat(100)).len(), 1);
        assert!(findings("crates/a/src/lib.rs", &"//! x\n".repeat(99)).is_empty());
    }

    #[test]
    fn a_long_function_is_found_and_a_reason_excuses_it() {
        let found = findings("a.rs", &long_function(""));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].line, 2);
        assert!(findings("a.rs", &long_function("// long: a table\n#[inline]\n")).is_empty());
        assert_eq!(findings("a.rs", &long_function("// long: a table\n\n")).len(), 1);
    }

    #[test]
    fn declarations_and_function_types_have_no_length() {
        let text = format!(
            "//! x\ntrait T {{ fn a(); fn b(&self) -> [u8; 2]; }}\nstruct S {{ f: fn(u8) -> u8 }}\n{}",
            "const X: u8 = 0;\n".repeat(70)
        );
        assert!(findings("a.rs", &text).is_empty());
    }
}
