//! V3: *SBV with LDI beats an AABB tree with refit on a deforming hand and ball* (sbv fig. 9).
//!
//! A hand closes on a ball in 100 steps; a step is an update of the hand and all contacts. The
//! paper's comparator is OPCODE with the hybrid update; the bottom-up update stands beside it, and so
//! do the paper's own parameters of `sbv-ldi`, and `sbv`, which tests triangles without an image.

use std::time::Instant;

use impinge::hierarchy::aabb_refit;
use impinge::hierarchy::build::Update;
use impinge::image::ldi;
use impinge::query::{Ask, Control, Prepared};
use impinge::separate::Params;
use impinge::{Mesh, Pose, sbv_ldi};
use impinge_benches::harness::{Competitor, Query, Turn, take_turns};
use impinge_benches::progress::Listener;
use impinge_models::DeformingScene;

use super::outcome::{Effort, Figure, Outcome, Plot, Scene, Statement, above_one};

/// Sums that differ by less cannot be told apart.
const NOISE: f64 = 0.05;
/// The paper's form, and ours with two detailed tests.
const OURS: [&str; 3] = ["sbv-ldi, the paper's parameters", "sbv-ldi", "sbv"];
/// The tree with both updates.
const TREES: [&str; 2] = ["aabb-refit, hybrid", "aabb-refit, bottom-up"];

/// Least microseconds of every step.
struct Curve {
    label: String,
    update: Vec<f64>,
    query: Vec<f64>,
}

/// Runs the experiment.
pub(crate) fn run(effort: &Effort, listener: Listener<'_>) -> Result<Outcome, String> {
    let (triangles, steps) =
        effort.pick(([600, 200], 6), ([10_000, 2_000], 50), ([10_000, 2_000], 100));
    let made = DeformingScene::hand_on_ball(triangles[0], triangles[1], steps)
        .map_err(|error| error.to_string())?;
    let hands: Vec<Mesh> = (0..steps).map(|step| made.meshes[0].mesh(step)).collect();
    let ball = made.meshes[1].mesh(0);
    let pose = Pose::relative(&made.poses[0], &made.poses[1]);
    let mut hybrid = aabb_refit();
    hybrid.update = Update::Hybrid;
    let resolution = ldi::Params::RESOLUTION;
    let competitors = [
        Competitor::new(OURS[0], sbv_ldi::sbv_ldi_with(Params::of_paper(), resolution)),
        Competitor::new(OURS[1], sbv_ldi::sbv_ldi()),
        Competitor::new(OURS[2], impinge::separate::sbv()),
        Competitor::new(TREES[0], hybrid),
        Competitor::new(TREES[1], aabb_refit()),
    ];
    let (curves, hits) = time(&competitors, &hands, &ball, &pose, effort.pick(1, 3, 7), listener)?;
    let scene = Scene::new(
        "A hand of 10,000 triangles closes on a ball of 2,000. A step moves the hand's vertices, \
         updates the model, and asks for all contacts; the least of several passes counts, in turns. \
         Deforming from the first to the last step; memories are kept.",
    )
    .count("triangles of the hand", hands[0].triangles().len())
    .count("triangles of the ball", ball.triangles().len())
    .count("steps", steps)
    .count("steps with contact", hits);
    Ok(conclude(&curves, scene))
}

