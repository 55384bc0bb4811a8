//! Tables on the terminal: per question and group of scenes, one row per scene and method.

use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{Attribute, Cell, CellAlignment, Color, ContentArrangement, Table};

use super::record::{
    BASELINE, DEFORMING, GROUPS, Measurement, QUESTIONS, Results, Sampling, update_words,
    with_update_ns,
};
use crate::numbers::{count, digits, grouped, ratio, time};

/// Prints every table that has rows.
pub(super) fn print(results: &Results) {
    for (question, asked) in QUESTIONS {
        for (group, title) in GROUPS {
            if let Some(table) = table(results, group, question) {
                println!("\n{asked} · {title}\n{table}");
            }
        }
    }
    for (number, line) in sampled(results).iter().enumerate() {
        println!("{}{line}", if number == 0 { "\n" } else { "" });
    }
}

/// One line per method with a sampled form: its share of wrong answers at each resolution.
fn sampled(results: &Results) -> Vec<String> {
    let share = |s: &&Sampling| format!("{} {} %", s.resolution, digits(s.wrong_percent()));
    let line = |(word, list): &(&str, Vec<&Sampling>)| {
        let shares: Vec<String> = list.iter().map(share).collect();
        format!("{word}, sampled: wrong answers by pixels a side: {}", shares.join(" · "))
    };
    results.sampled().iter().map(line).collect()
}

fn table(results: &Results, group: &str, question: &str) -> Option<Table> {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    let mut head = vec![
        "scene",
        "method",
        "median",
        "p99",
        BASELINE,
        "wrong",
        "N_v",
        "N_p",
        "ns/test",
        "build",
        "bytes/tri",
    ];
    if group == DEFORMING {
        head.extend(["update", "with update"]);
    }
    let name = |word: &str| {
        let text = if word == BASELINE { format!("× {BASELINE}") } else { word.to_owned() };
        Cell::new(text).add_attribute(Attribute::Bold)
    };
    table.set_header(head.iter().map(|word| name(word)));
    for column in 2..head.len() {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for scene in results.scenes.iter().filter(|scene| scene.group == group) {
        let rows: Vec<&Measurement> = results.of(&scene.scene, question).collect();
        let base = rows.iter().find(|row| row.method == BASELINE).map(|row| row.all.median_ns);
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

fn cells(results: &Results, scene: &str, row: &Measurement, base: Option<f64>) -> Vec<Cell> {
    let all = &row.all;
    let partial =
        if all.steps < all.of { format!(" ({}/{})", all.steps, all.of) } else { String::new() };
    let wrong = all.wrong();
    let wrong_cell = Cell::new(match wrong {
        0 => "0".to_owned(),
        _ if all.errors > 0 => format!("{} errors", all.errors),
        _ => wrong_words(row),
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
        Cell::new(match base {
            Some(base) if all.steps == all.of => ratio(all.median_ns / base),
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

/// The wrong answers in a few words: verdicts, then pairs.
pub(super) fn wrong_words(row: &Measurement) -> String {
    let all = &row.all;
    let mut parts = Vec::new();
    let mut add = |n: u64, what: &str| {
        if n > 0 {
            parts.push(format!("{} {what}", grouped(n)));
        }
    };
    add(all.false_hits as u64, "false hits");
    add(all.false_misses as u64, "false misses");
    add(all.extra_pairs, "extra pairs");
    add(all.missing_pairs, "missing pairs");
    add(all.errors as u64, "errors");
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sampled_forms_have_a_line() {
        let sample = Results::parse(include_str!("report/sample.jsonl")).expect("a whole file");
        let lines = sampled(&sample);
        assert_eq!(lines.len(), 1);
        assert!(
            lines[0].starts_with("ibcd, sampled") && lines[0].contains("8 5.00 %"),
            "{lines:?}"
        );
    }
}
