//! Growth: time over triangles, on logarithmic axes, for scenes that differ only in their number of
//! triangles.

use serde_json::{Value, json};

use super::super::record::{Measurement, Results, Scene};
use super::bars::number;
use super::plot::{LogAxis, Svg};
use crate::numbers::{self, time};

const SIZE: (f64, f64) = (450.0, 330.0);
const LEFT: f64 = 62.0;
const RIGHT: f64 = 430.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 286.0;

/// The plotted series: question, label, title.
const SERIES: [(&str, &str, &str); 3] = [
    ("first-contact", "0.1 % apart", "First contact, 0.1 % apart"),
    ("all-contacts", "1 % deep", "All contacts, 1 % deep"),
    ("distance", "1 % apart", "Distance, 1 % apart"),
];

/// One plot per family of scenes and question with at least two scenes.
pub(super) fn plots(results: &Results) -> Vec<Value> {
    let mut families: Vec<&str> = Vec::new();
    for scene in results.scenes.iter().filter(|scene| scene.group == "placed") {
        if !families.contains(&family(&scene.scene)) {
            families.push(family(&scene.scene));
        }
    }
    let mut plots = Vec::new();
    for name in families {
        let scenes: Vec<&Scene> =
            results.scenes.iter().filter(|scene| family(&scene.scene) == name).collect();
        if scenes.len() < 2 {
            continue;
        }
        for (question, label, title) in SERIES {
            if let Some(svg) = plot(results, &scenes, question, label) {
                plots.push(json!({ "title": format!("{name}: {title}"), "svg": svg }));
            }
        }
    }
    plots
}

/// The family of a scene: its name without the number of triangles. `torus10k` and `torus1M` are in
/// one family.
fn family(scene: &str) -> &str {
    let without_unit = scene.strip_suffix(['k', 'M']).unwrap_or(scene);
    let word = without_unit.trim_end_matches(|c: char| c.is_ascii_digit());
    if word.len() == without_unit.len() { scene } else { word }
}

/// A method's points: number of triangles and median time.
struct Line<'r> {
    method: &'r str,
    points: Vec<(f64, f64)>,
}

fn lines<'r>(
    results: &'r Results,
    scenes: &[&'r Scene],
    question: &'r str,
    label: &str,
) -> Vec<Line<'r>> {
    let point = |scene: &Scene, m: &Measurement| {
        let group = m.groups.iter().find(|group| group.label == label && group.steps > 0)?;
        let triangles = scene.meshes.iter().map(|mesh| mesh.triangles).max()?;
        Some((triangles as f64, group.median_ns))
    };
    let of_method = |method: &'r str| {
        let mut points: Vec<(f64, f64)> = scenes
            .iter()
            .filter_map(|scene| {
                let found = results.of(&scene.scene, question).find(|m| m.method == method)?;
                point(scene, found)
            })
            .collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Line { method, points }
    };
    let methods = results.run.methods.iter().map(|method| of_method(&method.word));
    methods.filter(|line| line.points.len() > 1).collect()
}

fn plot(results: &Results, scenes: &[&Scene], question: &str, label: &str) -> Option<String> {
    let lines = lines(results, scenes, question, label);
    if lines.is_empty() {
        return None;
    }
    let all = || lines.iter().flat_map(|line| line.points.iter());
    let across = LogAxis::around(all().map(|point| point.0), LEFT, RIGHT);
    let up = LogAxis::around(all().map(|point| point.1), BOTTOM, TOP);
    let mut svg = Svg::new(SIZE.0, SIZE.1, &format!("Time of {question}, {label}, over triangles"));
    for decade in across.decades() {
        let x = across.at(decade);
        svg.line("grid", [x, TOP, x, BOTTOM]);
        svg.text("tick mid", x, BOTTOM + 16.0, &numbers::short(decade));
    }
    for decade in up.decades() {
        let y = up.at(decade);
        svg.line("grid", [LEFT, y, RIGHT, y]);
        svg.text("tick end", LEFT - 6.0, y + 4.0, &numbers::decade(decade));
    }
    svg.text("tick mid", f64::midpoint(LEFT, RIGHT), BOTTOM + 36.0, "triangles per body");
    for line in &lines {
        let method = number(results, line.method);
        let points: Vec<(f64, f64)> =
            line.points.iter().map(|&(n, t)| (across.at(n), up.at(t))).collect();
        svg.path(method, &points);
        for (&(n, t), &(x, y)) in line.points.iter().zip(&points) {
            svg.dot(method, x, y, &format!("{}: {} at {n} triangles", line.method, time(t)));
        }
    }
    Some(svg.finish())
}

#[cfg(test)]
mod tests {
    use super::family;

    #[test]
    fn families_share_a_word() {
        assert_eq!(["torus1k", "torus100k", "torus1M"].map(family), ["torus"; 3]);
        assert_eq!((family("teapot"), family("walk")), ("teapot", "walk"));
    }
}
