//! The stages that consist of one cargo command.

use std::fs;
use std::process::{Command, Stdio};

use super::Gpu;
use crate::repository::{cargo, root, target_folder};
use crate::tidy;

/// Environment variable that tells tests the GPU mode.
pub(super) const GPU_VARIABLE: &str = "IMPINGE_GPU";

/// Runs a command with its output on the terminal.
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

/// Runs all tests, with nextest where it is installed, else with `cargo test`.
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

pub(super) fn has_nextest() -> bool {
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

/// Checks that the fuzz targets compile. They are a separate workspace. libFuzzer itself is not
/// built, so no C++ compiler is needed.
pub(super) fn fuzz_targets() -> Result<String, String> {
    let folder = target_folder()?.join("fuzz-check");
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut command = cargo();
    command.current_dir(root().join("fuzz")).args(["check", "--quiet", "--bins", "--locked"]);
    command.env("CARGO_TARGET_DIR", &folder).env("CARGO_INCREMENTAL", "0");
    // Nothing is linked, so the file need not exist.
    command.env("CUSTOM_LIBFUZZER_PATH", folder.join("libfuzzer.a"));
    succeed(&mut command)
}
