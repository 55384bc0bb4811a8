//! `cargo xtask fuzz`: builds the targets of `fuzz/` with coverage instrumentation and runs them.
//! Stable Rust: libFuzzer without the address sanitiser.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use crate::Outcome;
use crate::repository::{self, cargo, host, output_of};

/// Compiler flags for libFuzzer's coverage counters.
const INSTRUMENTATION: &str = "--cfg fuzzing -Cpasses=sancov-module \
    -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares \
    -Ccodegen-units=1";

/// Options of `cargo xtask fuzz`.
#[derive(Clone, Debug, Args)]
pub(crate) struct Options {
    /// Names of the targets to run [default: all].
    targets: Vec<String>,
    /// Time per target, in seconds.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
}

/// Runs the fuzz targets. The corpus of each target grows in `fuzz/corpus`, crashing inputs are
/// left in `fuzz/artifacts`; neither is committed.
///
/// # Errors
/// If a name is not a target, the build fails, or a target crashes; the other targets still run.
pub(crate) fn run(options: &Options) -> Outcome {
    let folder = repository::root().join("fuzz");
    let known = targets(&folder)?;
    if let Some(unknown) = options.targets.iter().find(|name| !known.contains(name)) {
        return Err(format!("unknown fuzz target \"{unknown}\"; known are {}", known.join(", ")));
    }
    let wanted = if options.targets.is_empty() { &known } else { &options.targets };
    let built = build(&folder)?;
    let mut crashed = Vec::new();
    for name in wanted {
        println!("\n── {name}, {} s ──", options.seconds);
        if !fuzz_one(&folder, &built, name, options.seconds)? {
            crashed.push(name.as_str());
        }
    }
    if crashed.is_empty() {
        println!("\nno crash in {}", wanted.join(", "));
        return Ok(());
    }
    Err(format!("crashed: {}; the inputs are in fuzz/artifacts", crashed.join(", ")))
}

/// The names of the targets, from the package's manifest.
fn targets(folder: &Path) -> Result<Vec<String>, String> {
    let mut command = cargo();
    command.current_dir(folder).args(["metadata", "--no-deps", "--format-version", "1"]);
    let metadata: serde_json::Value = serde_json::from_str(&output_of(&mut command)?)
        .map_err(|error| format!("cargo metadata: {error}"))?;
    let names = binaries(&metadata);
    if names.is_empty() { Err("fuzz/ has no targets".to_owned()) } else { Ok(names) }
}

fn binaries(metadata: &serde_json::Value) -> Vec<String> {
    let empty = Vec::new();
    let targets = metadata["packages"][0]["targets"].as_array().unwrap_or(&empty);
    targets
        .iter()
        .filter(|target| target["kind"][0] == "bin")
        .filter_map(|target| target["name"].as_str().map(str::to_owned))
        .collect()
}

/// Builds all targets into a separate folder, since the flags would invalidate all other builds.
/// Returns the folder of the programs.
fn build(folder: &Path) -> Result<PathBuf, String> {
    let into = repository::target_folder()?.join("fuzz");
    let host = host()?;
    let mut command = cargo();
    command.current_dir(folder).args(["build", "--release", "--bins"]);
    // With an explicit target, the flags do not reach build scripts, which would not link.
    command.args(["--target", &host]).env("RUSTFLAGS", INSTRUMENTATION);
    command.env("CARGO_TARGET_DIR", &into);
    let status = command.status().map_err(|error| format!("cannot start cargo: {error}"))?;
    if !status.success() {
        return Err(format!("building the targets failed: {status}"));
    }
    Ok(into.join(host).join("release"))
}

/// Runs one target; `false` if it crashed.
fn fuzz_one(folder: &Path, built: &Path, name: &str, seconds: u64) -> Result<bool, String> {
    let corpus = folder.join("corpus").join(name);
    let artifacts = folder.join("artifacts").join(name);
    for place in [&corpus, &artifacts] {
        fs::create_dir_all(place).map_err(|error| format!("{}: {error}", place.display()))?;
    }
    let status = Command::new(built.join(name))
        .arg(&corpus)
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-artifact_prefix={}/", artifacts.display()))
        .args(["-print_final_stats=1", "-timeout=10", "-rss_limit_mb=2048"])
        .status()
        .map_err(|error| format!("cannot start {name}: {error}"))?;
    Ok(status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_programs_are_targets() {
        let metadata = serde_json::json!({ "packages": [{ "targets": [
            { "name": "impinge_fuzz", "kind": ["lib"] },
            { "name": "obj", "kind": ["bin"] },
        ] }] });
        assert_eq!(binaries(&metadata), ["obj"]);
        assert!(binaries(&serde_json::json!({})).is_empty());
    }

    #[test]
    fn an_unknown_target_is_refused_before_anything_is_built() {
        let options = Options { targets: vec!["nonsense".to_owned()], seconds: 1 };
        let why = run(&options).expect_err("there is no such target");
        assert!(why.contains("unknown fuzz target \"nonsense\""), "{why}");
    }
}
