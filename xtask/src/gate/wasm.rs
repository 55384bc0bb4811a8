//! WebAssembly, in node. The facade on `wasm32-unknown-unknown`, which has no clock, no second thread
//! and no files, compiles with all methods and answers. The unit tests of impinge-wide run on
//! `wasm32-wasip1`, with the vector instructions (`docs/wasm.md`).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::stages::{has_nextest, succeed};
use crate::repository::{cargo, output_of, root, target_folder};

const TARGET: &str = "wasm32-unknown-unknown";

/// The target of the unit tests: their report needs a standard output.
const WASI: &str = "wasm32-wasip1";

/// Runs a program of [`WASI`] in node.
const WASI_RUNNER: &str = "xtask/src/gate/wasi.mjs";

/// The program, an example of the facade. Its exit status is the number of a failed check.
const PROGRAM: &str = "crates/impinge/examples/wasm.rs";

/// What node runs. Rust exports the program as `main`; a panic is an exception.
const LOADER: &str = "\
import { readFileSync } from \"node:fs\";
const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), {});
process.exit(instance.exports.main(0, 0));
";

pub(super) fn run() -> Result<String, String> {
    Ok(format!("facade: {}; tests of impinge-wide: {}", facade()?, tests_of_wide()?))
}

/// What to say of a target that is not installed.
fn without(target: &str) -> String {
    format!("NOT RUN: no target; `rustup target add {target}` installs it")
}

fn facade() -> Result<String, String> {
    if !is_installed(TARGET)? {
        return Ok(without(TARGET));
    }
    let folder = package()?;
    let mut build = cargo();
    build.current_dir(&folder).args(["build", "--quiet", "--target", TARGET]);
    build.env("CARGO_TARGET_DIR", folder.join("target")).env("CARGO_PROFILE_DEV_DEBUG", "false");
    succeed(&mut build)?;
    if !has_node() {
        return Ok("compiled; NOT RUN: node is not installed".to_owned());
    }
    let program = folder.join("target").join(TARGET).join("debug/smoke.wasm");
    let status = Command::new("node").arg(folder.join("run.mjs")).arg(program).status();
    let status = status.map_err(|error| format!("cannot start node: {error}"))?;
    match status.code() {
        Some(0) => Ok("answers in node".to_owned()),
        _ => Err(format!("{PROGRAM} in node: {status}")),
    }
}

/// Runs the unit tests of impinge-wide with `simd128`; one of them fails if it is not in use.
fn tests_of_wide() -> Result<String, String> {
    if !is_installed(WASI)? {
        return Ok(without(WASI));
    }
    if !has_node() {
        return Ok("NOT RUN: node is not installed".to_owned());
    }
    let runner = root().join(WASI_RUNNER).to_string_lossy().replace('\\', "/");
    let mut command = cargo();
    let run: &[&str] = if has_nextest() { &["nextest", "run"] } else { &["test"] };
    command.args(run).args(["-p", "impinge-wide", "--lib", "--target", WASI]);
    command.arg("--config").arg(format!("target.{WASI}.runner=['node','{runner}']"));
    command.env("CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS", "-C target-feature=+simd128");
    command.env("CARGO_PROFILE_DEV_DEBUG", "false").env_remove("RUSTFLAGS");
    succeed(&mut command)?;
    Ok("passed with simd128".to_owned())
}

/// Whether the compiler has the target's standard library.
fn is_installed(target: &str) -> Result<bool, String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let what = ["--print", "target-libdir", "--target", target];
    Ok(Path::new(output_of(Command::new(rustc).args(what))?.trim()).is_dir())
}

fn has_node() -> bool {
    let probe = Command::new("node").arg("--version").stdout(Stdio::null()).status();
    probe.is_ok_and(|status| status.success())
}

/// Writes a package outside the workspace that depends on the facade, as a user's would: in the
/// workspace, the dependencies of the facade's tests would be compiled too.
fn package() -> Result<PathBuf, String> {
    let (root, folder) = (root(), target_folder()?.join("wasm"));
    let facade = root.join("crates/impinge").to_string_lossy().replace('\\', "/");
    let manifest = format!(
        "[package]\nname = \"smoke\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\nimpinge = {{ path = \"{facade}\", features = [\"methods\"] }}\n"
    );
    let read = |path: &str| {
        let path = root.join(path);
        fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
    };
    fs::create_dir_all(folder.join("src")).map_err(|e| format!("{}: {e}", folder.display()))?;
    for (name, text) in [
        ("Cargo.toml", manifest),
        ("Cargo.lock", read("Cargo.lock")?),
        ("src/main.rs", read(PROGRAM)?),
        ("run.mjs", LOADER.to_owned()),
    ] {
        write_if_new(&folder.join(name), &text)?;
    }
    Ok(folder)
}

/// Writes the file unless it has this text, so that nothing is compiled again.
fn write_if_new(path: &Path, text: &str) -> Result<(), String> {
    if fs::read_to_string(path).is_ok_and(|there| there == text) {
        return Ok(());
    }
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
