//! Rule on what cargo builds of a package: the tests of its `tests/` are one program, which links
//! once. A test that needs a process of its own is listed here and says why at its head.

use serde_json::Value;

use super::Finding;
use crate::repository::TextFile;

/// The program of a package's tests: `tests/it/main.rs`.
const TESTS: &str = "it";

/// Tests with a process of their own, by path.
const ALONE: &[&str] = &[
    "crates/models/tests/files_memory.rs",
    "crates/parallel/tests/board.rs",
    "crates/parallel/tests/cancel.rs",
];

/// How the head of such a test gives its reason.
const REASON: &str = "//! A program of its own: ";

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
        if target["kind"][0] == "test" && target["name"] != TESTS {
            findings.extend(alone(path, text).map(|message| Finding::new(path, 1, message)));
        }
    }
    findings
}

/// What is wrong with a second program of tests.
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
        assert_eq!(findings("test", "board", ALONE[1], &reason), 0);
        assert_eq!(findings("test", "board", ALONE[1], "//! X.\n"), 1);
        assert_eq!(findings("test", "board", ALONE[1], &format!("//! X.\n\n{reason}")), 1);
    }
}
