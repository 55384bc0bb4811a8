//! A7: *simplified boundary nodes speed up the AABB method* (anthology 1, of which only the
//! abstract is known).
//!
//! It cannot be repeated. The method `edge-nodes`, a reading of the abstract, is measured against the
//! plain AABB tree on the same walks.

use impinge::query::Ask;
use impinge_benches::harness::{Competitor, Rules, Timing, Workload, compete};
use impinge_benches::progress::Listener;
use impinge_models::Shape;

use super::outcome::{Effort, Figure, Outcome, Scene, Verdict};

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
    let reason = format!(
        "Only the abstract of that paper is known, so its method cannot be repeated. Our reading of \
         it, edge-nodes, takes {:.2} × the time of the plain AABB tree for first contact and {:.2} × \
         for all contacts, which says nothing about the paper's.",
        ratios[0], ratios[1]
    );
    Outcome::whole(Verdict::Unrunnable, reason, ours, scene)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::tiny;

    #[test]
    fn figures_of_our_reading_stand_beside_no_verdict() {
        let outcome = tiny(run);
        assert_eq!(outcome.verdict(), Verdict::Unrunnable);
        let times = outcome.ours.iter().filter(|figure| figure.name.contains("time"));
        assert!(times.filter(|figure| figure.value.is_some_and(|v| v > 0.0)).count() == 2);
    }

    #[test]
    fn a_faster_reading_is_no_verdict_either() {
        let timing = |time| Timing { least: vec![time], ..Timing::default() };
        let timings = [0.25, 0.5].map(|ratio| vec![vec![timing(ratio), timing(1.0)]]);
        let outcome = conclude(&timings, Scene::default());
        assert_eq!(outcome.verdict(), Verdict::Unrunnable);
        assert!(outcome.statements[0].reason.contains("0.25 ×"));
        assert!(outcome.statements[0].reason.contains("0.50 ×"));
    }
}
