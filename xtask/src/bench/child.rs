//! The process that measures, and bars that show how far it is.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{ChildStderr, Command, Stdio};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use serde::Deserialize;

use super::Options;
use crate::Outcome;
use crate::repository::{cargo, output_of, root};

/// A line of progress, see `benches/src/progress.rs`.
#[derive(Debug, Deserialize)]
#[serde(tag = "progress", rename_all = "kebab-case", deny_unknown_fields)]
enum Progress {
    Scene { scene: String, index: u64, of: u64 },
    Stage { stage: String, done: u64, of: u64 },
    Note { text: String },
}

/// Lists scenes and methods.
///
/// # Errors
/// If `measure` cannot be built or run.
pub(super) fn list() -> Outcome {
    let status = measure_command().arg("--list").status().map_err(|error| error.to_string())?;
    if status.success() { Ok(()) } else { Err(format!("measure: {status}")) }
}

fn measure_command() -> Command {
    let mut command = cargo();
    command.args(["run", "--quiet", "--release", "--package", "impinge-benches"]);
    command.args(["--bin", "measure", "--"]);
    command
}

/// Builds `measure` and runs it to the end, with its records in `file`.
///
/// # Errors
/// If it fails; what it said is on the terminal then.
pub(super) fn measure(options: &Options, out: &Path, file: &Path) -> Outcome {
    println!("building measure in release mode");
    let mut build = cargo();
    build.args(["build", "--release", "--package", "impinge-benches", "--bin", "measure"]);
    let built = build.status().map_err(|error| format!("cannot start cargo: {error}"))?;
    if !built.success() {
        return Err("measure could not be built".to_owned());
    }
    let mut command = measure_command();
    pass_on(options, &mut command)?;
    command.arg("--out").arg(file);
    command.arg("--cache").arg(out.join("cache"));
    command.arg("--pictures").arg(out.join("pictures"));
    command.stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| format!("cannot start measure: {error}"))?;
    if let Some(stderr) = child.stderr.take() {
        show(stderr);
    }
    let status = child.wait().map_err(|error| error.to_string())?;
    if status.success() { Ok(()) } else { Err(format!("measure: {status}")) }
}

/// The user's options, as `measure` takes them.
fn pass_on(options: &Options, command: &mut Command) -> Outcome {
    if options.quick {
        command.arg("--quick");
    }
    for (flag, words) in [("--scene", &options.scenes), ("--method", &options.methods)] {
        for word in words {
            command.args([flag, word]);
        }
    }
    for mesh in &options.meshes {
        // `measure` runs in the root; the user's path is relative to where they are.
        let path = std::path::absolute(mesh).map_err(|error| error.to_string())?;
        command.arg("--mesh").arg(path);
    }
    if let Some(threads) = options.threads {
        command.args(["--threads", &threads.to_string()]);
        command.env("RAYON_NUM_THREADS", threads.to_string());
    }
    if let Ok(version) = output_of(Command::new("rustc").arg("-V")) {
        command.args(["--rustc", version.trim()]);
    }
    if let Some(commit) = commit() {
        command.args(["--commit", &commit]);
    }
    Ok(())
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
    let scenes = bars.add(ProgressBar::new(0));
    scenes.set_style(style("{elapsed_precise} scene {pos}/{len} {wide_bar} {msg}"));
    let stages = bars.add(ProgressBar::new(0));
    stages.set_style(style("         {msg:14} {wide_bar}"));
    for line in BufReader::new(stderr).lines().map_while(Result::ok) {
        match serde_json::from_str(&line) {
            Ok(Progress::Scene { scene, index, of }) => {
                scenes.set_length(of);
                scenes.set_position(index);
                scenes.set_message(scene);
            }
            Ok(Progress::Stage { stage, done, of }) => {
                stages.set_length(of);
                stages.set_position(done);
                stages.set_message(stage);
            }
            Ok(Progress::Note { text }) => bars.suspend(|| println!("{text}")),
            Err(_) => bars.suspend(|| eprintln!("{line}")),
        }
    }
    stages.finish_and_clear();
    scenes.finish_and_clear();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_understood() {
        let line = r#"{"progress":"stage","stage":"judging","done":3,"of":9}"#;
        let Ok(Progress::Stage { stage, done, of }) = serde_json::from_str(line) else {
            panic!("a stage is a stage");
        };
        assert_eq!((stage.as_str(), done, of), ("judging", 3, 9));
        assert!(serde_json::from_str::<Progress>("measure: no scene").is_err());
    }
}
