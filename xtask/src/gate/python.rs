//! The Python package: its wheel is built, installed into a fresh virtual environment, and asked by its
//! own tests, by those of trimesh, beside python-fcl and the command line, and on Ray. Needs Python, pip
//! and a package index; what is missing is named, and a failure only where Python is required.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::ValueEnum;

use super::smoke;
use super::stages::succeed;
use crate::Outcome;
use crate::repository::{cargo, output_ending, root, target_folder};

/// How to treat the tests of the Python package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Python {
    /// Run them where Python and its packages can be had.
    Auto,
    /// It is a failure if they do not run.
    Required,
}

/// The package, from the root.
const PACKAGE: &str = "crates/python";

/// Programs that may be Python, in the order in which they are tried.
const INTERPRETERS: &[&str] = &["python3", "python"];

/// Prints the version if it is one that the package is for.
const PROBE: &str = "import sys, venv, ensurepip; v = sys.version_info; \
    assert v >= (3, 10); print(f'{v[0]}.{v[1]}.{v[2]}')";

/// What the tests need, beside maturin, which builds the wheel. trimesh and python-fcl are compared
/// with, so they stay at a version.
const PACKAGES: &[&str] = &[
    "maturin>=1.7,<2",
    "numpy",
    "mypy>=1.15",
    "pytest>=8",
    "pytest-xdist>=3.6",
    TRIMESH,
    "python-fcl==0.7.0.11",
    "scipy",
    "networkx",
    "rtree",
];

/// What the tests of the cluster need, which not every Python has wheels of. They are skipped without.
const CLUSTER: &str = "ray>=2.40";

/// trimesh, whose source archive has its tests.
const TRIMESH: &str = "trimesh==5.2.0";

pub(super) fn run(python: Python) -> Result<String, String> {
    let outcome = match tools()? {
        Ok(tools) => tested(&tools),
        Err(missing) => verdict(python, &missing),
    };
    println!("Python: {}", outcome.as_deref().unwrap_or_else(|why| why));
    outcome
}

fn verdict(python: Python, missing: &str) -> Result<String, String> {
    match python {
        Python::Auto => Ok(format!("NOT RUN: {missing}")),
        Python::Required => Err(missing.to_owned()),
    }
}

/// A virtual environment with what the tests need.
struct Tools {
    version: String,
    /// The folder of everything that this stage makes.
    folder: PathBuf,
    /// The environment's folder of programs.
    programs: PathBuf,
    /// The source archive of trimesh.
    archive: PathBuf,
    /// Whether there is Ray.
    ray: bool,
}

impl Tools {
    fn python(&self) -> Command {
        let mut command = Command::new(self.programs.join("python"));
        command.current_dir(root().join(PACKAGE));
        command
    }

    fn pip(&self, arguments: &[&str]) -> Command {
        let mut command = self.python();
        command.args(["-m", "pip", "--disable-pip-version-check"]).args(arguments);
        command
    }
}

/// Makes the environment. The inner error says what is missing on this machine.
fn tools() -> Result<Result<Tools, String>, String> {
    let Some((python, version)) = INTERPRETERS.iter().find_map(|name| probed(name)) else {
        return Ok(Err("no Python 3.10 or later with its modules venv and ensurepip".to_owned()));
    };
    let folder = target_folder()?.join("python");
    let environment = folder.join("environment");
    if environment.exists() {
        fs::remove_dir_all(&environment).map_err(|e| format!("{}: {e}", environment.display()))?;
    }
    succeed(Command::new(python).args(["-m", "venv"]).arg(&environment))?;
    let programs = environment.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let sources = folder.join("sources");
    let archive = sources.join("trimesh-5.2.0.tar.gz");
    let mut tools = Tools { version, programs, archive, folder, ray: false };
    if succeed(tools.pip(&["install", "--quiet"]).args(PACKAGES)).is_err() {
        return Ok(Err(format!("pip could not install {}", PACKAGES.join(", "))));
    }
    let mut ray = tools.pip(&["install", "--quiet", "--only-binary", ":all:", CLUSTER]);
    tools.ray = succeed(&mut ray).is_ok();
    let download =
        ["download", "--quiet", "--no-deps", "--no-binary", "trimesh", TRIMESH, "--dest"];
    if !tools.archive.exists() && succeed(tools.pip(&download).arg(&sources)).is_err() {
        return Ok(Err(format!("pip could not download the source archive of {TRIMESH}")));
    }
    Ok(Ok(tools))
}

/// A Python that will do, with its version.
fn probed(name: &'static str) -> Option<(&'static str, String)> {
    let output = Command::new(name).args(["-c", PROBE]).stderr(Stdio::null()).output().ok()?;
    let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    output.status.success().then_some((name, version))
}

