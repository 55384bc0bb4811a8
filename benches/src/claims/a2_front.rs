//! A2: *starting at the front visits fewer nodes than starting at the root* (anthology 2 §2.3.2).
//!
//! The tree of the paper's fig. 2 and 3, then approaches of a thousand steps. Box tests are counted.

use impinge::hierarchy::query::Engine;
use impinge::hierarchy::traverse::{Front, LargerFirst, Traversal};
use impinge::hierarchy::{TreeEngine, aabb_refit};
use impinge::query::{Answer, Ask, Control};
use impinge::scene::front::{Markers, OctreeFrontParams, octree_front_with};
use impinge::{Mesh, Point, Pose, Vector};
use impinge_benches::harness::{Competitor, Timing, Workload, count};
use impinge_benches::progress::Listener;
use impinge_models::{Scene as Motions, Shape};

use super::outcome::{Effort, Figure, Outcome, Scene, Statement, Verdict, saves};
use super::teapots::form;

/// The paper's visits: from the root, from the markers.
const PAPER: [u64; 2] = [9, 6];
const SHAPES: [[Shape; 2]; 2] = [[Shape::Teapot; 2], [Shape::Hand, Shape::Gear]];

/// The forms of a descent: its name, and what part of its pairs are opened, at most.
const DESCENTS: [(&str, &str); 4] = [
    ("both nodes opened", "about a quarter"),
    ("both nodes opened, the front renewed", "about a quarter"),
    ("both nodes opened in shared cells, the front renewed", "about a quarter"),
    ("the larger node opened", "less than half"),
];

/// The mesh whose tree is that of the figures: E0 over E1, E2; E1 over E3, E4; E2 over E5, E6; E3 over
/// E7, E8; E4 over E9, E10.
fn figure() -> Result<Mesh, String> {
    let places = [(40.0, 0.0), (44.0, 6.0), (0.0, 0.0), (4.0, 0.0), (0.0, 6.0), (4.0, 6.0)];
    let small = |(x, y): (f64, f64)| {
        [[0.0, 0.0, 0.0], [0.5, 0.0, 0.1], [0.0, 0.5, 0.1]]
            .map(|[u, v, w]| Point::new(x + u, y + v, w))
    };
    let vertices = places.into_iter().flat_map(small).collect();
    let triangles = (0..6).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    Mesh::new(vertices, triangles).map_err(|error| error.to_string())
}

/// Visits at time `t + 1` of the figures. The other object is one triangle, which at time `t` is
/// between E9 and E10, and then also between E7 and E8.
fn visits(markers: Markers) -> Result<u64, String> {
    let corners = [[2.0, 0.6, 0.0], [2.2, 0.6, 0.1], [2.0, 6.4, 0.1]].map(Point::from);
    let other = Mesh::new(corners.to_vec(), vec![[0, 1, 2]]).map_err(|error| error.to_string())?;
    let params = OctreeFrontParams { octree: None, markers, ..OctreeFrontParams::default() };
    let engine = octree_front_with(params);
    let prepare = |mesh: &Mesh| engine.prepare(mesh, &Control::NONE).map_err(|e| e.to_string());
    let (a, b) = (prepare(&figure()?)?, prepare(&other)?);
    let (mut memory, mut answer) = (engine.memory(), Answer::default());
    for y in [0.0, -0.15] {
        let pose = Pose::translation_by(Vector::new(0.0, y, 0.0)).map_err(|e| e.to_string())?;
        let ask = Ask::all_contacts().counted();
        engine
            .query(&a, &b, &pose, &mut memory, &ask, &Control::NONE, &mut answer)
            .map_err(|error| error.to_string())?;
    }
    Ok(answer.statistics.map_or(0, |statistics| statistics.volume_tests))
}

/// AABB trees with another traversal.
fn traversed<T: Traversal>(traversal: T) -> Competitor {
    let base = aabb_refit();
    Competitor::new("", TreeEngine::new(base.description, base.builder, traversal, base.leaf))
}

/// A descent from the root, and one from the front.
fn forms(descent: usize) -> [Competitor; 2] {
    let default = OctreeFrontParams::default();
    let both = |octree, markers| {
        [Markers::None, markers]
            .map(|markers| form("", OctreeFrontParams { octree, markers, ..default }))
    };
    match descent {
        0 => both(None, Markers::Sinking),
        1 => both(None, Markers::Renewed),
        2 => both(default.octree, Markers::Renewed),
        _ => [traversed(LargerFirst), traversed(Front)],
    }
}

/// The counts from the root and from the front, by descent.
type Counts = [[Timing; 2]; DESCENTS.len()];

