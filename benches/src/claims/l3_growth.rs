//! L3: *intersection grows as O(log n) instead of O(n)* (li §3.2): stated for the AABB-OBB hybrid
//! against the sphere-AABB hybrid for two objects of n primitives, but not measured there.
//!
//! One shape is meshed more and more finely. The log-log slope of the counts over n gives the
//! growth: 1 is linear, and the slope of ln n itself is logarithmic.

use impinge::query::Ask;
use impinge_benches::harness::{Competitor, Rules, Timing, Workload, compete};
use impinge_benches::placement::{Plan, Target, place_at, poses};
use impinge_benches::progress::Listener;
use impinge_benches::scene::NamedMesh;
use impinge_models::Shape;

use super::outcome::{Effort, Figure, Outcome, Scene};

/// The improved hybrid and the traditional one.
const WORDS: [&str; 2] = ["aabb-obb", "sphere-aabb"];
/// A slope counts as logarithmic if it is at most this much above that of ln n, and as linear if it
/// is at most this much below 1.
const MARGIN: f64 = 0.15;
const TARGETS: [Target; 2] = [Target::Apart(0.01), Target::Deep(0.01)];
const POSES: [&str; 2] = ["1 % apart", "1 % deep"];

/// Results for one mesh size: per kind of pose, the timings of all methods.
struct Size {
    triangles: usize,
    timings: [Vec<Timing>; 2],
}

/// Runs the experiment.
pub(crate) fn run(effort: &Effort, listener: Listener<'_>) -> Result<Outcome, String> {
    if let Some(outcome) = Outcome::missing(&WORDS) {
        return Ok(outcome);
    }
    let wanted: &[usize] = effort.pick(
        &[100, 400][..],
        &[1_000, 4_000, 16_000, 64_000],
        &[1_000, 4_000, 16_000, 64_000, 256_000],
    );
    let lines = effort.pick(1, 8, 16);
    let passes = effort.pick(1, 3, 5);
    let both = Competitor::named(&WORDS)?;
    let mut sizes = Vec::new();
    for (k, &triangles) in wanted.iter().enumerate() {
        listener.stage("sizes", k, wanted.len());
        let torus = NamedMesh::shape(Shape::Torus, triangles, effort.seed);
        let plan = Plan { orientations: lines, seed: effort.seed };
        let placed = place_at([&torus, &torus], &TARGETS, &plan, &|_| ())?;
        let time = |target| {
            let poses = poses(&placed, target);
            let asked = Workload::motion(vec![torus.mesh.clone()], [0, 0], &poses);
            let (ask, rules) = (Ask::first_contact(), Rules::passes(passes));
            compete(&both, &asked, &ask, rules, Listener::NONE)
        };
        let timings = [time(TARGETS[0])?, time(TARGETS[1])?];
        sizes.push(Size { triangles: torus.mesh.triangles().len(), timings });
    }
    let mut scene = Scene::new(
        "Two tori of n triangles each, along random lines through both centres 1 % of the diagonal \
         apart, and pushed 1 % into each other; first contact. The paper names no scene.",
    )
    .count("lines", lines);
    for size in &sizes {
        scene = scene.count("triangles each", size.triangles);
    }
    Ok(conclude(&sizes, scene))
}

/// Least-squares slope of ln y over ln x.
fn slope(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.max(1.0).ln())).collect();
    let n = logs.len() as f64;
    let (sx, sy) = logs.iter().fold((0.0, 0.0), |(sx, sy), (x, y)| (sx + x, sy + y));
    let (mx, my) = (sx / n, sy / n);
    let (mut up, mut down) = (0.0, 0.0);
    for (x, y) in &logs {
        up += (x - mx) * (y - my);
        down += (x - mx) * (x - mx);
    }
    up / down
}

fn conclude(sizes: &[Size], scene: Scene) -> Outcome {
    let n: Vec<f64> = sizes.iter().map(|size| size.triangles as f64).collect();
    let fit = |value: &dyn Fn(&Size) -> f64| {
        let points: Vec<_> = n.iter().copied().zip(sizes.iter().map(value)).collect();
        slope(&points)
    };
    let logarithm = slope(&n.iter().map(|&n| (n, n.ln())).collect::<Vec<_>>());
    let mut ours = vec![Figure::new("slope of ln n itself", logarithm, "")];
    let mut slopes = [[0.0; 2]; 2];
    for (p, pose) in POSES.iter().enumerate() {
        for (m, word) in WORDS.iter().enumerate() {
            slopes[p][m] = fit(&|size| size.timings[p][m].volume_tests as f64);
            let time = fit(&|size| size.timings[p][m].total());
            ours.push(Figure::new(format!("{pose}, {word}: slope of N_v"), slopes[p][m], ""));
            ours.push(Figure::new(format!("{pose}, {word}: slope of time"), time, ""));
            let last = &sizes[sizes.len() - 1].timings[p];
            let tests = last[m].volume_tests as f64;
            ours.push(Figure::new(format!("{pose}, {word}: N_v at the finest"), tests, ""));
        }
    }
    let improved = slopes.iter().all(|pose| pose[0] <= logarithm + MARGIN);
    let traditional = slopes.iter().all(|pose| pose[1] >= 1.0 - MARGIN);
    let reason = format!(
        "N_v of aabb-obb grows as n to the power {:.2} (apart) and {:.2} (intersecting), that of \
         sphere-aabb as {:.2} and {:.2}; ln n itself would show {logarithm:.2}, n would show 1. So \
         the improved tree {} logarithmic and the traditional one {} linear here.",
        slopes[0][0],
        slopes[1][0],
        slopes[0][1],
        slopes[1][1],
        if improved { "is" } else { "is not" },
        if traditional { "is" } else { "is not" }
    );
    Outcome::ran(improved && traditional, reason, ours, scene)
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
    fn powers_have_their_slopes() {
        let points: Vec<_> =
            [10.0, 100.0, 1000.0].iter().map(|&x: &f64| (x, x.powf(0.5))).collect();
        assert!((slope(&points) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn both_halves_of_the_claim_count() {
        let verdict = |improved: f64, traditional: f64| {
            let sizes = [1_000.0, 10_000.0, 100_000.0].map(|n: f64| {
                let timing =
                    |power: f64| Timing { volume_tests: n.powf(power) as u64, ..Timing::default() };
                let both = || vec![timing(improved), timing(traditional)];
                Size { triangles: n as usize, timings: [both(), both()] }
            });
            conclude(&sizes, Scene::default()).verdict()
        };
        assert_eq!(verdict(0.1, 1.0), Verdict::Holds);
        assert_eq!(verdict(0.1, 0.1), Verdict::Fails);
        assert_eq!(verdict(0.6, 1.0), Verdict::Fails);
    }
}
