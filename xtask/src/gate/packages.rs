//! What a user who depends on the packages gets: how much the default facade compiles, whether all
//! published packages can be packaged, and whether their dependencies have the licences and sources
//! that `deny.toml` allows.

use std::process::Stdio;

use serde_json::Value;

use super::stages::succeed;
use crate::repository::{cargo, metadata, output_of};

/// Most crates that a package compiles which depends on the default facade, itself included.
const MOST_CRATES: usize = 40;

/// Compiles the facade with default features and counts the crates.
pub(super) fn default_facade() -> Result<String, String> {
    succeed(cargo().args(["check", "--quiet", "--package", "impinge"]))?;
    let tree = ["tree", "--package", "impinge", "--edges", "normal", "--prefix", "none"];
    let crates = 1 + distinct(&output_of(cargo().args(tree))?);
    let said = format!("{crates} crates in a package that depends on it, at most {MOST_CRATES}");
    if crates <= MOST_CRATES { Ok(said) } else { Err(said) }
}

/// The number of crates in the output of `cargo tree`. Those shown before are marked `(*)`.
fn distinct(tree: &str) -> usize {
    let mut names: Vec<&str> =
        tree.lines().map(|line| line.trim_end_matches(" (*)")).filter(|l| !l.is_empty()).collect();
    names.sort_unstable();
    names.dedup();
    names.len()
}

/// Packages all published crates in one call, without building them from their archives.
pub(super) fn packages() -> Result<String, String> {
    let version = output_of(cargo().arg("--version"))?;
    if !packages_many(&version) {
        return Ok(format!("NOT RUN: needs cargo 1.90 or later, this is {}", version.trim()));
    }
    let (published, others) = by_publication(&metadata()?);
    let mut command = cargo();
    command.args(["package", "--workspace", "--no-verify", "--allow-dirty", "--quiet"]);
    succeed(command.args(others.iter().flat_map(|name| ["--exclude", name])))?;
    Ok(format!("{} packages", published.len()))
}

/// Whether this version of cargo can package crates that depend on each other in one call. `version`
/// is like `cargo 1.95.0 (f2d3ce0bd 2026-03-21)`.
fn packages_many(version: &str) -> bool {
    let mut numbers = version.split([' ', '.']).filter_map(|part| part.parse::<u32>().ok());
    (numbers.next(), numbers.next()) >= (Some(1), Some(90))
}

/// The names of the published packages and of the others.
fn by_publication(metadata: &Value) -> (Vec<String>, Vec<String>) {
    let none = Vec::new();
    let packages = metadata["packages"].as_array().unwrap_or(&none);
    let (published, others): (Vec<&Value>, Vec<&Value>) =
        packages.iter().partition(|package| package["publish"].is_null());
    let names = |packages: Vec<&Value>| {
        packages.iter().filter_map(|p| p["name"].as_str().map(str::to_owned)).collect()
    };
    (names(published), names(others))
}

/// The workspaces whose dependencies are checked: the package for Python has its own.
const WORKSPACES: [&str; 2] = ["Cargo.toml", "crates/python/Cargo.toml"];

/// Checks licences, banned crates and sources of all dependencies.
pub(super) fn deny() -> Result<String, String> {
    let probe =
        cargo().args(["deny", "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !probe.is_ok_and(|status| status.success()) {
        return Ok("NOT RUN: `cargo install cargo-deny --locked` installs what it needs".to_owned());
    }
    for manifest in WORKSPACES {
        let mut deny = cargo();
        deny.args(["deny", "--log-level", "error", "--config", "deny.toml"]);
        deny.args(["--manifest-path", manifest, "check", "licenses", "bans", "sources"]);
        succeed(&mut deny)?;
    }
    Ok(WORKSPACES.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_counts_once_and_two_versions_twice() {
        let tree = "a v1.0.0 (/there/a)\nb v1.0.0\nc v2.0.0\nb v1.0.0\nc v1.0.0\nb v1.0.0 (*)\n\n";
        assert_eq!(distinct(tree), 4);
        assert_eq!(distinct(""), 0);
    }

    #[test]
    fn cargo_packages_many_crates_since_1_90() {
        for version in
            ["cargo 1.90.0 (840b83a10 2025-07-30)", "cargo 1.100.2-nightly", "cargo 2.0.0"]
        {
            assert!(packages_many(version), "{version}");
        }
        for version in ["cargo 1.89.0 (c24e10642 2025-06-23)", "cargo 0.90.0", "none"] {
            assert!(!packages_many(version), "{version}");
        }
    }

    #[test]
    fn published_packages_are_documented_with_all_features() {
        let metadata = metadata().expect("cargo is there");
        let (published, others) = by_publication(&metadata);
        assert!(published.iter().any(|name| name == "impinge") && published.len() > 12);
        assert!(others.iter().any(|name| name == "xtask"));
        for package in metadata["packages"].as_array().expect("packages") {
            let all = &package["metadata"]["docs"]["rs"]["all-features"];
            let name = package["name"].as_str().unwrap_or_default();
            assert!(!published.iter().any(|p| p == name) || all == &Value::Bool(true), "{name}");
        }
    }

    /// Examples of all packages are built into one folder.
    #[test]
    fn examples_have_different_names() {
        let metadata = metadata().expect("cargo is there");
        let packages = metadata["packages"].as_array().expect("packages");
        let targets = packages.iter().filter_map(|package| package["targets"].as_array()).flatten();
        let mut names: Vec<&str> = targets
            .filter(|target| target["kind"][0] == "example")
            .filter_map(|target| target["name"].as_str())
            .collect();
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert!(all > 0 && names.len() == all, "{names:?}");
    }
}
