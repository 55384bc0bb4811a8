//! A7: *simplified boundary nodes speed up the AABB method* (anthology 1, of which only the
//! abstract is known).
//!
//! The method `edge-nodes` against the plain AABB tree on the same walks.

use impinge::query::Ask;
use impinge_benches::progress::Listener;
use impinge_models::{Scene as Motions, Shape};

use super::outcome::{Effort, Figure, Outcome, Scene};
use super::race::{self, Lap, NOISE, Query, Step};

/// The improved method and the plain one.
const WORDS: [&str; 2] = ["edge-nodes", "aabb-refit"];
const SHAPES: [[Shape; 2]; 2] = [[Shape::Hand, Shape::Gear], [Shape::Torus, Shape::Chain]];
const QUESTIONS: [&str; 2] = ["first contact", "all contacts"];

/// The experiment.
pub(crate) fn run(effort: &Effort, listener: Listener<'_>) -> Result<Outcome, String> {
    if let Some(outcome) = race::missing(&WORDS) {
        return Ok(outcome);
    }
    let triangles = effort.pick(300, 2_000, 10_000);
    let steps = effort.pick(5, 60, 300);
    let passes = effort.pick(1, 3, 5);
    let mut laps: [Vec<Lap>; 2] = [vec![Lap::default(); 2], vec![Lap::default(); 2]];
    for [a, b] in SHAPES {
        let motions = Motions::walk(a, b, triangles, effort.seed, steps)
            .map_err(|error| error.to_string())?;
        let poses = motions.objects[1].motion.poses();
        let asked: Vec<Step> =
            poses.iter().map(|pose| vec![Query { a: 0, b: 1, pair: 0, pose: *pose }]).collect();
        for (sums, ask) in laps.iter_mut().zip([Ask::first_contact(), Ask::all_contacts()]) {
            let found = race::race(&WORDS, &motions.meshes, &asked, &ask, passes, listener)?;
            for (sum, lap) in sums.iter_mut().zip(found) {
                sum.nanoseconds += lap.nanoseconds;
                sum.volume_tests += lap.volume_tests;
                sum.primitive_tests += lap.primitive_tests;
            }
        }
    }
    let scene = Scene::new(
        "Two walks, a gear about a hand and a chain about a torus, each step by at most 0.02 and \
         0.05 radians in a box of edge 1.6. The abstract names no scene; the plain AABB method is \
         aabb-refit.",
    )
    .count("triangles of each mesh, about", triangles)
    .count("steps of each walk", steps);
    Ok(judge(&laps, scene))
}

fn judge(laps: &[Vec<Lap>; 2], scene: Scene) -> Outcome {
    let mut ours = Vec::new();
    let mut ratios = Vec::new();
    for (question, laps) in QUESTIONS.iter().zip(laps) {
        let ratio = |value: fn(&Lap) -> f64| value(&laps[0]) / value(&laps[1]);
        let time = ratio(|lap| lap.nanoseconds);
        ratios.push(time);
        let name = |what: &str| format!("{question}: {what}, edge-nodes over aabb-refit");
        ours.push(Figure::new(name("time"), time, "×"));
        ours.push(Figure::new(name("N_v"), ratio(|lap| lap.volume_tests as f64), "×"));
        ours.push(Figure::new(name("N_p"), ratio(|lap| lap.primitive_tests as f64), "×"));
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
    use crate::outcome::{Extent, Verdict};

    #[test]
    fn it_runs_or_names_what_is_missing() {
        let effort = Effort { extent: Extent::Tiny, seed: 1 };
        let outcome = run(&effort, Listener::NONE).expect("it runs");
        assert_eq!(outcome.verdict == Verdict::Unrunnable, race::missing(&WORDS).is_some());
    }

    #[test]
    fn both_questions_must_be_faster() {
        let verdict = |first: f64, all: f64| {
            let lap = |nanoseconds| Lap { nanoseconds, ..Lap::default() };
            let laps = [first, all].map(|ratio| vec![lap(ratio), lap(1.0)]);
            judge(&laps, Scene::default()).verdict
        };
        assert_eq!(verdict(0.8, 0.9), Verdict::Holds);
        assert_eq!(verdict(0.8, 0.99), Verdict::Fails);
        assert_eq!(verdict(1.2, 0.9), Verdict::Fails);
    }
}
