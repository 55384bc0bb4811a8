//! V4: *separated models are told apart in one step where AABB and OBB need a hierarchy; finding the
//! region is about linear in the vertices* (sbv §1, §2.2).
//!
//! Statements: of the pairs whose hulls are apart, by an exact test of the hulls, and whose bounds along
//! the axes are not, how many one training decides: for the default, which trains on all vertices, and
//! for the paper's samples. Beside it the volume tests of two trees for these pairs. And the growth of
//! the time until the region is found, without the detailed test.

use std::time::Instant;

use impinge::geometry::Pose;
use impinge::geometry::volume::{ConvexHull, HullShape};
use impinge::query::{Ask, Control, Engine};
use impinge::separate::{
    Detailed, Ended, Exact, Params, Samples, SbvEngine, SbvMemory, SbvModel, Survey, sbv, sbv_with,
};
use impinge::{Mesh, Method, Pair};
use impinge_benches::harness::{Turn, Workload, count, take_turns};
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

/// The surveys of one form, one for each pose.
struct Form {
    name: &'static str,
    surveys: Vec<Survey>,
}

/// What a plane can do at each pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The hulls meet.
    Folded,
    /// The bounds along the axes are apart.
    Bounds,
    /// A plane separates the bodies, and their bounds do not tell.
    Separable,
}

/// The time until the region is found, over the vertices.
struct Growth {
    name: &'static str,
    /// Vertices of both meshes, and the least seconds.
    points: Vec<(f64, f64)>,
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
    let (mut kinds, mut tests) = (Vec::new(), [0u64; 2]);
    for (index, shapes) in SHAPES.iter().enumerate() {
        listener.stage("pairs", index, SHAPES.len());
        let pair = shapes.map(|shape| NamedMesh::shape(shape, triangles, effort.seed));
        let pairs = placed(&pair, Stance::Turned, &GAPS.map(Target::Apart), &plan)?;
        let poses: Vec<Pose> = pairs.poses.concat();
        for (form, (_, engine)) in forms.iter_mut().zip(&engines) {
            form.surveys.extend(surveys(engine, &pairs, &poses)?);
        }
        let of_pair = judge(&pairs, &poses)?;
        let separable = poses.iter().zip(&of_pair).filter(|(_, kind)| **kind == Kind::Separable);
        let counting: Vec<Pose> = separable.map(|(pose, _)| *pose).collect();
        kinds.extend(of_pair);
        let asked = Workload::motion(vec![pairs.a, pairs.b], [0, 1], &counting);
        for (sum, method) in tests.iter_mut().zip(TREES) {
            if !counting.is_empty() {
                let counted = count(&method.into(), &asked, &Ask::first_contact(), false)?;
                *sum += counted.volume_tests;
            }
        }
    }
    let growths = growths(effort, listener)?;
    let scene = Scene::new(
        "Four pairs of shapes, turned at random, 20, 5 and 1 % of the smaller diagonal apart. Growth: \
         two spheres, one a fifth of the diagonal into the other, until the region is found.",
    )
    .count("triangles each", triangles)
    .count("poses", forms[0].surveys.len());
    Ok(conclude(&forms, &kinds, tests, &growths, scene))
}

/// Whether a plane separates the bodies at each pose: whether their hulls are apart, exactly.
fn judge(pairs: &Pairs, poses: &[Pose]) -> Result<Vec<Kind>, String> {
    let hull = |mesh: &Mesh| -> Result<Mesh, String> {
        let hull = ConvexHull::fit_points(mesh.vertices()).map_err(|error| error.to_string())?;
        let HullShape::Solid { vertices, faces } = hull.shape() else {
            return Err("a flat body".to_owned());
        };
        Mesh::new(vertices.clone(), faces.clone()).map_err(|error| error.to_string())
    };
    let hulls = [hull(&pairs.a)?, hull(&pairs.b)?];
    let mut pair = Pair::with(Method::ObbTree, &hulls[0], &hulls[1]).map_err(|e| e.to_string())?;
    let bounds = pairs.a.bounds();
    let mut kinds = Vec::new();
    for pose in poses {
        let (low, high) = pairs.b.posed(pose).map_err(|error| error.to_string())?.bounds();
        let apart = (0..3).any(|k| high[k] < bounds.0[k] || bounds.1[k] < low[k]);
        let verdict = pair.collide_solids(pose).map_err(|error| error.to_string())?;
        kinds.push(match (apart, verdict) {
            (true, _) => Kind::Bounds,
            (false, impinge::Verdict::Separated) => Kind::Separable,
            (false, _) => Kind::Folded,
        });
    }
    Ok(kinds)
}

