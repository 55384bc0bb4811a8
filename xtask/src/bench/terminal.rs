//! Tables on the terminal: one of all methods, or one per question and group of scenes.

use std::ops::RangeBounds;

use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{Attribute, Cell, CellAlignment, Color, ContentArrangement, Table};

use impinge_records::streams::Streams;

use super::ratios::{Aspect, Matrix};
use super::record::{
    BASELINE, DEFORMING, GROUPS, Measurement, QUESTIONS, Results, Sampling, query_ratio,
    update_words, with_update_ns, wrong_words,
};
use super::streams::{self, Requirement};
use crate::numbers::{count, digits, grouped, ratio, time};

/// Most lines of the table of all methods; three more name the files.
const LINES: usize = 27;

/// The table of all methods; the tables of every scene if `all`, or if there is no baseline to
/// compare with.
pub(super) fn text(results: &Results, all: bool) -> String {
    let compared = results.measurements.iter().any(|row| row.method == BASELINE);
    let tables = if all || !compared { every_scene(results) } else { every_method(results) };
    tables + &results.streams.as_ref().map_or_else(String::new, |found| streams(results, found))
}

/// The times of streams, and a line for each requirement.
fn streams(results: &Results, found: &Streams) -> String {
    let mut times = right_aligned(&streams::HEADS, 2..);
    times.add_rows(streams::lines(found));
    let mut required = right_aligned(&["required", "needed", "measured", "verdict"], 1..3);
    for Requirement { what, needed, measured, verdict } in streams::requirements(results, found) {
        required.add_row([what, &needed, &measured, verdict]);
    }
    format!("\nStreams: {}\n{times}\n{required}\n", streams::conditions(found))
}

/// A table with bold heads, some of whose columns are numbers.
fn right_aligned(heads: &[&str], numbers: impl RangeBounds<usize>) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(heads.iter().map(|head| Cell::new(head).add_attribute(Attribute::Bold)));
    for (_, column) in table.column_iter_mut().enumerate().filter(|(n, _)| numbers.contains(n)) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// One line per method, the fastest first: means of the ratios to the baseline, each with the
/// number of scenes that it is over, and the number of wrong answers.
fn every_method(results: &Results) -> String {
    let aspects: Vec<(Aspect, &str)> =
        Aspect::all().into_iter().filter(|(aspect, _)| *aspect != Aspect::Memory).collect();
    let matrices: Vec<Matrix<'_>> =
        aspects.iter().map(|(aspect, _)| Matrix::new(results, *aspect, |_| true)).collect();
    let order = matrices.first().map_or(&[][..], |first| &first.rows);
    let mut words: Vec<&str> = order.iter().map(|row| row.method.word.as_str()).collect();
    for row in matrices.iter().flat_map(|matrix| &matrix.rows) {
        if !words.contains(&row.method.word.as_str()) {
            words.push(&row.method.word);
        }
    }
    let line = |word: &&str| {
        let cell = |matrix: &Matrix<'_>| {
            let row = matrix.rows.iter().find(|row| row.method.word == *word);
            row.and_then(|row| Some(format!("{} ({:>2})", ratio(row.mean?), row.over)))
        };
        let cells = matrices.iter().map(|matrix| cell(matrix).unwrap_or_else(|| "–".to_owned()));
        let own = results.measurements.iter().filter(|m| m.method == *word);
        let wrong = grouped(own.map(|m| m.all.wrong()).sum());
        columns(word, cells.collect(), &wrong)
    };
    // Two lines of heads, and two below.
    let room = LINES - 4;
    let heads = aspects.iter().map(|(_, title)| (*title).to_owned()).collect();
    let mut lines = vec![
        format!("times relative to {BASELINE}, geometric mean (over scenes that both finished)"),
        columns("method", heads, "wrong"),
    ];
    lines.extend(words.iter().take(room).map(line));
    if words.len() > room {
        lines.push(format!("{} more methods with --all", words.len() - room));
    }
    lines.push("where meshes deform, with the update; every scene: --all --report-only".to_owned());
    lines.join("\n") + "\n"
}

/// A line of the table of all methods.
fn columns(word: &str, cells: Vec<String>, wrong: &str) -> String {
    let cells: Vec<String> = cells.into_iter().map(|cell| format!("{cell:>14}")).collect();
    format!("{word:<13.13}{}{wrong:>11}", cells.concat())
}

fn every_scene(results: &Results) -> String {
    let mut parts = Vec::new();
    for (question, asked) in QUESTIONS {
        for (group, title) in GROUPS {
            if let Some(table) = table(results, group, question) {
                parts.push(format!("\n{asked} · {title}\n{table}\n"));
            }
        }
    }
    let sampled = sampled(results);
    if !sampled.is_empty() {
        parts.push(format!("\n{}\n", sampled.join("\n")));
    }
    parts.concat()
}

/// One line per method with a sampled form: the share of wrong answers of each.
fn sampled(results: &Results) -> Vec<String> {
    let share = |s: &&Sampling| format!("{} {} %", s.form, digits(s.wrong_percent()));
    let line = |(word, list): &(&str, Vec<&Sampling>)| {
        let shares: Vec<String> = list.iter().map(share).collect();
        format!("{word}, sampled: wrong answers: {}", shares.join(" · "))
    };
    results.sampled().iter().map(line).collect()
}

