//! The process that runs the experiments, and bars that show how far it is.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{ChildStderr, Command, Stdio};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use serde::Deserialize;

use super::Options;
use crate::Outcome;
use crate::repository::{cargo, output_of, root};

/// A line of progress, see `benches/src/progress.rs`. A claim is a scene there.
#[derive(Debug, Deserialize)]
#[serde(tag = "progress", rename_all = "kebab-case", deny_unknown_fields)]
enum Progress {
    Scene { scene: String, index: u64, of: u64 },
    Stage { stage: String, done: u64, of: u64 },
    Note { text: String },
}

/// Lists the claims.
///
/// # Errors
/// If `claims` cannot be built or run.
pub(super) fn list() -> Outcome {
    let status = claims_command().arg("--list").status().map_err(|error| error.to_string())?;
    if status.success() { Ok(()) } else { Err(format!("claims: {status}")) }
}

fn claims_command() -> Command {
    let mut command = cargo();
    command.args(["run", "--quiet", "--release", "--package", "impinge-benches"]);
    command.args(["--bin", "claims", "--"]);
    command
}

/// Builds `claims` and runs it to the end, with its records in `file`. What it says itself goes to
/// stderr, so that stdout stays free for JSON.
///
/// # Errors
/// If it fails; what it said is on the terminal then.
pub(super) fn experiment(options: &Options, file: &Path) -> Outcome {
    eprintln!("building claims in release mode");
    let mut build = cargo();
    build.args(["build", "--quiet", "--release", "--package", "impinge-benches"]);
    let built = build.args(["--bin", "claims"]).status();
    if !built.map_err(|error| format!("cannot start cargo: {error}"))?.success() {
        return Err("claims could not be built".to_owned());
    }
    let mut command = claims_command();
    if options.quick {
        command.arg("--quick");
    }
    for id in &options.claims {
        command.args(["--claim", id]);
    }
    command.args(["--seed", &options.seed.to_string()]).arg("--out").arg(file);
    if let Ok(version) = output_of(Command::new("rustc").arg("-V")) {
        command.args(["--rustc", version.trim()]);
    }
    if let Some(commit) = commit() {
        command.args(["--commit", &commit]);
    }
    command.stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| format!("cannot start claims: {error}"))?;
    if let Some(stderr) = child.stderr.take() {
        show(stderr);
    }
    let status = child.wait().map_err(|error| error.to_string())?;
    if status.success() { Ok(()) } else { Err(format!("claims: {status}")) }
}

/// The commit, marked if the tree differs from it; `None` without git.
fn commit() -> Option<String> {
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        let output = command.args(arguments).current_dir(root()).stderr(Stdio::null()).output();
        let output = output.ok().filter(|output| output.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let hash = git(&["rev-parse", "--short=10", "HEAD"])?;
    let changed = git(&["status", "--porcelain", "--untracked-files=no"])?;
    Some(if changed.is_empty() { hash } else { format!("{hash} with changes") })
}

/// Draws bars until the process closes its end. Lines that are no progress are shown as they are.
fn show(stderr: ChildStderr) {
    let bars = MultiProgress::new();
    let style = |template: &str| {
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
    };
    let claims = bars.add(ProgressBar::new(0));
    claims.set_style(style("{elapsed_precise} claim {pos}/{len} {wide_bar} {msg}"));
    let stages = bars.add(ProgressBar::new(0));
    stages.set_style(style("         {msg:14} {wide_bar}"));
    let set = |bar: &ProgressBar, text: String, done, of| {
        bar.set_length(of);
        bar.set_position(done);
        bar.set_message(text);
    };
    for line in BufReader::new(stderr).lines().map_while(Result::ok) {
        match serde_json::from_str(&line) {
            Ok(Progress::Scene { scene, index, of }) => set(&claims, scene, index, of),
            Ok(Progress::Stage { stage, done, of }) => set(&stages, stage, done, of),
            Ok(Progress::Note { text }) => bars.suspend(|| eprintln!("{text}")),
            Err(_) => bars.suspend(|| eprintln!("{line}")),
        }
    }
    stages.finish_and_clear();
    claims.finish_and_clear();
}
