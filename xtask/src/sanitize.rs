//! `cargo xtask sanitize`: tests under the thread sanitizer and under Miri, with a nightly
//! compiler. What is not installed is said, and is a failure only where it was asked for by name.

use std::path::Path;
use std::process::{Command, Stdio};

use clap::{Args, ValueEnum};

use crate::Outcome;
use crate::repository::{host, root, target_folder};

/// What to run.
#[derive(Clone, Debug, Args)]
pub(crate) struct Options {
    /// The tools; all that are installed if none is given.
    tools: Vec<Tool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Tool {
    /// Races between threads, in the tests of what runs over threads.
    Thread,
    /// Undefined behaviour, in tests that an interpreter ends in a reasonable time.
    Miri,
}

/// A package's tests: the arguments of cargo, then a filter by name.
type Tests = (&'static [&'static str], &'static [&'static str]);

/// What runs over threads.
const THREADS: &[Tests] = &[
    (&["--package", "impinge-query", "--test", "it"], &["batch::"]),
    (&["--package", "impinge-parallel", "--test", "it"], &["threads::"]),
    (&["--package", "impinge-wide", "--test", "it"], &["threads::"]),
];

/// What an interpreter can run: exact arithmetic, the contract, lanes without intrinsics.
const INTERPRETED: &[Tests] = &[
    (&["--package", "impinge-geometry", "--lib"], &["exact", "predicates", "integers"]),
    (&["--package", "impinge-query", "--lib", "--tests"], &[]),
    (&["--package", "impinge-wide", "--lib"], &["portable", "tree", "units"]),
];

/// The command.
///
/// # Errors
/// If a tool finds something, or one that was asked for is not installed, or none is.
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
    /// What there is to install before it can run. Both take the standard library from its source:
    /// without instrumentation the sanitizer sees none of what its locks order, and reports races in
    /// each of them.
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

/// Are the sources of the nightly compiler's standard library there?
fn has_sources() -> bool {
    let Some(folder) = probe(&["rustc", "--print", "sysroot"]) else { return false };
    Path::new(folder.trim()).join("lib/rustlib/src/rust/library/std").exists()
}

/// What a program of the nightly compiler prints, if it succeeds.
fn probe(arguments: &[&str]) -> Option<String> {
    let output = nightly(arguments).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    output.status.success().then_some(text)
}

/// A program of the nightly compiler, without what the cargo that started this one has set for its
/// own.
fn nightly(program: &[&str]) -> Command {
    let mut command = Command::new("rustup");
    for name in ["RUSTC", "CARGO", "RUSTUP_TOOLCHAIN"] {
        command.env_remove(name);
    }
    command.current_dir(root()).args(["run", "nightly"]).args(program);
    command
}

/// Its cargo, with a target folder of its own.
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

/// Runs all, whatever one of them finds.
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
