//! Tables of a run on the terminal: times and ratios, preparation, wrong answers, and the bars; then
//! those of [`broad`] phases and of [`motion`].

use std::fmt::Write;

use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{Cell, CellAlignment, Color, Table};

use super::bars::{BARS, Bar, Found, Workload};
use super::record::{Measurement, QUESTIONS, REFERENCE, Results, Scene, median_ns};
use super::{broad, motion};
use crate::numbers::{date, digits, grouped, ratio, time};

/// Prints all tables, the bars last.
pub(super) fn print(results: &Results) {
    println!("{}", head(results));
    if !results.scenes.is_empty() {
        print_meshes(results);
    }
    if !results.boxes.is_empty() {
        println!("{}", broad::text(results));
    }
    print!("{}", motion::text(results));
    println!("{}", foot(results));
}

/// Prints the tables of scenes of two meshes.
fn print_meshes(results: &Results) {
    for scene in &results.scenes {
        println!("\n{}", scene_head(scene));
        for (question, said) in QUESTIONS {
            if let Some(table) = times(results, scene, question, said) {
                println!("{table}");
            }
        }
        for line in reasons(results, scene) {
            println!("{line}");
        }
    }
    println!("\nMaking ready: time, bytes a triangle with the mesh\n{}", preparations(results));
    println!("\nWrong answers, all scenes\n{}", faults(results));
    println!("\nThe bars: the least of all workloads counts\n{}", bars(results));
}

/// The heading: machine, settings and contenders.
fn head(results: &Results) -> String {
    let run = &results.run;
    let mut text = format!(
        "{}\n{}, {} cores ({}), {}\n",
        date(run.host.started_unix_s),
        run.host.cpu,
        run.host.cores,
        run.host.extensions.join(" "),
        run.host.system,
    );
    let or = |value: &Option<String>| value.clone().unwrap_or_else(|| "unknown".to_owned());
    let load = run.host.load.map_or_else(|| "unknown".to_owned(), |load| format!("{load:.2}"));
    let _ = writeln!(
        text,
        "load before the run {load}; models built on {} thread(s); {}, commit {}",
        run.threads.as_deref().unwrap_or("all"),
        or(&run.host.rustc),
        or(&run.host.commit),
    );
    let extent = if run.quick { "quick" } else { "full" };
    if !results.scenes.is_empty() {
        let (seed, repeats, budget) = (run.seed, run.repeats, run.budget_s);
        let _ = writeln!(
            text,
            "{extent} run, seed {seed}: the least of up to {repeats} repetitions a pose, the median over \
             poses; {budget} s a question"
        );
    }
    if !results.boxes.is_empty() {
        let _ = writeln!(text, "{extent} run of moving boxes: all in turn at each step");
    }
    for peer in run.peers.iter().filter(|_| !results.scenes.is_empty()) {
        let _ = writeln!(text, "  {:<13}{}", peer.word, peer.title);
    }
    for phase in &run.broad {
        let _ = writeln!(text, "  {:<19}{}", phase.word, phase.title);
    }
    for absent in &run.absent {
        let _ = writeln!(text, "  {:<13}not here: {}", absent.word, absent.why);
    }
    if run.host.debug {
        let _ = writeln!(text, "This was a debug build: times mean nothing.");
    }
    text.truncate(text.trim_end().len());
    text
}

fn scene_head(scene: &Scene) -> String {
    let mesh = |mesh: &super::record::MeshInfo| {
        format!(
            "{} has {} triangles and is {} long",
            mesh.name,
            grouped(mesh.triangles as u64),
            length(mesh.diagonal)
        )
    };
    let meshes: Vec<String> = scene.meshes.iter().map(mesh).collect();
    let copies = if scene.meshes.len() == 1 { "two copies; " } else { "" };
    let mut text = format!(
        "## {}: {copies}{}; {} poses a target, judged by {}",
        scene.scene,
        meshes.join(", "),
        scene.poses,
        scene.judge
    );
    for note in &scene.notes {
        let _ = write!(text, "\n   {note}");
    }
    text
}

/// A length with three significant digits, of any magnitude.
fn length(value: f64) -> String {
    if (0.01..1e5).contains(&value) { digits(value) } else { format!("{value:.2e}") }
}

pub(super) fn table(columns: impl IntoIterator<Item = String>) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED);
    table.set_header(columns);
    table
}

