//! Rule: cited works are in `docs/references.md`: a key before a place in it (`fan §4.3.2`,
//! `anthology 5`), and a surname before a year (`Hubbard 1995`, `Larsen et al. 1999`).

use super::Finding;
use crate::repository::TextFile;

/// The bibliography.
const PAGE: &str = "docs/references.md";
/// Words before a year that are not surnames.
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
/// Markers of a place after a key.
const PLACES: &[&str] = &["§", "eq.", "fig.", "ch."];

/// Checks the comments of Rust files, and other text files.
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

/// The checked part of a line: the comment of a Rust file, else all of it.
fn prose<'t>(file: &TextFile, line: &'t str) -> Option<&'t str> {
    if file.is_rust() { line.split_once("//").map(|(_, said)| said) } else { Some(line) }
}

/// The citation that ends at word number `at` and is not on the page.
fn unresolved(page: &str, words: &[&str], at: usize) -> Option<String> {
    let before = bare(words[at - 1]);
    if PLACES.iter().any(|place| words[at].starts_with(place)) {
        // In "fan 2003, §2.3" the year stands between key and place.
        let key =
            if year(before).is_some() { bare(words.get(at.checked_sub(2)?)?) } else { before };
        let known = page.contains(&format!("| `{}` |", key.to_lowercase()));
        // "see §4" and "(§4)" refer to their own page.
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

/// The word without surrounding punctuation.
fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric() && c != '.').trim_end_matches('.')
}

/// The word if it is a year from 1900 to 2099.
fn year(word: &str) -> Option<&str> {
    let digits = word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit());
    (digits && (word.starts_with("19") || word.starts_with("20"))).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The findings for a comment.
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
