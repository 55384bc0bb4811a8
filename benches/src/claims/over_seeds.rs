//! An experiment repeated with several seeds: a verdict that depends on the seed cannot be told.

use impinge_benches::progress::Listener;

use super::fan_parallel::seeds;
use super::outcome::{Effort, Figure, Outcome, Statement, Verdict};

/// An experiment.
pub(crate) type Run = fn(&Effort, Listener<'_>) -> Result<Outcome, String>;

/// Runs an experiment with seeds 1 to 5 and the effort's own, and combines the outcomes; at the
/// smallest extent with its own only.
///
/// # Errors
/// Those of the experiment.
pub(crate) fn run(
    experiment: Run,
    effort: &Effort,
    listener: Listener<'_>,
) -> Result<Outcome, String> {
    if effort.pick(true, false, false) {
        return experiment(effort, listener);
    }
    let mut outcomes = Vec::new();
    for seed in seeds(effort.seed) {
        outcomes.push((seed, experiment(&Effort { seed, ..*effort }, listener)?));
    }
    combined(&outcomes)
}

/// One outcome of those with several seeds. A statement on which they differ cannot be told; a
/// figure is the mean, with the least and the greatest.
fn combined(outcomes: &[(u64, Outcome)]) -> Result<Outcome, String> {
    let all: Vec<String> = outcomes.iter().map(|(seed, _)| seed.to_string()).collect();
    let seeds = all.join(", ");
    let Some((first, own)) = outcomes.first() else { return Err("no seed".to_owned()) };
    let mut statements = Vec::new();
    for (index, statement) in own.statements.iter().enumerate() {
        let mut verdicts = Vec::new();
        for (seed, outcome) in outcomes {
            let same = outcome.statements.get(index).filter(|other| other.text == statement.text);
            let other = same.ok_or_else(|| format!("seed {seed} decides other statements"))?;
            verdicts.push(other.verdict);
        }
        let text: Vec<&str> = verdicts.iter().map(|verdict| verdict.text()).collect();
        let agree = verdicts.iter().all(|verdict| *verdict == verdicts[0]);
        let (verdict, what) = if agree {
            (verdicts[0], format!("Seeds {seeds}: the same verdict."))
        } else {
            (Verdict::Untold, format!("Seeds {seeds}: {}.", text.join(", ")))
        };
        let mut parts = vec![format!("{what} Seed {first}: {}", statement.reason)];
        // And the reason of the first seed of every other verdict.
        for (k, (seed, outcome)) in outcomes.iter().enumerate().skip(1) {
            if !verdicts[..k].contains(&verdicts[k]) {
                parts.push(format!("Seed {seed}: {}", outcome.statements[index].reason));
            }
        }
        statements.push(Statement::new(statement.text.clone(), verdict, parts.join(" ")));
    }
    let mut ours: Vec<Figure> = Vec::new();
    for figure in outcomes.iter().flat_map(|(_, outcome)| &outcome.ours) {
        if !ours.iter().any(|known| known.name == figure.name) {
            ours.push(over(figure, outcomes));
        }
    }
    let mut scene = own.scene.clone();
    let about = format!(
        "Repeated with seeds {seeds}; figures are means over those that have them, sizes and curves those of seed \
         {first}."
    );
    scene.about = [scene.about, about].join(" ");
    let plots = own.plots.clone();
    Ok(Outcome::several(statements, ours, scene).with(plots))
}

/// A figure's mean and range over the outcomes that have it.
fn over(figure: &Figure, outcomes: &[(u64, Outcome)]) -> Figure {
    let of = |outcome: &Outcome| {
        outcome.ours.iter().find(|other| other.name == figure.name).and_then(|other| other.value)
    };
    let values: Vec<f64> = outcomes.iter().filter_map(|(_, outcome)| of(outcome)).collect();
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    Figure::new(figure.name.clone(), mean, &figure.unit).paper(figure.paper).over(&values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{Extent, Scene};

    /// Holds for odd seeds, cannot be run with seed 4; twice the seed is its figure.
    fn odd(effort: &Effort, _: Listener<'_>) -> Result<Outcome, String> {
        if effort.seed == 13 {
            return Err("unlucky".to_owned());
        }
        let verdict = match effort.seed {
            4 => Verdict::Unrunnable,
            seed => Verdict::of(seed % 2 == 1),
        };
        let statements = vec![
            Statement::new("odd", verdict, format!("It is {}.", effort.seed)),
            Statement::new("a number", Verdict::Holds, ""),
        ];
        let twice = Figure::new("twice", 2.0 * effort.seed as f64, "").paper(9.0);
        Ok(Outcome::several(statements, vec![twice], Scene::new("Numbers.")))
    }

    #[test]
    fn what_depends_on_the_seed_cannot_be_told() {
        let effort = Effort { extent: Extent::Quick, seed: 7, ..Effort::TINY };
        let outcome = run(odd, &effort, Listener::NONE).expect("it runs");
        assert_eq!(outcome.verdicts(), [Verdict::Untold, Verdict::Holds]);
        let told = &outcome.statements[0].reason;
        assert!(told.starts_with("Seeds 1, 2, 3, 4, 5, 7: holds, does not hold, holds"), "{told}");
        assert!(told.ends_with("Seed 1: It is 1. Seed 2: It is 2. Seed 4: It is 4."), "{told}");
        let figure = &outcome.ours[0];
        assert_eq!((figure.value, figure.paper), (Some(44.0 / 6.0), Some(9.0)));
        assert_eq!(figure.range, Some([2.0, 14.0]));
        assert!(outcome.scene.about.starts_with("Numbers. Repeated with seeds 1, 2, 3, 4, 5, 7;"));
    }

    #[test]
    fn the_smallest_extent_has_one_seed() {
        let outcome = run(odd, &Effort::TINY, Listener::NONE).expect("it runs");
        assert_eq!(outcome.verdicts(), [Verdict::Holds; 2]);
        assert_eq!(outcome.ours[0].range, None);
        let unlucky = Effort { seed: 13, ..Effort::TINY };
        assert_eq!(run(odd, &unlucky, Listener::NONE).expect_err("13"), "unlucky");
    }

    #[test]
    fn other_statements_are_an_error() {
        let one = |text: &str| {
            let statement = Statement::new(text, Verdict::Holds, "");
            Outcome::several(vec![statement], Vec::new(), Scene::default())
        };
        let error = combined(&[(1, one("a")), (2, one("b"))]).expect_err("they differ");
        assert_eq!(error, "seed 2 decides other statements");
    }
}
