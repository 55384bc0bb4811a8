//! Tables: wrong answers, and every figure of a scene.

use serde_json::{Value, json};

use super::super::record::{
    BASELINE, Group, Measurement, MethodInfo, QUESTIONS, Results, Scene, query_ratio, role,
    with_update_ns, wrong_words,
};
use crate::numbers::{count, digits, grouped, ratio, time};

/// The methods: what they are, and how often they were wrong.
pub(super) fn methods(results: &Results) -> Vec<Value> {
    let row = |method: &MethodInfo| {
        let sum = |of: fn(&Group) -> u64| {
            let own = results.measurements.iter().filter(|m| m.method == method.word);
            grouped(own.map(|m| of(&m.all)).sum())
        };
        json!({
            "word": method.word,
            "role": role(&method.word).class(),
            "kind": method.kind,
            "title": method.title,
            "paper": method.paper,
            "judged": sum(|all| all.judged as u64),
            "false_hits": sum(|all| all.false_hits as u64),
            "false_misses": sum(|all| all.false_misses as u64),
            "extra_pairs": sum(|all| all.extra_pairs),
            "missing_pairs": sum(|all| all.missing_pairs),
            "errors": sum(|all| all.errors as u64),
        })
    };
    results.run.methods.iter().map(row).collect()
}

/// The unit costs of all measurements that have some.
pub(super) fn costs(results: &Results) -> Vec<Value> {
    let row = |m: &Measurement| {
        let costs = m.costs?;
        let asked = QUESTIONS.iter().find(|(word, _)| *word == m.question);
        // A cost without operations is no figure.
        let cost = |ns: f64, operations: Option<f64>| {
            if operations.is_some_and(|n| n > 0.0) { digits(ns) } else { "–".to_owned() }
        };
        let all = &m.all;
        let counts = [all.volume_tests, all.primitive_tests, all.volumes_updated];
        Some(json!({
            "scene": m.scene,
            "method": m.method,
            "role": role(&m.method).class(),
            "question": asked.map_or(m.question.as_str(), |(_, title)| title),
            "volume": cost(costs.volume_ns, all.volume_tests),
            "primitive": cost(costs.primitive_ns, all.primitive_tests),
            "update": cost(costs.update_ns, all.volumes_updated),
            "query": digits(costs.query_ns),
            "counts": counts.map(count),
            "time": digits(all.mean_ns),
            "off": digits(100.0 * costs.off),
        }))
    };
    results.measurements.iter().filter_map(row).collect()
}

/// The measurements with wrong answers.
pub(super) fn wrong(results: &Results) -> Vec<Value> {
    let rows = results.measurements.iter().filter(|m| m.all.wrong() > 0);
    rows.map(|m| wrong_row(results, m)).collect()
}

fn wrong_row(results: &Results, m: &Measurement) -> Value {
    let all = &m.all;
    let asked = QUESTIONS.iter().find(|(word, _)| *word == m.question);
    let worst = m.groups.iter().max_by_key(|group| group.false_hits + group.false_misses);
    json!({
        "scene": m.scene,
        "method": m.method,
        "question": asked.map_or(m.question.as_str(), |(_, title)| title),
        "exact": results.kind(&m.method) == "exact",
        "judged": grouped(all.judged as u64),
        "false_hits": grouped(all.false_hits as u64),
        "false_misses": grouped(all.false_misses as u64),
        "extra_pairs": grouped(all.extra_pairs),
        "missing_pairs": grouped(all.missing_pairs),
        "errors": grouped(all.errors as u64),
        "worst": worst.filter(|g| g.false_hits + g.false_misses > 0).map(|g| {
            format!("{}: {} of {}", g.label, g.false_hits + g.false_misses, g.judged)
        }),
        "error": m.error,
    })
}

/// The cost of preparing a scene's meshes: one row per method.
pub(super) fn preparations(results: &Results, scene: &Scene) -> Vec<Value> {
    let row = |method: &str| {
        let of_scene = |m: &&Measurement| m.scene == scene.scene && m.method == method;
        let preparation = &results.measurements.iter().find(of_scene)?.preparation;
        Some(json!({
            "method": method,
            "triangles": grouped(preparation.triangles as u64),
            "time": time(preparation.seconds * 1e9),
            "per_triangle": digits(preparation.ns_per_triangle),
            "bytes": digits(preparation.bytes_per_triangle),
            "own_bytes": digits(preparation.own_bytes_per_triangle),
        }))
    };
    results.run.methods.iter().filter_map(|method| row(&method.word)).collect()
}

