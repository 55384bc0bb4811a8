//! Broad phases on moving boxes: tables of their times, how they grow, and the bars.

use std::fmt::Write;

use comfy_table::{Cell, CellAlignment, Table};
use impinge_records::broad::{Boxes, BoxesRow};

use super::bars::{Found, Workload};
use super::record::Results;
use super::tables::{align, table, verdict};
use crate::numbers::{digits, grouped, median, ratio, time};

/// The forms of the default that have bars.
const AVX512: &str = "box-tree-avx512";
const AVX2: &str = "box-tree-avx2";
/// How the names of parry3d's and FCL's broad phases begin.
const PARRY: &str = "parry";
const FCL: &str = "fcl";

/// Numbers of boxes between which growth is measured, and the largest exponent allowed.
const GROWTH: [usize; 2] = [10_000, 100_000];
const EXPONENT: f64 = 1.15;

/// What must reach the required ratio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Over {
    /// The median over scenes.
    Median,
    /// Every scene.
    Every,
}

/// A required ratio of a form of the default to the fastest of others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bar {
    title: &'static str,
    /// The compared library, for tables.
    against: &'static str,
    /// The form of the default.
    ours: &'static str,
    /// How the names of the others begin; the fastest of them on each scene counts.
    theirs: &'static [&'static str],
    needs: f64,
    over: Over,
}

const fn middle(
    title: &'static str,
    against: &'static str,
    ours: &'static str,
    theirs: &'static [&'static str],
    needs: f64,
) -> Bar {
    Bar { title, against, ours, theirs, needs, over: Over::Median }
}

const fn every(title: &'static str, ours: &'static str) -> Bar {
    let against = "any of them";
    Bar { title, against, ours, theirs: &[PARRY, FCL], needs: 1.2, over: Over::Every }
}

/// All bars, in the order of the table.
pub(super) const BARS: [Bar; 6] = [
    middle("median of scenes, AVX-512", "parry3d's tree", AVX512, &[PARRY], 2.5),
    middle("median of scenes, AVX-512", "FCL's managers", AVX512, &[FCL], 8.0),
    middle("median of scenes, AVX2", "parry3d's tree", AVX2, &[PARRY], 1.6),
    middle("median of scenes, AVX2", "FCL's managers", AVX2, &[FCL], 5.0),
    every("every scene, AVX-512", AVX512),
    every("every scene, AVX2", AVX2),
];

impl Bar {
    /// Compares on each scene with the fastest of the others.
    fn find(&self, results: &Results) -> Found {
        let mut found = Found::default();
        for boxes in &results.boxes {
            let is_theirs = |row: &&BoxesRow| {
                self.theirs.iter().any(|name| row.peer.starts_with(name)) && row.steps > 0
            };
            let Some(ours) = measured(boxes, self.ours) else {
                found.left_out += 1;
                continue;
            };
            // Of both measures the one that favours the others, and the fastest of them by it.
            let by = |key: fn(&BoxesRow) -> f64| {
                let theirs = boxes.rows.iter().filter(is_theirs);
                theirs
                    .map(move |row| (key(row) / key(ours), row))
                    .min_by(|x, y| x.0.total_cmp(&y.0))
            };
            let [middle, tenth] = [by(|row| row.median_us), by(|row| row.tenth_us)];
            let Some((ratio, best)) =
                middle.into_iter().chain(tenth).min_by(|x, y| x.0.total_cmp(&y.0))
            else {
                found.left_out += 1;
                continue;
            };
            found.workloads.push(Workload {
                ratio,
                peer: best.peer.clone(),
                scene: boxes.scene.clone(),
                ..Workload::default()
            });
        }
        found.workloads.sort_by(|x, y| x.ratio.total_cmp(&y.ratio));
        found
    }

    /// Whether it is reached; `None` if nothing was compared.
    pub(super) fn is_met(&self, results: &Results) -> Option<bool> {
        let found = self.find(results);
        match self.over {
            Over::Median => Some(middle_of(&found)? >= self.needs),
            Over::Every => found.is_met(self.needs),
        }
    }

    /// The compared libraries, and which of several did not take part.
    fn whom(&self, results: &Results) -> String {
        let absent = results.run.absent.iter().map(|absent| absent.word.as_str());
        let absent: Vec<&str> = absent.filter(|word| self.theirs.contains(word)).collect();
        if absent.is_empty() || self.theirs.len() == 1 {
            return self.against.to_owned();
        }
        format!("{} but {}", self.against, absent.join(", "))
    }
}

fn middle_of(found: &Found) -> Option<f64> {
    median(found.workloads.iter().map(|work| work.ratio).collect())
}

/// The times of a contender that was measured.
fn measured<'b>(boxes: &'b Boxes, peer: &str) -> Option<&'b BoxesRow> {
    boxes.rows.iter().find(|row| row.peer == peer && row.steps > 0)
}

/// Whether each form of the default with a bar grows slowly enough; `None` if it was not measured in
/// both numbers.
pub(super) fn growth_bars(results: &Results) -> [Option<bool>; 2] {
    [AVX512, AVX2].map(|word| grows_slowly(&exponents(results, word)))
}

fn grows_slowly(found: &[(&str, f64)]) -> Option<bool> {
    (!found.is_empty()).then(|| found.iter().all(|(_, exponent)| *exponent <= EXPONENT))
}

