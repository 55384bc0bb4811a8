//! V4: *separated models are told apart in one step where AABB and OBB need a hierarchy; finding the
//! region is about linear in the vertices* (sbv §1, §2.2).
//!
//! Statements: of the pairs whose vertices a plane separates, how many one training decides, for the
//! default, which trains on all vertices, and for the paper's samples; beside it the volume tests of
//! two trees. And the growth of the time until the region is found, without the detailed test.

use std::time::Instant;

use impinge::geometry::Pose;
use impinge::query::{Ask, Control, Engine};
use impinge::separate::{Ended, Params, Samples, SbvEngine, Survey, sbv, sbv_with};
use impinge::{Mesh, Method};
use impinge_benches::harness::{Workload, count};
use impinge_benches::placement::{Plan, Target};
use impinge_benches::progress::Listener;
use impinge_benches::scene::NamedMesh;
use impinge_models::Shape;

use super::l3_growth::slope;
use super::outcome::{Effort, Figure, Outcome, Scene, Statement, Verdict};
use super::sbv_pairs::{Pairs, Stance, placed};

const GAPS: [f64; 3] = [0.2, 0.05, 0.01];
/// Pairs of shapes: convex, one hollow, both curved about holes.
const SHAPES: [[Shape; 2]; 4] = [
    [Shape::Hull, Shape::Sphere],
    [Shape::Trefoil, Shape::Teapot],
    [Shape::Torus, Shape::Gear],
    [Shape::Hand, Shape::Comb],
];
const TREES: [Method; 2] = [Method::AabbRefit, Method::ObbTree];
/// The share of separable pairs that one training must decide.
const MOST: f64 = 0.95;
/// The slope of time over vertices, in logarithms, must be 1 within this.
const SLACK: f64 = 0.1;

/// The surveys of one form.
struct Form {
    name: &'static str,
    surveys: Vec<Survey>,
}

/// Runs the experiment.
pub(crate) fn run(effort: &Effort, listener: Listener<'_>) -> Result<Outcome, String> {
    let triangles = effort.pick(200, 4_000, 20_000);
    let plan = Plan { orientations: effort.pick(1, 8, 20), seed: effort.seed };
    let support = Samples::Support { most: usize::MAX };
    let engines = [
        ("all vertices", sbv()),
        ("the paper's samples, twin", sbv_with(Params { samples: support, ..Params::new() })),
        ("the paper's samples and machine", sbv_with(Params::of_paper())),
    ];
    let mut forms: Vec<Form> =
        engines.iter().map(|(name, _)| Form { name, surveys: Vec::new() }).collect();
    let mut tests = [0u64; 2];
    for (index, shapes) in SHAPES.iter().enumerate() {
        listener.stage("pairs", index, SHAPES.len());
        let pair = shapes.map(|shape| NamedMesh::shape(shape, triangles, effort.seed));
        let pairs = placed(&pair, Stance::Turned, &GAPS.map(Target::Apart), &plan)?;
        let poses: Vec<Pose> = pairs.poses.concat();
        for (form, (_, engine)) in forms.iter_mut().zip(&engines) {
            form.surveys.extend(surveys(engine, &pairs, &poses)?);
        }
        let asked = Workload::motion(vec![pairs.a, pairs.b], [0, 1], &poses);
        for (sum, method) in tests.iter_mut().zip(TREES) {
            let counted = count(&method.into(), &asked, &Ask::first_contact(), false)?;
            *sum += counted.volume_tests;
        }
    }
    let growth = growth(effort, listener)?;
    let scene = Scene::new(
        "Four pairs of shapes, turned at random, 20, 5 and 1 % of the smaller diagonal apart. Growth: \
         two spheres, one a fifth of the diagonal into the other, until the region is found.",
    )
    .count("triangles each", triangles)
    .count("poses", forms[0].surveys.len());
    Ok(conclude(&forms, tests, &growth, scene))
}

fn surveys(engine: &SbvEngine, pairs: &Pairs, poses: &[Pose]) -> Result<Vec<Survey>, String> {
    let prepare = |mesh| engine.prepare(mesh, &Control::NONE).map_err(|error| error.to_string());
    let (a, b) = (prepare(&pairs.a)?, prepare(&pairs.b)?);
    let survey = |pose| engine.survey(&a, &b, pose, &Control::NONE);
    poses.iter().map(|pose| survey(pose).map_err(|error| error.to_string())).collect()
}