/// One table per question of a scene: a row per label and method.
pub(super) fn of_scene(results: &Results, scene: &Scene) -> Vec<Value> {
    let mut tables = Vec::new();
    for (question, title) in QUESTIONS {
        let measured: Vec<&Measurement> = results.of(&scene.scene, question).collect();
        if measured.is_empty() {
            continue;
        }
        let mut rows = Vec::new();
        for label in &scene.labels {
            let with_label: Vec<(&Measurement, &Group)> = measured
                .iter()
                .filter_map(|m| Some((*m, m.groups.iter().find(|g| g.label == label.label)?)))
                .collect();
            rows.extend(block(&label.label, &with_label));
        }
        // With a single label, the row over all steps would repeat it.
        if scene.labels.len() > 1 {
            let all: Vec<(&Measurement, &Group)> = measured.iter().map(|m| (*m, &m.all)).collect();
            rows.extend(block("all", &all));
        }
        let errors: Vec<String> = measured
            .iter()
            .filter_map(|m| Some(format!("{}: {:.1e}", m.method, m.distance_error?)))
            .collect();
        tables.push(json!({
            "title": title,
            "rows": rows,
            "distance_errors": errors,
            "updates": updates(&measured),
        }));
    }
    tables
}

/// How methods followed a deformation: one row each; empty if nothing deforms.
fn updates(measured: &[&Measurement]) -> Vec<Value> {
    let base = measured.iter().find(|m| m.method == BASELINE).and_then(|m| with_update_ns(m));
    let row = |m: &&Measurement| {
        let (with_update, each) = (with_update_ns(m)?, m.updates_ns.as_ref()?);
        let least = each.iter().copied().fold(f64::INFINITY, f64::min);
        let most = each.iter().copied().fold(0.0, f64::max);
        let whole = m.all.steps == m.all.of;
        Some(json!({
            "method": m.method,
            "how": m.update,
            "median": m.all.update_ns.map_or_else(|| "–".to_owned(), time),
            "range": format!("{} – {}", time(least), time(most)),
            "with_query": time(with_update),
            "ratio": match base {
                Some(base) if whole && base > 0.0 => ratio(with_update / base),
                _ => "–".to_owned(),
            },
        }))
    };
    measured.iter().filter_map(row).collect()
}

/// The rows of one label, with ratios to the baseline.
fn block(label: &str, rows: &[(&Measurement, &Group)]) -> Vec<Value> {
    let base = rows.iter().find(|(m, _)| m.method == BASELINE);
    let over = |m: &Measurement, g: &Group| {
        let (base, of_base) = base?;
        if g.label == "all" { query_ratio(m, base) } else { Some(g.median_ns / of_base.median_ns) }
    };
    let row = |(m, g): &(&Measurement, &Group)| {
        let whole = g.steps == g.of;
        json!({
            "label": label,
            "method": m.method,
            "role": role(&m.method).class(),
            "steps": if whole { g.of.to_string() } else { format!("{} of {}", g.steps, g.of) },
            "median": if g.steps == 0 { "–".to_owned() } else { time(g.median_ns) },
            "mean": if g.steps == 0 { "–".to_owned() } else { time(g.mean_ns) },
            "p99": if g.steps == 0 { "–".to_owned() } else { time(g.p99_ns) },
            "range": if g.steps == 0 { "–".to_owned() } else {
                format!("{} – {}", time(g.min_ns), time(g.max_ns))
            },
            "ratio": match over(m, g) {
                Some(over) if whole && over.is_finite() => ratio(over),
                _ => "–".to_owned(),
            },
            "volume_tests": count(g.volume_tests),
            "primitive_tests": count(g.primitive_tests),
            "volumes_updated": count(g.volumes_updated),
            "exact_tests": count(g.exact_tests),
            "per_test": g.ns_per_volume_test.map_or_else(|| "–".to_owned(), digits),
            "repeated": g.repeated_ns.map_or_else(|| "–".to_owned(), time),
            "per_test_repeated": g.repeated_ns_per_volume_test.map_or_else(|| "–".to_owned(), digits),
            "hits": grouped(g.hits as u64),
            "contacts": grouped(g.contacts),
            "wrong": wrong_words(g),
        })
    };
    rows.iter().map(row).collect()
}
