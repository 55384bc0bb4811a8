//! A9: *element assignment and re-assignment save tests* (anthology 2 §2.5.2).
//!
//! One walk, one descent; only the test of two triangles differs: every edge of both against the face
//! of the other, edges at one of their triangles, edges that are re-assigned where they met nothing.

use impinge::query::Ask;
use impinge::scene::front::{OctreeFrontParams, TriangleTest};
use impinge_benches::harness::{Query, Timing, Workload, count};
use impinge_benches::progress::Listener;
use impinge_models::motion::Walk;
use impinge_models::{Motion, Random, Shape};

use super::outcome::{Effort, Figure, Outcome, Scene, Statement, Verdict, saves};
use super::teapots::form;

const SHAPES: [[Shape; 2]; 2] = [[Shape::Teapot; 2], [Shape::Hand, Shape::Gear]];

/// What is missing for the tests of vertices against faces and edges against edges over time.
const CONTINUOUS: &str =
    "No method of the facade tests the features of two meshes over a step of time.";

const FORMS: [(&str, TriangleTest); 3] = [
    ("without", TriangleTest::EveryEdge),
    ("assigned", TriangleTest::Assigned),
    ("re-assigned", TriangleTest::Reassigned),
];

/// Names of the readings of a small step, and steps: the longest way, in lengths of a body, and the
/// largest turn, in radians.
const STEPS: [(&str, [f64; 2]); 2] =
    [("steps of 0.02 lengths", [0.02, 0.05]), ("steps of 0.002 lengths", [0.002, 0.005])];
/// Walks from places of their own, since a single one may stay apart.
const WALKS: usize = 10;

/// The counts of the three forms in one scene.
type Forms = [Timing; 3];

/// The counts of all scenes, by their names, for one size of steps.
type Counts = Vec<(String, Forms)>;

/// A shape walks about another, from several places.
fn walks(
    shapes: [Shape; 2],
    triangles: usize,
    [shift, turn]: [f64; 2],
    steps: usize,
    seed: u64,
) -> Result<Workload, String> {
    let walk = Walk { reach: 0.4, shift, turn };
    let mut all = Vec::new();
    for pair in 0..WALKS {
        let seed = Random::stream(seed, pair as u64).bits();
        let motion = Motion::walk(&walk, seed, steps).map_err(|error| error.to_string())?;
        all.extend((0..steps).map(|at| vec![Query { a: 0, b: 1, pair, pose: *motion.at(at) }]));
    }
    Ok(Workload::new(shapes.map(|shape| shape.mesh(triangles, seed)).to_vec(), all))
}

/// Runs the experiment.
pub(crate) fn run(effort: &Effort, listener: Listener<'_>) -> Result<Outcome, String> {
    let triangles = effort.pick(300, 2_000, 8_000);
    let steps = effort.pick(4, 20, 100);
    let mut scene = Scene::new(format!(
        "A body wanders about another, {WALKS} walks of {steps} steps, each with a memory of its own; \
         its middle stays within 0.4 of the other's on each axis. The meshes are about 1 long: two \
         teapots, a hand and a gear. All contacts, by octree-front. Without assignment a pair of \
         triangles takes up to six tests of an edge and a face, and ends at the first that meets. \
         The paper gives no scene; it relies on small steps, so two sizes are run."
    ));
    let mut all: [Counts; STEPS.len()] = Default::default();
    for ((of, size), counts) in STEPS.into_iter().zip(&mut all) {
        for shapes in SHAPES {
            let [a, b] = shapes;
            listener.stage(of, counts.len(), SHAPES.len());
            let asked = walks(shapes, triangles, size, steps, effort.seed)?;
            let mut forms = Forms::default();
            for ((name, test), timing) in FORMS.into_iter().zip(&mut forms) {
                let params = OctreeFrontParams { test, ..OctreeFrontParams::default() };
                *timing = count(&form(name, params), &asked, &Ask::all_contacts(), true)?;
            }
            scene = scene
                .count(format!("{a} and {b}, {of}: triangles"), asked.triangles)
                .count(format!("{a} and {b}, {of}: steps with contact"), forms[0].hits());
            counts.push((format!("{a} and {b}"), forms));
        }
    }
    Ok(conclude(&all, scene))
}

