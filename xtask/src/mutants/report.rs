//! The results of mutation testing: a table, the failures, and JSON.

use std::fs;

use comfy_table::Table;
use serde::Serialize;

use super::list::Kind;
use crate::Outcome;
use crate::repository::target_folder;

/// Least share of killed mutants among those that are not equivalent.
const KILLED: f64 = 0.95;
/// Largest share of mutants that may be listed as equivalent.
const EQUIVALENT: f64 = 0.10;
/// Least size of a sample whose shares are held to these bars.
const ENOUGH: usize = 100;

/// The result of a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Fate {
    /// Killed: this test failed.
    Killed(String),
    /// Killed: this test exceeded its time limit.
    Timeout(String),
    /// All tests that reach it passed; this is their number.
    Survived(usize),
    /// It does not compile.
    Unviable,
}

/// A mutant and its result.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Row {
    pub(super) file: String,
    pub(super) line: usize,
    pub(super) function: String,
    pub(super) change: String,
    pub(super) fate: Fate,
    /// Its entry in the committed list.
    pub(super) listed: Option<Kind>,
    /// Whether it comes from the list of constants.
    pub(super) constant: bool,
}

impl Row {
    /// The row as text.
    pub(super) fn text(&self) -> String {
        format!("{}:{}: {}: {}", self.file, self.line, self.function, self.change)
    }
}

/// The results of a crate.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Crate {
    pub(super) name: String,
    /// Number of mutants of the crate, selected or not.
    pub(super) all: usize,
    pub(super) seconds: f64,
    pub(super) rows: Vec<Row>,
    /// Entries of the list that match no mutant.
    pub(super) stale: Vec<String>,
    /// Whether it was a sample; a large one is held to the bars.
    pub(super) sampled: bool,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct Report {
    pub(super) seed: Option<u64>,
    pub(super) crates: Vec<Crate>,
}

/// The number of mutants by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
struct Counts {
    killed: usize,
    timeouts: usize,
    equivalent: usize,
    known: usize,
    new: usize,
    unviable: usize,
}

impl Counts {
    fn of(rows: &[Row]) -> Self {
        let mut counts = Self::default();
        for row in rows {
            let count = match (&row.fate, row.listed) {
                (Fate::Killed(_), _) => &mut counts.killed,
                (Fate::Timeout(_), _) => &mut counts.timeouts,
                (Fate::Unviable, _) => &mut counts.unviable,
                (Fate::Survived(_), Some(Kind::Equivalent)) => &mut counts.equivalent,
                (Fate::Survived(_), Some(Kind::Known)) => &mut counts.known,
                (Fate::Survived(_), None) => &mut counts.new,
            };
            *count += 1;
        }
        counts
    }

    /// The number that compile.
    fn viable(self) -> usize {
        self.killed + self.timeouts + self.equivalent + self.known + self.new
    }

    /// The killed share of the mutants not equivalent, and the share of equivalent ones.
    fn shares(self) -> (f64, f64) {
        let share = |part: usize, whole: usize| {
            if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
        };
        let killed = share(self.killed + self.timeouts, self.viable() - self.equivalent);
        (killed, if self.equivalent == 0 { 0.0 } else { share(self.equivalent, self.viable()) })
    }
}

impl Report {
    /// Writes `target/mutants/report.json`.
    ///
    /// # Errors
    /// If that fails.
    pub(super) fn write(&self) -> Outcome {
        let path = target_folder()?.join("mutants").join("report.json");
        let text = serde_json::to_string_pretty(self).map_err(|e| e.to_string())?;
        fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))
    }

    /// Prints the table and the failures.
    ///
    /// # Errors
    /// If there is a failure.
    pub(super) fn end(&self) -> Outcome {
        let mut table = Table::new();
        table.load_style(comfy_table::presets::ASCII_MARKDOWN);
        let head = "crate|mutants|run|killed|timeouts|survived: equivalent|known|not listed|\
                    unviable|killed of not equivalent|equivalent|s";
        table.set_header(head.split('|'));
        for one in &self.crates {
            let counts = Counts::of(&one.rows);
            let (killed, equivalent) = counts.shares();
            let numbers = [one.all, one.rows.len(), counts.killed, counts.timeouts];
            let survived = [counts.equivalent, counts.known, counts.new, counts.unviable];
            let mut row = vec![one.name.clone()];
            row.extend(numbers.iter().chain(&survived).map(ToString::to_string));
            row.push(format!("{:.1} %", 100.0 * killed));
            row.push(format!("{:.1} %", 100.0 * equivalent));
            row.push(format!("{:.0}", one.seconds));
            table.add_row(row);
        }
        println!("\n{table}");
        if let Some(seed) = self.seed {
            println!("seed {seed}; the same as JSON: target/mutants/report.json");
        }
        let wrong: Vec<String> = self.crates.iter().flat_map(Crate::wrong).collect();
        for line in &wrong {
            println!("{line}");
        }
        if wrong.is_empty() { Ok(()) } else { Err(format!("{} findings", wrong.len())) }
    }
}