/// Builds the wheel, installs it and runs the tests.
fn tested(tools: &Tools) -> Result<String, String> {
    let manifest = Path::new(PACKAGE).join("Cargo.toml");
    succeed(cargo().args(["fmt", "--check", "--manifest-path"]).arg(&manifest))?;
    install(tools, "dev")?;
    let mut lint = cargo();
    lint.current_dir(root().join(PACKAGE)).args([
        "clippy",
        "--quiet",
        "--locked",
        "--",
        "-Dwarnings",
    ]);
    lint.env("CARGO_TARGET_DIR", &tools.folder).env("CARGO_INCREMENTAL", "0");
    succeed(lint.env("PYO3_PYTHON", tools.programs.join("python")))?;
    let mut pytest = tools.python();
    pytest.args(["-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider"]);
    // Files side by side: much of their time is waiting, for Ray and for interpreters that start.
    pytest.args(["-n", "2", "--dist", "loadfile"]);
    let (scene, lines) = clashes(&tools.folder)?;
    pytest.env("IMPINGE_CLASH_SCENE", scene).env("IMPINGE_CLASH_LINES", lines);
    // That has found the clashes.
    let command = smoke::path(".", "impinge").ok_or("the command line is not built")?;
    pytest.env("IMPINGE_COMMAND", command);
    pytest.env("IMPINGE_TRIMESH_SDIST", &tools.archive).env("PYTHONDONTWRITEBYTECODE", "1");
    let output = pytest.stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("pytest cannot start: {error}"))?;
    let report = String::from_utf8_lossy(&output.stdout);
    print!("{report}");
    if !output.status.success() {
        return Err(format!("pytest: {}", output.status));
    }
    let tests = passed(&report).ok_or("pytest reported no test that passed")?;
    let ray =
        if tools.ray { "" } else { ", NOT RUN: the cluster, since pip could not install Ray" };
    Ok(format!("{tests} by Python {}{ray}", tools.version))
}

/// Builds the wheel by a profile, and installs it.
fn install(tools: &Tools, profile: &str) -> Result<(), String> {
    let wheels = tools.folder.join("wheels");
    if wheels.exists() {
        fs::remove_dir_all(&wheels).map_err(|e| format!("{}: {e}", wheels.display()))?;
    }
    let mut build = tools.python();
    build.args(["-m", "maturin", "build", "--quiet", "--locked", "--profile", profile]);
    build.args(["--interpreter", "python"]).env("PATH", searched(&tools.programs)?);
    build.arg("--out").arg(&wheels).env("CARGO_TARGET_DIR", &tools.folder);
    succeed(build.env("CARGO_INCREMENTAL", "0"))?;
    let wheel = only_file(&wheels)?;
    succeed(tools.pip(&["install", "--quiet", "--no-deps", "--no-index"]).arg(&wheel))?;
    Ok(())
}

/// What `cargo xtask bench --python` runs, in the package. The bars of both programs are those of the first two.
const BENCHES: &[&[&str]] = &[
    &["benches/overhead.py"],
    &["benches/cluster.py", "--runs", "15", "--kills", "100"],
    &["benches/cluster.py", "--runs", "7", "--workers", "1", "2", "--parts", "200000"],
    &["benches/cluster.py", "--poses", "10000000"],
];

/// The same with `--quick`: smaller, so that not all bars are judged.
const QUICK: &[&[&str]] = &[
    &["benches/overhead.py", "--poses", "100000", "--compared", "10000", "--sides", "100"],
    &[
        "benches/cluster.py",
        "--runs",
        "3",
        "--workers",
        "1",
        "2",
        "--parts",
        "5000",
        "--kills",
        "5",
    ],
    &["benches/cluster.py", "--poses", "300000"],
];

/// Measures the package by a release wheel, beside python-fcl and trimesh, and on Ray.
///
/// # Errors
/// If something is missing, or a measuring program fails.
pub(crate) fn measure(quick: bool) -> Outcome {
    let tools = tools()??;
    if !tools.ray {
        return Err(format!("pip could not install {CLUSTER}"));
    }
    install(&tools, "release")?;
    for program in if quick { QUICK } else { BENCHES } {
        println!("\npython {}", program.join(" "));
        let status = tools.python().args(*program).status().map_err(|error| error.to_string())?;
        if !status.success() {
            return Err(format!("{}: {status}", program[0]));
        }
    }
    Ok(())
}

/// The table of a plant, and a file with the clashes that the command line finds in it.
fn clashes(folder: &Path) -> Result<(PathBuf, PathBuf), String> {
    let scene = smoke::plant(&folder.join("plant"))?;
    let found = output_ending(&mut smoke::clash(&scene), 1)?;
    let lines = folder.join("clashes.jsonl");
    fs::write(&lines, found).map_err(|error| format!("{}: {error}", lines.display()))?;
    Ok((scene, lines))
}

/// The search path with a folder before all others.
fn searched(first: &Path) -> Result<std::ffi::OsString, String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(first.to_path_buf()).chain(std::env::split_paths(&path));
    std::env::join_paths(all).map_err(|error| format!("PATH: {error}"))
}

/// The only file of a folder.
fn only_file(folder: &Path) -> Result<PathBuf, String> {
    let list = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files = list.flatten().map(|entry| entry.path());
    match (files.next(), files.next()) {
        (Some(file), None) => Ok(file),
        _ => Err(format!("{} does not hold one wheel", folder.display())),
    }
}

/// The counts of the last line of pytest, as `95 passed, 1 skipped`.
fn passed(report: &str) -> Option<&str> {
    let last = report.lines().rev().find(|line| line.contains(" passed"))?;
    let counts = last.trim_matches(|c| c == '=' || c == ' ').split(" in ").next()?;
    (!counts.starts_with("0 passed")).then_some(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_a_failure_only_where_python_is_required() {
        assert_eq!(verdict(Python::Auto, "no pip"), Ok("NOT RUN: no pip".to_owned()));
        assert_eq!(verdict(Python::Required, "no pip"), Err("no pip".to_owned()));
    }

    #[test]
    fn tests_that_passed_are_counted() {
        let report = "....  [100%]\n95 passed, 1 skipped in 12.01s\n";
        assert_eq!(passed(report), Some("95 passed, 1 skipped"));
        assert_eq!(passed("=== 1 failed, 3 passed in 0.1s ==="), Some("1 failed, 3 passed"));
        assert_eq!(passed("no tests ran in 0.01s\n"), None);
        assert_eq!(passed("0 passed, 3 skipped in 0.1s"), None);
    }
}