fn table(results: &Results, group: &str, question: &str) -> Option<Table> {
    let base = format!("× {BASELINE}");
    let mut heads = vec![
        "scene",
        "method",
        "median",
        "p99",
        &base,
        "wrong",
        "N_v",
        "N_p",
        "ns/test",
        "build",
        "bytes/tri",
    ];
    if group == DEFORMING {
        heads.extend(["update", "with update"]);
    }
    let mut table = right_aligned(&heads, 2..);
    for scene in results.scenes.iter().filter(|scene| scene.group == group) {
        let rows: Vec<&Measurement> = results.of(&scene.scene, question).collect();
        let base = rows.iter().copied().find(|row| row.method == BASELINE);
        for (number, row) in rows.iter().enumerate() {
            let title = if number == 0 { scene.scene.as_str() } else { "" };
            let mut cells = cells(results, title, row, base);
            if group == DEFORMING {
                let unknown = || "–".to_owned();
                cells.push(Cell::new(update_words(row).unwrap_or_else(unknown)));
                cells.push(Cell::new(with_update_ns(row).map_or_else(unknown, time)));
            }
            table.add_row(cells);
        }
    }
    (table.row_count() > 0).then_some(table)
}

fn cells(
    results: &Results,
    scene: &str,
    row: &Measurement,
    base: Option<&Measurement>,
) -> Vec<Cell> {
    let all = &row.all;
    let partial =
        if all.steps < all.of { format!(" ({}/{})", all.steps, all.of) } else { String::new() };
    let wrong = all.wrong();
    let wrong_cell = Cell::new(match wrong {
        0 => "0".to_owned(),
        _ if all.errors > 0 => format!("{} errors", all.errors),
        _ => wrong_words(all),
    });
    let wrong_cell = match (wrong, results.kind(&row.method)) {
        (0, _) => wrong_cell.fg(Color::Green),
        (_, "exact") => wrong_cell.fg(Color::Red).add_attribute(Attribute::Bold),
        _ => wrong_cell.fg(Color::Yellow),
    };
    let preparation = &row.preparation;
    vec![
        Cell::new(scene).add_attribute(Attribute::Bold),
        Cell::new(&row.method),
        Cell::new(format!("{}{partial}", time(all.median_ns))),
        Cell::new(time(all.p99_ns)),
        // Medians over different steps are not comparable.
        Cell::new(match base.and_then(|base| query_ratio(row, base)) {
            Some(over) if all.steps == all.of => ratio(over),
            _ => "–".to_owned(),
        }),
        wrong_cell,
        Cell::new(count(all.volume_tests)),
        Cell::new(count(all.primitive_tests)),
        Cell::new(all.ns_per_volume_test.map_or_else(|| "–".to_owned(), digits)),
        Cell::new(time(preparation.seconds * 1e9)),
        Cell::new(digits(preparation.bytes_per_triangle)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns of a small terminal.
    const COLUMNS: usize = 80;

    #[test]
    fn all_methods_fit_a_small_terminal_and_every_scene_is_told_on_request() {
        let mut sample = Results::parse(include_str!("report/sample.jsonl")).expect("a whole file");
        let short = text(&sample, false);
        let row = short.lines().find(|line| line.starts_with("wide ")).expect("it is measured");
        assert!(row.contains("× ( 4)") && row.ends_with(" 0"), "{short}");
        assert!(short.find("wide ") < short.find("obbtree  "), "the fastest comes first:\n{short}");
        let mut alone = sample.clone();
        alone.measurements.retain(|row| row.method == "wide");
        assert!(text(&alone, false).contains("walk"), "there is nothing to compare with");
        let scenes = sample.scenes.clone();
        let long = text(&sample, true);
        assert!(scenes.iter().all(|scene| long.contains(&scene.scene)));
        assert!(!short.contains("walk") && long.contains("sampled: wrong answers"));
        for k in 0..40 {
            let mut method = sample.run.methods[0].clone();
            method.word = format!("sphere-aabb-{k}-far");
            for row in sample.measurements.clone().iter_mut().filter(|m| m.method == "wide") {
                row.method.clone_from(&method.word);
                row.all.median_ns *= 12345.0;
                row.all.extra_pairs = 18_422;
                sample.measurements.push(row.clone());
            }
            sample.run.methods.push(method);
        }
        let short = text(&sample, false);
        assert!(short.lines().count() <= LINES, "{short}");
        assert!(short.lines().all(|line| line.chars().count() <= COLUMNS), "{short}");
        assert!(short.contains("more methods with --all"), "{short}");
    }

    #[test]
    fn streams_have_a_line_for_each_requirement() {
        let (mut results, streams) = streams::tests::on_hardware();
        results.streams = Some(streams);
        let told = text(&results, false);
        for part in ["Sample adapter", "does not hold", "≥ 50.0 %", "stream-pairs", "33"] {
            assert!(told.contains(part), "{part}: {told}");
        }
        results.streams = None;
        assert!(!text(&results, true).contains("required"));
    }

    #[test]
    fn sampled_forms_have_a_line() {
        let sample = Results::parse(include_str!("report/sample.jsonl")).expect("a whole file");
        let lines = sampled(&sample);
        assert_eq!(lines.len(), 1);
        assert!(
            lines[0].starts_with("ibcd, sampled") && lines[0].contains("8 pixels 5.00 %"),
            "{lines:?}"
        );
    }
}
