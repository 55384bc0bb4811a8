//! Which method for which use: one sentence each, from the ratios of this run. Methods that are not
//! exact, or gave a wrong answer, are not recommended.

use super::super::ratios::{Aspect, Matrix, Row};
use super::super::record::{DEFAULT, DEFORMING, Results, Scene};
use crate::numbers::{grouped, ratio};

/// The method that accepts only convex bodies; the scenes that it answered are convex.
const CONVEX: &str = "gjk";
/// The methods that can draw on a graphics adapter.
const DRAWING: [&str; 3] = ["ibcd", "recode", "ldi"];

const FIRST: &str = "first-contact";

/// The questions, and how a sentence names them.
const ASKED: [(&str, &str); 3] = [
    (FIRST, "to the first contact"),
    ("all-contacts", "to all contacts"),
    ("distance", "for the distance"),
];

/// Uses with a sentence each, where names of methods are between backticks.
pub(super) fn sentences(results: &Results) -> Vec<(&'static str, String)> {
    let convex = |scene: &Scene| {
        results.measurements.iter().any(|m| m.method == CONVEX && m.scene == scene.scene)
    };
    let found = [
        ("Rigid bodies", fastest(results, |scene| scene.group != DEFORMING)),
        (
            "Deforming meshes",
            fastest(results, |scene| scene.group == DEFORMING)
                .map(|text| format!("Update and query together: {text}")),
        ),
        ("Cheap to build", cheapest(results)),
        ("Convex bodies", fastest(results, convex)),
        ("Graphics adapter", drawing(results)),
    ];
    found.into_iter().filter_map(|(title, text)| Some((title, text?))).collect()
}

/// Whether a method is exact and gave no wrong answer in the run.
fn is_right(results: &Results, row: &Row<'_>) -> bool {
    let word = row.method.word.as_str();
    let own = results.measurements.iter().filter(|m| m.method == word);
    row.method.kind == "exact" && own.map(|m| m.all.wrong()).sum::<u64>() == 0
}

/// The right methods that finished all scenes, the fastest first, with their ratios.
fn ranked<'r>(results: &'r Results, matrix: &Matrix<'r>) -> Vec<(&'r str, f64)> {
    let rows = matrix.rows.iter().filter(|row| matrix.is_complete(row) && is_right(results, row));
    rows.filter_map(|row| Some((row.method.word.as_str(), row.mean?))).collect()
}

/// The fastest method per question, with its ratio and the number of scenes, and the second for the
/// first question.
fn fastest(results: &Results, wanted: impl Fn(&Scene) -> bool) -> Option<String> {
    let mut winners: Vec<(&str, Vec<String>)> = Vec::new();
    let mut second = String::new();
    let mut scenes: Vec<&str> = Vec::new();
    for (question, phrase) in ASKED {
        let matrix = Matrix::new(results, Aspect::Question(question), &wanted);
        let ranked = ranked(results, &matrix);
        let Some(&(word, mean)) = ranked.first() else { continue };
        let part = format!("{} {phrase} ({})", ratio(mean), matrix.compared);
        match winners.iter_mut().find(|(known, _)| *known == word) {
            Some((_, parts)) => parts.push(part),
            None => winners.push((word, vec![part])),
        }
        if let (Some((next, mean)), true) = (ranked.get(1), second.is_empty()) {
            second = format!(" Second: `{next}`, {} {phrase}.", ratio(*mean));
        }
        for scene in &matrix.scenes {
            if !scenes.contains(&scene.scene.as_str()) {
                scenes.push(&scene.scene);
            }
        }
    }
    let takes = |(k, (word, parts)): (usize, &(&str, Vec<String>))| {
        format!("`{word}` {}{}", if k == 0 { "takes " } else { "" }, listed(parts))
    };
    let list: Vec<String> = winners.iter().enumerate().map(takes).collect();
    let few =
        if scenes.len() <= 3 { format!(" Scenes: {}.", scenes.join(", ")) } else { String::new() };
    (!list.is_empty()).then(|| format!("{}.{second}{few}", list.join("; ")))
}

/// Words in a sentence: `a, b and c`.
fn listed(words: &[String]) -> String {
    match words {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => words.concat(),
    }
}

/// The method that is prepared fastest, and after how many queries the default has caught up in the
/// largest scene that both answered.
fn cheapest(results: &Results) -> Option<String> {
    let matrix = Matrix::new(results, Aspect::Preparation, |_| true);
    let ranked = ranked(results, &matrix);
    let &(word, mean) = ranked.first()?;
    let own = ranked.iter().find(|(other, _)| *other == DEFAULT && word != DEFAULT);
    let own = own.map_or_else(String::new, |(_, own)| format!("; `{DEFAULT}` {}", ratio(*own)));
    let later = caught_up(results, word).filter(|_| !own.is_empty());
    let later = later.map_or_else(String::new, |(queries, scene)| {
        format!(", and has caught up after {} queries in {scene}", grouped(queries))
    });
    let (mean, over) = (ratio(mean), matrix.compared);
    Some(format!("`{word}` takes {mean} to prepare ({over}){own}{later}."))
}

