//! Mutants that change constants, from a committed list: tests must detect a proven bound reduced
//! to a quarter. The operators do not change numbers, although wrong bounds are usually wrong
//! numbers.

use std::fs;
use std::ops::RangeInclusive;

use serde::Deserialize;

use super::list::Kind;
use crate::repository::root;

/// Path of the list.
const PATH: &str = "xtask/mutants/constants.toml";

/// A replacement of one text by another.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Constant {
    /// The folder of the crate.
    #[serde(rename = "crate")]
    pub(super) package: String,
    /// Path from the root.
    pub(super) file: String,
    /// The constant or function, and the change.
    pub(super) name: String,
    /// The text to replace; it occurs exactly once in the file.
    find: String,
    /// The replacement.
    replace: String,
    /// Modules of the test program that run first; the crate's name stands for its library's tests.
    #[serde(default)]
    pub(super) tests: Vec<String>,
    /// Set if the mutant survives.
    pub(super) kind: Option<Kind>,
    /// Why it survives.
    pub(super) reason: Option<String>,
    /// The first line of the text, from 1.
    #[serde(skip)]
    line: usize,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Constants {
    #[serde(default)]
    constant: Vec<Constant>,
}

impl Constant {
    /// The lines of the text, from 1.
    pub(super) fn lines(&self) -> RangeInclusive<usize> {
        self.line..=self.line + self.find.trim_end().matches('\n').count()
    }

    /// The first line of the text.
    pub(super) fn line(&self) -> usize {
        self.line
    }

    /// The file's text with the change.
    ///
    /// # Errors
    /// If the text does not occur in `text`, or more than once.
    pub(super) fn changed(&self, text: &str) -> Result<String, String> {
        self.found(text)?;
        Ok(text.replacen(&self.find, &self.replace, 1))
    }

    fn text(&self) -> Result<String, String> {
        fs::read_to_string(root().join(&self.file)).map_err(|e| format!("{}: {e}", self.file))
    }

    /// The line where the text begins, from 1.
    fn found(&self, text: &str) -> Result<usize, String> {
        let places: Vec<usize> = text.match_indices(&self.find).map(|(at, _)| at).collect();
        match places.as_slice() {
            [at] => Ok(text[..*at].matches('\n').count() + 1),
            [] => Err(format!("{PATH}: {}: the text is not in {}", self.name, self.file)),
            _ => Err(format!("{PATH}: {}: the text is in {} twice", self.name, self.file)),
        }
    }
}

/// The constants of a crate.
///
/// # Errors
/// If the list cannot be read, an entry's text is not found, or a reason is missing.
pub(super) fn of(package: &str) -> Result<Vec<Constant>, String> {
    let mut constants = read()?;
    constants.retain(|constant| constant.package == package);
    Ok(constants)
}

fn read() -> Result<Vec<Constant>, String> {
    let text = fs::read_to_string(root().join(PATH)).map_err(|e| format!("{PATH}: {e}"))?;
    let all: Constants = basic_toml::from_str(&text).map_err(|e| format!("{PATH}: {e}"))?;
    let mut constants = all.constant;
    for constant in &mut constants {
        constant.line = constant.found(&constant.text()?)?;
        if constant.kind.is_some() != constant.reason.is_some() {
            return Err(format!("{PATH}: {}: kind and reason go together", constant.name));
        }
    }
    Ok(constants)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_text_of_the_list_is_there_once() {
        let constants = read().expect("the list holds");
        let names: BTreeSet<_> = constants.iter().map(|c| (&c.package, &c.name)).collect();
        assert_eq!(names.len(), constants.len(), "two constants have one name");
        for constant in constants {
            let text = constant.text().expect("the file is there");
            let changed = constant.changed(&text).expect("the text is there");
            let known = crate::mutants::CRATES.iter().any(|wanted| wanted.name == constant.package);
            assert!(known && changed != text, "{}", constant.name);
            let tests = root().join("crates").join(&constant.package).join("tests/it");
            for name in constant.tests.iter().filter(|name| **name != constant.package) {
                let places = [tests.join(format!("{name}.rs")), tests.join(name).join("mod.rs")];
                assert!(places.iter().any(|place| place.exists()), "{}: {name}", constant.name);
            }
        }
    }
}
