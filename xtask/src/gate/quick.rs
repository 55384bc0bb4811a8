//! The stages of the quick gate: lints of what decides collisions, the shorter tests of what was
//! changed.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::stages::{has_nextest, succeed};
use crate::changes;
use crate::repository::{cargo, metadata};

/// The packages whose lints run: those that decide collisions, and this one. Default features only,
/// without the graphics library.
const LINTED: &[&str] = &[
    "impinge-geometry",
    "impinge-query",
    "impinge-hierarchy",
    "impinge-wide",
    "impinge-parallel",
    "impinge-stream",
    "impinge-image",
    "impinge-scene",
    "impinge-separate",
    "impinge-decompose",
    "impinge-testkit",
    "impinge",
    "xtask",
];

/// Tested whatever was changed: the house rules have their tests here.
const ALWAYS: &str = "xtask";

fn with<'c>(command: &'c mut Command, packages: &[String]) -> &'c mut Command {
    command.args(packages.iter().flat_map(|package| ["--package", package]))
}

pub(super) fn lints() -> Result<String, String> {
    let mut packages = changed_packages()?;
    packages.extend(LINTED.iter().map(|&name| name.to_owned()));
    packages.sort_unstable();
    packages.dedup();
    let mut command = cargo();
    command.args(["clippy", "--all-targets"]);
    succeed(with(&mut command, &packages).args(["--", "-D", "warnings"]))
}

/// Runs the shorter tests of the packages that were changed; without nextest they cannot be told
/// apart, and all run.
pub(super) fn tests() -> Result<String, String> {
    let packages = changed_packages()?;
    let mut command = cargo();
    let runner = if has_nextest() {
        command.args(["nextest", "run", "--no-fail-fast", "--profile", "quick"]);
        "the shorter ones"
    } else {
        command.args(["test", "--no-fail-fast", "--lib", "--bins", "--tests"]);
        "the longer ones too"
    };
    succeed(with(&mut command, &packages))?;
    Ok(format!("{runner} of {}", packages.join(", ")))
}

/// The packages with changed files, and [`ALWAYS`].
fn changed_packages() -> Result<Vec<String>, String> {
    let files = changes::files(&changes::base(".")?)?;
    Ok(packages_of(&files, &metadata()?))
}

/// Whether no package is built from this file, which belongs to none.
fn is_no_code(file: &str) -> bool {
    let folders = ["docs/", "assets/", "fuzz/", ".config/", ".ci/", ".github/"];
    folders.iter().any(|folder| file.starts_with(folder))
        || Path::new(file).extension().is_some_and(|extension| extension == "md")
}

/// The packages of these files. Another file may change every package's build:
/// then all that are linted.
fn packages_of(files: &[String], metadata: &Value) -> Vec<String> {
    let root = metadata["workspace_root"].as_str().unwrap_or_default();
    let none = Vec::new();
    let folders: Vec<(&str, &str)> = (metadata["packages"].as_array().unwrap_or(&none).iter())
        .filter_map(|package| {
            let manifest = package["manifest_path"].as_str()?.strip_prefix(root)?;
            Some((
                manifest.trim_start_matches('/').strip_suffix("Cargo.toml")?,
                package["name"].as_str()?,
            ))
        })
        .collect();
    let mut packages = vec![ALWAYS.to_owned()];
    for file in files {
        let within = folders.iter().filter(|(folder, _)| file.starts_with(folder));
        match within.max_by_key(|(folder, _)| folder.len()) {
            Some((_, package)) => packages.push((*package).to_owned()),
            None if is_no_code(file) => {}
            None => packages.extend(LINTED.iter().map(|&name| name.to_owned())),
        }
    }
    packages.sort_unstable();
    packages.dedup();
    packages
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repository::{root, text_files};

    #[test]
    fn files_belong_to_the_innermost_package() {
        let metadata = metadata().expect("cargo is there");
        let of = |files: &[&str]| {
            let files: Vec<String> = files.iter().map(|&file| file.to_owned()).collect();
            packages_of(&files, &metadata)
        };
        assert_eq!(of(&["docs/gpu.md", "README.md"]), ["xtask"]);
        let peers = "benches/peers/src/main.rs";
        assert_eq!(
            of(&["crates/wide/src/lib.rs", peers]),
            ["impinge-peers", "impinge-wide", "xtask"]
        );
        assert_eq!(of(&["benches/src/lib.rs"]), ["impinge-benches", "xtask"]);
        assert_eq!(of(&["Cargo.lock"]).len(), LINTED.len());
    }

    /// Every test that the quick profile leaves out is there, under the name that it gives.
    #[test]
    fn longer_tests_are_known_by_their_names() {
        let path = root().join(".config/nextest.toml");
        let config = std::fs::read_to_string(path).expect("the profile is there");
        let names: Vec<&str> =
            config.split("test(=").skip(1).filter_map(|rest| rest.split(')').next()).collect();
        assert!(names.len() > 5);
        let files = text_files().expect("readable");
        for name in names {
            let (module, function) = name.rsplit_once("::").unwrap_or(("", name));
            let file = module.rsplit("::").next().unwrap_or_default();
            let found = files.iter().filter(|text| text.is_rust()).any(|text| {
                let place = text.path.rsplit('/').next().is_some_and(|last| {
                    file.is_empty()
                        || last == format!("{file}.rs")
                        || text.path.contains(&format!("/{file}/"))
                });
                place && text.text.contains(&format!("fn {function}("))
            });
            assert!(found, "{name}");
        }
    }
}