/// The number of queries for a first contact after which the default, prepared more slowly than
/// `cheap`, has taken less time in all: in the largest placed scene that both finished.
fn caught_up<'r>(results: &'r Results, cheap: &str) -> Option<(u64, &'r str)> {
    let finished = |scene: &'r Scene, method: &str| {
        let mut rows = results.of(&scene.scene, FIRST);
        rows.find(|m| m.method == method && m.all.steps == m.all.of)
    };
    let placed = results.scenes.iter().filter(|scene| scene.group == "placed");
    let both = placed
        .filter_map(|scene| Some((scene, finished(scene, cheap)?, finished(scene, DEFAULT)?)));
    let (scene, cheap, own) = both.max_by_key(|(scene, ..)| scene.triangles)?;
    let more = (own.preparation.seconds - cheap.preparation.seconds) * 1e9;
    let gain = cheap.all.median_ns - own.all.median_ns;
    (more > 0.0 && gain > 0.0).then(|| ((more / gain).ceil() as u64, scene.scene.as_str()))
}

/// What the run tells about methods that can draw on a graphics adapter.
fn drawing(results: &Results) -> Option<String> {
    let matrix = Matrix::new(results, Aspect::Question(FIRST), |_| true);
    let own = results.run.methods.iter().filter(|method| DRAWING.contains(&method.word.as_str()));
    let words: Vec<String> = own.map(|method| format!("`{}`", method.word)).collect();
    let of = |row: &Row<'_>| {
        let mean = row.mean.filter(|_| DRAWING.contains(&row.method.word.as_str()))?;
        Some(format!("{} ({})", ratio(mean), row.over))
    };
    let ratios: Vec<String> = matrix.rows.iter().filter_map(of).collect();
    let place = results.run.adapter.as_deref().unwrap_or("the processor");
    let took = if ratios.is_empty() {
        String::new()
    } else {
        format!("; on {place}, as here, they take {} to the first contact", listed(&ratios))
    };
    let all = listed(&words);
    (!words.is_empty()).then(|| format!("{all} can draw on a graphics adapter{took}."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Results {
        Results::parse(include_str!("sample.jsonl")).expect("a whole file")
    }

    fn sentence(results: &Results, title: &str) -> String {
        let found = sentences(results).into_iter().find(|(known, _)| *known == title);
        found.map(|(_, text)| text).unwrap_or_default()
    }

    #[test]
    fn the_fastest_right_method_is_recommended() {
        let mut sample = sample();
        let rigid = sentence(&sample, "Rigid bodies");
        assert!(rigid.starts_with("`wide` takes 0."), "{rigid}");
        assert!(rigid.contains("Second: `obbtree`, 1.00× to the first contact."), "{rigid}");
        assert!(!rigid.contains("parry"), "{rigid}");
        let wide = sample.measurements.iter_mut().find(|m| m.method == "wide");
        wide.expect("measured").all.false_hits = 1;
        assert!(sentence(&sample, "Rigid bodies").starts_with("`obbtree`"));
    }

    #[test]
    fn deforming_meshes_count_updates() {
        let text = sentence(&sample(), "Deforming meshes");
        assert!(text.starts_with("Update and query together: `"), "{text}");
        assert!(text.contains("Scenes: deforming-hand."), "{text}");
    }

    #[test]
    fn the_default_catches_up_after_the_right_number_of_queries() {
        let mut sample = sample();
        for row in sample.measurements.iter_mut().filter(|m| m.scene == "torus10k") {
            let own = row.method == DEFAULT;
            row.preparation.seconds = if own { 3e-3 } else { 1e-3 };
            row.all.median_ns = if own { 10_000.0 } else { 30_000.0 };
        }
        let text = sentence(&sample, "Cheap to build");
        assert!(text.contains("caught up after 100 queries in torus10k"), "{text}");
    }

    #[test]
    fn convex_scenes_are_those_of_the_convex_method() {
        let mut sample = sample();
        assert_eq!(sentence(&sample, "Convex bodies"), "");
        for row in sample.measurements.iter_mut().filter(|m| m.scene == "torus1k") {
            if row.method == "parry-pairs" {
                CONVEX.clone_into(&mut row.method);
            }
        }
        assert!(sentence(&sample, "Convex bodies").contains("Scenes: torus1k."));
    }

    #[test]
    fn methods_that_can_draw_are_named() {
        let text = sentence(&sample(), "Graphics adapter");
        assert!(text.starts_with("`ibcd` can draw on"), "{text}");
    }
}
