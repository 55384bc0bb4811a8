//! The first table: one row per method over all scenes, and conclusions in sentences.

use serde_json::{Value, json};

use super::super::record::{BASELINE, Measurement, MethodInfo, QUESTIONS, Results};
use super::bars::number;
use crate::numbers::{digits, grouped, ratio};

pub(super) fn methods(results: &Results) -> Vec<Value> {
    results.run.methods.iter().map(|method| row(results, method)).collect()
}

fn row(results: &Results, method: &MethodInfo) -> Value {
    let of_method: Vec<&Measurement> =
        results.measurements.iter().filter(|m| m.method == method.word).collect();
    let sum = |of: fn(&Measurement) -> u64| of_method.iter().map(|m| of(m)).sum::<u64>();
    let ratios: Vec<Value> =
        QUESTIONS.iter().map(|(question, _)| ratio_cell(results, &method.word, question)).collect();
    let mean = |of: fn(&Measurement) -> f64| {
        let total: f64 = of_method.iter().map(|m| of(m)).sum();
        if of_method.is_empty() { f64::NAN } else { total / of_method.len() as f64 }
    };
    let verdicts = sum(|m| (m.all.false_hits + m.all.false_misses) as u64);
    let pairs = sum(|m| m.all.extra_pairs + m.all.missing_pairs);
    json!({
        "word": method.word,
        "number": number(results, &method.word),
        "kind": method.kind,
        "title": method.title,
        "paper": method.paper,
        "ratios": ratios,
        "judged": grouped(sum(|m| m.all.judged as u64)),
        "wrong_verdicts": grouped(verdicts),
        "wrong_pairs": grouped(pairs),
        "errors": grouped(sum(|m| m.all.errors as u64)),
        "is_wrong": verdicts + pairs + sum(|m| m.all.errors as u64) > 0,
        "build": digits(mean(|m| m.preparation.ns_per_triangle)),
        "bytes": digits(mean(|m| m.preparation.bytes_per_triangle)),
        "own_bytes": digits(mean(|m| m.preparation.own_bytes_per_triangle)),
    })
}

/// The geometric mean, over scenes, of the median time relative to the baseline's. Scenes count
/// only if both measured every step.
fn ratio_cell(results: &Results, word: &str, question: &str) -> Value {
    let mut logs = Vec::new();
    let mut left_out = 0;
    for scene in &results.scenes {
        let find = |word: &str| results.of(&scene.scene, question).find(|m| m.method == word);
        let (Some(own), Some(base)) = (find(word), find(BASELINE)) else { continue };
        let whole = own.all.steps == own.all.of && base.all.steps == base.all.of;
        if whole && own.all.median_ns > 0.0 && base.all.median_ns > 0.0 {
            logs.push((own.all.median_ns / base.all.median_ns).ln());
        } else {
            left_out += 1;
        }
    }
    if logs.is_empty() {
        return json!({ "text": "–", "scenes": 0, "left_out": left_out });
    }
    let mean = (logs.iter().sum::<f64>() / logs.len() as f64).exp();
    json!({ "text": ratio(mean), "scenes": logs.len(), "left_out": left_out })
}

/// The conclusions, one sentence each.
pub(super) fn findings(results: &Results) -> Vec<String> {
    let mut findings = Vec::new();
    for (question, asked) in QUESTIONS {
        let (mut wins, mut scenes) = (Vec::<(&str, usize)>::new(), 0);
        for scene in &results.scenes {
            let whole = results.of(&scene.scene, question).filter(|m| m.all.steps == m.all.of);
            let fastest = whole.min_by(|a, b| a.all.median_ns.total_cmp(&b.all.median_ns));
            let Some(fastest) = fastest else { continue };
            scenes += 1;
            match wins.iter_mut().find(|(word, _)| *word == fastest.method) {
                Some((_, count)) => *count += 1,
                None => wins.push((&fastest.method, 1)),
            }
        }
        wins.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        if !wins.is_empty() {
            let list: Vec<String> =
                wins.iter().map(|(word, count)| format!("{word} in {count}")).collect();
            findings.push(format!("{asked}: fastest of {scenes} scenes were {}.", list.join(", ")));
        }
    }
    findings
}