/// One row per target, one column per contender with its ratio. `None` if the question was not
/// asked.
fn times(results: &Results, scene: &Scene, question: &str, said: &str) -> Option<Table> {
    let targets = results.targets(&scene.scene, question);
    let of = |target: &str, peer: &str| results.of(&scene.scene, question, target, peer);
    let first = targets.first()?;
    let words: Vec<&str> = (results.run.peers.iter().map(|peer| peer.word.as_str()))
        .filter(|word| of(first, word).is_some())
        .collect();
    let head = std::iter::once(said.to_owned()).chain(words.iter().map(|&word| word.to_owned()));
    let mut table = table(head);
    for target in targets {
        let cell =
            |word: &&str| of(target, word).map_or_else(String::new, |row| entry(results, row));
        table.add_row(std::iter::once(target.to_owned()).chain(words.iter().map(cell)));
    }
    align(&mut table, 1);
    Some(table)
}

pub(super) fn align(table: &mut Table, from: usize) {
    for column in table.column_iter_mut().skip(from) {
        column.set_cell_alignment(CellAlignment::Right);
    }
}

/// The distinct error messages, and reasons why contenders were not asked.
fn reasons(results: &Results, scene: &Scene) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for row in results.measurements.iter().filter(|row| row.scene == scene.scene) {
        if let Some(why) = &row.why {
            let line = format!("{}, {}: {why}", row.peer, said(&row.question));
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    lines
}

/// `51.9 µs  10.1×`, with marks of its faults.
fn entry(results: &Results, row: &Measurement) -> String {
    let Some(median) = median_ns(row) else { return "–".to_owned() };
    let mut text = String::new();
    if row.times_ns.len() < row.of {
        let _ = write!(text, "({} of {}) ", row.times_ns.len(), row.of);
    }
    if !row.wrong_poses.is_empty() {
        let _ = write!(text, "({} wrong) ", row.wrong_poses.len());
    }
    text.push_str(&time(median));
    if row.peer != REFERENCE {
        let found = results.ratio(row).map_or_else(|| "–".to_owned(), ratio);
        let _ = write!(text, " {found:>6}");
    }
    text
}

/// The preparation times: one row per scene, one column per contender.
fn preparations(results: &Results) -> Table {
    let words: Vec<&str> = results.run.peers.iter().map(|peer| peer.word.as_str()).collect();
    let head = std::iter::once("scene").chain(words.iter().copied()).map(str::to_owned);
    let mut table = table(head);
    for scene in &results.scenes {
        let cell = |word: &&str| {
            let mut all = results.preparations.iter();
            let Some(row) = all.find(|row| row.scene == scene.scene && row.peer == **word) else {
                return "refused".to_owned();
            };
            let more = row.distance_build_ns.map(|ns| format!(" + {}", time(ns)));
            let bytes = row.bytes_per_triangle.map_or_else(|| "–".to_owned(), digits);
            format!("{}{}, {bytes} B", time(row.build_ns), more.unwrap_or_default())
        };
        table.add_row(std::iter::once(scene.scene.clone()).chain(words.iter().map(cell)));
    }
    align(&mut table, 1);
    table
}

/// Wrong answers of one contender, question and target, summed over scenes.
#[derive(Clone, Debug, Default)]
struct Faults {
    is_wrong: bool,
    judged: usize,
    verdicts: [usize; 2],
    errors: usize,
    pairs: [u64; 3],
    deviation: Option<f64>,
}

impl Faults {
    fn of(row: &Measurement) -> Self {
        Self {
            is_wrong: row.wrong() > 0,
            judged: row.judged(),
            verdicts: [row.false_hits, row.missed_hits],
            errors: row.errors,
            pairs: [row.pairs, row.extra_pairs, row.missing_pairs],
            deviation: row.distance_deviation,
        }
    }

    fn merge(&mut self, other: &Self) {
        self.is_wrong |= other.is_wrong;
        self.judged += other.judged;
        self.errors += other.errors;
        self.verdicts.iter_mut().zip(other.verdicts).for_each(|(sum, more)| *sum += more);
        self.pairs.iter_mut().zip(other.pairs).for_each(|(sum, more)| *sum += more);
        let both = [self.deviation, other.deviation];
        self.deviation = both.into_iter().flatten().reduce(f64::max);
    }
}

/// One row per contender, question and target with faults, and one per contender for the rest.
fn faults(results: &Results) -> Table {
    let head = [
        "who",
        "question",
        "target",
        "queries",
        "false hits",
        "missed hits",
        "pairs told",
        "untrue",
        "not told",
        "errors",
        "distance off by",
    ];
    let mut table = table(head.map(str::to_owned));
    for peer in &results.run.peers {
        let mut rest = Faults::default();
        let mut others = 0;
        for (question, target, faults) in faults_of(results, &peer.word) {
            if faults.is_wrong {
                table.add_row(fault_cells(&peer.word, said(question), target, &faults));
                others += 1;
            } else {
                rest.merge(&faults);
            }
        }
        let rest_of = if others == 0 { "all" } else { "all others" };
        table.add_row(fault_cells(&peer.word, rest_of, "", &rest));
    }
    align(&mut table, 3);
    table
}

/// The faults per question and target, in the order of records.
fn faults_of<'r>(results: &'r Results, peer: &str) -> Vec<(&'r str, &'r str, Faults)> {
    let mut groups: Vec<(&str, &str, Faults)> = Vec::new();
    for row in results.measurements.iter().filter(|row| row.peer == peer) {
        let faults = Faults::of(row);
        let mut known = groups.iter_mut();
        match known.find(|group| group.0 == row.question && group.1 == row.target) {
            Some(group) => group.2.merge(&faults),
            None => groups.push((&row.question, &row.target, faults)),
        }
    }
    groups
}

