//! Rules on the cargo targets of a package.
//!
//! 1. The tests in `tests/` are one program, so that they link once. A test that needs its own
//!    process is listed here and gives its reason at the top of the file.
//! 2. The roots of libraries and programs forbid `unsafe`, except those listed here.
//! 3. A library or program that is not compiled as a test (`test = false`) has no tests, which would
//!    never run.

use serde_json::Value;

use super::Finding;
use crate::repository::TextFile;

/// The program of a package's tests: `tests/it/main.rs`.
const TESTS: &str = "it";

/// Test programs of their own, by path.
const ALONE: &[&str] = &[
    "crates/impinge/tests/fork.rs",
    "crates/models/tests/files_memory.rs",
    "crates/parallel/tests/shared_queue.rs",
    "crates/parallel/tests/cancel.rs",
    "crates/threads/tests/window.rs",
];

/// The prefix of the reason in such a file.
const REASON: &str = "//! A program of its own: ";

/// Crate roots that allow `unsafe` in single files; the workspace denies it.
const UNSAFE: &[&str] = &[
    "benches/peers/src/lib.rs",
    "crates/cli/src/main.rs",
    "crates/geometry/src/lib.rs",
    "crates/wide/src/lib.rs",
];

/// The attribute that forbids `unsafe` in a crate root.
const FORBIDS: &str = "#![forbid(unsafe_code)]";

/// Checks the targets that `cargo metadata` lists.
pub(crate) fn check(metadata: &Value, files: &[TextFile]) -> Vec<Finding> {
    let root = metadata["workspace_root"].as_str().unwrap_or_default().replace('\\', "/");
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let targets = packages.flat_map(|package| package["targets"].as_array().into_iter().flatten());
    let mut findings = Vec::new();
    for target in targets {
        let path = target["src_path"].as_str().unwrap_or_default().replace('\\', "/");
        let path = path.strip_prefix(&root).unwrap_or(&path).trim_start_matches('/');
        let text = files.iter().find(|file| file.path == path).map_or("", |file| &file.text);
        let message = match target["kind"][0].as_str() {
            Some("test") if target["name"] != TESTS => alone(path, text),
            Some("lib" | "bin" | "proc-macro") => {
                if target["test"] == false {
                    findings.extend(never_run(path, files));
                }
                root_of(path, text)
            }
            _ => None,
        };
        findings.extend(message.map(|message| Finding::new(path, 1, message)));
    }
    findings
}

/// The tests beside a crate root that is not compiled as a test.
fn never_run(root: &str, files: &[TextFile]) -> Vec<Finding> {
    let folder = root.rsplit_once('/').map_or("", |(folder, _)| folder);
    let beside = files.iter().filter(|file| {
        file.is_rust() && file.path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
    });
    let lines = beside.flat_map(|file| file.text.lines().zip(1..).map(|line| (&file.path, line)));
    let tests = lines.filter(|(_, (line, _))| matches!(line.trim(), "#[cfg(test)]" | "#[test]"));
    let message = "its manifest says `test = false`, so this test never runs: move it to tests/it";
    tests.map(|(path, (_, line))| Finding::new(path, line, message)).collect()
}

/// The finding for a further test program, if any.
fn alone(path: &str, text: &str) -> Option<&'static str> {
    if !ALONE.contains(&path) {
        return Some(
            "a package's tests are one program: make this a module of its tests/it/main.rs, or \
             list it in xtask/src/tidy/targets.rs if it needs a process of its own",
        );
    }
    let mut head = text.lines().take_while(|line| line.starts_with("//!"));
    (!head.any(|line| line.starts_with(REASON)))
        .then_some("say at the head why it needs a process: `//! A program of its own: …`")
}

/// The finding for the root of a library or program, if any.
fn root_of(path: &str, text: &str) -> Option<&'static str> {
    let forbids = text.lines().any(|line| line == FORBIDS);
    match (forbids, UNSAFE.contains(&path)) {
        (false, false) => Some("a crate's root says `#![forbid(unsafe_code)]`"),
        (true, true) => Some("it forbids `unsafe`: take it out of xtask/src/tidy/targets.rs"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn findings(kind: &str, name: &str, path: &str, text: &str) -> usize {
        let target = json!({"kind": [kind], "name": name, "src_path": format!("/r/{path}")});
        let metadata = json!({"workspace_root": "/r", "packages": [{"targets": [target]}]});
        check(&metadata, &[TextFile { path: path.to_owned(), text: text.to_owned() }]).len()
    }

    #[test]
    fn a_second_program_of_tests_is_found() {
        assert_eq!(findings("test", "it", "crates/a/tests/it/main.rs", "//! X.\n"), 0);
        assert_eq!(findings("test", "b", "crates/a/tests/b.rs", "//! X.\n"), 1);
    }

    #[test]
    fn a_listed_one_gives_its_reason() {
        let reason = format!("//! X.\n//!\n{REASON}it counts.\n");
        assert_eq!(findings("test", "shared_queue", ALONE[1], &reason), 0);
        assert_eq!(findings("test", "shared_queue", ALONE[1], "//! X.\n"), 1);
        assert_eq!(findings("test", "shared_queue", ALONE[1], &format!("//! X.\n\n{reason}")), 1);
    }

    /// Beside the root and in modules below it, but not in the package's tests.
    #[test]
    fn a_test_that_never_runs_is_found() {
        let found_of = |kind: &str, test: bool, at: &str, mark: &str| {
            let target = json!({
                "kind": [kind], "name": "a", "src_path": "/r/crates/a/src/lib.rs", "test": test,
            });
            let metadata = json!({"workspace_root": "/r", "packages": [{"targets": [target]}]});
            let files = [
                TextFile { path: "crates/a/src/lib.rs".to_owned(), text: format!("{FORBIDS}\n") },
                TextFile {
                    path: at.to_owned(),
                    text: format!("//! X.\n\n    {mark}\nfn f() {{}}\n"),
                },
            ];
            let findings = check(&metadata, &files);
            findings.into_iter().map(|finding| (finding.path, finding.line)).collect::<Vec<_>>()
        };
        let found = |test, at: &str, mark: &str| found_of("lib", test, at, mark);
        let at = "crates/a/src/b/c.rs";
        for mark in ["#[test]", "#[cfg(test)]"] {
            assert_eq!(found(false, at, mark), [(at.to_owned(), 3)], "{mark}");
            assert_eq!(found(true, at, mark), []);
            assert_eq!(found(false, "crates/a/tests/it/main.rs", mark), []);
            assert_eq!(found(false, "crates/ab/src/c.rs", mark), []);
        }
        assert_eq!(found(false, at, "// #[test]"), []);
        // A build script is never a test.
        assert_eq!(found_of("custom-build", false, at, "#[test]"), []);
    }

    #[test]
    fn a_root_that_does_not_forbid_unsafe_is_found() {
        let forbids = format!("//! X.\n\n{FORBIDS}\n");
        for kind in ["lib", "bin"] {
            assert_eq!(findings(kind, "a", "crates/a/src/lib.rs", &forbids), 0);
            assert_eq!(findings(kind, "a", "crates/a/src/lib.rs", "//! X.\n"), 1);
            assert_eq!(findings(kind, "a", "crates/a/src/lib.rs", &format!("// {FORBIDS}\n")), 1);
            assert_eq!(findings(kind, "wide", UNSAFE[1], "//! X.\n"), 0);
            assert_eq!(findings(kind, "wide", UNSAFE[1], &forbids), 1);
        }
    }
}
