//! F9: *edge-box beats box-box even serially* (fan table 4-1).
//!
//! `escd` against `sstcd` on the three scenes of the chapter: the edges of one mesh against the
//! boxes of the other and vice versa, against box-box. Trees and the edge-triangle test are the
//! same.

use impinge::parallel::Passed;
use impinge::parallel::methods::{EdgeBoxParams, escd, escd_with, sstcd};
use impinge_benches::harness::{Competitor, NOISE, Timing, compete};
use impinge_benches::progress::Listener;

use super::fan_parallel::{self, Plan, QUESTIONS};
use super::outcome::{Effort, Figure, Outcome, Scene, listed};

/// The paper's milliseconds of ESCD and SSTCD.
const PAPER: [[f64; 2]; 3] = [[231.2, 246.9], [349.1, 3652.1], [581.7, 14832.7]];

/// Timings of sstcd, escd, and escd with the surviving edges.
type Timings = Vec<Timing>;

/// Runs the experiment.
pub(crate) fn run(effort: &Effort, listener: Listener<'_>) -> Result<Outcome, String> {
    let plan = Plan::new(effort);
    let surviving = EdgeBoxParams { passed: Passed::Surviving, ..EdgeBoxParams::default() };
    let three = [
        Competitor::new("sstcd", sstcd()),
        Competitor::new("escd", escd()),
        Competitor::new("escd, surviving edges", escd_with(surviving)),
    ];
    let (timings, scene) = plan.each(
        fan_parallel::about(&plan),
        |timings: &Timings| &timings[0],
        |asked, ask| compete(&three, asked, ask, plan.rules(), listener),
    )?;
    Ok(conclude(&timings, scene))
}

/// Draws the conclusion. `timings` is indexed by scene, then by question.
fn conclude(timings: &[Vec<Timings>], scene: Scene) -> Outcome {
    let mut ours = Vec::new();
    let mut ratios: [Vec<f64>; 2] = [Vec::new(), Vec::new()];
    let mut survivors = Vec::new();
    for ((number, timings), [edges, boxes]) in (1..).zip(timings).zip(PAPER) {
        for (question, timings) in timings.iter().enumerate() {
            let name = |what: &str| format!("scene {number}, {}: {what}", QUESTIONS[question]);
            let over = |k: usize, value: Value| value(&timings[k]) / value(&timings[0]);
            let time = Figure::new(name("time, escd over sstcd"), over(1, Timing::mean), "×");
            ours.push(time.paper((question == 0).then_some(edges / boxes)));
            ratios[question].push(over(1, Timing::mean));
            survivors.push(over(2, Timing::mean));
            for (timing, word) in timings.iter().zip(["sstcd", "escd", "escd, surviving edges"]) {
                ours.push(Figure::new(name(word), timing.mean() / 1e6, "ms"));
            }
            for (what, value) in COUNTERS {
                let name = name(&format!("{what}, escd over sstcd"));
                ours.push(Figure::new(name, over(1, value), "×"));
            }
        }
    }
    let holds = ratios[0].iter().all(|ratio| *ratio < 1.0 - NOISE);
    let reason = format!(
        "escd takes {} × the time of sstcd for the first contact in scenes 1 to 3 (paper: 0.94, \
         0.10, 0.04), each must be below {:.2}; {} × for all contacts. Handing only the edges that \
         meet a box to its children, it takes {} × (first and all in turn). The thesis tests every \
         edge of the mesh against every box that is reached, so its work grows as the product of \
         edges and boxes. Its models and its test of an edge against a triangle are not known.",
        listed(ratios[0].iter().copied()),
        1.0 - NOISE,
        listed(ratios[1].iter().copied()),
        listed(survivors)
    );
    Outcome::ran(holds, reason, ours, scene)
}

/// Reads one counter of a timing.
type Value = fn(&Timing) -> f64;

/// Counters; they are the same on every machine.
const COUNTERS: [(&str, Value); 3] = [
    ("tasks", |timing| timing.tasks as f64),
    ("N_v", |timing| timing.volume_tests as f64),
    ("N_p", |timing| timing.primitive_tests as f64),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{Verdict, tiny};

    #[test]
    fn it_runs() {
        let outcome = tiny(run);
        assert!(outcome.ours.iter().all(|figure| figure.value.is_some_and(|v| v > 0.0)));
    }

    #[test]
    fn every_scene_must_be_faster_to_the_first_contact() {
        let verdict = |first: [f64; 3], all: f64| {
            let timing = |time: f64| Timing { least: vec![time], ..Timing::default() };
            let three = |ratio| vec![timing(1.0), timing(ratio), timing(1.0)];
            let timings = first.map(|first| vec![three(first), three(all)]);
            conclude(&timings, Scene::default()).verdict()
        };
        assert_eq!(verdict([0.9, 0.1, 0.04], 0.5), Verdict::Holds);
        assert_eq!(verdict([0.9, 0.1, 0.04], 2.0), Verdict::Holds);
        assert_eq!(verdict([0.99, 0.1, 0.04], 0.5), Verdict::Fails);
        assert_eq!(verdict([0.9, 0.1, 5.0], 0.5), Verdict::Fails);
    }
}