fn conclude(all: &[Counts; STEPS.len()], scene: Scene) -> Outcome {
    let (mut statements, mut ours) = (Vec::new(), Vec::new());
    for ((of, _), counts) in STEPS.iter().zip(all) {
        for (name, forms) in counts {
            for ((form, _), timing) in FORMS.iter().zip(forms) {
                let tests = timing.primitive_tests as f64;
                ours.push(Figure::new(format!("{name}, {of}: edge-face tests, {form}"), tests, ""));
            }
            ours.push(Figure::new(format!("{name}, {of}: contacts"), forms[0].contacts as f64, ""));
        }
        for (what, forms) in [("assignment", [0, 1]), ("re-assignment", [1, 2])] {
            statements.push(statement(format!("{what} saves tests: {of}"), counts, forms));
        }
    }
    let text = "both save tests in continuous detection";
    statements.push(Statement::new(text, Verdict::Unrunnable, CONTINUOUS));
    Outcome::several(statements, ours, scene)
}

/// Whether the second form makes fewer tests than the first.
fn statement(text: String, counts: &Counts, [before, after]: [usize; 2]) -> Statement {
    let ratio = |forms: &Forms| {
        forms[after].primitive_tests as f64 / forms[before].primitive_tests.max(1) as f64
    };
    let same = counts.iter().all(|(_, forms)| forms[before].contacts == forms[after].contacts);
    let ratios: Vec<f64> = counts.iter().map(|(_, forms)| ratio(forms)).collect();
    let saved = |((name, _), ratio): (&(String, Forms), &f64)| {
        let (share, word) =
            (100.0 * (1.0 - ratio).abs(), if *ratio <= 1.0 { "fewer" } else { "more" });
        format!("{name}: {share:.1} % {word}")
    };
    let listed: Vec<String> = counts.iter().zip(&ratios).map(saved).collect();
    let (verdict, contacts) = saves(&ratios, same);
    let reason = format!("Tests of an edge and a face, {contacts}: {}.", listed.join("; "));
    Statement::new(text, verdict, reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::tiny;

    #[test]
    fn it_runs() {
        let outcome = tiny(run);
        assert_eq!(outcome.verdicts()[0], Verdict::Holds);
        assert!(outcome.statements[0].reason.contains("the same contacts"));
    }

    #[test]
    fn a_tenth_must_be_saved_in_every_scene_with_the_same_contacts() {
        let timing =
            |(primitive_tests, contacts)| Timing { primitive_tests, contacts, ..Timing::default() };
        let verdicts = |scenes: &[[(u64, u64); 3]]| {
            let counts: Counts = scenes.iter().map(|of| (String::new(), of.map(timing))).collect();
            let all = conclude(&[counts.clone(), counts], Scene::default()).verdicts();
            assert_eq!((&all[2..4], all[4]), (&all[..2], Verdict::Unrunnable));
            [all[0], all[1]]
        };
        let (yes, no, untold) = (Verdict::Holds, Verdict::Fails, Verdict::Untold);
        assert_eq!(verdicts(&[[(100, 3), (90, 3), (81, 3)]]), [yes, yes]);
        assert_eq!(verdicts(&[[(100, 3), (91, 3), (95, 3)]]), [no, no]);
        assert_eq!(verdicts(&[[(100, 3), (50, 2), (25, 2)]]), [no, yes]);
        let mixed = [[(100, 3), (50, 3), (49, 3)], [(100, 3), (50, 3), (25, 3)]];
        assert_eq!(verdicts(&mixed), [yes, untold]);
    }
}
