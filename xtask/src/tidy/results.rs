//! Rule: results are not edited after their run. `docs/results/contents.txt` lists the files of each
//! folder with the hash that git gives their contents; a new folder adds lines, no line changes.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::{Command, Stdio};

use super::Finding;
use crate::repository::{TextFile, root};

/// The list: a hash and a path from the root in each line, by path.
const LIST: &str = "docs/results/contents.txt";

/// Compares the files of results with the list.
///
/// # Errors
/// If git fails.
pub(crate) fn check(files: &[TextFile]) -> Result<Vec<Finding>, String> {
    let list = files.iter().find(|file| file.path == LIST).map_or("", |file| &file.text);
    let paths: Vec<&str> = (files.iter().map(|file| file.path.as_str()))
        .filter(|path| path.strip_prefix("docs/results/").is_some_and(|path| path.contains('/')))
        .collect();
    Ok(compare(list, &hashes(&paths)?))
}

/// The hashes of files as git stores them.
fn hashes(paths: &[&str]) -> Result<BTreeMap<String, String>, String> {
    let fail = |error: std::io::Error| format!("git hash-object: {error}");
    let mut git = Command::new("git");
    git.args(["hash-object", "--stdin-paths"]).current_dir(root());
    let mut child = git.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(fail)?;
    // Far less than a pipe holds, so git need not read while this writes.
    let input = paths.join("\n");
    child.stdin.take().map_or(Ok(()), |mut pipe| pipe.write_all(input.as_bytes())).map_err(fail)?;
    let output = child.wait_with_output().map_err(fail)?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let hashes: Vec<&str> = text.lines().collect();
    if hashes.len() != paths.len() {
        return Err(format!("git hash-object: {} hashes of {} files", hashes.len(), paths.len()));
    }
    Ok(paths.iter().zip(hashes).map(|(&path, hash)| (path.to_owned(), hash.to_owned())).collect())
}

fn compare(list: &str, found: &BTreeMap<String, String>) -> Vec<Finding> {
    let listed: BTreeMap<&str, (usize, &str)> = (list.lines().enumerate())
        .filter_map(|(n, line)| line.split_once(' ').map(|(hash, path)| (path, (n + 1, hash))))
        .collect();
    let mut findings = Vec::new();
    for (path, hash) in found {
        match listed.get(path.as_str()) {
            Some((_, known)) if known == hash => {}
            Some(_) => {
                let message = "a result was edited; take it back, and make a folder for a new run";
                findings.push(Finding::new(path, 1, message));
            }
            None => {
                let message = format!("not in {LIST}; add the line `{hash} {path}`");
                findings.push(Finding::new(path, 1, message));
            }
        }
    }
    for (path, (line, _)) in listed {
        if !found.contains_key(path) {
            findings.push(Finding::new(LIST, line, format!("{path} is gone")));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_that_were_edited_added_or_lost_are_found() {
        let found = [("docs/results/a/x.txt", "11"), ("docs/results/a/y.txt", "22")];
        let found = found.map(|(path, hash)| (path.to_owned(), hash.to_owned())).into();
        let places = |list: &str| -> Vec<(String, usize)> {
            compare(list, &found).into_iter().map(|f| (f.path, f.line)).collect()
        };
        let good = "11 docs/results/a/x.txt\n22 docs/results/a/y.txt\n";
        assert!(places(good).is_empty());
        assert_eq!(places(&good.replace("22", "23")), [("docs/results/a/y.txt".to_owned(), 1)]);
        assert_eq!(places(&good[..24]), [("docs/results/a/y.txt".to_owned(), 1)]);
        assert_eq!(places(&format!("{good}33 docs/results/a/z.txt\n")), [(LIST.to_owned(), 3)]);
    }

    #[test]
    fn hashes_are_those_of_git() {
        let found = hashes(&["LICENSE-MIT"]).expect("git is there");
        assert!(found["LICENSE-MIT"].len() >= 40);
        assert!(hashes(&["no such file"]).is_err());
    }
}