/// Vertices of both meshes, and the least seconds until the region is found.
fn growth(effort: &Effort, listener: Listener<'_>) -> Result<Vec<(f64, f64)>, String> {
    let sizes: &[usize] = effort.pick(
        &[1_000, 4_000][..],
        &[2_000, 8_000, 32_000, 128_000],
        &[2_000, 8_000, 32_000, 128_000, 512_000],
    );
    let (engine, repeats) = (sbv(), effort.pick(1, 9, 15));
    let mut points = Vec::new();
    for (index, &triangles) in sizes.iter().enumerate() {
        listener.stage("sizes", index, sizes.len());
        let mesh: Mesh = Shape::Sphere.mesh(triangles, effort.seed);
        let model = engine.prepare(&mesh, &Control::NONE).map_err(|error| error.to_string())?;
        let aside = impinge::Vector::new(0.48, 0.6, 0.64) * (mesh.diagonal() * 0.35);
        let pose = Pose::translation_by(aside).map_err(|error| error.to_string())?;
        let mut least = f64::INFINITY;
        for _ in 0..repeats {
            let start = Instant::now();
            let survey = engine.survey(&model, &model, &pose, &Control::NONE);
            least = least.min(start.elapsed().as_secs_f64());
            if survey.map_err(|error| error.to_string())?.ended != Ended::Detail {
                return Err("the spheres do not meet".to_owned());
            }
        }
        points.push((2.0 * mesh.vertices().len() as f64, least));
    }
    Ok(points)
}

fn conclude(forms: &[Form], tests: [u64; 2], growth: &[(f64, f64)], scene: Scene) -> Outcome {
    let mut ours = Vec::new();
    // The default trains on all vertices: what it does not separate, no plane does, up to rounding.
    let apart = |survey: &Survey| matches!(survey.ended, Ended::Bounds | Ended::Training);
    let separable: Vec<bool> = forms[0].surveys.iter().map(apart).collect();
    let total = separable.iter().filter(|is| **is).count();
    let share = total as f64 / separable.len() as f64;
    ours.push(Figure::new("pairs that a plane separates", 100.0 * share, "%"));
    let mut statements = Vec::new();
    for form in forms {
        let one = |(survey, is): (&Survey, &bool)| *is && apart(survey) && survey.trainings <= 1;
        let ended = form.surveys.iter().zip(&separable).filter(|pair| one(*pair)).count();
        let share = ended as f64 / total as f64;
        let rounds: u32 = form.surveys.iter().map(|survey| survey.rounds).sum();
        let mean = f64::from(rounds) / form.surveys.len() as f64;
        ours.push(Figure::new(format!("{}: ended by one training", form.name), 100.0 * share, "%"));
        ours.push(Figure::new(format!("{}: rounds of a query", form.name), mean, ""));
        statements.push(Statement::new(
            format!("told apart in one step: {}", form.name),
            Verdict::of(share >= MOST),
            format!("One training at most ends {:.1} % of {total} separable pairs.", 100.0 * share),
        ));
    }
    for (method, tests) in TREES.iter().zip(tests) {
        let mean = tests as f64 / separable.len() as f64;
        ours.push(Figure::new(format!("{method}: N_v of a query"), mean, ""));
    }
    let logs: Vec<(f64, f64)> = growth.iter().map(|(n, s)| (*n, s * 1e9)).collect();
    let slope = slope(&logs);
    ours.push(Figure::new("slope of time over vertices, in logarithms", slope, ""));
    for (vertices, seconds) in growth {
        ours.push(Figure::new(format!("region of {vertices} vertices"), seconds * 1e3, "ms"));
    }
    statements.push(Statement::new(
        "the time until the region is about linear in the vertices",
        Verdict::of((slope - 1.0).abs() <= SLACK),
        format!("The slope in logarithms is {slope:.3}."),
    ));
    Outcome::several(statements, ours, scene)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::tiny;
    use Ended::{Bounds, Region, Training};
    use Verdict::{Fails, Holds};

    #[test]
    fn it_runs() {
        assert_eq!(tiny(run).statements.len(), 4);
    }

    #[test]
    fn nearly_all_in_one_training_and_a_slope_of_one_are_asked() {
        let survey = |ended, trainings| Survey { ended, trainings, ..Survey::default() };
        let form = |ended: [Ended; 2], trainings| Form {
            name: "a",
            surveys: ended.map(|ended| survey(ended, trainings)).to_vec(),
        };
        let verdicts = |forms: &[Form], exponent: f64| {
            let growth = [1e3f64, 1e4, 1e5].map(|n| (n, n.powf(exponent) * 1e-9));
            conclude(forms, [1, 2], &growth, Scene::default()).verdicts()
        };
        let all = || form([Training, Bounds], 1);
        assert_eq!(verdicts(&[all(), all()], 1.0), [Holds, Holds, Holds]);
        let some = form([Region, Training], 1);
        assert_eq!(verdicts(&[all(), some], 1.2), [Holds, Fails, Fails]);
        assert_eq!(verdicts(&[all(), form([Training, Training], 2)], 0.8), [Holds, Fails, Fails]);
        // A pair that no plane separates does not count.
        let [folded, apart] = [form([Region, Training], 1), form([Region, Training], 1)];
        assert_eq!(verdicts(&[folded, apart], 1.0), [Holds, Holds, Holds]);
    }
}
