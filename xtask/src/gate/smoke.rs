//! Smoke runs: the programs start, read real files, and end with the documented exit status.

use std::env::consts::EXE_EXTENSION;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::stages::succeed;
use crate::bench::Results;
use crate::claims;
use crate::repository::{cargo, output_of, root, target_folder};

/// A tetrahedron with its corner at the origin.
const TETRAHEDRON: &str =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

/// The facade's examples for newcomers.
const EXAMPLES: [&str; 4] = ["first_contact", "moving_bodies", "distance", "solids"];

/// A folder for the files of a smoke run.
fn folder() -> Result<PathBuf, String> {
    let folder = target_folder()?.join("smoke");
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    Ok(folder)
}

/// `impinge check` and `impinge info` answer with the right exit status: 0 apart, 1 in contact, 2
/// error.
pub(super) fn command_line() -> Result<String, String> {
    let mesh = folder()?.join("tetrahedron.obj");
    fs::write(&mesh, TETRAHEDRON).map_err(|e| format!("{}: {e}", mesh.display()))?;
    let pair = |pose: &str| {
        let mesh = path_text(&mesh);
        ["check".to_owned(), mesh.clone(), mesh, format!("--pose={pose}")].to_vec()
    };
    let assets = |command: &str, arguments: &[&str]| -> Vec<String> {
        let path = |name: &&str| {
            let file = root().join("assets/meshes").join(name);
            if name.starts_with("--") { (*name).to_owned() } else { path_text(&file) }
        };
        [command.to_owned()].into_iter().chain(arguments.iter().map(path)).collect()
    };
    let runs = [
        (vec!["info".to_owned(), path_text(&mesh)], 0),
        (pair("0.25,0,0,0,0,0,1"), 1),
        (pair("5,0,0,0,0,0,1"), 0),
        (vec!["info".to_owned(), "no-such-file.obj".to_owned()], 2),
        (assets("check", &["gear.obj", "torus.stl", "--pose=0.4,0,0,0,0,0,1"]), 1),
        (assets("check", &["knot.ply", "hand.off", "--pose=1.4,0,0,0,0,0,1"]), 0),
    ];
    for (arguments, expected) in &runs {
        let status = program("impinge-cli", "impinge").args(arguments).status();
        let status = status.map_err(|error| format!("cannot start: {error}"))?;
        if status.code() != Some(*expected) {
            let said = status.to_string();
            return Err(format!("impinge {}: {said}, not {expected}", arguments.join(" ")));
        }
    }
    for example in EXAMPLES {
        let mut command = built("examples", example).unwrap_or_else(|| {
            let mut command = cargo();
            command.args(["run", "--quiet", "--package", "impinge", "--example", example]);
            command
        });
        if output_of(&mut command)?.trim().is_empty() {
            return Err(format!("the example {example} printed nothing"));
        }
    }
    Ok(format!("{} runs, {} examples", runs.len(), EXAMPLES.len()))
}

/// `measure` measures one tiny scene by every method, and its records can be parsed.
pub(super) fn bench() -> Result<String, String> {
    let out = folder()?.join("results.jsonl");
    let mut measure = program("impinge-benches", "measure");
    measure.args(["--quick", "--scene", "smoke", "--out", &path_text(&out)]);
    succeed(measure.stderr(Stdio::null()))?;
    let text = fs::read_to_string(&out).map_err(|e| format!("{}: {e}", out.display()))?;
    let results = Results::parse(&text)?;
    Ok(format!("{} measurements, no wrong answer of an exact method", results.measurements.len()))
}

/// `claims` runs one small experiment, and its records can be parsed.
pub(super) fn claims() -> Result<String, String> {
    let out = folder()?.join("claims.jsonl");
    let mut claims = program("impinge-benches", "claims");
    claims.args(["--quick", "--claim", "A8", "--out", &path_text(&out)]);
    succeed(claims.stderr(Stdio::null()))?;
    let text = fs::read_to_string(&out).map_err(|e| format!("{}: {e}", out.display()))?;
    let results = claims::Results::parse(&text)?;
    Ok(format!("{} claim with a verdict", results.claims.len()))
}

/// A program of the workspace. It was built with the tests of the whole workspace; building its
/// package alone would select other features and recompile everything.
fn program(package: &str, program: &str) -> Command {
    if let Some(command) = built(".", program) {
        return command;
    }
    let mut command = cargo();
    command.args(["run", "--quiet", "--package", package, "--bin", program, "--"]);
    command
}

/// A program that was built with the tests, in a folder of the target folder.
fn built(folder: &str, program: &str) -> Option<Command> {
    let path = target_folder().ok()?.join("debug").join(folder).join(program);
    let path = path.with_extension(EXE_EXTENSION);
    path.exists().then(|| {
        let mut command = Command::new(path);
        command.current_dir(root());
        command
    })
}

fn path_text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
