//! A7: *simplified boundary nodes speed up the AABB method* (anthology 1, of which only the
//! abstract is known).
//!
//! The method `edge-nodes` against the plain AABB tree on the same walks.

use impinge::query::Ask;
use impinge_benches::harness::{Competitor, NOISE, Rules, Timing, Workload, compete};
use impinge_benches::progress::Listener;
use impinge_models::{Scene as Motions, Shape};

use super::outcome::{Effort, Figure, Outcome, Scene};

/// The improved method and the plain one.
const WORDS: [&str; 2] = ["edge-nodes", "aabb-refit"];
const SHAPES: [[Shape; 2]; 2] = [[Shape::Hand, Shape::Gear], [Shape::Torus, Shape::Chain]];
const QUESTIONS: [&str; 2] = ["first contact", "all contacts"];

/// The experiment.
pub(crate) fn run(effort: &Effort, listener: Listener<'_>) -> Result<Outcome, String> {
    if let Some(outcome) = Outcome::missing(&WORDS) {
        return Ok(outcome);
    }
    let triangles = effort.pick(300, 2_000, 10_000);
    let steps = effort.pick(5, 60, 300);
    let passes = effort.pick(1, 3, 5);
    let both = Competitor::named(&WORDS)?;
    let mut sums: [Vec<Sum>; 2] = [vec![Sum::default(); 2], vec![Sum::default(); 2]];
    for [a, b] in SHAPES {
        let motions = Motions::walk(a, b, triangles, effort.seed, steps)
            .map_err(|error| error.to_string())?;
        let poses = motions.objects[1].motion.poses();
        let asked = Workload::motion(motions.meshes, [0, 1], poses);
        for (sums, ask) in sums.iter_mut().zip([Ask::first_contact(), Ask::all_contacts()]) {
            let found = compete(&both, &asked, &ask, Rules::passes(passes), listener)?;
            sums.iter_mut().zip(found).for_each(|(sum, timing)| sum.add(&timing));
        }
    }
    let scene = Scene::new(
        "Two walks, a gear about a hand and a chain about a torus, each step by at most 0.02 and \
         0.05 radians in a box of edge 1.6. The abstract names no scene; the plain AABB method is \
         aabb-refit.",
    )
    .count("triangles of each mesh, about", triangles)
    .count("steps of each walk", steps);
    Ok(judge(&sums, scene))
}

/// Over both walks.
#[derive(Clone, Debug, Default)]
struct Sum {
    nanoseconds: f64,
    volume_tests: u64,
    primitive_tests: u64,
}

impl Sum {
    fn add(&mut self, timing: &Timing) {
        self.nanoseconds += timing.total();
        self.volume_tests += timing.volume_tests;
        self.primitive_tests += timing.primitive_tests;
    }
}

fn judge(sums: &[Vec<Sum>; 2], scene: Scene) -> Outcome {
    let mut ours = Vec::new();
    let mut ratios = Vec::new();
    for (question, sums) in QUESTIONS.iter().zip(sums) {
        let ratio = |value: fn(&Sum) -> f64| value(&sums[0]) / value(&sums[1]);
        let time = ratio(|sum| sum.nanoseconds);
        ratios.push(time);
        let name = |what: &str| format!("{question}: {what}, edge-nodes over aabb-refit");
        ours.push(Figure::new(name("time"), time, "×"));
        ours.push(Figure::new(name("N_v"), ratio(|sum| sum.volume_tests as f64), "×"));
        ours.push(Figure::new(name("N_p"), ratio(|sum| sum.primitive_tests as f64), "×"));
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
        assert_eq!(outcome.verdict == Verdict::Unrunnable, Outcome::missing(&WORDS).is_some());
    }

    #[test]
    fn both_questions_must_be_faster() {
        let verdict = |first: f64, all: f64| {
            let sum = |nanoseconds| Sum { nanoseconds, ..Sum::default() };
            let sums = [first, all].map(|ratio| vec![sum(ratio), sum(1.0)]);
            judge(&sums, Scene::default()).verdict
        };
        assert_eq!(verdict(0.8, 0.9), Verdict::Holds);
        assert_eq!(verdict(0.8, 0.99), Verdict::Fails);
        assert_eq!(verdict(1.2, 0.9), Verdict::Fails);
    }
}