fn surveys(engine: &SbvEngine, pairs: &Pairs, poses: &[Pose]) -> Result<Vec<Survey>, String> {
    let prepare = |mesh| engine.prepare(mesh, &Control::NONE).map_err(|error| error.to_string());
    let (a, b) = (prepare(&pairs.a)?, prepare(&pairs.b)?);
    let survey = |pose| engine.survey(&a, &b, pose, &mut SbvMemory::default(), &Control::NONE);
    poses.iter().map(|pose| survey(pose).map_err(|error| error.to_string())).collect()
}

/// A form on two balls of one size.
struct Lane<'e> {
    engine: &'e SbvEngine,
    model: SbvModel,
    pose: Pose,
    memory: SbvMemory<<Exact as Detailed>::Memory>,
    vertices: f64,
    /// Seconds.
    least: f64,
}

impl<'e> Lane<'e> {
    fn new(engine: &'e SbvEngine, mesh: &Mesh) -> Result<Self, String> {
        let model = engine.prepare(mesh, &Control::NONE).map_err(|error| error.to_string())?;
        let aside = impinge::Vector::new(0.48, 0.6, 0.64) * (mesh.diagonal() * 0.35);
        let pose = Pose::translation_by(aside).map_err(|error| error.to_string())?;
        let (vertices, least) = (2.0 * mesh.vertices().len() as f64, f64::INFINITY);
        Ok(Self { engine, model, pose, memory: SbvMemory::default(), vertices, least })
    }

    /// Finds the region twice, since the lane before may be so large that its turn empties the caches; the
    /// second time counts. If `warm`, in memory that other queries have filled.
    fn turn(&mut self, warm: bool) -> Result<(), String> {
        let Self { engine, model, pose, memory, .. } = self;
        let mut took = 0.0;
        for _ in 0..2 {
            if !warm {
                *memory = SbvMemory::default();
            }
            let start = Instant::now();
            let survey = engine.survey(model, model, pose, memory, &Control::NONE);
            took = start.elapsed().as_secs_f64();
            if survey.map_err(|error| error.to_string())?.ended != Ended::Detail {
                return Err("the spheres do not meet".to_owned());
            }
        }
        self.least = self.least.min(took);
        Ok(())
    }
}

