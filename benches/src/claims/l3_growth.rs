//! L3: *intersection grows as O(log n) instead of O(n)* (li §3.2): stated for the AABB-OBB hybrid
//! against the sphere-AABB hybrid for two objects of n primitives, but not measured there.
//!
//! Two statements are decided: that the hybrid grows as the logarithm, and that the other grows as n,
//! the latter in two readings: by volume tests alone, and with the updates that li's cost function
//! adds, of which the traditional tree makes one per node and step.
//!
//! One shape is meshed more and more finely. The log-log slope of the counts over n gives the
//! growth: 1 is linear, and the slope of ln n itself is logarithmic.

use impinge::hierarchy::methods::{aabb_obb_updated, sphere_aabb_updated};
use impinge::query::Ask;
use impinge_benches::harness::{Competitor, Rules, Timing, Workload, compete};
use impinge_benches::placement::{Plan, Target, place_at, poses};
use impinge_benches::progress::Listener;
use impinge_benches::scene::NamedMesh;
use impinge_models::Shape;

use super::outcome::{Effort, Figure, Outcome, Scene, Statement, Verdict};

/// The improved hybrid and the traditional one, with boxes in the body's frame.
const WORDS: [&str; 2] = ["aabb-obb", "sphere-aabb"];
/// All forms: these two, and the same updated along the world's axes.
const FORMS: [&str; 4] = ["aabb-obb", "sphere-aabb", "aabb-obb, updated", "sphere-aabb, updated"];
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
    let mut all = Competitor::named(&WORDS)?;
    all.push(Competitor::new(FORMS[2], aabb_obb_updated()));
    all.push(Competitor::new(FORMS[3], sphere_aabb_updated()));
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
            compete(&all, &asked, &ask, rules, Listener::NONE)
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
pub(crate) fn slope(points: &[(f64, f64)]) -> f64 {
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
    // By pose and form: the slope of the volume tests, and with updates added.
    let mut slopes = [[[0.0; 2]; 4]; 2];
    for (p, pose) in POSES.iter().enumerate() {
        for (m, word) in FORMS.iter().enumerate() {
            let updated = m >= WORDS.len();
            let tests = |size: &Size| size.timings[p][m].volume_tests as f64;
            let updates = |size: &Size| size.timings[p][m].volumes_updated as f64;
            slopes[p][m] = [fit(&tests), fit(&|size| tests(size) + updates(size))];
            let time = fit(&|size| size.timings[p][m].total());
            ours.push(Figure::new(format!("{pose}, {word}: slope of N_v"), slopes[p][m][0], ""));
            ours.push(Figure::new(format!("{pose}, {word}: slope of time"), time, ""));
            let last = &sizes[sizes.len() - 1];
            let finest = |what: &str| format!("{pose}, {word}: {what} at the finest");
            ours.push(Figure::new(finest("N_v"), tests(last), ""));
            if updated {
                let name = format!("{pose}, {word}: slope of N_u + N_v");
                ours.push(Figure::new(name, slopes[p][m][1], ""));
                ours.push(Figure::new(finest("N_u"), updates(last), ""));
            }
        }
    }
    Outcome::several(statements(&slopes, logarithm), ours, scene)
}

/// The verdicts on slopes by pose, form, and without or with updates.
fn statements(slopes: &[[[f64; 2]; 4]; 2], logarithm: f64) -> Vec<Statement> {
    let of = |form: usize, updates: usize| slopes.map(|pose| pose[form][updates]);
    let is_logarithmic = |list: [f64; 2]| list.iter().all(|slope| *slope <= logarithm + MARGIN);
    let is_linear = |list: [f64; 2]| list.iter().all(|slope| *slope >= 1.0 - MARGIN);
    let both = |[apart, deep]: [f64; 2]| format!("{apart:.2} (apart) and {deep:.2} (intersecting)");
    let rule = format!("ln n itself would show {logarithm:.2}, n would show 1");
    vec![
        Statement::new(
            "the AABB-OBB hybrid grows as O(log n)",
            Verdict::of(is_logarithmic(of(0, 0)) && is_logarithmic(of(2, 1))),
            format!(
                "N_v of aabb-obb grows as n to the power {}; updated, N_u + N_v grows as {}; {rule}. \
                 Both must be at most {MARGIN} above that of ln n.",
                both(of(0, 0)),
                both(of(2, 1))
            ),
        ),
        Statement::new(
            "the sphere-AABB hybrid grows as O(n): volume tests",
            Verdict::of(is_linear(of(1, 0))),
            format!(
                "N_v of sphere-aabb grows as n to the power {}; {rule}. It must be at least {:.2}.",
                both(of(1, 0)),
                1.0 - MARGIN
            ),
        ),
        Statement::new(
            "the sphere-AABB hybrid grows as O(n): volume tests and updates",
            Verdict::of(is_linear(of(3, 1))),
            format!(
                "Updated once per query as li describes it, N_u + N_v of sphere-aabb grows as n to \
                 the power {}: every node is an update. {rule}. It must be at least {:.2}. Li names \
                 the time of the intersection test, so the first reading is nearer to the words.",
                both(of(3, 1)),
                1.0 - MARGIN
            ),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::tiny;

    #[test]
    fn every_form_is_asked() {
        let outcome = tiny(run);
        assert_eq!(outcome.verdicts().len(), 3);
        let value = |name: &str| {
            let figure = outcome.ours.iter().find(|figure| figure.name == name);
            figure.and_then(|figure| figure.value).expect(name)
        };
        let updates = |form: &str| value(&format!("1 % apart, {form}, updated: N_u at the finest"));
        assert!(updates("sphere-aabb") > 400.0 && updates("aabb-obb") < 100.0);
    }

    #[test]
    fn powers_have_their_slopes() {
        let points: Vec<_> =
            [10.0, 100.0, 1000.0].iter().map(|&x: &f64| (x, x.powf(0.5))).collect();
        assert!((slope(&points) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn every_statement_can_fail() {
        use Verdict::{Fails, Holds};
        let verdicts = |tests: [f64; 2], updates: [f64; 2]| {
            let sizes = [1_000.0, 10_000.0, 100_000.0].map(|n: f64| {
                let timing = |m: usize| Timing {
                    volume_tests: n.powf(tests[m % 2]) as u64,
                    volumes_updated: if m < 2 { 0 } else { n.powf(updates[m % 2]) as u64 },
                    ..Timing::default()
                };
                let all = || (0..4).map(timing).collect();
                Size { triangles: n as usize, timings: [all(), all()] }
            });
            conclude(&sizes, Scene::default()).verdicts()
        };
        assert_eq!(verdicts([0.1, 1.0], [0.0, 1.0]), [Holds, Holds, Holds]);
        assert_eq!(verdicts([0.1, 0.1], [0.0, 1.0]), [Holds, Fails, Holds]);
        assert_eq!(verdicts([0.1, 0.1], [0.0, 0.3]), [Holds, Fails, Fails]);
        assert_eq!(verdicts([0.6, 1.0], [0.0, 1.0]), [Fails, Holds, Holds]);
        assert_eq!(verdicts([0.1, 1.0], [0.9, 1.0]), [Fails, Holds, Holds]);
    }
}
