//! The repository's root and files, and processes started in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The folder of the workspace manifest.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// `cargo`, in the repository's root.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Runs a command and returns its stdout.
///
/// # Errors
/// A sentence, if it does not start or does not succeed.
pub(crate) fn output_of(command: &mut Command) -> Result<String, String> {
    output_ending(command, 0)
}

/// As [`output_of`], of a command whose exit status is to be `status`.
///
/// # Errors
/// A sentence, if it does not start or ends otherwise.
pub(crate) fn output_ending(command: &mut Command, status: i32) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = (command.stderr(Stdio::inherit()).output())
        .map_err(|error| format!("cannot start {name}: {error}"))?;
    if output.status.code() != Some(status) {
        return Err(format!("{name} failed: {}", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// cargo's target folder.
///
/// # Errors
/// If `cargo metadata` fails.
pub(crate) fn target_folder() -> Result<PathBuf, String> {
    let metadata = metadata()?;
    let folder = metadata["target_directory"].as_str().unwrap_or("target");
    Ok(PathBuf::from(folder))
}

/// The JSON of `cargo metadata --no-deps`.
///
/// # Errors
/// If it fails or prints no JSON.
pub(crate) fn metadata() -> Result<serde_json::Value, String> {
    let text =
        output_of(cargo().args(["metadata", "--no-deps", "--offline", "--format-version", "1"]))?;
    serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))
}

/// The host triple.
///
/// # Errors
/// If the compiler does not report it.
pub(crate) fn host() -> Result<String, String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let text = output_of(Command::new(rustc).arg("-vV"))?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc -vV names no host".to_owned())
}

/// A text file of the repository.
#[derive(Clone, Debug)]
pub(crate) struct TextFile {
    /// Path from the root, with `/`.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl TextFile {
    /// Whether it is a Rust file.
    pub(crate) fn is_rust(&self) -> bool {
        Path::new(&self.path).extension().is_some_and(|e| e == "rs")
    }

    /// Whether it is a Markdown file.
    pub(crate) fn is_markdown(&self) -> bool {
        Path::new(&self.path).extension().is_some_and(|e| e == "md")
    }

    /// The last part of the path.
    pub(crate) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }
}

/// Every text file that git tracks or does not ignore. Without git, every file outside `target`,
/// `out` and hidden folders.
///
/// # Errors
/// If the folder cannot be read.
pub(crate) fn text_files() -> Result<Vec<TextFile>, String> {
    let root = root();
    let mut paths = match listed_by_git(&root) {
        Some(paths) => paths,
        None => walked(&root)?,
    };
    paths.sort_unstable();
    paths.dedup();
    // Skips files that are not UTF-8 and files just deleted.
    let read = |path: String| {
        fs::read_to_string(root.join(&path)).ok().map(|text| TextFile { path, text })
    };
    Ok(paths.into_iter().filter_map(read).collect())
}

fn listed_by_git(root: &Path) -> Option<Vec<String>> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .stderr(Stdio::null())
        .output()
        .ok()?;
    if !output.status.success() {
        return None;
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Some(text.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect())
}

fn walked(root: &Path) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(folder) = open.pop() {
        let list = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        for entry in list.flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            if path.is_dir() {
                if !name.starts_with('.') && name != "target" && name != "out" {
                    open.push(path);
                }
            } else if let Ok(inner) = path.strip_prefix(root) {
                found.push(inner.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    Ok(found)
}