impl Crate {
    /// The failures, one line each.
    fn wrong(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        for row in &self.rows {
            match (&row.fate, row.listed) {
                (Fate::Survived(tests), None) => {
                    wrong.push(format!("survives {tests} tests: {}", row.text()));
                }
                (Fate::Killed(test) | Fate::Timeout(test), Some(_)) => {
                    wrong.push(format!("listed, but killed by {test}: {}", row.text()));
                }
                (Fate::Unviable, Some(_)) => {
                    wrong.push(format!("listed, but does not compile: {}", row.text()));
                }
                _ => {}
            }
        }
        wrong.extend(self.stale.iter().map(|entry| format!("{}: listed: {entry}", self.name)));
        let counts = Counts::of(&self.rows);
        let (killed, equivalent) = counts.shares();
        if self.sampled && counts.viable() >= ENOUGH {
            if killed < KILLED {
                wrong.push(format!("{}: {:.1} % killed, less than 95", self.name, 100.0 * killed));
            }
            if equivalent > EQUIVALENT {
                let share = 100.0 * equivalent;
                wrong.push(format!("{}: {share:.1} % equivalent, more than 10", self.name));
            }
        }
        wrong
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(fate: Fate, listed: Option<Kind>) -> Row {
        Row {
            file: "a.rs".to_owned(),
            line: 1,
            function: "f".to_owned(),
            change: "returns 1".to_owned(),
            fate,
            listed,
            constant: false,
        }
    }

    fn one(rows: Vec<Row>) -> Crate {
        let (name, stale) = ("x".to_owned(), Vec::new());
        Crate { name, all: rows.len(), seconds: 0.0, rows, stale, sampled: true }
    }

    #[test]
    fn a_survivor_has_to_be_listed_and_a_listed_one_has_to_survive() {
        let killed = || Fate::Killed("t".to_owned());
        assert!(one(vec![row(killed(), None)]).wrong().is_empty());
        assert!(one(vec![row(Fate::Survived(2), Some(Kind::Known))]).wrong().is_empty());
        assert!(one(vec![row(Fate::Unviable, None)]).wrong().is_empty());
        assert_eq!(one(vec![row(Fate::Survived(2), None)]).wrong().len(), 1);
        assert_eq!(one(vec![row(killed(), Some(Kind::Equivalent))]).wrong().len(), 1);
        assert_eq!(one(vec![row(Fate::Unviable, Some(Kind::Known))]).wrong().len(), 1);
    }

    #[test]
    fn a_sample_is_held_to_the_bars() {
        let rows = |killed, known, equivalent| {
            let mut rows = vec![row(Fate::Killed("t".to_owned()), None); killed];
            rows.extend(vec![row(Fate::Survived(1), Some(Kind::Known)); known]);
            rows.extend(vec![row(Fate::Survived(1), Some(Kind::Equivalent)); equivalent]);
            one(rows)
        };
        assert!(rows(95, 5, 0).wrong().is_empty());
        assert_eq!(rows(94, 6, 0).wrong().len(), 1);
        assert!(rows(90, 0, 10).wrong().is_empty());
        assert_eq!(rows(89, 0, 11).wrong().len(), 1);
        assert!(rows(9, 6, 0).wrong().is_empty(), "too few to say");
    }
}
