//! `cargo xtask tidy`: the house rules as a check, and as a test of this package.
//!
//! 1. [`floors`]: every crate depends on lower floors only.
//! 2. [`size`]: rooms are small: lines per file and per function.
//! 3. [`modules`]: every module opens with a sentence and has a telling name.
//! 4. [`marks`]: no left-over marks, no silent `#[ignore]`, `unsafe` only inside the fence.
//! 5. [`words`]: one word per method, the same one everywhere.
//! 6. [`paths`]: no path of somebody's own machine, no dead link.
//! 7. [`references`]: what is cited is in the bibliography.
//! 8. [`targets`]: the tests of a package are one program, and its roots forbid `unsafe`.
//! 9. [`tolerances`]: the table of tolerances says what the constants are.

mod floors;
mod marks;
mod modules;
mod paths;
mod references;
mod size;
mod source;
mod targets;
mod tolerances;
mod words;

use std::fmt;

use crate::repository::{self, TextFile};

/// A broken rule and where.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    /// Path from the root.
    pub(crate) path: String,
    /// Line, from 1.
    pub(crate) line: usize,
    /// What is wrong, and what to do.
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

/// What a round through the house saw.
#[derive(Debug)]
pub(crate) struct Round {
    /// Broken rules, by file and line.
    pub(crate) findings: Vec<Finding>,
    /// Lines of each Rust file, ascending.
    lengths: Vec<usize>,
}

impl Round {
    /// Sizes in one line.
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

/// Checks everything.
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

/// The rules that look at one Rust file alone.
fn check_rust(file: &TextFile) -> Vec<Finding> {
    let source = source::Source::new(&file.text);
    let mut findings = size::check(file, &source);
    findings.extend(modules::check(file));
    findings.extend(marks::check(file, &source));
    findings
}

/// The command.
///
/// # Errors
/// If a rule is broken.
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
        // An empty list of files would be tidy too.
        assert!(round.lengths.len() > 50, "only {} Rust files were seen", round.lengths.len());
    }

    #[test]
    fn a_finding_names_file_and_line() {
        let finding = Finding::new("crates/a/src/b.rs", 7, "why");
        assert_eq!(finding.to_string(), "crates/a/src/b.rs:7: why");
    }
}
