//! L1: *the AABB-OBB hybrid tree beats the sphere-AABB hybrid, more so with more objects* (li §4,
//! table 2).
//!
//! 25, 50 and 100 teapots move in one volume; every pair with overlapping axis-aligned boxes is
//! asked.

use impinge::Pose;
use impinge::geometry::volume::Aabb;
use impinge::query::Ask;
use impinge_benches::harness::{Competitor, NOISE, Query, Rules, Step, Timing, Workload, compete};
use impinge_benches::progress::Listener;
use impinge_models::motion::Bounce;
use impinge_models::scene::Movers;
use impinge_models::{Scene as Motions, Shape};

use super::outcome::{Effort, Figure, Outcome, Scene, listed};

/// The improved hybrid and the traditional one.
const WORDS: [&str; 2] = ["aabb-obb", "sphere-aabb"];
/// Number of objects, and the paper's seconds for both hybrids.
const PAPER: [(usize, [f64; 2]); 3] =
    [(25, [30.262, 40.593]), (50, [223.582, 310.205]), (100, [2038.266, 3462.964])];
/// Teapots have length 1; their centres stay within ± this.
const REACH: f64 = 1.5;

/// Runs the experiment.
pub(crate) fn run(effort: &Effort, listener: Listener<'_>) -> Result<Outcome, String> {
    if let Some(outcome) = Outcome::missing(&WORDS) {
        return Ok(outcome);
    }
    let triangles = effort.pick(112, 500, 2_000);
    let steps = effort.pick(2, 10, 20);
    let passes = effort.pick(1, 5, 5);
    let mut scene = Scene::new(format!(
        "Teapots of about {triangles} triangles, 1 long, fly straight and spin within ±{REACH}, \
         {steps} steps. Each step asks every pair whose axis-aligned boxes overlap for all \
         contacts; the boxes are the same for both methods and are not timed. The paper gives \
         neither triangles nor motion nor the question."
    ));
    let both = Competitor::named(&WORDS)?;
    let mut timings = Vec::new();
    for (objects, _) in PAPER {
        let (motions, asked) = teapots(objects, triangles, steps, effort.seed)?;
        scene = scene
            .count(format!("{objects} teapots: pairs asked"), asked.iter().map(Vec::len).sum())
            .count(
                format!("{objects} teapots: triangles"),
                objects * motions.meshes[0].triangles().len(),
            );
        let ask = Ask::all_contacts();
        let asked = Workload::new(motions.meshes, asked);
        timings.push(compete(&both, &asked, &ask, Rules::passes(passes), listener)?);
    }
    Ok(conclude(&timings, scene))
}

/// Moving bodies, and per step the pairs whose boxes overlap.
fn teapots(
    count: usize,
    triangles: usize,
    steps: usize,
    seed: u64,
) -> Result<(Motions, Vec<Step>), String> {
    let bounce = Bounce { reach: REACH, speed: 0.05, spin: 0.05 };
    let plan = Movers { count, shapes: vec![Shape::Teapot], triangles, bounce, steps };
    let motions = Motions::random_movers(&plan, seed).map_err(|error| error.to_string())?;
    let (min, max) = motions.meshes[0].bounds();
    let own = Aabb { min, max };
    let step = |at: usize| {
        let poses: Vec<&Pose> = motions.objects.iter().map(|o| o.motion.at(at)).collect();
        let boxes: Vec<Aabb> = poses.iter().map(|pose| own.posed(pose)).collect();
        let mut asked = Vec::new();
        for i in 0..count {
            for j in (i + 1..count).filter(|&j| boxes[i].overlaps(&boxes[j])) {
                let pose = Pose::relative(poses[i], poses[j]);
                asked.push(Query { a: 0, b: 0, pair: i * count + j, pose });
            }
        }
        asked
    };
    let asked = (0..steps).map(step).collect();
    Ok((motions, asked))
}