/// Runs the experiment.
pub(crate) fn run(effort: &Effort, listener: Listener<'_>) -> Result<Outcome, String> {
    let triangles = effort.pick(300, 2_000, 8_000);
    let steps = effort.pick(30, 300, 1_000);
    let found = [visits(Markers::None)?, visits(Markers::Sinking)?];
    let mut scene = Scene::new(
        "The tree of fig. 2 and 3 is that of six small triangles; the other object is one triangle. \
         Then approaches: from 1.8 away straight to the middle, two teapots, a hand and a gear, about \
         1 long. All contacts, since a first contact ends the descent. Box tests are counted.",
    );
    let mut all = Vec::new();
    for (k, [a, b]) in SHAPES.into_iter().enumerate() {
        let motions = Motions::approach(a, b, triangles, effort.seed, steps);
        let asked = Workload::every_pair(motions.map_err(|error| error.to_string())?);
        let mut counts = Counts::default();
        for (descent, counts) in counts.iter_mut().enumerate() {
            listener.stage(
                "approaching",
                DESCENTS.len() * k + descent,
                DESCENTS.len() * SHAPES.len(),
            );
            for (form, timing) in forms(descent).iter().zip(counts) {
                *timing = count(form, &asked, &Ask::all_contacts(), true)?;
            }
        }
        scene = scene
            .count(format!("{a} and {b}: triangles"), asked.triangles)
            .count(format!("{a} and {b}: steps"), steps)
            .count(format!("{a} and {b}: steps with contact"), counts[0][0].hits());
        all.push((format!("{a} and {b}"), counts));
    }
    Ok(conclude(found, &all, scene))
}

fn conclude(visits: [u64; 2], all: &[(String, Counts)], scene: Scene) -> Outcome {
    let [root, front] = visits;
    let mut ours = vec![
        Figure::new("visits in the figure, from the root", root as f64, "").paper(PAPER[0] as f64),
        Figure::new("visits in the figure, from the front", front as f64, "")
            .paper(PAPER[1] as f64),
    ];
    let reason = format!("{root} nodes from the root, {front} from the front.");
    let verdict = Verdict::of(visits == PAPER);
    let mut statements = vec![Statement::new("the paper's figure", verdict, reason)];
    for (descent, (name, most)) in DESCENTS.into_iter().enumerate() {
        let (mut ratios, mut same, mut listed) = (Vec::new(), true, Vec::new());
        for (scene, counts) in all {
            let [root, front] = &counts[descent];
            same &= root.contacts == front.contacts && root.hit == front.hit;
            let ratio = front.volume_tests as f64 / root.volume_tests.max(1) as f64;
            ratios.push(ratio);
            listed.push(format!("{scene}: {:.1} %", 100.0 * (1.0 - ratio)));
            let label = |from: &str| format!("{scene}, {name}: N_v from the {from}");
            ours.push(Figure::new(label("root"), root.volume_tests as f64, ""));
            ours.push(Figure::new(label("front"), front.volume_tests as f64, ""));
        }
        let (verdict, contacts) = saves(&ratios, same);
        let reason = format!(
            "Box tests saved, {contacts}: {}. Only opened pairs can be saved: {most} of all.",
            listed.join("; ")
        );
        statements.push(Statement::new(format!("approaches: {name}"), verdict, reason));
    }
    Outcome::several(statements, ours, scene)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::tiny;

    #[test]
    fn the_figure_takes_nine_and_six_visits() {
        assert_eq!(
            [visits(Markers::None).expect("it runs"), visits(Markers::Sinking).expect("it runs")],
            PAPER
        );
        let outcome = tiny(run);
        assert_eq!(outcome.verdicts()[0], Verdict::Holds);
        assert!(outcome.statements.iter().skip(1).all(|s| s.reason.contains("the same contacts")));
    }

    #[test]
    fn a_tenth_must_be_saved_with_the_same_contacts() {
        let timing =
            |(volume_tests, contacts)| Timing { volume_tests, contacts, ..Timing::default() };
        let verdicts = |visits, pairs: [[(u64, u64); 2]; 4]| {
            let counts = pairs.map(|pair| pair.map(timing));
            conclude(visits, &[(String::new(), counts)], Scene::default()).verdicts()
        };
        let (yes, no) = (Verdict::Holds, Verdict::Fails);
        let good = [(100, 3), (90, 3)];
        assert_eq!(verdicts([9, 6], [good; 4]), [yes; 5]);
        assert_eq!(
            verdicts([9, 7], [good, [(100, 3), (91, 3)], [(100, 3), (50, 2)], good]),
            [no, yes, no, no, yes]
        );
    }
}
