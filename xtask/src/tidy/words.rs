//! Rule: one name per method. A method's name is a row in `Method`, or what a broad phase of
//! `scene` or `wide` returns as its word, and a page in `docs/methods/`; a
//! family's name is that of its crate and of its folders of benchmarks, shaders and golden files.

use super::Finding;
use crate::repository::TextFile;

/// The file with the table of methods.
const TABLE: &str = "crates/impinge/src/method.rs";
/// The folder of the methods' pages.
const PAGES: &str = "docs/methods/";
/// Folders whose subfolders have the names of families.
const FAMILY_FOLDERS: &[&str] = &["benches/benches/", "shaders/wgsl/", "assets/golden/"];

/// Folders whose broad phases have pages.
const PHASE_FOLDERS: &[&str] = &["crates/scene/src/", "crates/wide/src/"];

/// A method's name and the line of its row.
#[derive(Debug, PartialEq)]
struct Word {
    word: String,
    line: usize,
}

/// Checks the names of methods and families.
pub(crate) fn check(files: &[TextFile]) -> Vec<Finding> {
    let mut findings = methods(files);
    findings.extend(families(files));
    findings
}

fn methods(files: &[TextFile]) -> Vec<Finding> {
    let Some(table) = files.iter().find(|file| file.path == TABLE) else {
        return vec![Finding::new(TABLE, 1, "the table of methods is not there")];
    };
    let words = words_of(&table.text);
    let mut findings = Vec::new();
    if words.is_empty() {
        let message = "no rows `Name = \"word\", Kind, …;` found: the rule would check nothing";
        findings.push(Finding::new(TABLE, 1, message));
    }
    let pages: Vec<&str> = files
        .iter()
        .filter_map(|file| file.path.strip_prefix(PAGES)?.strip_suffix(".md"))
        .filter(|page| *page != "README")
        .collect();
    let phases = phases(files);
    for (path, Word { word, line }) in &phases {
        if !pages.contains(&word.as_str()) {
            let message = format!("broad phase `{word}` has no page {PAGES}{word}.md");
            findings.push(Finding::new(path, *line, message));
        }
    }
    for Word { word, line } in &words {
        if !pages.contains(&word.as_str()) {
            let message = format!("method `{word}` has no page {PAGES}{word}.md");
            findings.push(Finding::new(TABLE, *line, message));
        }
    }
    for page in pages {
        let mut all = words.iter().chain(phases.iter().map(|(_, word)| word));
        if !all.any(|w| w.word == page) {
            let message = format!("no method has the word `{page}` in {TABLE}, and no broad phase");
            findings.push(Finding::new(&format!("{PAGES}{page}.md"), 1, message));
        }
    }
    findings
}

/// The words that broad phases return, with the paths of their files.
fn phases(files: &[TextFile]) -> Vec<(&str, Word)> {
    let mut phases = Vec::new();
    for file in files {
        let ruled = PHASE_FOLDERS.iter().any(|folder| file.path.starts_with(folder));
        if !ruled || !file.text.contains("impl BroadPhase for ") {
            continue;
        }
        let lines = file.text.lines().map(str::trim).zip(1..);
        let bodies = lines.skip_while(|(line, _)| !line.starts_with("impl BroadPhase for "));
        let mut after = bodies.skip_while(|(line, _)| !line.starts_with("fn word(&self)"));
        if let Some((line, number)) = after.nth(1) {
            let word = line.trim_matches('"').to_owned();
            phases.push((file.path.as_str(), Word { word, line: number }));
        }
    }
    phases
}

/// The rows `Name = "word", Kind, engine;` of the table.
fn words_of(text: &str) -> Vec<Word> {
    let row = |(n, line): (usize, &str)| {
        let (name, rest) = line.trim().split_once(" = \"")?;
        let (word, rest) = rest.split_once("\", ")?;
        let is_name =
            name.starts_with(char::is_uppercase) && name.chars().all(|c| c.is_ascii_alphanumeric());
        let is_kind = rest.starts_with(char::is_uppercase);
        (is_name && is_kind).then(|| Word { word: word.to_owned(), line: n + 1 })
    };
    text.lines().enumerate().filter_map(row).collect()
}

