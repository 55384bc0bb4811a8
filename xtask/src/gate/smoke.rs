//! Smoke runs: the programs start, read real files, and end with the documented exit status.

use std::env::consts::EXE_EXTENSION;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::stages::succeed;
use crate::bench::Results;
use crate::claims;
use crate::repository::{cargo, output_ending, output_of, root, target_folder};

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
    let known = clashes_are_the_known()?;
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
    let examples = EXAMPLES.len();
    Ok(format!("{} runs, {known} known clashes, {examples} examples", runs.len()))
}

/// Makes a plant in a folder; returns its table of parts.
pub(super) fn plant(folder: &Path) -> Result<PathBuf, String> {
    let mut make = program("impinge-cli", "impinge");
    make.args(["make", "plant", "--parts", "150", "--flush", "0.2", "-o"]).arg(folder);
    output_of(&mut make)?;
    Ok(folder.join("scene.csv"))
}

/// `impinge clash` of a plant, with all its classes as JSON.
pub(super) fn clash(scene: &Path) -> Command {
    let mut clash = program("impinge-cli", "impinge");
    clash.args(["clash", "--json", "--solids", "--clearance", "0.03125"]).arg(scene);
    clash
}

/// `impinge clash` finds exactly the clashes that a plant is known to have; returns their number.
fn clashes_are_the_known() -> Result<usize, String> {
    let scene = plant(&folder()?.join("plant"))?;
    let known = scene.with_file_name("clashes.csv");
    let known = fs::read_to_string(&known).map_err(|e| format!("{}: {e}", known.display()))?;
    let known: Vec<String> = known.lines().skip(1).map(str::to_owned).collect();
    let row = |line: &str| -> Result<String, String> {
        let clash: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let of = |key: &str| clash[key].as_str().unwrap_or_default().to_owned();
        Ok([of("a"), of("b"), of("class")].join(","))
    };
    let found = output_ending(&mut clash(&scene), 1)?;
    let found = found.lines().map(row).collect::<Result<Vec<String>, String>>()?;
    if found.is_empty() || found != known {
        return Err(format!("impinge clash found {found:?}, known are {known:?}"));
    }
    Ok(found.len())
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
    let mut command = Command::new(path(folder, program)?);
    command.current_dir(root());
    Some(command)
}

/// Where that program is, if it was built.
pub(super) fn path(folder: &str, program: &str) -> Option<PathBuf> {
    let path = target_folder().ok()?.join("debug").join(folder).join(program);
    Some(path.with_extension(EXE_EXTENSION)).filter(|path| path.exists())
}

fn path_text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
