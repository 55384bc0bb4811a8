//! Runs a process with limits of time and memory, since a mutant may loop or allocate forever.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How a process ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// It succeeded.
    Well,
    /// It failed or was killed by a signal.
    Badly,
    /// It was killed at the time limit.
    Late,
}

/// Limit of the address space of a test's process. Unit: KiB.
const MEMORY: u64 = 12 << 20;

/// A command that runs `program` with the memory limit, on systems with a POSIX shell.
pub(super) fn limited(program: &Path) -> Command {
    if cfg!(unix) {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"")]).arg(program);
        command
    } else {
        Command::new(program)
    }
}

/// Runs until the end or the time limit, with the output in `output`.
///
/// # Errors
/// If it cannot be started.
pub(super) fn run(command: &mut Command, limit: Duration, output: &Path) -> Result<Ended, String> {
    let fail = |error: std::io::Error| format!("a test's process: {error}");
    let file = File::create(output).map_err(fail)?;
    let again = file.try_clone().map_err(fail)?;
    command.stdin(Stdio::null()).stdout(file).stderr(again);
    let mut child = command.spawn().map_err(fail)?;
    let start = Instant::now();
    let mut pause = Duration::from_micros(500);
    loop {
        if let Some(status) = child.try_wait().map_err(fail)? {
            return Ok(if status.success() { Ended::Well } else { Ended::Badly });
        }
        if start.elapsed() > limit {
            let _ = child.kill();
            let _ = child.wait();
            return Ok(Ended::Late);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_process_ends_well_badly_or_late() {
        let output = std::env::temp_dir().join(format!("impinge-xtask-{}", std::process::id()));
        let run = |script: &str| {
            let mut command = limited(Path::new("sh"));
            run(command.args(["-c", script]), Duration::from_millis(700), &output)
        };
        assert_eq!(run("exit 0"), Ok(Ended::Well));
        assert_eq!(run("exit 3"), Ok(Ended::Badly));
        assert_eq!(run("kill -9 $$"), Ok(Ended::Badly));
        assert_eq!(run("exec sleep 60"), Ok(Ended::Late));
        let _ = std::fs::remove_file(output);
    }
}
