//! A3: *an octree is shallower and faster to build than a binary tree for the same leaves* (anthology
//! 2 §2.1).
//!
//! One code divides cells into up to eight or into two; everything else is the same.

use std::time::Instant;

use impinge::Vector;
use impinge::geometry::Mesh;
use impinge::query::Control;
use impinge::query::lists::Bounded;
use impinge::scene::front::{Division, Octree, OctreeParams, OctreeSize};
use impinge_benches::harness::{NOISE, take_all_turns};
use impinge_benches::progress::Listener;
use impinge_models::Shape;

use super::outcome::{Effort, Figure, Outcome, Scene, Statement, Verdict, above_one, listed};

const SHAPES: [Shape; 6] =
    [Shape::Teapot, Shape::Gear, Shape::Hand, Shape::Torus, Shape::Trefoil, Shape::Comb];
/// Two scenes of two models each, and how far apart their middles are.
const PAIRS: [([Shape; 2], f64); 2] =
    [([Shape::Teapot, Shape::Teapot], 0.3), ([Shape::Hand, Shape::Gear], 0.4)];

/// No leaf of the experiment is so deep.
const DEPTH: u32 = 60;

/// A build: its size, and its least times in the odd and the even passes.
#[derive(Clone, Copy, Debug)]
struct Built {
    size: OctreeSize,
    halves: [f64; 2],
}

/// The names of what is built, and both builds: into eight, into two.
type Builds = Vec<(String, [Built; 2])>;

fn params(division: Division) -> OctreeParams {
    OctreeParams { division, depth: DEPTH, everywhere: true, ..OctreeParams::default() }
}

/// The triangles of a mesh, posed.
fn items(mesh: &Mesh, by: f64) -> Vec<Bounded> {
    let by = Vector::new(by, 0.5 * by, 0.2 * by);
    let moved = |t: [impinge::Point; 3]| t.map(|p| p + by);
    mesh.corners().map(moved).zip(0..).map(|(corners, t)| Bounded::new(t, corners)).collect()
}

fn both(of: [&[Bounded]; 2], passes: usize) -> Result<[Built; 2], String> {
    let kinds = [Division::Eight, Division::Two].map(params);
    let mut octrees = [Octree::default(), Octree::default()];
    let mut halves = [[f64::INFINITY; 2]; 2];
    let mut failed = None;
    take_all_turns(2, passes, 1, |turn| {
        let start = Instant::now();
        let built = octrees[turn.who].build(&kinds[turn.who], of, &Control::NONE);
        let took = start.elapsed().as_nanos() as f64;
        failed = failed.take().or(built.err());
        let half: &mut f64 = &mut halves[turn.who][turn.pass % 2];
        *half = half.min(took);
    });
    if let Some(error) = failed {
        return Err(error.to_string());
    }
    Ok([0, 1].map(|k| Built { size: octrees[k].size(), halves: halves[k] }))
}

/// Runs the experiment.
pub(crate) fn run(effort: &Effort, listener: Listener<'_>) -> Result<Outcome, String> {
    let triangles = effort.pick(500, 4_000, 16_000);
    let passes = effort.pick(2, 8, 40);
    let mesh = |shape: Shape| shape.mesh(triangles, effort.seed);
    let mut builds = Builds::new();
    for (k, shape) in SHAPES.into_iter().enumerate() {
        listener.stage("building", k, SHAPES.len() + PAIRS.len());
        let of = items(&mesh(shape), 0.0);
        builds.push((shape.to_string(), both([&of, &[]], passes)?));
    }
    for (k, ([a, b], apart)) in PAIRS.into_iter().enumerate() {
        listener.stage("building", SHAPES.len() + k, SHAPES.len() + PAIRS.len());
        let of = [items(&mesh(a), 0.0), items(&mesh(b), apart)];
        builds.push((format!("{a} and {b}"), both([&of[0], &of[1]], passes)?));
    }
    let scene = Scene::new(format!(
        "Six models alone and two pairs that overlap, about {triangles} triangles a model. A cell of \
         more than 64 triangles is divided, unless its parts would list twice as many; into up to \
         eight along all edges that are not more than √2 shorter than the longest, or into two along \
         the longest. No cell is as deep as the limit of {DEPTH}."
    ))
    .count("triangles a model", triangles)
    .count("passes", passes);
    Ok(conclude(&builds, scene))
}

fn conclude(builds: &Builds, scene: Scene) -> Outcome {
    let mut ours = Vec::new();
    for (name, [eight, two]) in builds {
        for (built, cells) in [(eight, "8"), (two, "2")] {
            let name = |what: &str| format!("{name}, into {cells}: {what}");
            ours.push(Figure::new(name("levels"), f64::from(built.size.depth), ""));
            ours.push(Figure::new(name("leaves"), built.size.leaves as f64, ""));
            let least = built.halves[0].min(built.halves[1]);
            ours.push(Figure::new(name("build"), least * 1e-6, "ms"));
        }
    }
    let depth =
        |[eight, two]: &[Built; 2]| f64::from(two.size.depth) / f64::from(eight.size.depth.max(1));
    let depths: Vec<f64> = builds.iter().map(|(_, both)| depth(both)).collect();
    let time = |[eight, two]: &[Built; 2]| [0, 1].map(|k| two.halves[k] / eight.halves[k]);
    let times: Vec<f64> = builds.iter().flat_map(|(_, both)| time(both)).collect();
    let statements = vec![
        Statement::new(
            "shallower",
            Verdict::of(depths.iter().all(|ratio| *ratio > 1.0)),
            format!("A binary tree has {} times as many levels.", listed(depths.iter().copied())),
        ),
        Statement::new(
            "faster to build",
            above_one(&times, NOISE),
            format!(
                "A binary tree takes {} times as long (odd and even passes).",
                listed(times.iter().copied())
            ),
        ),
    ];
    Outcome::several(statements, ours, scene)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::tiny;

    #[test]
    fn it_runs_and_no_leaf_is_at_the_limit() {
        let outcome = tiny(run);
        assert_eq!(outcome.verdicts()[0], Verdict::Holds);
        let levels = outcome.ours.iter().filter(|figure| figure.name.ends_with("levels"));
        assert!(levels.clone().count() == 16);
        for figure in levels {
            assert!(figure.value.is_some_and(|levels| levels < f64::from(DEPTH)), "{figure:?}");
        }
    }

    #[test]
    fn depth_and_time_are_decided_apart() {
        let built = |depth, time| Built {
            size: OctreeSize { depth, ..OctreeSize::default() },
            halves: [time; 2],
        };
        let verdicts = |all: &[[Built; 2]]| {
            let builds = all.iter().map(|both| (String::new(), *both)).collect();
            conclude(&builds, Scene::default()).verdicts()
        };
        let (yes, no, untold) = (Verdict::Holds, Verdict::Fails, Verdict::Untold);
        assert_eq!(verdicts(&[[built(3, 1.0), built(9, 2.0)]]), [yes, yes]);
        assert_eq!(verdicts(&[[built(3, 2.0), built(3, 1.0)]]), [no, no]);
        let mixed = [[built(3, 1.0), built(9, 2.0)], [built(3, 1.0), built(9, 1.01)]];
        assert_eq!(verdicts(&mixed), [yes, untold]);
    }
}
