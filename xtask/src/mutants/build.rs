//! Builds a crate of the private copy; returns its test programs, or the lines that do not compile.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::Wanted;
use super::tree::Tree;
use crate::repository::target_folder;

#[derive(Clone, Debug)]
pub(super) struct Program {
    /// The name of the target: the crate's own, or that of a program in `tests/`.
    pub(super) name: String,
    /// Path of the executable.
    pub(super) path: PathBuf,
}

/// A place of a compiler error.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    /// Path from the root.
    pub(super) file: String,
    /// First and last line, from 1.
    pub(super) lines: (usize, usize),
    /// The column of its first character, from 1.
    pub(super) column: usize,
    /// The compiler's message.
    pub(super) message: String,
}

/// The program in `tests/` with all tests, except those that need a process of their own.
const TESTS: &str = "it";

/// Tests that are likely to detect a change and therefore run first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum First {
    /// The unit tests of the crate's library.
    Library,
    /// The tests of a module of the program in `tests/`.
    Module(String),
}

impl First {
    /// Parses a name of a list: the crate's own name stands for its library.
    pub(super) fn new(name: &str, wanted: Wanted) -> Self {
        if name == wanted.name { Self::Library } else { Self::Module(name.to_owned()) }
    }

    /// Whether it includes this test of this program.
    pub(super) fn holds(&self, program: &str, test: &str, wanted: Wanted) -> bool {
        match self {
            Self::Library => program == wanted.name,
            Self::Module(name) => {
                let rest = test.strip_prefix(name.as_str());
                program == TESTS && rest.is_some_and(|rest| rest.starts_with("::"))
            }
        }
    }
}

/// What to build.
#[derive(Clone, Copy, Debug)]
pub(super) enum What<'a> {
    /// No program: only check that the library compiles.
    Check,
    /// All tests of the crate.
    Tests,
    /// The programs with these tests.
    Only(&'a [First]),
}

/// Builds a crate; returns the test programs, or the places of compiler errors.
///
/// # Errors
/// If cargo cannot be started.
pub(super) fn build(
    tree: &Tree,
    wanted: Wanted,
    what: What<'_>,
) -> Result<Result<Vec<Program>, Vec<Fault>>, String> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // A separate target folder: cargo treats packages of the same name in two copies of a workspace
    // as one, so a later build of the tree itself would reuse mutants.
    let target = target_folder()?.join("mutants").join("build");
    command.current_dir(&tree.folder).env("CARGO_TARGET_DIR", target);
    match what {
        What::Check => command.args(["check", "--profile", "test", "--lib"]),
        What::Tests => command.args(["test", "--no-run", "--lib", "--tests"]),
        What::Only(firsts) => {
            command.args(["test", "--no-run"]);
            if firsts.contains(&First::Library) {
                command.arg("--lib");
            }
            if firsts.iter().any(|first| *first != First::Library) {
                command.args(["--test", TESTS]);
            }
            &mut command
        }
    };
    let package = format!("impinge-{}", wanted.name);
    command.args(["--package", &package, "--message-format", "json"]);
    if wanted.all_features {
        command.arg("--all-features");
    }
    let output = command.stderr(Stdio::piped()).output();
    let output = output.map_err(|error| format!("cannot start cargo: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let messages: Vec<Value> =
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    if output.status.success() {
        return Ok(Ok(messages.iter().filter_map(|m| program(m, wanted)).collect()));
    }
    let faults: Vec<Fault> = messages.iter().flat_map(faults).collect();
    if faults.is_empty() {
        return Err(format!("cargo: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    Ok(Err(faults))
}

fn program(message: &Value, wanted: Wanted) -> Option<Program> {
    let path = PathBuf::from(message["executable"].as_str()?);
    if message["profile"]["test"] != true {
        return None;
    }
    let library = message["target"]["kind"][0] != "test";
    let name = if library { wanted.name } else { message["target"]["name"].as_str()? };
    Some(Program { name: name.to_owned(), path })
}

/// The places of an error. A place inside a macro's text is replaced by the place of the call.
fn faults(message: &Value) -> Vec<Fault> {
    let message = &message["message"];
    if message["level"] != "error" {
        return Vec::new();
    }
    let empty = Vec::new();
    let spans = message["spans"].as_array().unwrap_or(&empty);
    let number = |value: &Value| value.as_u64().unwrap_or(0) as usize;
    (spans.iter())
        .filter(|span| span["is_primary"] == true)
        .map(|span| Fault {
            file: span["file_name"].as_str().unwrap_or_default().replace('\\', "/"),
            lines: (number(&span["line_start"]), number(&span["line_end"])),
            column: number(&span["column_start"]),
            message: message["message"].as_str().unwrap_or_default().to_owned(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_found_by_their_module() {
        let wanted = Wanted { name: "gjk", all_features: false };
        let [library, module] = ["gjk", "pose"].map(|name| First::new(name, wanted));
        assert!(library.holds("gjk", "pose::a", wanted) && !library.holds(TESTS, "gjk::a", wanted));
        assert!(module.holds(TESTS, "pose::a", wanted) && !module.holds("gjk", "pose::a", wanted));
        assert!(!module.holds(TESTS, "poses::a", wanted));
    }
}