fn time(
    competitors: &[Competitor],
    hands: &[Mesh],
    ball: &Mesh,
    pose: &Pose,
    passes: usize,
    listener: Listener<'_>,
) -> Result<(Vec<Curve>, usize), String> {
    let prepare = |competitor: &Competitor| -> Result<[Prepared; 2], String> {
        let prepare = |mesh| competitor.detector.prepare(mesh, &Control::NONE);
        let (hand, ball) = (prepare(&hands[0]), prepare(ball));
        Ok([hand.map_err(|e| e.to_string())?, ball.map_err(|e| e.to_string())?])
    };
    let mut models = competitors.iter().map(prepare).collect::<Result<Vec<_>, _>>()?;
    let mut ready: Vec<_> = competitors.iter().map(|competitor| competitor.ready(1)).collect();
    let empty = |competitor: &Competitor| Curve {
        label: competitor.label.clone(),
        update: vec![f64::INFINITY; hands.len()],
        query: vec![f64::INFINITY; hands.len()],
    };
    let mut curves: Vec<Curve> = competitors.iter().map(empty).collect();
    let mut contacts: Vec<Option<u64>> = vec![None; hands.len()];
    let (query, ask) = (Query { a: 0, b: 1, pair: 0, pose: *pose }, Ask::all_contacts());
    take_turns(competitors.len(), passes, hands.len(), |Turn { who, pass, step, first }| {
        if first && step == 0 {
            listener.stage("passes", pass, passes);
        }
        let (start, hand) = (Instant::now(), &mut models[who][0]);
        let moved = ready[who].detector.refit(hand, hands[step].vertices(), &Control::NONE);
        let update = start.elapsed();
        moved.map_err(|error| error.to_string())?;
        let (took, outcome) = ready[who].time(&models[who], std::slice::from_ref(&query), &ask);
        outcome?;
        let found = ready[who].answer.contacts_found;
        if *contacts[step].get_or_insert(found) != found {
            return Err(format!("{}: other contacts at step {step}", curves[who].label));
        }
        let curve = &mut curves[who];
        curve.update[step] = curve.update[step].min(update.as_secs_f64() * 1e6);
        curve.query[step] = curve.query[step].min(took.as_secs_f64() * 1e6);
        Ok(())
    })?;
    Ok((curves, contacts.iter().filter(|found| found.is_some_and(|n| n > 0)).count()))
}

impl Curve {
    fn steps(&self) -> impl Iterator<Item = f64> + '_ {
        self.update.iter().zip(&self.query).map(|(update, query)| update + query)
    }

    fn sum(&self) -> f64 {
        self.steps().sum()
    }
}

fn conclude(curves: &[Curve], scene: Scene) -> Outcome {
    let mut ours = Vec::new();
    let mut plot = Plot::panels("Update and all contacts, µs a step");
    for curve in curves {
        let name = |what: &str| format!("{}: {what}", curve.label);
        ours.push(Figure::new(name("all steps"), curve.sum() / 1e3, "ms"));
        ours.push(Figure::new(name("updates"), curve.update.iter().sum::<f64>() / 1e3, "ms"));
        let most = curve.steps().fold(0.0, f64::max);
        ours.push(Figure::new(name("slowest step"), most, "µs"));
        plot = plot.curve(&curve.label, curve.steps());
    }
    let (own, trees) = curves.split_at(OURS.len());
    let mut statements = Vec::new();
    for own in own {
        for tree in trees {
            let ratio = tree.sum() / own.sum();
            let faster = own.steps().zip(tree.steps()).filter(|(a, b)| a < b).count();
            ours.push(Figure::new(format!("{} over {}", tree.label, own.label), ratio, "×"));
            statements.push(Statement::new(
                format!("{} beats {}", own.label, tree.label),
                above_one(&[ratio], NOISE),
                format!(
                    "The tree takes {ratio:.2} × the time over all steps; {} is faster in {faster} of \
                     {} steps.",
                    own.label,
                    own.update.len()
                ),
            ));
        }
    }
    Outcome::several(statements, ours, scene).with(vec![plot])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{Verdict, tiny};
    use Verdict::{Fails, Holds, Untold};

    #[test]
    fn it_runs() {
        let outcome = tiny(run);
        assert_eq!((outcome.statements.len(), outcome.plots.len()), (6, 1));
    }

    #[test]
    fn sums_over_all_steps_decide() {
        let curve = |label: &str, update: f64| Curve {
            label: label.to_owned(),
            update: vec![update, update],
            query: vec![1.0, 2.0],
        };
        let [a, b, c] = OURS;
        let of = |tree: f64| {
            let trees = TREES.map(|label| curve(label, tree));
            let all = [curve(a, 1.0), curve(b, 2.0), curve(c, 8.0)];
            let curves: Vec<Curve> = all.into_iter().chain(trees).collect();
            conclude(&curves, Scene::default()).verdicts()
        };
        assert_eq!(of(4.0), [Holds, Holds, Holds, Holds, Fails, Fails]);
        assert_eq!(of(2.0), [Holds, Holds, Untold, Untold, Fails, Fails]);
    }
}
