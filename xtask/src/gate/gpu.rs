//! Tests that need a graphics adapter. They are ignored with a reason that begins with `gpu`, and
//! their path contains `gpu`. This stage counts them, and runs them if asked to. Without an adapter
//! they appear as ignored, never as passed.
//!
//! If they are requested, it is a failure if fewer ran than are marked, or none.

use std::fs;
use std::process::{Command, Stdio};

use clap::ValueEnum;

use super::stages::GPU_VARIABLE;
use crate::repository::{self, TextFile, cargo, root, target_folder};

/// How to treat tests that need a graphics adapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Gpu {
    /// Do not run them; they count as ignored.
    Off,
    /// Run them on a software adapter; tries to install Mesa's driver if there is none.
    Software,
    /// Run them on the best adapter, hardware before software; fails if there is none.
    Required,
}

impl Gpu {
    /// The value on the command line.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Software => "software",
            Self::Required => "required",
        }
    }

    /// Tells the tests that a command runs which adapter to use.
    ///
    /// # Errors
    /// If a folder that Mesa wants cannot be created.
    pub(crate) fn tell(self, command: &mut Command) -> Result<(), String> {
        command.env(GPU_VARIABLE, self.word());
        silence_mesa(command)
    }

    /// Tries to install the software driver if it is wanted. A failure is only printed, since
    /// another software adapter may exist; without any, what needs one fails and names what it
    /// looked for.
    pub(crate) fn install_driver(self) {
        if self != Self::Software {
            return;
        }
        match Command::new(root().join(INSTALL)).status() {
            Ok(status) if status.success() => {}
            Ok(status) => eprintln!("{INSTALL}: {status}"),
            Err(error) => eprintln!("{INSTALL} cannot start: {error}"),
        }
    }
}

/// The mark of such a test.
const MARK: &str = "#[ignore = \"gpu";

/// The script that installs Mesa's software driver.
const INSTALL: &str = ".ci/software-vulkan";

pub(super) fn run(gpu: Gpu) -> Result<String, String> {
    let there = marked(&repository::text_files()?);
    let outcome = match gpu {
        Gpu::Off => verdict(gpu, there, 0),
        _ if there == 0 => verdict(gpu, 0, 0),
        _ => verdict(gpu, there, passed(gpu)?),
    };
    println!("GPU tests: {}", outcome.as_deref().unwrap_or_else(|why| why));
    outcome
}

/// Sets a variable without which Mesa prints an error per adapter.
///
/// # Errors
/// If the folder that it names cannot be created.
pub(crate) fn silence_mesa(command: &mut Command) -> Result<(), String> {
    if std::env::var_os("XDG_RUNTIME_DIR").is_none() {
        let folder = target_folder()?.join("runtime");
        fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        command.env("XDG_RUNTIME_DIR", folder);
    }
    Ok(())
}

/// The number of marked tests.
fn marked(files: &[TextFile]) -> usize {
    let rust = files.iter().filter(|file| file.is_rust());
    rust.flat_map(|file| file.text.lines()).filter(|line| line.trim().starts_with(MARK)).count()
}

/// Runs the marked tests and returns the number that passed.
fn passed(gpu: Gpu) -> Result<usize, String> {
    gpu.install_driver();
    let mut command = cargo();
    command.args(["test", "--workspace", "--all-features", "--lib", "--bins", "--tests"]);
    command.args(["--no-fail-fast", "--", "--ignored", "gpu"]);
    gpu.tell(&mut command)?;
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("cannot start: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    // Drop the reports of packages without such tests.
    for line in text.lines().filter(|line| !is_empty_report(line)) {
        println!("{line}");
    }
    if output.status.success() { Ok(passed_in(&text)) } else { Err(output.status.to_string()) }
}

fn is_empty_report(line: &str) -> bool {
    let nothing = line.starts_with("test result: ok. 0 passed; 0 failed;");
    line.is_empty() || line == "running 0 tests" || nothing
}

/// The sum of `N passed` over the summary lines of the test runner.
fn passed_in(text: &str) -> usize {
    let count = |line: &str| {
        let (before, _) = line.strip_prefix("test result: ")?.split_once(" passed")?;
        before.rsplit(' ').next()?.parse::<usize>().ok()
    };
    text.lines().filter_map(count).sum()
}

fn verdict(gpu: Gpu, there: usize, ran: usize) -> Result<String, String> {
    match (gpu, there) {
        (Gpu::Off, 0) => Ok("none exist yet".to_owned()),
        (Gpu::Off, n) => Ok(format!("{n} ignored (run them with --gpu software or required)")),
        (_, 0) => Err(format!("none exist yet, so --gpu {} checks nothing", gpu.word())),
        (_, n) if ran < n => Err(format!("only {ran} of {n} ran")),
        (_, n) => Ok(format!("{ran} of {n} ran and passed")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_ran_is_a_failure_where_a_gpu_is_asked_for() {
        assert!(verdict(Gpu::Off, 0, 0).is_ok());
        assert!(verdict(Gpu::Off, 3, 0).is_ok());
        for gpu in [Gpu::Software, Gpu::Required] {
            assert!(verdict(gpu, 0, 0).is_err());
            assert!(verdict(gpu, 3, 0).is_err());
            assert!(verdict(gpu, 3, 2).is_err());
            assert!(verdict(gpu, 3, 3).is_ok());
        }
    }

    #[test]
    fn closing_lines_are_added() {
        let text = "test result: ok. 2 passed; 0 failed\nrunning\ntest result: ok. 5 passed; 0";
        assert_eq!(passed_in(text), 7);
        assert_eq!(passed_in("test gpu::a ... ok\n"), 0);
    }

    #[test]
    fn marked_tests_are_counted() {
        let text = format!("#[test]\n    {MARK}: needs an adapter\"]\nfn f() {{}}\n");
        let file = TextFile { path: "a.rs".to_owned(), text };
        assert_eq!(marked(&[file]), 1);
    }
}
