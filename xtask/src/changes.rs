//! Which files differ from the commit that work began at.

use std::process::Command;

use crate::repository::{output_of, root};

/// The commit that this work is compared with: where the branch left `main`; on `main` itself HEAD,
/// or HEAD~1 if nothing in `within` is uncommitted.
///
/// # Errors
/// If git fails.
pub(crate) fn base(within: &str) -> Result<String, String> {
    let fork = git(&["merge-base", "HEAD", "main"]).unwrap_or_default();
    let head = git(&["rev-parse", "HEAD"])?;
    if !fork.trim().is_empty() && fork != head {
        return Ok(fork.trim().to_owned());
    }
    let is_clean = git(&["status", "--porcelain", "--", within])?.is_empty();
    Ok(if is_clean { "HEAD~1" } else { "HEAD" }.to_owned())
}

/// Files that differ from `base`, and new ones, from the root.
///
/// # Errors
/// If git fails.
pub(crate) fn files(base: &str) -> Result<Vec<String>, String> {
    let mut files = git(&["diff", "--name-only", "--no-ext-diff", base])?;
    files.push_str(&git(&["ls-files", "--others", "--exclude-standard"])?);
    Ok(files.lines().map(str::to_owned).collect())
}

/// The output of git, in the root.
///
/// # Errors
/// If it fails.
pub(crate) fn git(arguments: &[&str]) -> Result<String, String> {
    output_of(Command::new("git").args(arguments).current_dir(root()))
}
