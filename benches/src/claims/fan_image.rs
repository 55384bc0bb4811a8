//! Shared by claims F1 to F3: the two scenes of fan §2.5, the methods in the paper's form, and
//! times step by step.

use impinge::Method;
use impinge::geometry::Pose;
use impinge::geometry::volume::Aabb;
use impinge::image::{Drawing, Params, ibcd_with, recode_with};
use impinge::query::{Ask, Prepared};
use impinge_benches::harness;
use impinge_benches::harness::{
    Competitor, NOISE, Query, Ready, Rules, Timing, Turn, Workload, take_turns,
};
use impinge_benches::progress::Listener;
use impinge_models::scene::Movers;
use impinge_models::{Scene as Motions, Shape};

use super::outcome::Verdict;

/// Pixels along a side of a viewport. The thesis does not give this.
pub(crate) const PIXELS: u32 = 32;

/// Pixels per unit of length in the other reading: bodies are about 1 long.
pub(crate) const DENSITY: f64 = 64.0;
/// The most pixels along a side then.
pub(crate) const MOST: u32 = 256;

/// Description of scene 1.
pub(crate) const MOVERS: &str = "Scene 1: 130 bodies of nine closed shapes, 1 long, fly straight and \
                                 spin in a box of edge 8; pairs whose boxes overlap are asked, and \
                                 that broad phase is not timed. ";
/// Description of scene 2.
pub(crate) const HAND: &str = "Scene 2: a hand wanders about a gear of as many triangles in a box of \
                               edge 1.6, by at most 0.02 and 0.05 radians a step; both are 1 long. ";
/// How the methods draw, and choices that the thesis leaves open.
pub(crate) const CHOSEN: &str = "ibcd and recode in sampled form at 32 pixels, drawn by the software \
                                 rasteriser, since no graphics hardware is assumed; the thesis drew \
                                 on SGI and GeForce FX hardware. It gives 130 objects and a moving \
                                 hand; shapes, sizes, motion, pixels and the broad phase are chosen. \
                                 First contact.";

/// Scene 1 with about `triangles` per body, in a flight of `flown` steps of which `asked`, evenly
/// spread, are asked. Only pairs with overlapping boxes are asked.
///
/// # Errors
/// If the motion is refused.
pub(crate) fn movers(
    triangles: usize,
    [flown, asked]: [usize; 2],
    seed: u64,
) -> Result<Workload, String> {
    let plan = Movers { triangles, steps: flown, ..Movers::default() };
    let scene = Motions::random_movers(&plan, seed).map_err(|error| error.to_string())?;
    let bounds = |(min, max)| Aabb { min, max };
    let boxes: Vec<Aabb> = scene.meshes.iter().map(|mesh| bounds(mesh.bounds())).collect();
    let objects = &scene.objects;
    let pairs = (0..objects.len()).flat_map(|i| (i + 1..objects.len()).map(move |j| [i, j]));
    let pairs: Vec<[usize; 2]> = pairs.collect();
    let near = |(pair, ids): (usize, &[usize; 2]), step: usize| {
        let [a, b] = ids.map(|id| &objects[id]);
        let pose = Pose::relative(a.motion.at(step), b.motion.at(step));
        let meet = boxes[a.mesh].overlaps(&boxes[b.mesh].posed(&pose));
        meet.then_some(Query { a: a.mesh, b: b.mesh, pair, pose })
    };
    let step =
        |k: usize| pairs.iter().enumerate().filter_map(|at| near(at, k * flown / asked)).collect();
    let triangles = objects.iter().map(|object| scene.meshes[object.mesh].triangles().len()).sum();
    let steps = (0..asked).map(step).collect();
    Ok(Workload { steps, triangles, pairs: pairs.len(), meshes: scene.meshes })
}

/// Every `stride`-th query of a workload, each as a step of its own.
pub(crate) fn sample(asked: &Workload, stride: usize) -> Workload {
    let steps = asked.steps.iter().flatten().step_by(stride).map(|query| vec![*query]).collect();
    Workload { steps, ..asked.clone() }
}

/// Scene 2 with about `triangles` per body.
///
/// # Errors
/// If the motion is refused.
pub(crate) fn hand(triangles: usize, steps: usize, seed: u64) -> Result<Workload, String> {
    Workload::walk([Shape::Gear, Shape::Hand], triangles, seed, steps)
}

/// The paper's form of `ibcd` and `recode`. Larger meshes than by default are accepted.
pub(crate) fn params() -> Params {
    Params { largest: 1 << 17, ..Params::sampled(PIXELS) }
}

