//! Runs a measuring program in release mode to its end, with progress bars.

use std::borrow::Cow;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{ChildStderr, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use impinge_records::progress::Progress;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use crate::Outcome;
use crate::gate::Gpu;
use crate::repository::{cargo, output_of, root};

/// A measuring program of the workspace.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Program {
    /// The package of the program.
    pub(crate) package: &'static str,
    /// The name of the binary.
    pub(crate) name: &'static str,
    /// The unit of its first progress bar; a scene in its progress records.
    pub(crate) unit: &'static str,
    /// Features of the package.
    pub(crate) features: &'static [&'static str],
    /// Whether stdout is reserved for data. Everything else then goes to stderr, and cargo is
    /// quiet.
    pub(crate) stdout_is_data: bool,
}

impl Program {
    /// The program with what it needs to draw on an adapter, if it is to.
    pub(crate) fn drawing(self, gpu: Gpu) -> Self {
        match gpu {
            Gpu::Off => self,
            Gpu::Software | Gpu::Required => Self { features: &["gpu"], ..self },
        }
    }

    /// Runs it with `--list`.
    ///
    /// # Errors
    /// If it cannot be built or run.
    pub(crate) fn list(self) -> Outcome {
        let status = self.command().arg("--list").status().map_err(|error| error.to_string())?;
        if status.success() { Ok(()) } else { Err(format!("{}: {status}", self.name)) }
    }

    /// A command that runs the program; the caller adds arguments.
    pub(crate) fn command(self) -> Command {
        let mut command = cargo();
        command.args(["run", "--quiet", "--release", "--package", self.package]);
        command.args(["--features", &self.features.join(","), "--bin", self.name, "--"]);
        command
    }

    /// Builds the program.
    ///
    /// # Errors
    /// If the build fails; the compiler's messages are on the terminal.
    pub(crate) fn build(self) -> Outcome {
        self.say(&format!("building {} in release mode", self.name));
        let mut build = cargo();
        build.args(["build", "--release", "--package", self.package, "--bin", self.name]);
        build.args(["--features", &self.features.join(",")]);
        if self.stdout_is_data {
            build.arg("--quiet");
        }
        let built = build.status().map_err(|error| format!("cannot start cargo: {error}"))?;
        if built.success() { Ok(()) } else { Err(format!("{} could not be built", self.name)) }
    }

    /// Runs a [command](Program::command) to the end, and passes it compiler and commit.
    ///
    /// # Errors
    /// If it fails; its messages are on the terminal.
    pub(crate) fn run(self, command: Command) -> Outcome {
        self.run_of(&root(), command).map(|_| ())
    }

    /// As [`Program::run`], for a program built from another tree. Returns the peak memory of the
    /// process in bytes, where the system reports it.
    ///
    /// # Errors
    /// As [`Program::run`].
    pub(crate) fn run_of(self, tree: &Path, mut command: Command) -> Result<Option<u64>, String> {
        if let Ok(version) = output_of(Command::new("rustc").arg("-V")) {
            command.args(["--rustc", version.trim()]);
        }
        if let Some(commit) = commit(tree) {
            command.args(["--commit", &commit]);
        }
        command.stderr(Stdio::piped());
        let child = command.spawn();
        let mut child = child.map_err(|error| format!("cannot start {}: {error}", self.name))?;
        let (stderr, process) = (child.stderr.take(), child.id());
        let ended = AtomicBool::new(false);
        let peak = std::thread::scope(|scope| {
            let peak = scope.spawn(|| peak_memory(process, &ended));
            if let Some(stderr) = stderr {
                self.show(stderr);
            }
            ended.store(true, Ordering::Relaxed);
            peak.join().unwrap_or(None)
        });
        let status = child.wait().map_err(|error| error.to_string())?;
        if status.success() { Ok(peak) } else { Err(format!("{}: {status}", self.name)) }
    }

    fn say(self, text: &str) {
        if self.stdout_is_data {
            eprintln!("{text}");
        } else {
            println!("{text}");
        }
    }

    /// Draws progress bars until the process closes its stderr. Other lines are printed unchanged.
    fn show(self, stderr: ChildStderr) {
        let bars = MultiProgress::new();
        let style = |template: &str| {
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
        };
        let units = bars.add(ProgressBar::new(0));
        let template =
            format!("{{elapsed_precise}} {} {{pos}}/{{len}} {{wide_bar}} {{msg}}", self.unit);
        units.set_style(style(&template));
        let stages = bars.add(ProgressBar::new(0));
        stages.set_style(style("         {msg:14} {wide_bar}"));
        let set = |bar: &ProgressBar, text: Cow<'_, str>, done: usize, of: usize| {
            bar.set_length(of as u64);
            bar.set_position(done as u64);
            bar.set_message(text.into_owned());
        };
        for line in BufReader::new(stderr).lines().map_while(Result::ok) {
            match serde_json::from_str(&line) {
                Ok(Progress::Scene { scene, index, of }) => set(&units, scene, index, of),
                Ok(Progress::Stage { stage, done, of }) => set(&stages, stage, done, of),
                Ok(Progress::Note { text }) => bars.suspend(|| self.say(&text)),
                Err(_) => bars.suspend(|| eprintln!("{line}")),
            }
        }
        stages.finish_and_clear();
        units.finish_and_clear();
    }
}

/// The peak memory of a process in bytes, sampled until it ends; `None` where there is no `/proc`.
fn peak_memory(process: u32, ended: &AtomicBool) -> Option<u64> {
    let file = format!("/proc/{process}/status");
    let mut peak = None;
    while !ended.load(Ordering::Relaxed) {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse().ok());
        peak = peak.max(kibibytes.map(|k: u64| k << 10));
        std::thread::sleep(Duration::from_millis(10));
    }
    peak
}

/// The commit, marked if the tree has uncommitted changes; `None` without git.
fn commit(tree: &Path) -> Option<String> {
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        let output = command.args(arguments).current_dir(tree).stderr(Stdio::null()).output();
        let output = output.ok().filter(|output| output.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let hash = git(&["rev-parse", "--short=10", "HEAD"])?;
    let changed = git(&["status", "--porcelain", "--untracked-files=no"])?;
    Some(if changed.is_empty() { hash } else { format!("{hash} with changes") })
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
        assert_eq!((&*stage, done, of), ("judging", 3, 9));
        assert!(serde_json::from_str::<Progress<'_>>("measure: no scene").is_err());
    }
}