/// The time until the region is found; all forms at all sizes take turns.
fn growths(effort: &Effort, listener: Listener<'_>) -> Result<Vec<Growth>, String> {
    let sizes: &[usize] = effort.pick(
        &[1_000, 4_000][..],
        &[2_000, 8_000, 32_000, 128_000],
        &[2_000, 8_000, 32_000, 128_000, 512_000],
    );
    let forms = [
        ("default", sbv(), true),
        ("default, without memory", sbv(), false),
        ("the paper's samples and machine", sbv_with(Params::of_paper()), true),
    ];
    let meshes = sizes.iter().map(|triangles| Shape::Sphere.mesh(*triangles, effort.seed));
    let meshes: Vec<Mesh> = meshes.collect();
    let each = forms
        .iter()
        .flat_map(|(_, engine, _)| meshes.iter().map(move |mesh| Lane::new(engine, mesh)));
    let mut lanes = each.collect::<Result<Vec<_>, _>>()?;
    let repeats = effort.pick(2, 9, 15);
    take_turns(lanes.len(), repeats, 1, |Turn { who, pass, first, .. }| {
        if first {
            listener.stage("passes", pass, repeats);
        }
        lanes[who].turn(forms[who / sizes.len()].2)
    })?;
    let of = |lanes: &[Lane<'_>]| lanes.iter().map(|lane| (lane.vertices, lane.least)).collect();
    let growths = forms.iter().zip(lanes.chunks(sizes.len()));
    Ok(growths.map(|((name, ..), lanes)| Growth { name, points: of(lanes) }).collect())
}

fn conclude(
    forms: &[Form],
    kinds: &[Kind],
    tests: [u64; 2],
    growths: &[Growth],
    scene: Scene,
) -> Outcome {
    let mut ours = Vec::new();
    let share = |kind: Kind| {
        kinds.iter().filter(|other| **other == kind).count() as f64 / kinds.len() as f64
    };
    let total = kinds.iter().filter(|kind| **kind == Kind::Separable).count();
    ours.push(Figure::new("pairs told apart by bounds", 100.0 * share(Kind::Bounds), "%"));
    let separable = 100.0 * share(Kind::Separable);
    ours.push(Figure::new("other pairs that a plane separates", separable, "%"));
    let mut statements = Vec::new();
    for form in forms {
        let counts = form.surveys.iter().zip(kinds).filter(|(_, kind)| **kind == Kind::Separable);
        let one = |survey: &Survey| survey.ended == Ended::Training && survey.trainings == 1;
        let ended = counts.clone().filter(|(survey, _)| one(survey)).count();
        let share = ended as f64 / total as f64;
        let rounds: u32 = counts.map(|(survey, _)| survey.rounds).sum();
        let mean = f64::from(rounds) / total as f64;
        ours.push(Figure::new(format!("{}: ended by one training", form.name), 100.0 * share, "%"));
        ours.push(Figure::new(format!("{}: rounds of a query", form.name), mean, ""));
        statements.push(Statement::new(
            format!("told apart in one step: {}", form.name),
            if total == 0 { Verdict::Untold } else { Verdict::of(share >= MOST) },
            format!("One training ends {ended} of {total} separable pairs."),
        ));
    }
    for (method, tests) in TREES.iter().zip(tests) {
        let mean = tests as f64 / total as f64;
        ours.push(Figure::new(format!("{method}: N_v of a query"), mean, ""));
    }
    let mut slopes = Vec::new();
    for Growth { name, points } in growths {
        let logs: Vec<(f64, f64)> = points.iter().map(|(n, s)| (*n, s * 1e9)).collect();
        slopes.push(slope(&logs));
        let label = format!("{name}: slope of time over vertices, in logarithms");
        ours.push(Figure::new(label, slope(&logs), ""));
        for (vertices, seconds) in points {
            let label = format!("{name}: region of {vertices} vertices");
            ours.push(Figure::new(label, seconds * 1e3, "ms"));
        }
    }
    let first = slopes.first().copied().unwrap_or(f64::NAN);
    statements.push(Statement::new(
        "the time until the region is about linear in the vertices",
        Verdict::of((first - 1.0).abs() <= SLACK),
        format!("The slope in logarithms is {first:.3}."),
    ));
    Outcome::several(statements, ours, scene)
}

#[cfg(test)]
mod tests {
    use Ended::{Bounds, Region, Training};
    use Verdict::{Fails, Holds, Untold};

    use super::*;
    use crate::outcome::tiny;

    #[test]
    fn it_runs() {
        assert_eq!(tiny(run).statements.len(), 4);
    }

    #[test]
    fn nearly_all_in_one_training_and_a_slope_of_one_are_asked() {
        let survey = |ended, trainings| Survey { ended, trainings, ..Survey::default() };
        let form = |ended: [Ended; 3], trainings| Form {
            name: "a",
            surveys: ended.map(|ended| survey(ended, trainings)).to_vec(),
        };
        let kinds = [Kind::Separable, Kind::Bounds, Kind::Folded];
        let verdicts = |form: Form, kinds: &[Kind], exponent: f64| {
            let points = [1e3f64, 1e4, 1e5].map(|n| (n, n.powf(exponent) * 1e-9)).to_vec();
            let growth = [Growth { name: "b", points }];
            conclude(&[form], kinds, [1, 2], &growth, Scene::default()).verdicts()
        };
        let good = || form([Training, Bounds, Region], 1);
        assert_eq!(verdicts(good(), &kinds, 1.0), [Holds, Holds]);
        assert_eq!(verdicts(form([Region, Bounds, Training], 1), &kinds, 1.2), [Fails, Fails]);
        assert_eq!(verdicts(form([Training, Bounds, Training], 2), &kinds, 0.8), [Fails, Fails]);
        // What bounds tell apart, and what no plane separates, does not count.
        assert_eq!(verdicts(good(), &[Kind::Folded; 3], 1.0), [Untold, Holds]);
    }

    #[test]
    fn hulls_judge_whether_a_plane_can_separate() {
        let ball = Shape::Sphere.mesh(200, 1);
        let pairs = Pairs { a: ball.clone(), b: ball, poses: Vec::new() };
        let at =
            |x: f64, y: f64| Pose::translation_by(impinge::Vector::new(x, y, 0.0)).expect("finite");
        let poses = [at(0.5, 0.0), at(1.5, 0.0), at(0.75, 0.75)];
        let kinds = judge(&pairs, &poses).expect("balls");
        assert_eq!(kinds, [Kind::Folded, Kind::Bounds, Kind::Separable]);
    }
}
