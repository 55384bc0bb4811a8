//! The program that runs the experiments, and its arguments.

use std::path::Path;

use super::Options;
use crate::Outcome;
use crate::gate::silence_mesa;
use crate::program::Program;

const CLAIMS: Program = Program {
    package: "impinge-benches",
    name: "claims",
    unit: "claim",
    features: &[],
    stdout_is_data: true,
};

/// Lists the claims.
///
/// # Errors
/// If `claims` cannot be built or run.
pub(super) fn list() -> Outcome {
    CLAIMS.list()
}

/// Builds `claims` and runs it to the end, with its records in `file`. Its messages go to stderr,
/// so that stdout is free for JSON.
///
/// # Errors
/// If it fails; its messages are on the terminal.
pub(super) fn experiment(options: &Options, file: &Path) -> Outcome {
    let claims = CLAIMS.drawing(options.gpu);
    options.gpu.install_driver();
    claims.build()?;
    let mut command = claims.command();
    command.args(["--gpu", options.gpu.word()]);
    silence_mesa(&mut command)?;
    if options.quick {
        command.arg("--quick");
    }
    for id in &options.claims {
        command.args(["--claim", id]);
    }
    command.args(["--seed", &options.seed.to_string()]).arg("--out").arg(file);
    claims.run(command)
}
