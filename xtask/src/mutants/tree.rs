//! A private copy of the repository in `target/mutants`, in which the mutants are made.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::repository::{output_of, root, target_folder};

pub(super) struct Tree {
    /// The root of the copy.
    pub(super) folder: PathBuf,
    /// Every file as it was when the copy was made, so that later edits do not affect the run.
    originals: BTreeMap<String, Vec<u8>>,
}

impl Tree {
    /// Makes or updates the copy. Equal files are not touched, so that their builds stay valid.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub(super) fn new() -> Result<Self, String> {
        let folder = target_folder()?.join("mutants").join("tree");
        let mut git = Command::new("git");
        git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
        let listed = output_of(git.current_dir(root()))?;
        let mut tree = Self { folder, originals: BTreeMap::new() };
        for path in listed.split('\0').filter(|path| !path.is_empty()) {
            let from = root().join(path);
            if from.is_file() {
                let bytes = fs::read(&from).map_err(|e| format!("{}: {e}", from.display()))?;
                tree.write(path, &bytes)?;
                tree.originals.insert(path.to_owned(), bytes);
            } else {
                let _ = fs::remove_file(tree.folder.join(path));
            }
        }
        tree.remove_others(Path::new(""))?;
        Ok(tree)
    }

    /// Deletes files of an older copy that the repository no longer has: a test that moved would
    /// be built twice.
    fn remove_others(&self, within: &Path) -> Result<(), String> {
        let here = self.folder.join(within);
        let fail = |e: std::io::Error| format!("{}: {e}", here.display());
        for entry in fs::read_dir(&here).map_err(fail)? {
            let entry = entry.map_err(fail)?;
            let path = within.join(entry.file_name());
            if entry.file_type().map_err(fail)?.is_dir() {
                self.remove_others(&path)?;
                // Fails unless the folder is empty.
                let _ = fs::remove_dir(self.folder.join(&path));
            } else if !path.to_str().is_some_and(|path| self.originals.contains_key(path)) {
                fs::remove_file(self.folder.join(&path)).map_err(fail)?;
            }
        }
        Ok(())
    }

    /// Writes a file of the copy, unless it has this content already.
    ///
    /// # Errors
    /// If that fails.
    pub(super) fn write(&self, path: &str, bytes: &[u8]) -> Result<(), String> {
        let to = self.folder.join(path);
        if fs::read(&to).is_ok_and(|old| old == bytes) {
            return Ok(());
        }
        let fail = |e: std::io::Error| format!("{}: {e}", to.display());
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder).map_err(fail)?;
        }
        fs::write(&to, bytes).map_err(fail)
    }

    /// A file as it was when the copy was made.
    ///
    /// # Errors
    /// If it did not exist or is not UTF-8.
    pub(super) fn original(&self, path: &str) -> Result<&str, String> {
        let bytes = self.originals.get(path).ok_or_else(|| format!("{path}: no such file"))?;
        std::str::from_utf8(bytes).map_err(|error| format!("{path}: {error}"))
    }

    /// Restores a file of the copy.
    ///
    /// # Errors
    /// If it did not exist or cannot be written.
    pub(super) fn restore(&self, path: &str) -> Result<(), String> {
        self.write(path, self.original(path)?.as_bytes())
    }
}
