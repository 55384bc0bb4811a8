//! Growth: time over triangle count, both logarithmic, for scenes that differ only in their number
//! of triangles.

use serde_json::{Value, json};

use super::super::record::{Measurement, Results, Scene, role};
use crate::chart::{Axis, Curve, Field};
use crate::numbers::{self, time};

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

/// The family name of a scene: `torus10k` and `torus1M` belong to one.
fn family(scene: &str) -> &str {
    let without_unit = scene.strip_suffix(['k', 'M']).unwrap_or(scene);
    let word = without_unit.trim_end_matches(|c: char| c.is_ascii_digit());
    if word.len() == without_unit.len() { scene } else { word }
}

/// One curve per method: triangle counts and median times, where it finished.
fn curves(results: &Results, scenes: &[&Scene], question: &str, label: &str) -> Vec<Curve> {
    let point = |scene: &Scene, m: &Measurement| {
        let group =
            m.groups.iter().find(|group| group.label == label && group.steps == group.of)?;
        let triangles = scene.meshes.iter().map(|mesh| mesh.triangles).max()?;
        Some((triangles as f64, group.median_ns))
    };
    let of_method = |method: &str| {
        let found = |scene: &&Scene| {
            let found = results.of(&scene.scene, question).find(|m| m.method == method)?;
            point(scene, found)
        };
        let mut points: Vec<(f64, f64)> = scenes.iter().filter_map(found).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let hint = |&(n, t): &(f64, f64)| format!("{method}: {} at {n} triangles", time(t));
        let hints = points.iter().map(hint).collect();
        Curve { name: method.to_owned(), role: role(method), points, hints }
    };
    let methods = results.run.methods.iter().map(|method| of_method(&method.word));
    methods.filter(|curve| curve.points.len() > 1).collect()
}

fn plot(results: &Results, scenes: &[&Scene], question: &str, label: &str) -> Option<String> {
    let curves = curves(results, scenes, question, label);
    let all = || curves.iter().flat_map(|curve| curve.points.iter());
    let across = Axis::around(all().map(|point| point.0), [52.0, 326.0]);
    let up = Axis::around(all().map(|point| point.1), [316.0, 14.0]);
    let field = Field {
        title: &format!("Time of {question}, {label}, over triangles"),
        size: (440.0, 356.0),
        columns: across.decades(numbers::short),
        rows: up.decades(numbers::decade),
        across,
        up,
        caption: "triangles per body",
    };
    (!curves.is_empty()).then(|| field.draw(&curves))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line per method, with its name at its end; only default and baseline are coloured.
    #[test]
    fn every_line_is_named_at_its_end() {
        let sample = Results::parse(include_str!("sample.jsonl")).expect("a whole file");
        let plots = plots(&sample);
        let svg = plots[0]["svg"].as_str().expect("a picture");
        for method in ["wide", "obbtree", "parry-pairs"] {
            let role = role(method).class();
            assert!(svg.contains(&format!("<polyline class=\"{role}\"")), "{method}");
            let name = svg.split(&format!("<text class=\"name {role}\"")).nth(1);
            assert!(
                name.is_some_and(|rest| rest.split('>').nth(1) == Some(&format!("{method}</text"))),
                "{svg}"
            );
        }
        assert_eq!(svg.matches("<polyline").count(), svg.matches("<text class=\"name ").count());
    }

    #[test]
    fn families_share_a_word() {
        assert_eq!(["torus1k", "torus100k", "torus1M"].map(family), ["torus"; 3]);
        assert_eq!((family("teapot"), family("walk")), ("teapot", "walk"));
    }
}
