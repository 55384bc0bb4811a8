//! Rules on modules: each begins with a doc sentence, and none has a meaningless name.

use super::Finding;
use crate::repository::TextFile;

/// Meaningless module names.
const EMPTY_NAMES: &[&str] = &["util", "utils", "common", "misc", "old", "helpers"];

/// Checks one Rust file.
pub(crate) fn check(file: &TextFile) -> Vec<Finding> {
    let mut findings = Vec::new();
    let opening = file.text.lines().next().unwrap_or_default();
    if opening.trim_start_matches("//!").trim().is_empty() || !opening.starts_with("//!") {
        let message = "a module opens with `//!` and a sentence on what it is";
        findings.push(Finding::new(&file.path, 1, message));
    }
    for part in file.path.trim_end_matches(".rs").split('/') {
        if EMPTY_NAMES.contains(&part) {
            let message = format!("`{part}` says nothing; name it after what is in it");
            findings.push(Finding::new(&file.path, 1, message));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(path: &str, text: &str) -> usize {
        check(&TextFile { path: path.to_owned(), text: text.to_owned() }).len()
    }

    #[test]
    fn a_silent_module_is_found() {
        assert_eq!(findings("crates/a/src/b.rs", "//! What it is.\n"), 0);
        assert_eq!(findings("crates/a/src/b.rs", "//!\n//! Later.\n"), 1);
        assert_eq!(findings("crates/a/src/b.rs", "// What it is.\n"), 1);
        assert_eq!(findings("crates/a/src/b.rs", ""), 1);
    }

    #[test]
    fn an_empty_name_is_found() {
        for name in EMPTY_NAMES {
            assert_eq!(findings(&format!("crates/a/src/{name}.rs"), "//! X.\n"), 1);
            assert_eq!(findings(&format!("crates/a/src/{name}/b.rs"), "//! X.\n"), 1);
        }
        assert_eq!(findings("crates/a/src/threshold.rs", "//! X.\n"), 0);
    }
}