/// Checks that every family folder has the name of a crate.
fn families(files: &[TextFile]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files {
        for folder in FAMILY_FOLDERS {
            let Some((family, _)) = file.path.strip_prefix(folder).and_then(|p| p.split_once('/'))
            else {
                continue;
            };
            let manifest = format!("crates/{family}/Cargo.toml");
            if !files.iter().any(|other| other.path == manifest) {
                let message = format!("`{family}` is no family: there is no {manifest}");
                findings.push(Finding::new(&file.path, 1, message));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn house(list: &[(&str, &str)]) -> Vec<TextFile> {
        let file = |&(path, text): &(&str, &str)| TextFile {
            path: path.to_owned(),
            text: text.to_owned(),
        };
        list.iter().map(file).collect()
    }

    const ROWS: &str = "methods! {\n    /// Tree.\n    Tree = \"tree\", Exact, tree();\n}\n";

    #[test]
    fn word_and_page_go_together() {
        assert!(check(&house(&[(TABLE, ROWS), ("docs/methods/tree.md", "")])).is_empty());
    }

    #[test]
    fn a_word_without_a_page_is_found() {
        let found = check(&house(&[(TABLE, ROWS)]));
        assert_eq!((found.len(), found[0].line), (1, 3));
        assert!(found[0].message.contains("docs/methods/tree.md"));
    }

    #[test]
    fn a_page_without_a_word_is_found() {
        let list = [(TABLE, ROWS), ("docs/methods/tree.md", ""), ("docs/methods/bush.md", "")];
        let found = check(&house(&list));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].path, "docs/methods/bush.md");
    }

    #[test]
    fn a_table_without_rows_is_found() {
        assert_eq!(check(&house(&[(TABLE, "//! Nothing.\n")])).len(), 1);
        assert_eq!(check(&house(&[])).len(), 1);
    }

    #[test]
    fn broad_phases_and_their_pages_belong_together() {
        let phase = |word: &str| {
            format!(
                "impl BroadPhase for Some {{\n    fn word(&self) -> &'static str {{\n        \
                 \"{word}\"\n    }}\n}}\n"
            )
        };
        let path = "crates/scene/src/broad/some.rs";
        let found = |word: &str| {
            let (page, code) = ("docs/methods/some.md", phase(word));
            let list =
                [(TABLE, ROWS), ("docs/methods/tree.md", ""), (page, ""), (path, code.as_str())];
            check(&house(&list)).len()
        };
        assert_eq!(found("some"), 0);
        assert_eq!(found("other"), 2);
    }

    #[test]
    fn a_folder_that_is_no_family_is_found() {
        for folder in FAMILY_FOLDERS {
            let [good, bad] = ["hierarchy", "garden"].map(|f| format!("{folder}{f}/tree.txt"));
            let list = [
                (TABLE, ROWS),
                ("docs/methods/tree.md", ""),
                ("crates/hierarchy/Cargo.toml", ""),
                (good.as_str(), ""),
                (bad.as_str(), ""),
            ];
            let found = check(&house(&list));
            let paths: Vec<&str> = found.iter().map(|finding| finding.path.as_str()).collect();
            assert_eq!(paths, [bad.as_str()]);
        }
    }

    #[test]
    fn shaders_of_families_are_looked_at() {
        // Guards against a vacuous rule: the shader folder must exist.
        let files = crate::repository::text_files().expect("the repository can be read");
        let is_shader =
            |path: &&str| std::path::Path::new(path).extension().is_some_and(|e| e == "wgsl");
        let shaders: Vec<&str> = files.iter().map(|f| f.path.as_str()).filter(is_shader).collect();
        assert!(!shaders.is_empty());
        for path in shaders {
            let ruled = FAMILY_FOLDERS.iter().any(|folder| path.starts_with(folder));
            assert!(ruled, "{path}: no rule knows its folder");
        }
    }
}
