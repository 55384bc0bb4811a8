//! A9: *element assignment and re-assignment save tests* (anthology 2 §2.5.2).
//!
//! One walk, one descent; only the test of two triangles differs: every edge of both against the face
//! of the other, edges at one of their triangles, edges that are re-assigned where they met nothing.

use impinge::query::Ask;
use impinge::scene::front::{OctreeFrontParams, TriangleTest};
use impinge_benches::harness::{Timing, Workload, count};
use impinge_benches::progress::Listener;
use impinge_models::Shape;

use super::outcome::{Effort, Figure, Outcome, Scene, Statement, Verdict};
use super::teapots::form;

const SHAPES: [[Shape; 2]; 2] = [[Shape::Teapot; 2], [Shape::Hand, Shape::Gear]];
/// A smaller saving, as a fraction of the tests, is none.
const LEAST: f64 = 0.10;

const FORMS: [(&str, TriangleTest); 3] = [
    ("without", TriangleTest::EveryEdge),
    ("assigned", TriangleTest::Assigned),
    ("re-assigned", TriangleTest::Reassigned),
];

/// The counts of the three forms in one scene.
type Forms = [Timing; 3];

/// Runs the experiment.
pub(crate) fn run(effort: &Effort, listener: Listener<'_>) -> Result<Outcome, String> {
    let triangles = effort.pick(300, 2_000, 8_000);
    let steps = effort.pick(20, 200, 1_000);
    let mut scene = Scene::new(
        "A body wanders about another: each step shifts by at most 0.02 and turns by at most 0.05 \
         radians, in a box of edge 1.6; the meshes are about 1 long: two teapots, a hand and a gear. \
         All contacts, by octree-front. Without assignment a pair of triangles takes up to six \
         tests of an edge and a face, and ends at the first that meets. The paper gives no scene.",
    );
    let mut all = Vec::new();
    for (k, shapes) in SHAPES.into_iter().enumerate() {
        let asked = Workload::walk(shapes, triangles, effort.seed, steps)?;
        let mut forms = Forms::default();
        for (i, ((name, test), timing)) in FORMS.into_iter().zip(&mut forms).enumerate() {
            listener.stage("walking", FORMS.len() * k + i, FORMS.len() * SHAPES.len());
            let params = OctreeFrontParams { test, ..OctreeFrontParams::default() };
            *timing = count(&form(name, params), &asked, &Ask::all_contacts(), true)?;
        }
        let [a, b] = shapes;
        scene = scene
            .count(format!("{a} and {b}: triangles"), asked.triangles)
            .count(format!("{a} and {b}: steps"), steps)
            .count(format!("{a} and {b}: steps with contact"), forms[0].hits());
        all.push((format!("{a} and {b}"), forms));
    }
    Ok(conclude(&all, scene))
}

fn conclude(all: &[(String, Forms)], scene: Scene) -> Outcome {
    let mut ours = Vec::new();
    for (name, forms) in all {
        for ((form, _), timing) in FORMS.iter().zip(forms) {
            let tests = timing.primitive_tests as f64;
            ours.push(Figure::new(format!("{name}: edge-face tests, {form}"), tests, ""));
        }
        ours.push(Figure::new(format!("{name}: contacts"), forms[0].contacts as f64, ""));
    }
    let statement = |text: &str, [before, after]: [usize; 2]| {
        let ratio = |forms: &Forms| {
            forms[after].primitive_tests as f64 / forms[before].primitive_tests.max(1) as f64
        };
        let same = all.iter().all(|(_, forms)| forms[before].contacts == forms[after].contacts);
        let ratios: Vec<f64> = all.iter().map(|(_, forms)| ratio(forms)).collect();
        let saved = |name: &str, ratio: f64| {
            let (share, word) =
                (100.0 * (1.0 - ratio).abs(), if ratio <= 1.0 { "fewer" } else { "more" });
            format!("{name}: {share:.1} % {word}")
        };
        let listed: Vec<String> =
            all.iter().zip(&ratios).map(|((name, _), ratio)| saved(name, *ratio)).collect();
        let verdict = if !same || ratios.iter().all(|ratio| *ratio > 1.0 - LEAST) {
            Verdict::Fails
        } else if ratios.iter().all(|ratio| *ratio <= 1.0 - LEAST) {
            Verdict::Holds
        } else {
            Verdict::Untold
        };
        let contacts = if same { "with the same contacts" } else { "but the contacts differ" };
        let reason = format!("Tests of an edge and a face, {contacts}: {}.", listed.join("; "));
        Statement::new(text, verdict, reason)
    };
    let statements = vec![
        statement("assignment saves tests of an edge and a face", [0, 1]),
        statement("re-assignment saves more of them", [1, 2]),
    ];
    Outcome::several(statements, ours, scene)
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
            let all: Vec<_> = scenes.iter().map(|of| (String::new(), of.map(timing))).collect();
            conclude(&all, Scene::default()).verdicts()
        };
        let (yes, no, untold) = (Verdict::Holds, Verdict::Fails, Verdict::Untold);
        assert_eq!(verdicts(&[[(100, 3), (90, 3), (81, 3)]]), [yes, yes]);
        assert_eq!(verdicts(&[[(100, 3), (91, 3), (95, 3)]]), [no, no]);
        assert_eq!(verdicts(&[[(100, 3), (50, 2), (25, 2)]]), [no, yes]);
        let mixed = [[(100, 3), (50, 3), (49, 3)], [(100, 3), (50, 3), (25, 3)]];
        assert_eq!(verdicts(&mixed), [yes, untold]);
    }
}
