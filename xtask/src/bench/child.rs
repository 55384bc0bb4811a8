//! The measuring program and its arguments.

use std::path::Path;
use std::process::Command;

use super::Options;
use crate::Outcome;
use crate::gate::silence_mesa;
use crate::program::Program;

pub(super) const MEASURE: Program = Program {
    package: "impinge-benches",
    name: "measure",
    unit: "scene",
    features: &[],
    stdout_is_data: false,
};

/// Lists scenes and methods.
///
/// # Errors
/// If `measure` cannot be built or run.
pub(super) fn list() -> Outcome {
    MEASURE.list()
}

/// Builds `measure` and runs it to the end, with its records in `file`.
///
/// # Errors
/// If it fails; its messages are on the terminal.
pub(super) fn measure(options: &Options, out: &Path, file: &Path) -> Outcome {
    let measure = MEASURE.drawing(options.gpu);
    options.gpu.install_driver();
    measure.build()?;
    let mut command = measure.command();
    command.args(["--gpu", options.gpu.word()]);
    silence_mesa(&mut command)?;
    pass_on(options, &mut command)?;
    command.arg("--out").arg(file);
    command.arg("--cache").arg(out.join("cache"));
    command.arg("--pictures").arg(out.join("pictures"));
    measure.run(command)
}

/// Passes the user's options to `measure`.
pub(super) fn pass_on(options: &Options, command: &mut Command) -> Outcome {
    if options.quick {
        command.arg("--quick");
    }
    for (flag, words) in [("--scene", &options.scenes), ("--method", &options.methods)] {
        for word in words {
            command.args([flag, word]);
        }
    }
    for mesh in &options.meshes {
        // `measure` runs in the root; the user's path is relative to their working directory.
        let path = std::path::absolute(mesh).map_err(|error| error.to_string())?;
        command.arg("--mesh").arg(path);
    }
    if let Some(threads) = options.threads {
        command.args(["--threads", &threads.to_string()]);
        command.env("RAYON_NUM_THREADS", threads.to_string());
    }
    Ok(())
}