/// The same with pixels per unit of length.
pub(crate) fn dense() -> Params {
    Params { resolution: MOST, pixels_per_unit: Some(DENSITY), ..params() }
}

/// What a method counted for one query: see [`impinge::query::Pictures`]; and volume and primitive
/// tests together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Work {
    pub(crate) pictures: f64,
    pub(crate) vertices: f64,
    pub(crate) pixels: f64,
    pub(crate) tests: f64,
}

/// The hits and the counted work of every query, in order.
///
/// # Errors
/// If the competitor refuses a mesh or a query fails.
pub(crate) fn work(
    one: &Competitor,
    asked: &Workload,
    ask: &Ask,
) -> Result<Vec<(bool, Work)>, String> {
    let models = one.prepare(asked)?;
    let (mut ready, ask) = (one.ready(asked.pairs), ask.counted());
    let mut found = Vec::new();
    for query in asked.steps.iter().flatten() {
        ready.ask(&models, query, &ask)?;
        let counted = ready.answer.statistics.as_ref().ok_or("nothing was counted")?;
        let work = Work {
            pictures: counted.pictures as f64,
            vertices: counted.vertices_sent as f64,
            pixels: counted.pixels as f64,
            tests: (counted.volume_tests + counted.primitive_tests) as f64,
        };
        found.push((ready.answer.verdict.is_hit(), work));
    }
    Ok(found)
}

/// Whether a ratio of counts is below 1 in all readings, or no less in all; it cannot be told if they
/// differ. Without any, the scene has nothing to decide it by.
pub(crate) fn told(readings: &[f64]) -> Verdict {
    if readings.is_empty() {
        Verdict::Unrunnable
    } else if readings.iter().all(|&ratio| ratio < 1.0 - NOISE) {
        Verdict::Holds
    } else if readings.iter().all(|&ratio| ratio >= 1.0 - NOISE) {
        Verdict::Fails
    } else {
        Verdict::Untold
    }
}

/// The three methods that the thesis compares; the last stands in for RAPID.
pub(crate) fn three(drawing: Drawing) -> Vec<Competitor> {
    let params = Params { drawing, ..params() };
    vec![
        Competitor::new("ibcd, sampled", ibcd_with(params)),
        Competitor::new("recode, sampled", recode_with(params)),
        Method::ObbTree.into(),
    ]
}

/// The standard deviation of η, whose mean is 0.
pub(crate) fn deviation(eta: &[f64]) -> f64 {
    (eta.iter().map(|e| e * e).sum::<f64>() / eta.len().max(1) as f64).sqrt()
}

/// Times of all competitors, which take turns step by step. Memories are kept between passes.
/// Sampled forms need not agree.
///
/// # Errors
/// If a competitor refuses a mesh or a query fails.
pub(crate) fn times(
    competitors: &[Competitor],
    asked: &Workload,
    ask: &Ask,
    passes: usize,
    listener: Listener<'_>,
) -> Result<Vec<Timing>, String> {
    let rules = Rules { remember: true, agree: false, ..Rules::passes(passes.max(2)) };
    harness::compete(competitors, asked, ask, rules, listener)
}

/// The mean time of a step's images for two competitors, which take turns step by step, in
/// nanoseconds: the least of several passes after one untimed pass.
///
/// # Errors
/// As [`times`].
pub(crate) fn pictures(
    competitors: &[Competitor; 2],
    asked: &Workload,
    ask: &Ask,
    passes: usize,
) -> Result<[f64; 2], String> {
    let ask = ask.counted();
    let steps = asked.steps.len();
    let models = [competitors[0].prepare(asked)?, competitors[1].prepare(asked)?];
    let mut ready = competitors.each_ref().map(|one| one.ready(asked.pairs));
    let mut least = [vec![f64::INFINITY; steps], vec![f64::INFINITY; steps]];
    take_turns(2, passes + 1, steps, |Turn { who, pass, step, .. }| {
        let time = drawing(&mut ready[who], &models[who], &asked.steps[step], &ask)?;
        if pass > 0 {
            least[who][step] = least[who][step].min(time);
        }
        Ok::<_, String>(())
    })?;
    Ok(least.map(|times| times.iter().sum::<f64>() / steps as f64))
}

