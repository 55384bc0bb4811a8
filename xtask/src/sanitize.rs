//! `cargo xtask sanitize`: tests under the thread sanitizer and under Miri, with a nightly
//! compiler. A tool that is not installed is reported; this is an error only if it was named.

use std::path::Path;
use std::process::{Command, Stdio};

use clap::{Args, ValueEnum};

use crate::Outcome;
use crate::repository::{host, root, target_folder};

/// Options of `cargo xtask sanitize`.
#[derive(Clone, Debug, Args)]
pub(crate) struct Options {
    /// Tools to run [default: all that are installed].
    tools: Vec<Tool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Tool {
    /// Thread sanitizer: finds data races, in the tests of multithreaded code.
    Thread,
    /// Miri: finds undefined behaviour, in tests that an interpreter can run in reasonable time.
    Miri,
}

/// The tests of a package: arguments of cargo, and filters by test name.
type Tests = (&'static [&'static str], &'static [&'static str]);

/// Tests that use several threads.
const THREADS: &[Tests] = &[
    (&["--package", "impinge-query", "--test", "it"], &["batch::"]),
    (&["--package", "impinge-parallel", "--test", "it"], &["threads::"]),
    (&["--package", "impinge-wide", "--test", "it"], &["threads::"]),
];

/// Tests that Miri can run: exact arithmetic, the query contract, portable lanes without
/// intrinsics.
const INTERPRETED: &[Tests] = &[
    (&["--package", "impinge-geometry", "--lib"], &["column", "exact", "predicates", "integers"]),
    (&["--package", "impinge-query", "--lib", "--tests"], &[]),
    (&["--package", "impinge-wide", "--lib"], &["portable", "tree", "units"]),
];

/// Runs the chosen tools.
///
/// # Errors
/// If a tool finds an error, a named tool is not installed, or none is.
pub(crate) fn run(options: &Options) -> Outcome {
    let tools = if options.tools.is_empty() { Tool::value_variants() } else { &options.tools };
    let (mut wrong, mut ran) = (Vec::new(), 0);
    for &tool in tools {
        let outcome = match (tool.missing(), tool) {
            (Some(missing), _) if options.tools.is_empty() => {
                println!("left out: {missing}");
                continue;
            }
            (Some(missing), _) => Err(missing),
            (None, Tool::Thread) => thread(),
            (None, Tool::Miri) => miri(),
        };
        ran += 1;
        wrong.extend(outcome.err());
    }
    match (wrong.as_slice(), ran) {
        ([], 0) => Err("none of them is installed".to_owned()),
        ([], _) => Ok(()),
        _ => Err(wrong.join("; ")),
    }
}

impl Tool {
    /// What has to be installed before the tool can run; `None` if nothing. Both tools build the
    /// standard library from source: without instrumentation, the sanitizer does not see the
    /// ordering by its locks and reports races in each of them.
    fn missing(self) -> Option<String> {
        let has = match self {
            Self::Thread => has_sources(),
            Self::Miri => has_sources() && probe(&["cargo", "miri", "--version"]).is_some(),
        };
        let tell = |tool: &str, components: &str| {
            format!("{tool} needs `rustup toolchain install nightly --component {components}`")
        };
        (!has).then(|| match self {
            Self::Thread => tell("the thread sanitizer", "rust-src"),
            Self::Miri => tell("Miri", "rust-src --component miri"),
        })
    }
}

/// Whether the sources of the nightly standard library are installed.
fn has_sources() -> bool {
    let Some(folder) = probe(&["rustc", "--print", "sysroot"]) else { return false };
    Path::new(folder.trim()).join("lib/rustlib/src/rust/library/std").exists()
}

/// The output of a nightly program if it succeeds.
fn probe(arguments: &[&str]) -> Option<String> {
    let output = nightly(arguments).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    output.status.success().then_some(text)
}

/// A program of the nightly toolchain, without the variables that the calling cargo has set.
fn nightly(program: &[&str]) -> Command {
    let mut command = Command::new("rustup");
    for name in ["RUSTC", "CARGO", "RUSTUP_TOOLCHAIN"] {
        command.env_remove(name);
    }
    command.current_dir(root()).args(["run", "nightly"]).args(program);
    command
}

/// The nightly cargo, with its own target folder.
fn cargo(folder: &str) -> Result<Command, String> {
    let mut command = nightly(&["cargo"]);
    command.env("CARGO_TARGET_DIR", target_folder()?.join(folder));
    Ok(command)
}

fn thread() -> Outcome {
    let host = host()?;
    each(THREADS, "thread sanitizer", &|tests| {
        let mut command = cargo("sanitize")?;
        command.env("RUSTFLAGS", "-Zsanitizer=thread").env("TSAN_OPTIONS", "halt_on_error=1");
        command.args(["-Zbuild-std", "test", "--target", &host]).args(tests);
        Ok(command)
    })
}

fn miri() -> Outcome {
    each(INTERPRETED, "Miri", &|tests| {
        let mut command = cargo("miri")?;
        command.env("MIRIFLAGS", "-Zmiri-disable-isolation").args(["miri", "test"]).args(tests);
        Ok(command)
    })
}

/// Runs all tests, even if some fail.
fn each(
    list: &[Tests],
    tool: &str,
    command: &dyn Fn(&[&str]) -> Result<Command, String>,
) -> Outcome {
    let mut wrong = Vec::new();
    for (tests, names) in list {
        println!("\n── {tool}: {} ──", tests.join(" "));
        let mut command = command(tests)?;
        let status = command.arg("--").args(*names).status().map_err(|e| e.to_string())?;
        if !status.success() {
            wrong.push(format!("{tool}: {}: {status}", tests.join(" ")));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("; ")) }
}
