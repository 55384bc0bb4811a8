//! What claims F1 to F3 share: the two scenes of fan §2.5, the methods in the paper's form, and times
//! step by step.

use std::time::Instant;

use impinge::Method;
use impinge::geometry::volume::Aabb;
use impinge::image::{Params, ibcd_with, recode_with};
use impinge::query::{Answer, Ask, Control, PairMemory, Prepared};
use impinge_benches::progress::Listener;
use impinge_models::scene::Movers;
use impinge_models::{Scene as Motions, Shape};

use super::contest::{Asked, Entrant, Pairing};
use super::outcome::Scene;

/// Pixels along a side of a viewport. The thesis does not say.
pub(crate) const PIXELS: u32 = 32;

/// What the scenes are, in words.
pub(crate) const MOVERS: &str = "Scene 1: 130 bodies of nine closed shapes, 1 long, fly straight and \
                                 spin in a box of edge 8; pairs whose boxes overlap are asked, and \
                                 that broad phase is not timed. ";
/// As above.
pub(crate) const HAND: &str = "Scene 2: a hand wanders about a gear of as many triangles in a box of \
                               edge 1.6, by at most 0.02 and 0.05 radians a step; both are 1 long. ";
/// Who draws, and what the thesis leaves open.
pub(crate) const CHOSEN: &str = "ibcd and recode in sampled form at 32 pixels, drawn by the software \
                                 rasteriser, since no graphics hardware is assumed; the thesis drew \
                                 on SGI and GeForce FX hardware. It gives 130 objects and a moving \
                                 hand; shapes, sizes, motion, pixels and the broad phase are chosen. \
                                 First contact.";

/// Scene 1 with about so many triangles a body, and only pairs whose boxes overlap.
///
/// # Errors
/// A sentence, if the motion is refused.
pub(crate) fn movers(triangles: usize, steps: usize, seed: u64) -> Result<Asked, String> {
    let plan = Movers { triangles, steps, ..Movers::default() };
    let scene = Motions::random_movers(&plan, seed).map_err(|error| error.to_string())?;
    let mut asked = Asked::of(scene);
    let bounds = |(min, max)| Aabb { min, max };
    let boxes: Vec<Aabb> = asked.meshes.iter().map(|mesh| bounds(mesh.bounds())).collect();
    let near = |ask: &Pairing| boxes[ask.a].overlaps(&boxes[ask.b].posed(&ask.pose));
    asked.steps.iter_mut().for_each(|step| step.retain(near));
    Ok(asked)
}

/// Scene 2 with about so many triangles a body.
///
/// # Errors
/// A sentence, if the motion is refused.
pub(crate) fn hand(triangles: usize, steps: usize, seed: u64) -> Result<Asked, String> {
    let scene = Motions::walk(Shape::Gear, Shape::Hand, triangles, seed, steps);
    scene.map(Asked::of).map_err(|error| error.to_string())
}

/// The paper's form of `ibcd` and `recode`; larger meshes than by default are taken.
pub(crate) fn params() -> Params {
    Params { largest: 1 << 17, ..Params::sampled(PIXELS) }
}

/// The three that the thesis compares; the last stands for RAPID.
pub(crate) fn three() -> Vec<Entrant> {
    let rapid = Method::ObbTree.build();
    vec![
        Entrant::new("ibcd, sampled", ibcd_with(params())),
        Entrant::new("recode, sampled", recode_with(params())),
        Entrant { label: "obbtree".to_owned(), detector: rapid },
    ]
}

/// What a method took, step by step.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Steps {
    /// Least time of each step, in nanoseconds.
    pub(crate) least: Vec<f64>,
    /// The same from every other pass alone.
    pub(crate) halves: [Vec<f64>; 2],
    /// Of each query, whether it was a hit.
    pub(crate) hits: Vec<bool>,
}

impl Steps {
    /// Mean over steps, in nanoseconds.
    pub(crate) fn mean(&self) -> f64 {
        mean(&self.least)
    }

