//! Dots: the median time of every method in one scene, with a line to the 99th percentile.

use serde_json::{Value, json};

use super::super::ratios::{Entry, Matrix};
use super::super::record::role;
use crate::chart::{Axis, Role, Svg};
use crate::numbers::{self, grouped, time};

const WIDTH: f64 = 380.0;
/// Left end of the times; names are left of it.
const LEFT: f64 = 112.0;
/// Right end of the times; remarks are right of it.
const RIGHT: f64 = 316.0;
const ROW: f64 = 15.0;
const TOP: f64 = 22.0;

/// The panel of a matrix's column; `None` if nothing was measured in the scene.
pub(super) fn panel(matrix: &Matrix<'_>, column: usize) -> Option<Value> {
    let entries: Vec<&Entry<'_>> =
        matrix.rows.iter().filter_map(|row| row.entries[column].as_ref()).collect();
    let drawn = || entries.iter().filter(|entry| entry.row.all.steps > 0);
    drawn().next()?;
    let scene = matrix.scenes[column];
    let height = TOP + entries.len() as f64 * ROW + 4.0;
    let times = drawn().flat_map(|entry| [entry.cost.median, entry.cost.p99]);
    let axis = Axis::around(times, [LEFT, RIGHT]);
    let mut svg = Svg::new(WIDTH, height, &format!("Times in {}", scene.scene));
    for (decade, word) in axis.decades(numbers::decade) {
        let x = axis.at(decade);
        svg.line("grid", [x, TOP - 6.0, x, height - 2.0]);
        svg.text("tick mid", x, TOP - 10.0, &word);
    }
    for (k, entry) in entries.iter().enumerate() {
        line(&mut svg, &axis, entry, TOP + ROW * (k as f64 + 0.5));
    }
    Some(json!({ "scene": scene.scene, "svg": svg.finish() }))
}

/// The marks of the matrix's methods: default, baseline, and the others together.
pub(super) fn legend(matrix: &Matrix<'_>) -> Vec<Value> {
    let of = |wanted: Role| {
        let words = matrix.rows.iter().map(|row| row.method.word.as_str());
        let words: Vec<&str> = words.filter(|word| role(word) == wanted).collect();
        let text = match wanted {
            _ if words.is_empty() => return None,
            Role::Lead => format!("{}, the default", words[0]),
            Role::Base => format!("{}, the baseline", words[0]),
            Role::Other => format!("others ({}), named beside their marks", words.len()),
        };
        let mut svg = Svg::new(34.0, 12.0, &text);
        svg.line(&format!("range {}", wanted.class()), [6.0, 6.0, 33.0, 6.0]);
        svg.mark(wanted, false, [6.0, 6.0], &text);
        Some(json!({ "role": wanted.class(), "svg": svg.finish(), "text": text }))
    };
    [Role::Lead, Role::Base, Role::Other].into_iter().filter_map(of).collect()
}

fn line(svg: &mut Svg, axis: &Axis, entry: &Entry<'_>, y: f64) {
    let (row, all) = (entry.row, &entry.row.all);
    let role = role(&row.method);
    svg.text(&format!("name end {}", role.class()), LEFT - 10.0, y + 4.0, &row.method);
    if role != Role::Other {
        svg.line("guide", [LEFT - 6.0, y, RIGHT, y]);
    }
    if all.steps > 0 {
        let [from, to] = [entry.cost.median, entry.cost.p99].map(|ns| axis.at(ns));
        svg.line(&format!("range {}", role.class()), [from, y, to, y]);
        let hint = format!(
            "{}: median {}, 99 % below {}",
            row.method,
            time(entry.cost.median),
            time(entry.cost.p99)
        );
        svg.mark(role, !entry.whole, [from, y], &hint);
    }
    let wrong = all.wrong();
    if wrong > 0 {
        svg.text("bad end", WIDTH - 2.0, y + 4.0, &format!("! {} wrong", grouped(wrong)));
    } else if !entry.whole {
        svg.text("tick end", WIDTH - 2.0, y + 4.0, &format!("{} of {}", all.steps, all.of));
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::ratios::Aspect;
    use super::super::super::record::Results;
    use super::*;

    /// Every method of the data has a mark of its own kind and a name beside it.
    #[test]
    fn every_method_is_named_beside_its_mark() {
        let sample = Results::parse(include_str!("sample.jsonl")).expect("a whole file");
        let matrix = Matrix::new(&sample, Aspect::Question("first-contact"), |_| true);
        let svg = panel(&matrix, 0).expect("measured")["svg"].to_string();
        for row in &matrix.rows {
            let role = role(&row.method.word).class();
            let name = format!("name end {role}\\\"");
            assert!(
                svg.contains(&name) && svg.contains(&format!(">{}<", row.method.word)),
                "{svg}"
            );
        }
        assert_eq!(svg.matches("name end").count(), matrix.rows.len());
        assert_eq!(svg.matches("<title>").count(), matrix.rows.len());
        assert!(svg.contains("! 16 wrong"), "{svg}");
    }

    #[test]
    fn the_legend_matches_the_data() {
        let mut sample = Results::parse(include_str!("sample.jsonl")).expect("a whole file");
        let texts = |sample: &Results| -> Vec<String> {
            let matrix = Matrix::new(sample, Aspect::Question("first-contact"), |_| true);
            let text = |entry: &Value| format!("{} {}", entry["role"], entry["text"]);
            legend(&matrix).iter().map(text).collect()
        };
        let all = texts(&sample);
        assert_eq!(all.len(), 3, "{all:?}");
        assert!(all[0].contains("lead") && all[0].contains("wide, the default"));
        assert!(all[1].contains("base") && all[1].contains("obbtree, the baseline"));
        // `ibcd` is in the run, but only its sampled form was measured.
        assert!(all[2].contains("other") && all[2].contains("others (1)"));
        sample.measurements.retain(|m| m.method == "obbtree");
        assert_eq!(texts(&sample).len(), 1);
    }

    #[test]
    fn an_incomplete_median_is_hollow_and_says_so() {
        let mut sample = Results::parse(include_str!("sample.jsonl")).expect("a whole file");
        let late = sample.measurements.iter_mut().find(|m| m.method == "wide").expect("measured");
        late.all.steps = 6;
        let matrix = Matrix::new(&sample, Aspect::Question("first-contact"), |_| true);
        let svg = panel(&matrix, 0).expect("measured")["svg"].to_string();
        assert!(svg.contains("dot lead hollow") && svg.contains(">6 of 64<"), "{svg}");
    }
}
