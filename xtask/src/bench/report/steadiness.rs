//! Steadiness: `η_i = (t_i − t̄) / t̄` of each step of a motion (fan eq. 2-12). The line of a
//! method whose time hardly varies stays near zero.

use serde_json::{Value, json};

use super::super::record::{Measurement, QUESTIONS, Results};
use super::bars::number;
use crate::chart::{self, Curve};
use crate::numbers::digits;

/// One plot per moving scene and question.
pub(super) fn plots(results: &Results) -> Vec<Value> {
    let mut plots = Vec::new();
    for scene in &results.scenes {
        for (question, asked) in QUESTIONS {
            let rows: Vec<&Measurement> = results
                .of(&scene.scene, question)
                .filter(|m| m.all.steps == m.all.of)
                .filter(|m| m.eta.as_ref().is_some_and(|eta| eta.len() > 1))
                .collect();
            if !rows.is_empty() {
                let svg = plot(results, &rows);
                plots.push(json!({ "title": format!("{}: {asked}", scene.scene), "svg": svg }));
            }
        }
    }
    plots
}

fn plot(results: &Results, rows: &[&Measurement]) -> String {
    let curve = |row: &&Measurement| {
        let eta = row.eta.as_deref().unwrap_or_default();
        Curve {
            name: row.method.clone(),
            note: format!("σ = {}", digits(deviation(eta))),
            colour: number(results, &row.method),
            points: eta.iter().enumerate().map(|(step, &eta)| (step as f64, eta)).collect(),
            hints: Vec::new(),
        }
    };
    let curves: Vec<Curve> = rows.iter().map(curve).collect();
    chart::strips("Deviation of each step's time from the mean", 130.0, &curves)
}

/// The standard deviation; the mean of η is 0.
fn deviation(eta: &[f64]) -> f64 {
    (eta.iter().map(|e| e * e).sum::<f64>() / eta.len().max(1) as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::deviation;

    #[test]
    fn deviation_of_a_steady_method_is_zero() {
        assert_eq!(deviation(&[0.0; 4]), 0.0);
        assert_eq!(deviation(&[-1.0, 1.0]), 1.0);
        assert_eq!(deviation(&[]), 0.0);
    }
}