/// All tables, the bars last.
pub(super) fn text(results: &Results) -> String {
    let mut text = String::new();
    for boxes in &results.boxes {
        let _ = writeln!(text, "\n{}\n{}", scene_head(boxes), times(boxes));
    }
    if let Some(table) = growth(results) {
        let [from, to] = GROWTH.map(|n| grouped(n as u64));
        let _ = writeln!(text, "\nExponent of the time from {from} to {to} boxes\n{table}");
    }
    let _ = write!(text, "\nThe bars of broad phases\n{}", bars(results));
    text
}

fn scene_head(boxes: &Boxes) -> String {
    let Boxes { scene, about, objects, steps, pairs, .. } = boxes;
    let [objects, pairs] = [*objects as u64, pairs.round() as u64].map(grouped);
    format!("## {scene}: {objects} boxes, {about}; {steps} steps, {pairs} pairs in the mean")
}

/// One row per contender, with the ratio of its median to that of the first.
fn times(boxes: &Boxes) -> Table {
    let head = ["taking in boxes and listing pairs", "tenth", "median", "mean", "longest", "ratio"];
    let mut table = table(head.map(str::to_owned));
    let first = boxes.rows.first().map_or(f64::NAN, |row| row.median_us);
    for row in &boxes.rows {
        let us = |us: f64| if row.steps > 0 { time(1e3 * us) } else { "–".to_owned() };
        let mut name = row.peer.clone();
        if row.steps < boxes.steps {
            let _ = write!(name, " ({} of {} steps)", row.steps, boxes.steps);
        }
        let [tenth, middle, mean, most] =
            [row.tenth_us, row.median_us, row.mean_us, row.max_us].map(us);
        let compared = if row.steps > 0 { row.median_us / first } else { f64::NAN };
        table.add_row([name, tenth, middle, mean, most, ratio(compared)]);
    }
    align(&mut table, 1);
    table
}

/// The exponents of a contender in the first steps, for each kind of boxes that was measured in both numbers.
fn exponents<'r>(results: &'r Results, peer: &str) -> Vec<(&'r str, f64)> {
    let [from, to] = GROWTH;
    let small = results.boxes.iter().filter(|boxes| boxes.objects == from);
    let found = small.filter_map(|small| {
        let mut all = results.boxes.iter();
        let large = all.find(|large| large.kind == small.kind && large.objects == to)?;
        let growth = measured(large, peer)?.first_us? / measured(small, peer)?.first_us?;
        Some((small.kind.as_str(), growth.ln() / (to as f64 / from as f64).ln()))
    });
    found.collect()
}

/// One row per contender that was measured in both numbers, with a column per kind; `None` if there
/// is no such contender.
fn growth(results: &Results) -> Option<Table> {
    let all = results.run.broad.iter().map(|peer| peer.word.as_str());
    let all: Vec<(&str, Vec<(&str, f64)>)> = all
        .map(|word| (word, exponents(results, word)))
        .filter(|(_, found)| !found.is_empty())
        .collect();
    let kinds: Vec<&str> =
        all.iter().max_by_key(|one| one.1.len())?.1.iter().map(|k| k.0).collect();
    let needed = format!("at most {EXPONENT}");
    let head = std::iter::once("").chain(kinds.iter().copied()).chain([needed.as_str()]);
    let mut table = table(head.map(str::to_owned));
    for (word, found) in &all {
        let cell = |kind: &&str| {
            let exponent = found.iter().find(|(other, _)| other == kind);
            Cell::new(exponent.map_or_else(|| "–".to_owned(), |(_, exponent)| digits(*exponent)))
        };
        let has_bar = [AVX512, AVX2].contains(word);
        let last = if has_bar { verdict(grows_slowly(found)) } else { Cell::new("") };
        table.add_row(std::iter::once(Cell::new(word)).chain(kinds.iter().map(cell)).chain([last]));
    }
    align(&mut table, 1);
    Some(table)
}

/// One row per bar, with its worst scene.
fn bars(results: &Results) -> Table {
    let head = ["bar", "against", "needed", "least", "median", "reach it", "worst scene", ""];
    let mut table = table(head.map(str::to_owned));
    for bar in BARS {
        let found = bar.find(results);
        let none = || "–".to_owned();
        let worst = found.workloads.first();
        let left_out = match (found.left_out, worst) {
            (0, _) | (_, None) => String::new(),
            (n, Some(_)) => format!(" ({n} compare with nothing)"),
        };
        let scene = worst.map_or_else(none, |work| format!("{}: {}", work.scene, work.peer));
        table.add_row([
            Cell::new(bar.title),
            Cell::new(bar.whom(results)),
            Cell::new(ratio(bar.needs)),
            Cell::new(worst.map_or_else(none, |work| ratio(work.ratio))),
            Cell::new(middle_of(&found).map_or_else(none, ratio)),
            Cell::new(format!("{} of {}", found.reach(bar.needs), found.workloads.len())),
            Cell::new(scene + &left_out),
            verdict(bar.is_met(results)),
        ]);
    }
    align(&mut table, 2);
    for column in table.column_iter_mut().skip(6) {
        column.set_cell_alignment(CellAlignment::Left);
    }
    table
}

#[cfg(test)]
#[path = "broad_tests.rs"]
mod tests;