/// Time in the image stage of a step, in nanoseconds.
fn drawing(
    ready: &mut Ready<'_>,
    models: &[Prepared],
    step: &[Query],
    ask: &Ask,
) -> Result<f64, String> {
    let mut time = 0.0;
    for query in step {
        ready.ask(models, query, ask)?;
        let stages = ready.answer.statistics.iter().flat_map(|counted| &counted.stages);
        time += stages.filter(|s| s.name == "image").map(|s| s.nanoseconds as f64).sum::<f64>();
    }
    Ok(time)
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::wrapped::Telling;
    use impinge::hierarchy::obbtree;
    use impinge_benches::timing::summary::eta;

    #[test]
    fn eta_is_the_deviation_from_the_mean() {
        assert_eq!(eta(&[1.0, 2.0, 3.0]), [-0.5, 0.0, 0.5]);
        assert_eq!(deviation(&[-1.0, 1.0]), 1.0);
        assert_eq!(deviation(&eta(&[4.0; 5])), 0.0);
    }

    #[test]
    fn only_pairs_whose_boxes_overlap_are_asked_and_no_hit_is_lost() {
        let near = movers(244, [1, 1], 1).expect("a scene");
        let plan = Movers { triangles: 244, steps: 1, ..Movers::default() };
        let all = Workload::every_pair(Motions::random_movers(&plan, 1).expect("a scene"));
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
    fn what_the_readings_agree_on_is_told() {
        assert_eq!(told(&[0.5, 0.9]), Verdict::Holds);
        assert_eq!(told(&[0.99, 1.5]), Verdict::Fails);
        assert_eq!(told(&[0.5, 1.5]), Verdict::Untold);
        assert_eq!(told(&[]), Verdict::Unrunnable);
        assert_eq!(told(&[f64::NAN, 0.5]), Verdict::Untold);
    }

    #[test]
    fn every_query_is_counted_and_a_sample_has_some() {
        let asked = movers(244, [10, 2], 1).expect("a scene");
        let all = asked.steps.iter().flatten().count();
        let part = sample(&asked, 10);
        assert_eq!((part.steps.len(), asked.steps.len()), (all.div_ceil(10), 2));
        let [ibcd, recode, obbtree] =
            three(Drawing::Software).try_into().map_err(|_| "three").expect("three");
        let ask = Ask::first_contact();
        let counts = [&ibcd, &recode, &obbtree].map(|one| work(one, &part, &ask).expect("counts"));
        assert!(counts.iter().all(|list| list.len() == part.steps.len()));
        let sum =
            |k: usize, what: fn(&Work) -> f64| counts[k].iter().map(|w| what(&w.1)).sum::<f64>();
        for k in [0, 1] {
            let pixels = f64::from(PIXELS * PIXELS);
            assert_eq!(sum(k, |w| w.pixels), pixels * sum(k, |w| w.pictures));
            assert!(sum(k, |w| w.vertices) > sum(k, |w| w.pictures));
        }
        assert!(sum(2, |w| w.pictures) == 0.0 && sum(2, |w| w.tests) > 0.0);
    }

    #[test]
    fn pictures_are_timed_in_turns() {
        let asked = hand(244, 2, 1).expect("a scene");
        let turns = Arc::new(Mutex::new(String::new()));
        let both = ["a", "b"].map(|word| {
            let turns = Arc::clone(&turns);
            let note = move || turns.lock().expect("no panic").push_str(word);
            Competitor::new(word, Telling(obbtree(), note))
        });
        pictures(&both, &asked, &Ask::first_contact(), 2).expect("it runs");
        // Two steps in the untimed pass and in two others.
        assert_eq!(*turns.lock().expect("no panic"), ["abba", "baab", "abba"].concat());
    }

    #[test]
    fn all_are_timed_at_every_step() {
        let asked = hand(244, 3, 1).expect("a scene");
        let ask = Ask::first_contact();
        let found =
            times(&three(Drawing::Software), &asked, &ask, 1, Listener::NONE).expect("it runs");
        assert_eq!(found.len(), 3);
        for steps in &found {
            assert_eq!((steps.least.len(), steps.hit.len()), (3, 3));
            assert!(steps.least.iter().all(|t| t.is_finite() && *t > 0.0));
        }
        let [ibcd, recode, obbtree] =
            three(Drawing::Software).try_into().map_err(|_| "three").expect("three");
        let drawn = pictures(&[ibcd, obbtree], &asked, &ask, 2).expect("it runs");
        assert!(drawn[0] > 0.0 && drawn[1] == 0.0, "{drawn:?}, {}", recode.label);
    }
}
