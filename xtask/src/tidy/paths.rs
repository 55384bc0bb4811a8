//! Rules on paths: no committed text names a folder of a private machine, and relative links in
//! Markdown resolve.

use super::Finding;
use super::source::is_word;
use crate::repository::TextFile;

/// Folders that exist on one machine only. Split, so that this file does not contain them.
const PRIVATE: &[&str] = &[
    concat!("/", "work"),
    concat!("/", "root"),
    concat!("/", "home"),
    concat!("/", "tmp"),
    concat!("/", "Users"),
];

/// Checks all text files. `exists` tells whether a path from the root exists.
pub(crate) fn check(files: &[TextFile], exists: &dyn Fn(&str) -> bool) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files {
        for (n, line) in file.text.lines().enumerate() {
            for folder in PRIVATE {
                if names_folder(line, folder) {
                    let message =
                        format!("`{folder}` is a path of one machine; use a relative one");
                    findings.push(Finding::new(&file.path, n + 1, message));
                }
            }
        }
        if file.is_markdown() {
            findings.extend(dead_links(file, exists));
        }
    }
    findings
}

/// Whether `line` names the absolute path `folder` or something below it. Parts of a longer path or
/// address do not count.
fn names_folder(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        let before = line[..at].chars().next_back().unwrap_or(' ');
        let after = line[at + folder.len()..].chars().next().unwrap_or(' ');
        let inside = is_word(before) || matches!(before, '.' | '-' | '/' | '}' | ')' | '~');
        !inside && (after == '/' || !(is_word(after) || after == '-'))
    })
}

fn dead_links(file: &TextFile, exists: &dyn Fn(&str) -> bool) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut fenced = false;
    for (n, line) in file.text.lines().enumerate() {
        fenced ^= line.trim_start().starts_with("```");
        if fenced {
            continue;
        }
        for target in link_targets(line) {
            let path = target.split(['#', '?']).next().unwrap_or_default();
            let outside = target.contains("://") || target.starts_with("mailto:");
            if outside || path.is_empty() || exists(&resolved(&file.path, path)) {
                continue;
            }
            let message = format!("the link to `{target}` leads nowhere");
            findings.push(Finding::new(&file.path, n + 1, message));
        }
    }
    findings
}

/// The targets of `[text](target)` and `[name]: target` in a line.
fn link_targets(line: &str) -> Vec<&str> {
    let mut targets: Vec<&str> = line
        .match_indices("](")
        .filter_map(|(at, _)| line[at + 2..].split([')', ' ']).next())
        .collect();
    if let Some((name, target)) = line.split_once("]: ")
        && name.starts_with('[')
        && !name.contains(' ')
    {
        targets.push(target.trim());
    }
    targets
}

/// `link`, relative to `file`, as a path from the root.
fn resolved(file: &str, link: &str) -> String {
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(path: &str, text: &str) -> Vec<Finding> {
        let file = TextFile { path: path.to_owned(), text: text.to_owned() };
        check(&[file], &|path| path == "docs/there.md")
    }

    #[test]
    fn private_folders_are_found() {
        for folder in PRIVATE {
            assert_eq!(findings("a.txt", &format!("see {folder}/x\n")).len(), 1, "{folder}");
            assert_eq!(findings("a.txt", &format!("see \"{folder}\"\n")).len(), 1, "{folder}");
            let fine = format!("https://example.org{folder}/x ..{folder}/y a{folder} {folder}er");
            assert!(findings("a.txt", &fine).is_empty(), "{folder}");
        }
    }

    #[test]
    fn dead_links_are_found() {
        let found = findings("docs/a.md", "x\n[here](there.md#part) [gone](../gone.md)\n");
        assert_eq!((found.len(), found[0].line), (1, 2));
        assert!(found[0].message.contains("../gone.md"));
        assert_eq!(findings("docs/a.md", "[a]: gone.md\n").len(), 1);
        let fine = "[a](https://example.org/x) [b](#part) [c](../docs/there.md)\n```\n[d](no)\n```";
        assert!(findings("docs/a.md", fine).is_empty());
    }
}
