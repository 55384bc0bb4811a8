//! A9: *element assignment and re-assignment save tests* (anthology 2 §2.5.2).
//!
//! One walk, one descent; only the test of two triangles differs: every edge of both against the face
//! of the other, edges at one of their triangles, edges that are re-assigned where they met nothing.
//! Over time, the same of vertices against faces and edges against edges, from each place of the walk to
//! the next.

use impinge::continuous::{ElementTest, ElementWalk, Moving, MovingTree};
use impinge::query::{Ask, Control};
use impinge::scene::front::{OctreeFrontParams, TriangleTest};
use impinge::{Mesh, Point, Pose};
use impinge_benches::harness::{Query, Timing, Workload, count};
use impinge_benches::progress::Listener;
use impinge_models::motion::Walk;
use impinge_models::{Motion, Random, Shape};

use super::outcome::{Effort, Figure, Outcome, Scene, Statement, saves};
use super::teapots::form;

const SHAPES: [[Shape; 2]; 2] = [[Shape::Teapot; 2], [Shape::Hand, Shape::Gear]];

/// The three forms, at an instant and over time.
const FORMS: [(&str, TriangleTest, ElementTest); 3] = [
    ("without", TriangleTest::EveryEdge, ElementTest::Every),
    ("assigned", TriangleTest::Assigned, ElementTest::Assigned),
    ("re-assigned", TriangleTest::Reassigned, ElementTest::Reassigned),
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

/// What is counted for one size of steps.
#[derive(Clone, Default)]
struct Counted {
    at_places: Counts,
    over_time: Counts,
}

/// The places of B in A, walk by walk.
fn walks([shift, turn]: [f64; 2], steps: usize, seed: u64) -> Result<Vec<Vec<Pose>>, String> {
    let walk = Walk { reach: 0.4, shift, turn };
    let walked = |pair| {
        let seed = Random::stream(seed, pair as u64).bits();
        let motion = Motion::walk(&walk, seed, steps).map_err(|error| error.to_string())?;
        Ok((0..steps).map(|at| *motion.at(at)).collect())
    };
    (0..WALKS).map(walked).collect()
}

/// Contacts at all places.
fn at_places(meshes: &[Mesh; 2], walks: &[Vec<Pose>]) -> Workload {
    let asked = walks.iter().enumerate().flat_map(|(pair, places)| {
        places.iter().map(move |pose| vec![Query { a: 0, b: 1, pair, pose: *pose }])
    });
    Workload::new(meshes.to_vec(), asked.collect())
}

/// Features that meet between the places: B goes from each to the next, its vertices straight on.
fn over_time(meshes: &[Mesh; 2], walks: &[Vec<Pose>]) -> Result<Forms, String> {
    counted_over_time(meshes, walks).map_err(|error| error.to_string())
}

fn counted_over_time(
    meshes: &[Mesh; 2],
    walks: &[Vec<Pose>],
) -> Result<Forms, Box<dyn std::error::Error>> {
    let mut forms = Forms::default();
    let [a, b] = meshes;
    let tree_of_a = MovingTree::new(&Moving::new(a, a.vertices())?, &Control::NONE)?;
    let mut tree_of_b = MovingTree::new(&Moving::new(b, b.vertices())?, &Control::NONE)?;
    let posed = |pose: &Pose| b.vertices().iter().map(|p| pose.apply(p)).collect::<Vec<Point>>();
    for places in walks {
        let walk = |(_, _, test)| ElementWalk::new([a, b], test, &Control::NONE);
        let mut elements = FORMS.into_iter().map(walk).collect::<Result<Vec<_>, _>>()?;
        for ends in places.windows(2) {
            let (start, end) = (b.with_vertices(posed(&ends[0]))?, posed(&ends[1]));
            tree_of_b.refit(&Moving::new(&start, &end)?)?;
            let mut first = None;
            for (walk, form) in elements.iter_mut().zip(&mut forms) {
                let step = walk.step([&tree_of_a, &tree_of_b], &Control::NONE)?;
                form.primitive_tests += step.tests;
                // What differs from the first form is no contact, so that the counts differ.
                let first = first.get_or_insert_with(|| step.met.clone());
                form.contacts += if *first == step.met { first.len() as u64 } else { 0 };
                form.hit.push(!first.is_empty());
            }
        }
    }
    Ok(forms)
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
         Over time, trees of boxes over both ends of a step give the pairs of triangles, and without \
         assignment each takes six tests of a vertex and a face and nine of two edges. \
         The paper gives no scene; it relies on small steps, so two sizes are run."
    ));
    let mut all: [Counted; STEPS.len()] = Default::default();
    for ((of, size), counted) in STEPS.into_iter().zip(&mut all) {
        let walks = walks(size, steps, effort.seed)?;
        for shapes in SHAPES {
            let [a, b] = shapes;
            listener.stage(of, counted.at_places.len(), SHAPES.len());
            let meshes = shapes.map(|shape| shape.mesh(triangles, effort.seed));
            let asked = at_places(&meshes, &walks);
            let mut forms = Forms::default();
            for ((name, test, _), timing) in FORMS.into_iter().zip(&mut forms) {
                let params = OctreeFrontParams { test, ..OctreeFrontParams::default() };
                *timing = count(&form(name, params), &asked, &Ask::all_contacts(), true)?;
            }
            let timed = over_time(&meshes, &walks)?;
            scene = scene
                .count(format!("{a} and {b}, {of}: triangles"), asked.triangles)
                .count(format!("{a} and {b}, {of}: steps with contact"), forms[0].hits())
                .count(format!("{a} and {b}, {of}: steps in which features meet"), timed[0].hits());
            counted.at_places.push((format!("{a} and {b}"), forms));
            counted.over_time.push((format!("{a} and {b}"), timed));
        }
    }
    Ok(conclude(&all, scene))
}

fn conclude(all: &[Counted; STEPS.len()], scene: Scene) -> Outcome {
    let (mut statements, mut ours) = (Vec::new(), Vec::new());
    let at_places = all.each_ref().map(|counted| &counted.at_places);
    let over_time = all.each_ref().map(|counted| &counted.over_time);
    for (when, tested, all) in [
        ("", "edge-face tests", at_places),
        (" over time", "vertex-face and edge-edge tests", over_time),
    ] {
        for ((of, _), counts) in STEPS.iter().zip(all) {
            for (name, forms) in counts {
                let mut add = |what: String, count: u64| {
                    ours.push(Figure::new(format!("{name}, {of}{when}: {what}"), count as f64, ""));
                };
                for ((form, ..), timing) in FORMS.iter().zip(forms) {
                    add(format!("{tested}, {form}"), timing.primitive_tests);
                }
                add("contacts".to_owned(), forms[0].contacts);
            }
            for (what, forms) in [("assignment", [0, 1]), ("re-assignment", [1, 2])] {
                let text = format!("{what} saves {tested}: {of}");
                statements.push(statement(text, counts, forms));
            }
        }
    }
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
    let reason = format!("Tests, {contacts}: {}.", listed.join("; "));
    Statement::new(text, verdict, reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{Verdict, tiny};

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
            let counted = Counted { at_places: counts.clone(), over_time: counts };
            let all = conclude(&[counted.clone(), counted], Scene::default()).verdicts();
            assert!(all.chunks(2).all(|both| both == &all[..2]));
            assert_eq!(all.len(), 8);
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
