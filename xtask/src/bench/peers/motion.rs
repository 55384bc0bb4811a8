//! Sweeps and depths of penetration beside parry3d: tables.

use std::fmt::Write;

use comfy_table::Table;

use super::record::{Depths, Results, Spread, Sweeps};
use super::tables::{align, table};
use crate::numbers::{digits, grouped, ratio, time};

/// All tables.
pub(super) fn text(results: &Results) -> String {
    let mut text = String::new();
    for all in &results.sweeps {
        let asked = format!("{} motions", all.motions);
        add(&mut text, [&all.scene, &all.about, &asked], all.triangles, &swept(all));
    }
    for all in &results.depths {
        let asked = format!("{} poses", all.poses);
        add(&mut text, [&all.scene, &all.about, &asked], all.triangles, &deep(all));
    }
    text
}

/// Adds the heading of a scene and its table.
fn add(text: &mut String, [scene, about, asked]: [&str; 3], triangles: usize, table: &Table) {
    let triangles = grouped(triangles as u64);
    let _ = writeln!(text, "\n## {scene}: {about}; {triangles} triangles a body, {asked}\n{table}");
}

/// Median and 90th percentile of ours, those of parry3d, and its median over ours.
fn times(ours: &Spread, theirs: &Spread) -> [String; 3] {
    let both = |of: &Spread| format!("{} / {}", time(1e3 * of.median_us), time(1e3 * of.ninth_us));
    [both(ours), both(theirs), ratio(theirs.median_us / ours.median_us)]
}

fn swept(sweeps: &Sweeps) -> Table {
    let head = [
        "first contact: median / 90 %",
        "course",
        "hits",
        "impinge",
        "parry3d",
        "ratio",
        "wrong",
        "undecided",
        "parry3d missed",
        "invented",
    ];
    let mut table = table(head.map(str::to_owned));
    for row in &sweeps.rows {
        let course = if row.turning { "turning" } else { "straight" };
        let mut cells = vec![row.bodies.clone(), course.to_owned(), row.hits.to_string()];
        cells.extend(times(&row.ours, &row.theirs));
        let counts = [row.wrong, row.undecided, row.missed, row.invented];
        cells.extend(counts.map(|count| count.to_string()));
        table.add_row(cells);
    }
    align(&mut table, 2);
    table
}

fn deep(depths: &Depths) -> Table {
    let head = [
        "depth: median / 90 %",
        "impinge",
        "parry3d",
        "ratio",
        "width",
        "wrong",
        "parry3d parts",
        "no contact",
        "its depth over ours",
    ];
    let mut table = table(head.map(str::to_owned));
    for row in &depths.rows {
        let mut cells = vec![row.bodies.clone()];
        cells.extend(times(&row.ours, &row.theirs));
        cells.push(format!("{:.1} %", 100.0 * row.width));
        cells.extend([row.wrong, row.parted, row.none].map(|count| count.to_string()));
        cells.push(row.share.map_or_else(|| "–".to_owned(), digits));
        table.add_row(cells);
    }
    align(&mut table, 1);
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_is_in_the_tables() {
        let results = Results::parse(include_str!("sample.jsonl")).expect("a whole file");
        let text = text(&results);
        let row = |start: &str| {
            let line = text.lines().find(|line| line.starts_with(&format!("│ {start}")));
            let cells = line.expect("a row").split(['│', '┆']).map(|cell| cell.trim().to_owned());
            cells.filter(|cell| !cell.is_empty()).collect::<Vec<_>>()
        };
        let swept = row("hand, gear");
        assert_eq!(swept[1..3], ["turning", "90"]);
        assert!(swept[3].starts_with("400") && swept[5].starts_with("500"), "{swept:?}");
        assert_eq!(swept[6..], ["0", "1", "3", "4"]);
        let deep = row("sphere, cube");
        assert!(deep[1].starts_with("700") && deep[3].starts_with("0.5"), "{deep:?}");
        assert_eq!(
            (&deep[4..8], &*deep[8]),
            (&["5.0 %", "0", "2", "1"].map(str::to_owned)[..], "0.33")
        );
    }
}
