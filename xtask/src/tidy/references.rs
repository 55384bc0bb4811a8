//! Rule: what is cited is in `docs/references.md`: a key before a place in it (`fan §4.3.2`,
//! `anthology 5`), and a surname before a year (`Hubbard 1995`, `Larsen et al. 1999`).

use super::Finding;
use crate::repository::TextFile;

/// The bibliography.
const PAGE: &str = "docs/references.md";
/// What stands before a year and is nobody's name.
const NO_NAMES: &[&str] = &[
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
    "Animation",
    "University",
];
/// What follows a key.
const PLACES: &[&str] = &["§", "eq.", "fig.", "ch."];

/// Checks comments and pages.
pub(crate) fn check(files: &[TextFile]) -> Vec<Finding> {
    let Some(page) = files.iter().find(|file| file.path == PAGE) else {
        return vec![Finding::new(PAGE, 1, "there is no bibliography")];
    };
    let mut findings = Vec::new();
    for file in files.iter().filter(|file| is_looked_at(file)) {
        for (n, line) in file.text.lines().enumerate() {
            let Some(said) = prose(file, line) else { continue };
            let words: Vec<&str> = said.split_whitespace().collect();
            for at in 1..words.len() {
                if let Some(missing) = unresolved(&page.text, &words, at) {
                    let message = format!("`{missing}` is not in {PAGE}");
                    findings.push(Finding::new(&file.path, n + 1, message));
                }
            }
        }
    }
    findings
}

fn is_looked_at(file: &TextFile) -> bool {
    let page = file.is_markdown() && !file.path.starts_with("docs/results");
    file.path != PAGE && file.path != "CHANGELOG.md" && (page || file.is_rust())
}

/// The part of a line that is written for readers.
fn prose<'t>(file: &TextFile, line: &'t str) -> Option<&'t str> {
    if file.is_rust() { line.split_once("//").map(|(_, said)| said) } else { Some(line) }
}

/// What the words up to number `at` cite and the page has not.
fn unresolved(page: &str, words: &[&str], at: usize) -> Option<String> {
    let before = bare(words[at - 1]);
    if PLACES.iter().any(|place| words[at].starts_with(place)) {
        // "fan 2003, §2.3" has the year between.
        let key =
            if year(before).is_some() { bare(words.get(at.checked_sub(2)?)?) } else { before };
        let known = page.contains(&format!("| `{}` |", key.to_lowercase()));
        // "see §4" and "(§4)" speak of the page they stand on.
        let is_key =
            ["fan", "li", "xie", "sbv", "anthology"].contains(&key.to_lowercase().as_str());
        return (is_key && !known).then(|| key.to_owned());
    }
    if before.eq_ignore_ascii_case("anthology") {
        let number: u32 = bare(words[at]).parse().ok()?;
        return (!page.contains(&format!("\n{number}. "))).then(|| format!("anthology {number}"));
    }
    let year = year(bare(words[at]))?;
    let name = match before {
        "al." | "al" => bare(words.get(at.checked_sub(3)?)?),
        _ => before,
    };
    let capital = name.chars().next().is_some_and(char::is_uppercase);
    let letters = name.chars().all(char::is_alphabetic) && name.chars().any(char::is_lowercase);
    let is_name = capital && letters && !NO_NAMES.contains(&name);
    let known = |line: &str| line.contains(name) && line.contains(year);
    (is_name && !page.lines().any(known)).then(|| format!("{name} {year}"))
}

/// Without the marks around it.
fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric() && c != '.').trim_end_matches('.')
}

/// A year from 1900 on.
fn year(word: &str) -> Option<&str> {
    let digits = word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit());
    (digits && (word.starts_with("19") || word.starts_with("20"))).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is found in a comment.
    fn findings(comment: &str) -> Vec<String> {
        let file =
            |path: &str, text: &str| TextFile { path: path.to_owned(), text: text.to_owned() };
        let page = "| `fan` | Fan 2003 |\n| `anthology` | six |\n\n1. One\n5. Five\n\
                    | Hubbard 1995 | Hubbard, 1995 |\n| Larsen 1999 | and others, 1999 |\n";
        let text = format!("let nobody = 1999; {}{comment}", "/".repeat(2));
        let files = [file(PAGE, page), file("crates/a/src/b.rs", &text)];
        check(&files).into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn what_is_cited_and_listed_is_fine() {
        for text in [
            " As in fan §4.3.2, fan 2003, §2.1 and Fan eq. 2-12; anthology 5 §3.",
            " (Larsen et al. 1999, PQP; Hubbard 1995).",
            " in November 2026, see §4, and 1995; part II 1989",
        ] {
            assert_eq!(findings(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn what_is_not_listed_is_found() {
        for (text, missing) in [
            ("! After xie §3.", "`xie`"),
            (" Nobody 1999.", "`Nobody 1999`"),
            (" (Larsen et al. 1998)", "`Larsen 1998`"),
            (" anthology 6, eq. 3", "`anthology 6`"),
        ] {
            let found = findings(text);
            assert!(found.len() == 1 && found[0].starts_with(missing), "{text}: {found:?}");
        }
    }

    #[test]
    fn a_house_without_a_bibliography_is_found() {
        assert_eq!(check(&[]).len(), 1);
    }
}