fn conclude(timings: &[Vec<Timing>], scene: Scene) -> Outcome {
    let mut ours = Vec::new();
    let (mut ratios, mut tests) = (Vec::new(), Vec::new());
    for ((objects, paper), timings) in PAPER.iter().zip(timings) {
        let [improved, traditional] = [&timings[0], &timings[1]];
        let ratio = improved.total() / traditional.total();
        ratios.push(ratio);
        let name = |what: &str| format!("{objects} teapots: {what}");
        ours.push(
            Figure::new(name("time, aabb-obb over sphere-aabb"), ratio, "×")
                .paper(paper[0] / paper[1]),
        );
        for (word, timing) in WORDS.iter().zip(timings) {
            ours.push(Figure::new(name(word), timing.total() / 1e6, "ms"));
        }
        let fewer = improved.volume_tests as f64 / traditional.volume_tests as f64;
        tests.push(fewer);
        ours.push(Figure::new(name("N_v, aabb-obb over sphere-aabb"), fewer, "×"));
        let updated = improved.volumes_updated as f64;
        ours.push(Figure::new(name("N_u of aabb-obb"), updated, ""));
    }
    let beats = ratios.iter().all(|ratio| *ratio < 1.0 - NOISE);
    // The three scenes are not timed in turn, so load on the machine can distort the trend of
    // times, but not that of counts. Growth must show in both.
    let falls = |list: &[f64]| list[list.len() - 1] < list[0] * (1.0 - NOISE);
    let more = falls(&ratios) && falls(&tests);
    let reason = format!(
        "aabb-obb takes {} × the time of sphere-aabb for 25, 50 and 100 teapots (paper: 0.75, 0.72, \
         0.59) and makes {} × the volume tests: it {} every time, and the advantage {} with more \
         objects. Differences below {:.0} % count as none; what grows must show in times and \
         counts.",
        listed(ratios.iter().copied()),
        listed(tests.iter().copied()),
        if beats { "wins" } else { "does not win" },
        if more { "grows" } else { "does not grow" },
        100.0 * NOISE
    );
    Outcome::ran(beats && more, reason, ours, scene)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{Verdict, tiny};

    #[test]
    fn it_runs_or_names_what_is_missing() {
        let outcome = tiny(run);
        assert_eq!(outcome.verdict() == Verdict::Unrunnable, Outcome::missing(&WORDS).is_some());
    }

    #[test]
    fn pairs_are_those_whose_boxes_overlap() {
        let (motions, steps) = teapots(25, 112, 2, 1).expect("the motion is fine");
        let asked = steps[0].len();
        assert!((1..25 * 24 / 2).contains(&asked), "{asked}");
        // No pair that is left out meets.
        let poses: Vec<&Pose> = motions.objects.iter().map(|o| o.motion.at(0)).collect();
        let mesh = &motions.meshes[0];
        for i in 0..25 {
            for j in i + 1..25 {
                let left_out = steps[0].iter().all(|query| query.pair != i * 25 + j);
                let pose = Pose::relative(poses[i], poses[j]);
                assert!(!left_out || !impinge::intersects(mesh, mesh, &pose).expect("an answer"));
            }
        }
    }

    #[test]
    fn the_advantage_must_be_there_and_grow() {
        let timing = |time: f64, volume_tests| Timing {
            least: vec![time],
            volume_tests,
            ..Timing::default()
        };
        let verdict = |times: [f64; 3], tests: [u64; 3]| {
            let timings = [0, 1, 2].map(|k| vec![timing(times[k], tests[k]), timing(1.0, 100)]);
            conclude(&timings, Scene::default()).verdict()
        };
        let (times, tests) = ([0.75, 0.72, 0.59], [75, 72, 59]);
        assert_eq!(verdict(times, tests), Verdict::Holds);
        assert_eq!(verdict([0.75, 0.75, 0.74], tests), Verdict::Fails);
        assert_eq!(verdict([1.1, 0.72, 0.59], tests), Verdict::Fails);
        assert_eq!(verdict(times, [75, 75, 75]), Verdict::Fails);
    }
}
