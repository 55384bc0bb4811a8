//! The committed list of mutants that survive, with a reason each. A survivor that is not listed
//! is a failure; so is a listed one that is killed now, or that is no longer there.

use std::collections::BTreeMap;
use std::fs;

use serde::{Deserialize, Serialize};

use super::Mutant;
use crate::repository::root;

/// Where the lists are: a file for each crate.
const FOLDER: &str = "xtask/mutants";

/// Why a survivor is left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    /// It can change no answer: the reason is the argument.
    Equivalent,
    /// A test would tell it from the original, and there is none.
    Known,
}

/// A survivor.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Survivor {
    /// The function, as `Type::function`.
    pub(super) function: String,
    /// The change, as the command names it.
    pub(super) change: String,
    /// The end of the file's path; only where two functions of the crate have one name.
    pub(super) file: Option<String>,
    /// What kind of survivor it is.
    pub(super) kind: Kind,
    /// Why.
    pub(super) reason: String,
}

impl Survivor {
    /// Is it this mutant?
    pub(super) fn is(&self, mutant: &Mutant) -> bool {
        let file = self.file.as_deref().is_none_or(|file| mutant.file.ends_with(file));
        file && self.function == mutant.function && self.change == mutant.change
    }

    /// Its name in a report.
    pub(super) fn name(&self) -> String {
        format!("{}: {}", self.function, self.change)
    }
}

/// A file of the crate whose mutants are not made.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Left {
    /// The end of its path.
    pub(super) file: String,
    /// Why.
    pub(super) reason: String,
}

/// What is known of a crate's mutants.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct List {
    /// Files that are left out.
    #[serde(default)]
    pub(super) left: Vec<Left>,
    /// Mutants that survive.
    #[serde(default)]
    pub(super) survivor: Vec<Survivor>,
}

/// The list of a crate; empty if it has none.
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

    /// Entries that name no mutant, or several, or one that another entry names; files left out
    /// that are not there.
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
