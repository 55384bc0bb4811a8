//! Bar charts: the median time of every method on every scene, on a logarithmic axis.

use super::super::record::{BASELINE, Measurement, Results, Scene};
use crate::chart::{Axis, Svg};
use crate::numbers::{self, digits, grouped, time};

const WIDTH: f64 = 920.0;
/// Left end of the bars; scene and method names are left of it.
const LEFT: f64 = 210.0;
/// Right end of the bars; times are right of it.
const RIGHT: f64 = 700.0;
const BAR: f64 = 15.0;
const GAP: f64 = 4.0;
const BETWEEN: f64 = 14.0;
const TOP: f64 = 26.0;

/// The chart of a question in a group of scenes; `None` if nothing was measured.
pub(super) fn plot(results: &Results, group: &str, question: &str) -> Option<String> {
    let rows: Vec<(&Scene, Vec<&Measurement>)> = results
        .scenes
        .iter()
        .filter(|scene| scene.group == group)
        .map(|scene| (scene, results.of(&scene.scene, question).collect::<Vec<_>>()))
        .filter(|(_, measured)| !measured.is_empty())
        .collect();
    let bars: usize = rows.iter().map(|(_, measured)| measured.len()).sum();
    if bars == 0 {
        return None;
    }
    let height = TOP + bars as f64 * (BAR + GAP) + rows.len() as f64 * BETWEEN + 6.0;
    let medians = rows.iter().flat_map(|(_, measured)| measured.iter().map(|m| m.all.median_ns));
    let axis = Axis::around(medians, [LEFT, RIGHT]).whole();
    let mut svg =
        Svg::new(WIDTH, height, &format!("Median time of {question} by scene and method"));
    for (decade, word) in axis.decades(numbers::decade) {
        let x = axis.at(decade);
        svg.line("grid", [x, TOP - 4.0, x, height - 6.0]);
        svg.text("tick mid", x, TOP - 10.0, &word);
    }
    let mut y = TOP + BETWEEN / 2.0;
    for (scene, measured) in rows {
        svg.text("scene", 4.0, y + BAR - 3.0, &scene.scene);
        let base = measured.iter().find(|m| m.method == BASELINE).map(|m| m.all.median_ns);
        for row in measured {
            bar(&mut svg, results, &axis, row, base, y);
            y += BAR + GAP;
        }
        y += BETWEEN;
    }
    Some(svg.finish())
}

fn bar(
    svg: &mut Svg,
    results: &Results,
    axis: &Axis,
    row: &Measurement,
    base: Option<f64>,
    y: f64,
) {
    let all = &row.all;
    let end = axis.at(all.median_ns);
    let hint = format!(
        "{} on {}: median {}, mean {}, 99 % below {}, {} of {} steps",
        row.method,
        row.scene,
        time(all.median_ns),
        time(all.mean_ns),
        time(all.p99_ns),
        all.steps,
        all.of
    );
    svg.text("method", LEFT - 8.0, y + BAR - 3.0, &row.method);
    svg.bar(number(results, &row.method), [LEFT, y, (end - LEFT).max(2.0), BAR], &hint);
    let whole = all.steps == all.of;
    let times = match base {
        Some(base) if whole && row.method != BASELINE => {
            format!(" · {}×", digits(all.median_ns / base))
        }
        _ if !whole => format!(" · first {} of {}", all.steps, all.of),
        _ => String::new(),
    };
    svg.text(
        "value",
        end.max(LEFT + 2.0) + 6.0,
        y + BAR - 3.0,
        &format!("{}{times}", time(all.median_ns)),
    );
    let verdicts = all.false_hits + all.false_misses;
    let wrong = match all.wrong() {
        0 => return,
        _ if all.errors > 0 => format!("{} errors", all.errors),
        _ if verdicts > 0 => format!("{verdicts} of {} verdicts wrong", grouped(all.judged as u64)),
        _ => format!("{} wrong pairs", grouped(all.extra_pairs + all.missing_pairs)),
    };
    svg.text("bad", WIDTH - 4.0, y + BAR - 3.0, &wrong);
}

/// The index of a method, which determines its colour.
pub(super) fn number(results: &Results, word: &str) -> usize {
    results.run.methods.iter().position(|method| method.word == word).unwrap_or(0) % 20
}
