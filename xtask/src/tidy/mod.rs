//! `cargo xtask tidy`: the project's rules as a check, and as a test of this package.
//!
//! 1. [`floors`]: every crate depends only on lower layers.
//! 2. [`size`]: limits of lines per file and per function.
//! 3. [`modules`]: every module begins with a doc sentence and has a meaningful name.
//! 4. [`marks`]: no marks of later work, no `#[ignore]` without a reason, `unsafe` only in listed
//!    files.
//! 5. [`words`]: one name per method, used everywhere.
//! 6. [`paths`]: no path of a private machine, no broken link.
//! 7. [`references`]: cited works are in the bibliography.
//! 8. [`targets`]: the tests of a package are one program, and crate roots forbid `unsafe`.
//! 9. [`tolerances`]: the table of tolerances agrees with the constants.
//! 10. [`results`]: results are not edited after their run.
//! 11. [`clocks`]: libraries ask for the time in one place.

mod clocks;
mod floors;
mod marks;
mod modules;
mod paths;
mod references;
mod results;
mod size;
mod source;
mod targets;
mod tolerances;
mod words;

use std::fmt;

use crate::repository::{self, TextFile};

/// A violation and its place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    /// Path from the root.
    pub(crate) path: String,
    /// Line, from 1.
    pub(crate) line: usize,
    /// The violation and its remedy.
    pub(crate) message: String,
}

impl Finding {
    fn new(path: &str, line: usize, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, message: message.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.message)
    }
}

/// The result of all checks.
#[derive(Debug)]
pub(crate) struct Round {
    /// Violations, sorted by path and line.
    pub(crate) findings: Vec<Finding>,
    /// Lines of each Rust file, ascending.
    lengths: Vec<usize>,
}

impl Round {
    /// File lengths in one line.
    fn summary(&self) -> String {
        let at = |part: usize| {
            let last = self.lengths.len().saturating_sub(1);
            self.lengths.get(last * part / 100).copied().unwrap_or(0)
        };
        format!(
            "{} Rust files: median {} lines (at most {} wanted), 90th percentile {}, largest {}",
            self.lengths.len(),
            at(50),
            size::MEDIAN_WANTED,
            at(90),
            at(100)
        )
    }
}

/// Runs all checks.
///
/// # Errors
/// If the repository cannot be read or `cargo metadata` fails.
pub(crate) fn look_round() -> Result<Round, String> {
    let files = repository::text_files()?;
    let metadata = repository::metadata()?;
    let mut findings = floors::check(&metadata);
    findings.extend(targets::check(&metadata, &files));
    findings.extend(words::check(&files));
    findings.extend(paths::check(&files, &|path| repository::root().join(path).exists()));
    findings.extend(references::check(&files));
    findings.extend(tolerances::check(&files));
    findings.extend(results::check(&files)?);
    let mut lengths = Vec::new();
    for file in files.iter().filter(|file| file.is_rust()) {
        lengths.push(file.text.lines().count());
        findings.extend(check_rust(file));
    }
    findings.extend(marks::leftovers_in_prose(&files));
    findings.sort();
    findings.dedup();
    lengths.sort_unstable();
    Ok(Round { findings, lengths })
}

/// Runs the rules that concern a single Rust file.
fn check_rust(file: &TextFile) -> Vec<Finding> {
    let source = source::Source::new(&file.text);
    let mut findings = size::check(file, &source);
    findings.extend(modules::check(file));
    findings.extend(clocks::check(file, &source));
    findings.extend(marks::check(file, &source));
    findings
}

/// Runs all checks and prints the findings.
///
/// # Errors
/// If there is a finding.
pub(crate) fn run() -> Result<(), String> {
    let round = look_round()?;
    for finding in &round.findings {
        println!("{finding}");
    }
    println!("{}", round.summary());
    match round.findings.len() {
        0 => Ok(()),
        n => Err(format!("{n} house rules are broken; see docs/architecture.md")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_house_is_tidy() {
        let round = look_round().expect("the repository is readable from its own tests");
        let list: Vec<String> = round.findings.iter().map(ToString::to_string).collect();
        assert!(list.is_empty(), "\n{}\n", list.join("\n"));
        // Without files there would be no findings either.
        assert!(round.lengths.len() > 50, "only {} Rust files were seen", round.lengths.len());
    }

    #[test]
    fn a_finding_names_file_and_line() {
        let finding = Finding::new("crates/a/src/b.rs", 7, "why");
        assert_eq!(finding.to_string(), "crates/a/src/b.rs:7: why");
    }
}
