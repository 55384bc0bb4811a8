//! A7: *simplified boundary nodes speed up the AABB method* (anthology 1, of which only the
//! abstract is known).
//!
//! The method `edge-nodes` against the plain AABB tree on the same walks.

use impinge::query::Ask;
use impinge_benches::harness::{Competitor, NOISE, Rules, Timing, Workload, compete};
use impinge_benches::progress::Listener;
use impinge_models::Shape;

use super::outcome::{Effort, Figure, Outcome, Scene};

/// The improved method and the plain one.
const WORDS: [&str; 2] = ["edge-nodes", "aabb-refit"];
const SHAPES: [[Shape; 2]; 2] = [[Shape::Hand, Shape::Gear], [Shape::Torus, Shape::Chain]];
const QUESTIONS: [&str; 2] = ["first contact", "all contacts"];

/// Runs the experiment.
pub(crate) fn run(effort: &Effort, listener: Listener<'_>) -> Result<Outcome, String> {
    if let Some(outcome) = Outcome::missing(&WORDS) {
        return Ok(outcome);
    }
    let triangles = effort.pick(300, 2_000, 10_000);
    let steps = effort.pick(5, 60, 300);
    let passes = effort.pick(1, 3, 5);
    let both = Competitor::named(&WORDS)?;
    let mut timings: [Vec<Vec<Timing>>; 2] = [Vec::new(), Vec::new()];
    for shapes in SHAPES {
        let asked = Workload::walk(shapes, triangles, effort.seed, steps)?;
        for (walks, ask) in timings.iter_mut().zip([Ask::first_contact(), Ask::all_contacts()]) {
            walks.push(compete(&both, &asked, &ask, Rules::passes(passes), listener)?);
        }
    }
    let scene = Scene::new(
        "Two walks, a gear about a hand and a chain about a torus, each step by at most 0.02 and \
         0.05 radians in a box of edge 1.6. The abstract names no scene; the plain AABB method is \
         aabb-refit.",
    )
    .count("triangles of each mesh, about", triangles)
    .count("steps of each walk", steps);
    Ok(conclude(&timings, scene))
}

/// Draws the conclusion. `timings` is indexed by question, then by walk.
fn conclude(timings: &[Vec<Vec<Timing>>; 2], scene: Scene) -> Outcome {
    let mut ours = Vec::new();
    let mut ratios = Vec::new();
    for (question, walks) in QUESTIONS.iter().zip(timings) {
        let ratio = |value: fn(&Timing) -> f64| {
            let sum = |k: usize| walks.iter().map(|walk| value(&walk[k])).sum::<f64>();
            sum(0) / sum(1)
        };
        let time = ratio(Timing::total);
        ratios.push(time);
        let name = |what: &str| format!("{question}: {what}, edge-nodes over aabb-refit");
        ours.push(Figure::new(name("time"), time, "×"));
        ours.push(Figure::new(name("N_v"), ratio(|timing| timing.volume_tests as f64), "×"));
        ours.push(Figure::new(name("N_p"), ratio(|timing| timing.primitive_tests as f64), "×"));
    }
    let holds = ratios.iter().all(|ratio| *ratio < 1.0 - NOISE);
    let reason = format!(
        "edge-nodes takes {:.2} × the time of the plain AABB tree for first contact and {:.2} × for \
         all contacts; both must be below {:.2}. Only the abstract of that paper is known, and the \
         method is a reading of it.",
        ratios[0],
        ratios[1],
        1.0 - NOISE
    );
    Outcome::ran(holds, reason, ours, scene)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{Verdict, tiny};

    #[test]
    fn it_runs_or_names_what_is_missing() {
        let outcome = tiny(run);
        assert_eq!(outcome.verdict() == Verdict::Unrunnable, Outcome::missing(&WORDS).is_some());
    }

    #[test]
    fn both_questions_must_be_faster() {
        let verdict = |first: f64, all: f64| {
            let timing = |time| Timing { least: vec![time], ..Timing::default() };
            let timings = [first, all].map(|ratio| vec![vec![timing(ratio), timing(1.0)]]);
            conclude(&timings, Scene::default()).verdict()
        };
        assert_eq!(verdict(0.8, 0.9), Verdict::Holds);
        assert_eq!(verdict(0.8, 0.99), Verdict::Fails);
        assert_eq!(verdict(1.2, 0.9), Verdict::Fails);
    }
}