    /// `η_i = (t_i − t̄)/t̄` (eq. 2-12).
    pub(crate) fn eta(&self) -> Vec<f64> {
        eta(&self.least)
    }

    /// How many queries were answered otherwise than by another.
    pub(crate) fn unlike(&self, other: &Self) -> usize {
        self.hits.iter().zip(&other.hits).filter(|(a, b)| a != b).count()
    }
}

fn mean(times: &[f64]) -> f64 {
    times.iter().sum::<f64>() / times.len().max(1) as f64
}

/// Eq. 2-12 of any times.
pub(crate) fn eta(times: &[f64]) -> Vec<f64> {
    let mean = mean(times);
    times.iter().map(|t| (t - mean) / mean).collect()
}

/// The standard deviation of η; its mean is 0.
pub(crate) fn deviation(eta: &[f64]) -> f64 {
    (eta.iter().map(|e| e * e).sum::<f64>() / eta.len().max(1) as f64).sqrt()
}

/// An entrant with its models and what it remembers of each pair.
struct Runner<'e> {
    entrant: &'e Entrant,
    models: Vec<Prepared>,
    memories: Vec<PairMemory>,
    answer: Answer,
}

impl<'e> Runner<'e> {
    fn new(entrant: &'e Entrant, asked: &Asked) -> Result<Self, String> {
        let prepare = |mesh| entrant.detector.prepare(mesh, &Control::NONE);
        let models = asked.meshes.iter().map(prepare).collect::<Result<_, _>>();
        let models = models.map_err(|error| format!("{}: {error}", entrant.label))?;
        let memories = (0..asked.pairs).map(|_| entrant.detector.memory()).collect();
        Ok(Self { entrant, models, memories, answer: Answer::default() })
    }

    fn ask(&mut self, query: &Pairing, ask: &Ask) -> Result<(), String> {
        let [a, b] = [query.a, query.b].map(|mesh| &self.models[mesh]);
        let memory = &mut self.memories[query.pair];
        (self.entrant.detector)
            .query(a, b, &query.pose, memory, ask, &Control::NONE, &mut self.answer)
            .map_err(|error| format!("{}: {error}", self.entrant.label))
    }

    /// Verdicts; also makes what a pair remembers.
    fn warm(&mut self, asked: &Asked, ask: &Ask) -> Result<Steps, String> {
        let mut found = Steps::default();
        for query in asked.steps.iter().flatten() {
            self.ask(query, ask)?;
            found.hits.push(self.answer.verdict.is_hit());
        }
        Ok(found)
    }

    /// Time in the stage of pictures over all steps, in nanoseconds.
    fn pictures(&mut self, asked: &Asked, ask: &Ask) -> Result<f64, String> {
        let mut time = 0.0;
        for query in asked.steps.iter().flatten() {
            self.ask(query, ask)?;
            let stages = self.answer.statistics.iter().flat_map(|counted| &counted.stages);
            time += stages.filter(|s| s.name == "image").map(|s| s.nanoseconds as f64).sum::<f64>();
        }
        Ok(time)
    }
}

/// Times of all entrants, who take turns step by step. What a pair remembers is kept from pass to pass.
///
/// # Errors
/// If an entrant refuses a mesh or a query fails.
pub(crate) fn times(
    entrants: &[Entrant],
    asked: &Asked,
    ask: &Ask,
    passes: usize,
    listener: Listener<'_>,
) -> Result<Vec<Steps>, String> {
    let runners = entrants.iter().map(|entrant| Runner::new(entrant, asked));
    let mut runners = runners.collect::<Result<Vec<_>, _>>()?;
    let mut found = Vec::new();
    for runner in &mut runners {
        found.push(runner.warm(asked, ask)?);
    }
    let steps = asked.steps.len();
    for all in &mut found {
        all.halves = [0, 1].map(|_| vec![f64::INFINITY; steps]);
    }
    for pass in 0..passes.max(2) {
        for (at, step) in asked.steps.iter().enumerate() {
            listener.stage("timing", pass * steps + at, passes.max(2) * steps);
            for turn in 0..runners.len() {
                let chosen = (pass + at + turn) % runners.len();
                let start = Instant::now();
                for query in step {
                    runners[chosen].ask(query, ask)?;
                }
                let took = start.elapsed().as_nanos() as f64;
                let half = &mut found[chosen].halves[pass % 2][at];
                *half = half.min(took);
            }
        }
    }
    for all in &mut found {
        let [odd, even] = &all.halves;
        all.least = odd.iter().zip(even).map(|(a, b)| a.min(*b)).collect();
    }
    Ok(found)
}

