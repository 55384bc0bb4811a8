//! Two source trees and the programs built from them.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::super::child::MEASURE;
use crate::repository::{cargo, output_of, root, target_folder};

/// A tree and its `measure`.
#[derive(Debug)]
pub(super) struct Tree {
    /// `"base"` or `"head"`.
    pub(super) name: &'static str,
    pub(super) root: PathBuf,
    /// Its commit, for the report.
    pub(super) commit: String,
    program: PathBuf,
}

impl Tree {
    /// A command that runs the program in its tree.
    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(&self.root);
        command
    }

    /// The path of the executable.
    pub(super) fn program(&self) -> &Path {
        &self.program
    }

    /// Builds the program from the sources in `root` into `target`.
    fn build(name: &'static str, root: PathBuf, target: &Path) -> Result<Self, String> {
        println!("building {name} in release mode");
        let mut build = cargo();
        build.current_dir(&root).env("CARGO_TARGET_DIR", target);
        build.args(["build", "--release", "--package", MEASURE.package, "--bin", MEASURE.name]);
        let built = build.status().map_err(|error| format!("cannot start cargo: {error}"))?;
        if !built.success() {
            return Err(format!("{} could not be built from {}", MEASURE.name, root.display()));
        }
        let commit = git(&root, &["rev-parse", "--short=10", "HEAD"])?;
        let changed = git(&root, &["status", "--porcelain", "--untracked-files=no"])?;
        let commit = if changed.is_empty() { commit } else { format!("{commit} with changes") };
        let program = target
            .join("release")
            .join(MEASURE.name)
            .with_extension(std::env::consts::EXE_EXTENSION);
        Ok(Self { name, root, commit, program })
    }
}

/// This tree and the tree of a revision.
#[derive(Debug)]
pub(super) struct Trees {
    pub(super) base: Tree,
    pub(super) head: Tree,
}

impl Trees {
    /// Builds both. The revision is checked out in `target/against/base` and stays there, so that
    /// the next comparison builds only the differences.
    ///
    /// # Errors
    /// If git does not know the revision, or a tree cannot be built.
    pub(super) fn build(revision: &str) -> Result<Self, String> {
        let (head, target) = (root(), target_folder()?);
        let commit = git(&head, &["rev-parse", "--verify", &format!("{revision}^{{commit}}")])?;
        let base = target.join("against").join("base");
        if base.join(".git").exists() {
            git(&base, &["checkout", "--quiet", "--force", "--detach", &commit])?;
        } else {
            // A folder that was deleted by hand is still registered as a work tree.
            git(&head, &["worktree", "prune"])?;
            let path = base.to_string_lossy().into_owned();
            git(&head, &["worktree", "add", "--quiet", "--force", "--detach", &path, &commit])?;
        }
        let built = target.join("against").join("target");
        Ok(Self {
            base: Tree::build("base", base, &built)?,
            head: Tree::build("head", head, &target)?,
        })
    }
}

/// Runs git in `tree` and returns its output.
fn git(tree: &Path, arguments: &[&str]) -> Result<String, String> {
    let printed = output_of(Command::new("git").args(arguments).current_dir(tree))?;
    Ok(printed.trim().to_owned())
}
