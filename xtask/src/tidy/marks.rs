//! Rules on marks: no notes for later work, no ignored test without a reason, and `unsafe` only in
//! listed files with a `SAFETY:` comment.

use super::Finding;
use super::source::{Source, whole_words};
use crate::repository::TextFile;

/// The files that may contain `unsafe`; each block needs a `SAFETY:` comment above it.
const FENCE: &[&str] = &[
    "benches/peers/src/native/library.rs",
    "crates/cli/src/mapped.rs",
    "crates/geometry/src/column.rs",
    "crates/geometry/src/prefetch.rs",
    "crates/impinge/tests/fork.rs",
    "crates/python/src/kept.rs",
    "crates/wide/src/simd/avx2.rs",
    "crates/wide/src/simd/avx512.rs",
    "crates/wide/src/simd/neon.rs",
    "crates/wide/src/simd/wasm.rs",
    "crates/wide/src/simd/x86.rs",
    "crates/wide/src/stored/plain.rs",
];

/// Words that mark later work. Split, so that this file does not contain them.
const LATER: &[&str] =
    &[concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X"), concat!("HA", "CK")];

/// Macros that mark missing code.
const HOLES: &[&str] = &[concat!("to", "do!"), concat!("unimple", "mented!")];

/// How many lines above an `unsafe` its `SAFETY:` comment may start.
const SAFETY_REACH: usize = 8;

/// Checks one Rust file.
pub(crate) fn check(file: &TextFile, source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (n, code) in source.code.iter().enumerate() {
        let mut find = |message: String| findings.push(Finding::new(&file.path, n + 1, message));
        for hole in HOLES {
            if code.contains(hole) {
                find(format!("`{hole}` is a hole; write the code or return an error"));
            }
        }
        if code.replace(' ', "").contains("#[ignore]") {
            find("an ignored test says why: `#[ignore = \"reason\"]`".to_owned());
        }
        if whole_words(code, "unsafe").next().is_some() {
            if !FENCE.contains(&file.path.as_str()) {
                find("`unsafe` outside the fence of xtask/src/tidy/marks.rs".to_owned());
            } else if !is_explained(source, n) {
                find("`unsafe` without a `SAFETY:` comment above it".to_owned());
            }
        }
    }
    findings
}

fn is_explained(source: &Source, line: usize) -> bool {
    let first = line.saturating_sub(SAFETY_REACH);
    source.comments[first..=line].iter().any(|text| text.contains("SAFETY:"))
}

/// Checks all text files for words that mark later work.
pub(crate) fn leftovers_in_prose(files: &[TextFile]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files {
        for (n, text) in file.text.lines().enumerate() {
            for word in LATER {
                if whole_words(text, word).next().is_some() {
                    let message = format!("`{word}`: do it, or open an issue and say so there");
                    findings.push(Finding::new(&file.path, n + 1, message));
                }
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> TextFile {
        TextFile { path: "crates/a/src/b.rs".to_owned(), text: text.to_owned() }
    }

    fn findings(text: &str) -> Vec<Finding> {
        check(&file(text), &Source::new(text))
    }

    #[test]
    fn holes_are_found() {
        for hole in HOLES {
            let found = findings(&format!("//! X.\nfn f() {{ {hole}() }}\n"));
            assert_eq!((found.len(), found[0].line), (1, 2), "{hole}");
            assert!(findings(&format!("//! {hole} in prose\nlet x = \"{hole}()\";\n")).is_empty());
        }
    }

    #[test]
    fn an_ignore_without_a_reason_is_found() {
        assert_eq!(findings("#[test]\n#[ignore]\nfn f() {}\n")[0].line, 2);
        assert!(findings("#[ignore = \"gpu: needs an adapter\"]\nfn f() {}\n").is_empty());
    }

    #[test]
    fn unsafe_outside_the_fence_is_found() {
        let opened = "fn f() { unsafe { g() } }\n";
        assert_eq!(findings(opened).len(), 1);
        assert!(findings("#![forbid(unsafe_code)]\n// no unsafe here\n").is_empty());
    }

    #[test]
    fn a_safety_note_is_seen_above_and_nowhere_else() {
        let text = "// SAFETY: g has no preconditions.\nunsafe { g() }\n";
        assert!(is_explained(&Source::new(text), 1));
        assert!(!is_explained(&Source::new("let s = \"SAFETY:\";\nunsafe { g() }\n"), 1));
    }

    #[test]
    fn words_for_later_are_found() {
        for word in LATER {
            let found = leftovers_in_prose(&[file(&format!("//! X.\n// {word}: later\n"))]);
            assert_eq!((found.len(), found[0].line), (1, 2), "{word}");
            assert!(leftovers_in_prose(&[file(&format!("{word}S"))]).is_empty());
        }
    }
}