fn said(question: &str) -> &str {
    QUESTIONS.iter().find(|(word, _)| *word == question).map_or(question, |(_, said)| said)
}

fn fault_cells(who: &str, question: &str, target: &str, faults: &Faults) -> Vec<Cell> {
    let count = |n: usize| grouped(n as u64);
    let off = match faults.deviation {
        None => "–".to_owned(),
        Some(off) if off > 1e300 => "not a number".to_owned(),
        Some(0.0) => "0".to_owned(),
        Some(off) => format!("{off:.0e}"),
    };
    let text = [
        who.to_owned(),
        question.to_owned(),
        target.to_owned(),
        count(faults.judged),
        count(faults.verdicts[0]),
        count(faults.verdicts[1]),
        grouped(faults.pairs[0]),
        grouped(faults.pairs[1]),
        grouped(faults.pairs[2]),
        count(faults.errors),
        off,
    ];
    text.into_iter().map(Cell::new).collect()
}

/// One row per bar, with its worst workload.
fn bars(results: &Results) -> Table {
    let head = ["bar", "against", "needed", "least", "middle", "reach it", "worst workload", ""];
    let mut table = table(head.map(str::to_owned));
    for bar in BARS {
        table.add_row(bar_cells(results, &bar, &bar.find(results)));
    }
    align(&mut table, 2);
    for column in table.column_iter_mut().skip(6) {
        column.set_cell_alignment(CellAlignment::Left);
    }
    table
}

fn bar_cells(results: &Results, bar: &Bar, found: &Found) -> Vec<Cell> {
    let none = || "–".to_owned();
    let worst = found.workloads.first();
    let left_out = match found.left_out {
        0 => String::new(),
        n => format!(" ({n} compare with nothing)"),
    };
    vec![
        Cell::new(bar.title),
        Cell::new(bar.whom(results)),
        Cell::new(ratio(bar.needs)),
        Cell::new(worst.map_or_else(none, |work| ratio(work.ratio))),
        Cell::new(found.middle().map_or_else(none, ratio)),
        Cell::new(format!("{} of {}", found.reach(bar.needs), found.workloads.len())),
        Cell::new(worst.map_or_else(none, |work| where_it_was(bar, work) + &left_out)),
        verdict(found.is_met(bar.needs)),
    ]
}

/// Whether a bar is met; `None` if nothing was compared.
pub(super) fn verdict(met: Option<bool>) -> Cell {
    match met {
        None => Cell::new("not measured"),
        Some(true) => Cell::new("met").fg(Color::Green),
        Some(false) => Cell::new("missed").fg(Color::Red),
    }
}

fn where_it_was(bar: &Bar, work: &Workload) -> String {
    let question = if bar.is_of_one_question() { "" } else { said(&work.question) };
    let comma = if question.is_empty() { "" } else { ", " };
    format!("{}, {question}{comma}{}: {}", work.scene, work.target, work.peer)
}

/// The bars of what was measured, and the time of the run.
fn foot(results: &Results) -> String {
    let mut met: Vec<Option<bool>> = Vec::new();
    if !results.scenes.is_empty() {
        met.extend(BARS.iter().map(|bar| bar.find(results).is_met(bar.needs)));
    }
    if !results.boxes.is_empty() {
        met.extend(broad::BARS.iter().map(|bar| bar.is_met(results)));
        met.extend(broad::growth_bars(results));
    }
    let reached = met.iter().filter(|met| **met == Some(true)).count();
    format!("{reached} of {} bars met; the run took {:.0} s", met.len(), results.end.seconds)
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
