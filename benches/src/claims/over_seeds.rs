//! An experiment repeated with several seeds: a verdict that depends on the seed cannot be told. Seeds
//! whose scene has nothing that a statement is about are left out of it, and named.

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

/// One outcome of those with several seeds; a figure is the mean, with the least and the greatest.
fn combined(outcomes: &[(u64, Outcome)]) -> Result<Outcome, String> {
    let all: Vec<String> = outcomes.iter().map(|(seed, _)| seed.to_string()).collect();
    let seeds = all.join(", ");
    let Some((first, own)) = outcomes.first() else { return Err("no seed".to_owned()) };
    let mut statements = Vec::new();
    for (index, statement) in own.statements.iter().enumerate() {
        let mut each = Vec::new();
        for (seed, outcome) in outcomes {
            let same = outcome.statements.get(index).filter(|other| other.text == statement.text);
            let other = same.ok_or_else(|| format!("seed {seed} decides other statements"))?;
            each.push((*seed, other));
        }
        statements.push(decided(&each));
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

/// What several seeds decide of one statement. If they differ, it cannot be told; those that cannot
/// decide it are left out, unless no seed can.
fn decided(each: &[(u64, &Statement)]) -> Statement {
    let can = |(_, it): &&(u64, &Statement)| it.verdict != Verdict::Unrunnable;
    let able: Vec<(u64, &Statement)> = each.iter().filter(can).copied().collect();
    let voting = if able.is_empty() { each } else { &able };
    let names = |some: &mut dyn Iterator<Item = u64>| {
        some.map(|seed| seed.to_string()).collect::<Vec<_>>().join(", ")
    };
    let seeds = names(&mut voting.iter().map(|(seed, _)| *seed));
    let first = voting[0].1.verdict;
    let (verdict, what) = if voting.iter().all(|(_, it)| it.verdict == first) {
        (first, format!("Seeds {seeds}: the same verdict."))
    } else {
        let text: Vec<&str> = voting.iter().map(|(_, it)| it.verdict.text()).collect();
        (Verdict::Untold, format!("Seeds {seeds}: {}.", text.join(", ")))
    };
    let mut parts = vec![what];
    if voting.len() < each.len() {
        let out = &mut each.iter().filter(|it| !can(it)).map(|(seed, _)| *seed);
        parts.push(format!("Left out, because they cannot decide it: {}.", names(out)));
    }
    // The reason of the first seed of every verdict.
    for (k, (seed, it)) in voting.iter().enumerate() {
        if !voting[..k].iter().any(|(_, other)| other.verdict == it.verdict) {
            parts.push(format!("Seed {seed}: {}", it.reason));
        }
    }
    Statement::new(voting[0].1.text.clone(), verdict, parts.join(" "))
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
        assert!(told.starts_with("Seeds 1, 2, 3, 5, 7: holds, does not hold, holds"), "{told}");
        assert!(told.ends_with("cannot decide it: 4. Seed 1: It is 1. Seed 2: It is 2."), "{told}");
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
    fn seeds_that_cannot_decide_do_not_vote() {
        use Verdict::{Fails, Holds, Unrunnable, Untold};
        let of = |verdicts: &[Verdict]| {
            let all: Vec<Statement> = verdicts.iter().map(|v| Statement::new("", *v, "")).collect();
            let each: Vec<(u64, &Statement)> = (1..).zip(&all).collect();
            decided(&each)
        };
        assert_eq!(of(&[Unrunnable, Holds, Unrunnable, Holds]).verdict, Holds);
        assert!(of(&[Unrunnable, Holds, Unrunnable, Holds]).reason.contains("it: 1, 3."));
        assert_eq!(of(&[Fails, Unrunnable]).verdict, Fails);
        assert_eq!(of(&[Fails, Unrunnable, Holds]).verdict, Untold);
        // A seed that was asked and could not tell does vote.
        assert_eq!(of(&[Holds, Untold]).verdict, Untold);
        assert_eq!(of(&[Unrunnable; 3]).verdict, Unrunnable);
        assert!(!of(&[Unrunnable; 3]).reason.contains("Left out"));
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
