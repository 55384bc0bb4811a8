//! The committed list of surviving mutants, with a reason for each. A survivor that is not listed
//! is an error; so is a listed mutant that is killed or no longer exists.

use std::collections::BTreeMap;
use std::fs;

use serde::{Deserialize, Serialize};

use super::Mutant;
use crate::repository::root;

/// Folder of the lists, one file per crate.
const FOLDER: &str = "xtask/mutants";

/// Why a survivor is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    /// It cannot change any answer; the reason proves that.
    Equivalent,
    /// A test could detect it, but none does.
    Known,
}

/// An entry of a list: a mutant that survives.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Survivor {
    /// The function, as `Type::function`.
    pub(super) function: String,
    /// The change, as reports print it.
    pub(super) change: String,
    /// The end of the file's path; only needed if two functions of the crate have the same name.
    pub(super) file: Option<String>,
    /// Why the survivor is accepted.
    pub(super) kind: Kind,
    /// The argument in words.
    pub(super) reason: String,
}

impl Survivor {
    /// Whether the entry matches this mutant.
    pub(super) fn is(&self, mutant: &Mutant) -> bool {
        let file = self.file.as_deref().is_none_or(|file| mutant.file.ends_with(file));
        file && self.function == mutant.function && self.change == mutant.change
    }

    /// Its name in a report.
    pub(super) fn name(&self) -> String {
        format!("{}: {}", self.function, self.change)
    }
}

/// A file without mutants.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Left {
    /// The end of the file's path.
    pub(super) file: String,
    /// Why the file is left out.
    pub(super) reason: String,
}

/// The list of a crate.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct List {
    #[serde(default)]
    pub(super) left: Vec<Left>,
    #[serde(default)]
    pub(super) survivor: Vec<Survivor>,
}

/// Reads the list of a crate; empty if it has none.
///
/// # Errors
/// If it cannot be read, or a reason is missing.
pub(super) fn read(name: &str) -> Result<List, String> {
    let path = root().join(FOLDER).join(format!("{name}.toml"));
    let Ok(text) = fs::read_to_string(&path) else { return Ok(List::default()) };
    let list: List =
        basic_toml::from_str(&text).map_err(|e| format!("{FOLDER}/{name}.toml: {e}"))?;
    let empty = |reason: &str| reason.split_whitespace().count() < 3;
    if let Some(without) = list.survivor.iter().find(|survivor| empty(&survivor.reason)) {
        return Err(format!("{FOLDER}/{name}.toml: {} has no reason", without.name()));
    }
    if let Some(without) = list.left.iter().find(|left| empty(&left.reason)) {
        return Err(format!("{FOLDER}/{name}.toml: {} has no reason", without.file));
    }
    Ok(list)
}

impl List {
    /// The entry of a mutant.
    pub(super) fn of(&self, mutant: &Mutant) -> Option<&Survivor> {
        self.survivor.iter().find(|survivor| survivor.is(mutant))
    }

    /// Entries that match no mutant, several, or the same as another entry; and left-out files that
    /// do not exist.
    pub(super) fn stale(&self, all: &[Mutant], files: &[String]) -> Vec<String> {
        let mut named: BTreeMap<String, usize> = BTreeMap::new();
        let mut stale = Vec::new();
        for survivor in &self.survivor {
            let of: Vec<&Mutant> = all.iter().filter(|mutant| survivor.is(mutant)).collect();
            match of.as_slice() {
                [] => stale.push(format!("{}: no longer there", survivor.name())),
                [one] => *named.entry(format!("{} {}", one.file, one.name())).or_default() += 1,
                _ => stale.push(format!("{}: in several files; say which", survivor.name())),
            }
        }
        let twice = named.into_iter().filter(|(_, count)| *count > 1);
        stale.extend(twice.map(|(name, _)| format!("{name}: listed twice")));
        let gone = self.left.iter().filter(|l| !files.iter().any(|file| file.ends_with(&l.file)));
        stale.extend(gone.map(|left| format!("{}: no such file", left.file)));
        stale
    }
}
