//! The four scenes of fan ch. 3, chosen before anything was measured on them: the thesis gives
//! their numbers of triangles and a picture of each.

use impinge::{Pair, Pose};
use impinge_benches::harness::{Query, Rules, Workload};
use impinge_benches::placement::approach::Line;
use impinge_benches::placement::{Placed, Plan, Target, place_at, place_on};
use impinge_benches::scene::NamedMesh;
use impinge_models::{Random, Shape};

/// Distances of the misses and depths of the hits, as parts of the smaller diagonal. The median of
/// either is 1 %.
const PARTS: [f64; 5] = [0.0025, 0.005, 0.01, 0.02, 0.04];

/// Random poses drawn for one that is interlocked.
const TRIES: usize = 400;

/// One scene: two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StreamScene {
    /// What it shows.
    pub(crate) name: &'static str,
    pub(crate) shapes: [Shape; 2],
    /// Triangles of both bodies in the thesis.
    pub(crate) triangles: usize,
    /// Whether B is inside the bounds of A at a random pose, rather than beside A.
    interlocked: bool,
}

/// The scenes in the thesis's order. Which of its figures shows which is our reading of the text:
/// only the first has a figure of RECODE, which needs convex bodies, and the fourth is compared with
/// the hand of ch. 2.
pub(crate) const SCENES: [StreamScene; 4] = [
    scene("two convex bodies", [Shape::Hull, Shape::Sphere], 21_292, false),
    scene("free bodies", [Shape::Torus, Shape::Chain], 18_217, false),
    scene("interlocked knots", [Shape::Trefoil, Shape::Trefoil], 40_419, true),
    scene("hand and gear", [Shape::Hand, Shape::Gear], 18_378, false),
];

const fn scene(
    name: &'static str,
    shapes: [Shape; 2],
    triangles: usize,
    interlocked: bool,
) -> StreamScene {
    StreamScene { name, shapes, triangles, interlocked }
}

/// How F4 to F6 time the scenes. A memory holds models on the adapter and space, and nothing of an
/// earlier answer; dropped before a pass, the first query of each would send the models again,
/// which the processor has from before the clock.
pub(crate) const fn rules(passes: usize) -> Rules {
    Rules { remember: true, ..Rules::passes(passes) }
}

impl StreamScene {
    /// Hits and misses, each with a step for every query: at all depths and at all gaps, in one
    /// orientation. `share`: of the triangles.
    pub(crate) fn draw(&self, share: f64, seed: u64) -> Result<[Workload; 2], String> {
        let half = (self.triangles as f64 * share / 2.0) as usize;
        let [a, b] = [0, 1].map(|k: usize| NamedMesh {
            name: self.shapes[k].word().to_owned(),
            mesh: self.shapes[k].mesh(half, seed + k as u64),
        });
        let gaps = PARTS.iter().rev().map(|part| Target::Apart(*part));
        let targets: Vec<Target> = gaps.chain(PARTS.map(Target::Deep)).collect();
        let plan = Plan { orientations: 1, seed };
        let placed = if self.interlocked {
            let size = a.mesh.diagonal().min(b.mesh.diagonal());
            let draw = |random: &mut Random, pair: &mut Pair| interlocked(random, pair, size);
            place_on([&a, &b], &targets, &plan, draw, &|_| ())?
        } else {
            place_at([&a, &b], &targets, &plan, &|_| ())?
        };
        let meshes = vec![a.mesh, b.mesh];
        let asked = |wanted: fn(&Placed) -> bool| {
            let poses = placed.iter().filter(|placed| wanted(placed)).map(|placed| placed.pose);
            let step = |pose: Pose| vec![Query { a: 0, b: 1, pair: 0, pose }];
            Workload::new(meshes.clone(), poses.map(step).collect())
        };
        let deep = asked(|placed| matches!(placed.target, Target::Deep(_)));
        let apart = asked(|placed| matches!(placed.target, Target::Apart(_)));
        Ok([deep, apart])
    }
}

/// A line from a random pose at which bodies of this size are apart, towards the nearest point.
fn interlocked(random: &mut Random, pair: &mut Pair, size: f64) -> Result<Option<Line>, String> {
    for _ in 0..TRIES {
        let pose = random.pose(0.35 * size);
        let nearest = pair.distance(&pose).map_err(|error| error.to_string())?;
        if nearest.distance > PARTS[4] * size {
            let towards = (nearest.on_a - nearest.on_b).normalize();
            let line = Line::from_pose(&pose, towards, size);
            return line.map(Some).map_err(|error| error.to_string());
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawer::streaming;
    use crate::fan_image;
    use impinge::image::recode_with;
    use impinge::query::Ask;
    use impinge::stream::Form;
    use impinge::{Mesh, Method};
    use impinge_benches::harness::{Competitor, count};

    /// Queries of a workload that hit, by the baseline.
    fn hits(asked: &Workload) -> usize {
        let judge = Competitor::from(Method::ObbTree);
        let counted = count(&judge, asked, &Ask::first_contact(), false);
        counted.expect("an answer").hits()
    }

    /// The forms of F4 to F6 do the same work whether memories are kept or dropped at every step.
    #[test]
    fn a_memory_saves_no_work() {
        let streams = [Method::StreamBasic, Method::StreamTree, Method::StreamShrink]
            .map(|form| streaming(form, Form::Cpu));
        let others =
            [Method::ObbTree.into(), Competitor::new("recode", recode_with(fan_image::params()))];
        let forms = streams.iter().chain(&others);
        let [deep, apart] = SCENES[0].draw(0.02, 1).expect("it can be drawn");
        for (form, asked) in forms.flat_map(|form| [(form, &deep), (form, &apart)]) {
            let [kept, dropped] = [true, false].map(|remember| {
                count(form, asked, &Ask::first_contact(), remember).expect("it answers")
            });
            assert_eq!(kept, dropped, "{}", form.label);
        }
    }

    #[test]
    fn scenes_have_as_many_hits_as_misses_at_the_gaps_that_were_chosen() {
        for scene in SCENES {
            let [deep, apart] = scene.draw(0.05, 1).expect("it can be drawn");
            assert_eq!((deep.steps.len(), apart.steps.len()), (5, 5), "{}", scene.name);
            assert_eq!((hits(&deep), hits(&apart)), (5, 0), "{}", scene.name);
            let size = deep.meshes.iter().map(Mesh::diagonal).fold(f64::INFINITY, f64::min);
            let mut pair = Pair::new(&apart.meshes[0], &apart.meshes[1]).expect("two bodies");
            let steps = apart.steps.iter().flatten();
            let mut gaps: Vec<f64> = steps
                .map(|query| pair.distance(&query.pose).expect("a distance").distance / size)
                .collect();
            gaps.sort_unstable_by(f64::total_cmp);
            assert!((gaps[2] - 0.01).abs() < 1e-4, "{}: {gaps:?}", scene.name);
        }
    }
}
