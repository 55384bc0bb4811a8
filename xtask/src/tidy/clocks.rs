//! Rule: libraries ask the system for the time and for the process only in [`PLACES`], where
//! `wasm32-unknown-unknown` is thought of: there these calls panic, and no call of a library may.

use super::Finding;
use super::source::{Source, whole_words};
use crate::repository::TextFile;

/// The files that may ask.
const PLACES: &[&str] = &["crates/threads/src/clock.rs", "crates/threads/src/pool.rs"];

/// Crates that run on machines with an operating system only.
const PROGRAMS: &[&str] = &["crates/cli/", "crates/records/", "crates/testkit/"];

const ASKED: &[&str] = &["Instant", "SystemTime", "process::id"];

/// Checks one Rust file.
pub(crate) fn check(file: &TextFile, source: &Source) -> Vec<Finding> {
    let path = file.path.as_str();
    let is_library = path.starts_with("crates/") && path.contains("/src/");
    let exempt = PLACES.contains(&path)
        || PROGRAMS.iter().any(|folder| path.starts_with(folder))
        || path.ends_with("/tests.rs")
        || path.contains("/tests/");
    if !is_library || exempt {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for (n, code) in source.code.iter().enumerate() {
        for asked in ASKED {
            if whole_words(code, asked).next().is_some() {
                let message = format!("`{asked}` panics on wasm; take `Moment` of impinge-threads");
                findings.push(Finding::new(path, n + 1, message));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<usize> {
        let file = TextFile { path: path.to_owned(), text: text.to_owned() };
        check(&file, &Source::new(text)).iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn a_clock_is_found_in_libraries_only() {
        let text = "use std::time::{Duration, Instant};\nlet t = SystemTime::now();\n\
                    let id = std::process::id();\n// Instant in prose\nlet d: Duration;\nInstantly;\n";
        assert_eq!(lines("crates/wide/src/engine.rs", text), [1, 2, 3]);
        for path in ["crates/cli/src/main.rs", "crates/wide/src/build/tests.rs", PLACES[0]] {
            assert_eq!(lines(path, text), [0; 0], "{path}");
        }
        assert_eq!(lines("benches/src/main.rs", text), [0; 0]);
    }
}
