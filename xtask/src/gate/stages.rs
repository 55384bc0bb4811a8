//! The stages that are one cargo command each.

use std::process::{Command, Stdio};

use super::Gpu;
use crate::repository::cargo;
use crate::tidy;

/// Names the GPU mode to the tests.
pub(super) const GPU_VARIABLE: &str = "IMPINGE_GPU";

/// Runs a command in the open.
pub(super) fn succeed(command: &mut Command) -> Result<String, String> {
    let status = command.status().map_err(|error| format!("cannot start: {error}"))?;
    if status.success() { Ok(String::new()) } else { Err(status.to_string()) }
}

pub(super) fn format() -> Result<String, String> {
    succeed(cargo().args(["fmt", "--all", "--check"]))
}

pub(super) fn tidy() -> Result<String, String> {
    tidy::run()?;
    Ok(String::new())
}

pub(super) fn lints() -> Result<String, String> {
    let what = ["clippy", "--workspace", "--all-targets", "--all-features"];
    succeed(cargo().args(what).args(["--", "-D", "warnings"]))
}

/// With nextest where it is installed, else with cargo's own runner.
pub(super) fn tests(gpu: Gpu) -> Result<String, String> {
    let mut command = cargo();
    let runner = if has_nextest() {
        command.args(["nextest", "run", "--no-fail-fast"]);
        "cargo nextest"
    } else {
        command.args(["test", "--no-fail-fast", "--lib", "--bins", "--tests"]);
        "cargo test"
    };
    command.args(["--workspace", "--all-features"]).env(GPU_VARIABLE, gpu.word());
    succeed(&mut command)?;
    Ok(format!("by {runner}"))
}

fn has_nextest() -> bool {
    let probe =
        cargo().args(["nextest", "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    probe.is_ok_and(|status| status.success())
}

pub(super) fn doc_tests() -> Result<String, String> {
    succeed(cargo().args(["test", "--doc", "--workspace", "--all-features"]))
}

pub(super) fn documentation() -> Result<String, String> {
    let what = ["doc", "--workspace", "--no-deps", "--all-features"];
    succeed(cargo().args(what).env("RUSTDOCFLAGS", "-D warnings"))
}
