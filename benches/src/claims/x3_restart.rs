//! X3: *restarting at the last contact visits fewer nodes* (xie §3.4).
//!
//! A coherent walk; the same method once with its memory kept and once with it dropped before every
//! step. Steps with contact decide: while apart there is no last contact.

use impinge::Method;
use impinge::query::Ask;
use impinge_benches::harness::{Competitor, Timing, Workload};
use impinge_benches::progress::Listener;
use impinge_models::Shape;

use super::outcome::{Effort, Figure, Outcome, Scene, Verdict};

const METHOD: Method = Method::ReducedAxes;
const SHAPES: [Shape; 2] = [Shape::Hand, Shape::Gear];
/// A smaller saving, as a fraction of the volume tests, counts as none.
const LEAST: f64 = 0.01;

/// Runs the experiment.
pub(crate) fn run(effort: &Effort, listener: Listener<'_>) -> Result<Outcome, String> {
    let triangles = effort.pick(300, 4_000, 16_000);
    let steps = effort.pick(20, 400, 2_000);
    let asked = Workload::walk(SHAPES, triangles, effort.seed, steps)?;
    let one = METHOD.into();
    listener.stage("with memory", 0, 2);
    let kept = walk(&one, &asked, true)?;
    listener.stage("without memory", 1, 2);
    let dropped = walk(&one, &asked, false)?;
    let scene = Scene::new(
        "A gear wanders about a hand: each step shifts by at most 0.02 and turns by at most 0.05 \
         radians, in a box of edge 1.6; the meshes are about 1 long. First contact, by the method \
         reduced-axes. The paper gives no scene.",
    )
    .count("triangles", asked.triangles)
    .count("steps", steps)
    .count("steps with contact", kept[1].hits());
    Ok(conclude(&kept, &dropped, scene))
}

/// The counts of the steps apart, and of those with contact.
fn walk(one: &Competitor, asked: &Workload, remember: bool) -> Result<[Timing; 2], String> {
    let models = one.prepare(asked)?;
    let (mut ready, ask) = (one.ready(asked.pairs), Ask::first_contact().counted());
    let mut found: [Timing; 2] = Default::default();
    for query in asked.steps.iter().flatten() {
        if !remember {
            ready.forget();
        }
        ready.ask(&models, query, &ask)?;
        found[usize::from(ready.answer.verdict.is_hit())].add(&ready.answer);
    }
    Ok(found)
}

fn conclude(kept: &[Timing; 2], dropped: &[Timing; 2], scene: Scene) -> Outcome {
    let ratio = |which: usize| kept[which].volume_tests as f64 / dropped[which].volume_tests as f64;
    let mut ours = Vec::new();
    for (which, about) in [(1, "with contact"), (0, "apart")] {
        if kept[which].hit.is_empty() {
            continue;
        }
        ours.push(Figure::new(
            format!("N_v, steps {about}, memory kept over dropped"),
            ratio(which),
            "×",
        ));
        for (walk, memory) in [(kept, "kept"), (dropped, "dropped")] {
            let of = &walk[which];
            for (count, value) in [("N_v", of.volume_tests), ("N_p", of.primitive_tests)] {
                let name = format!("{count}, steps {about}, memory {memory}");
                ours.push(Figure::new(name, value as f64, ""));
            }
        }
    }
    ours.push(Figure::new("steps with contact", kept[1].hits() as f64, ""));
    if kept[1].hits() == 0 && dropped[1].hits() == 0 {
        return Outcome::whole(Verdict::Unrunnable, "No step has contact.", ours, scene);
    }
    let same = kept[1].hits() == dropped[1].hits();
    let fewer = ratio(1) <= 1.0 - LEAST;
    let reason = format!(
        "In the steps with contact, starting at the last contact makes {:.1} % {} volume tests than \
         starting at the root{}.{}",
        100.0 * (1.0 - ratio(1)).abs(),
        if ratio(1) <= 1.0 { "fewer" } else { "more" },
        if same { ", with the same verdicts" } else { ", but the verdicts differ" },
        if kept[0].hit.is_empty() {
            String::new()
        } else {
            format!(" In those apart it makes {:.2} times as many.", ratio(0))
        }
    );
    Outcome::ran(same && fewer, reason, ours, scene)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::tiny;

    #[test]
    fn it_runs_and_counts_every_step() {
        let outcome = tiny(run);
        let mut counts = outcome.scene.counts.iter();
        let hits = counts.find(|count| count.name == "steps with contact").expect("a count").value;
        let figure = outcome.ours.last().and_then(|figure| figure.value).expect("a figure");
        assert_eq!(figure, hits as f64);
        assert_eq!(outcome.verdict() == Verdict::Unrunnable, hits == 0);
        assert_eq!(outcome.ours.len(), if hits == 0 || hits == 20 { 6 } else { 11 });
    }

    #[test]
    fn fewer_tests_and_the_same_verdicts_are_asked() {
        let timing = |volume_tests, hits| {
            let apart = Timing { volume_tests: 9, hit: vec![false; 2], ..Timing::default() };
            [apart, Timing { volume_tests, hit: vec![true; hits], ..Timing::default() }]
        };
        let verdict = |kept, dropped| conclude(&kept, &dropped, Scene::default()).verdict();
        assert_eq!(verdict(timing(50, 3), timing(100, 3)), Verdict::Holds);
        assert_eq!(verdict(timing(100, 3), timing(100, 3)), Verdict::Fails);
        assert_eq!(verdict(timing(150, 3), timing(100, 3)), Verdict::Fails);
        assert_eq!(verdict(timing(50, 2), timing(100, 3)), Verdict::Fails);
        assert_eq!(verdict(timing(0, 0), timing(0, 0)), Verdict::Unrunnable);
        assert_eq!(verdict(timing(0, 0), timing(100, 3)), Verdict::Fails, "a contact is lost");
    }
}