/// The mean time of a step's pictures of two entrants in nanoseconds: the least of several passes after
/// one that is not timed.
///
/// # Errors
/// As [`times`].
pub(crate) fn pictures(
    entrants: &[Entrant; 2],
    asked: &Asked,
    ask: &Ask,
    passes: usize,
) -> Result<[f64; 2], String> {
    let ask = ask.counted();
    let mut least = [f64::INFINITY; 2];
    let mut runners = [Runner::new(&entrants[0], asked)?, Runner::new(&entrants[1], asked)?];
    for pass in 0..=passes {
        for (runner, least) in runners.iter_mut().zip(&mut least) {
            let time = runner.pictures(asked, &ask)?;
            *least = if pass == 0 { *least } else { least.min(time) };
        }
    }
    Ok(least.map(|time| time / asked.steps.len() as f64))
}

/// `scene` with the sizes of what was asked.
pub(crate) fn counted(scene: Scene, name: &str, asked: &Asked, exact: &Steps) -> Scene {
    let name = |what: &str| format!("{name}: {what}");
    scene
        .count(name("triangles"), asked.triangles)
        .count(name("steps"), asked.steps.len())
        .count(name("queries"), exact.hits.len())
        .count(name("queries with a hit"), exact.hits.iter().filter(|hit| **hit).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eta_is_the_deviation_from_the_mean() {
        assert_eq!(eta(&[1.0, 2.0, 3.0]), [-0.5, 0.0, 0.5]);
        assert_eq!(deviation(&[-1.0, 1.0]), 1.0);
        assert_eq!(deviation(&eta(&[4.0; 5])), 0.0);
    }

    #[test]
    fn only_pairs_whose_boxes_overlap_are_asked_and_no_hit_is_lost() {
        let near = movers(244, 1, 1).expect("a scene");
        let plan = Movers { triangles: 244, steps: 1, ..Movers::default() };
        let all = Asked::of(Motions::random_movers(&plan, 1).expect("a scene"));
        assert_eq!(all.steps[0].len(), 130 * 129 / 2);
        let asked = near.steps[0].len();
        assert!((20..500).contains(&asked), "{asked}");
        for query in &all.steps[0] {
            let kept = near.steps[0].iter().any(|other| other.pair == query.pair);
            let [a, b] = [query.a, query.b].map(|mesh| &all.meshes[mesh]);
            assert!(kept || !impinge::intersects(a, b, &query.pose).expect("an answer"));
        }
    }

    #[test]
    fn all_are_timed_at_every_step() {
        let asked = hand(244, 3, 1).expect("a scene");
        let ask = Ask::first_contact();
        let found = times(&three(), &asked, &ask, 1, Listener::NONE).expect("it runs");
        assert_eq!(found.len(), 3);
        for steps in &found {
            assert_eq!((steps.least.len(), steps.hits.len()), (3, 3));
            assert!(steps.least.iter().all(|t| t.is_finite() && *t > 0.0));
        }
        let [ibcd, recode, obbtree] = three().try_into().map_err(|_| "three").expect("three");
        let drawn = pictures(&[ibcd, obbtree], &asked, &ask, 2).expect("it runs");
        assert!(drawn[0] > 0.0 && drawn[1] == 0.0, "{drawn:?}, {}", recode.label);
    }
}
