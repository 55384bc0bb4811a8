//! GJK on convex meshes, judged by rational arithmetic; what it refuses, and why.

use impinge_geometry::predicates::{Sign, orient3d};
use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_hierarchy::{gjk, obbtree};
use impinge_models::{Random, Shape};
use impinge_query::{
    Answer, Ask, Contact, Control, Detector, Engine, Nearest, PairMemory, PrepareError, Prepared,
    Question, Verdict,
};
use impinge_testkit::battery::faults::{Fault, Faulty};
use impinge_testkit::battery::{Outcome, Tally};
use impinge_testkit::oracle;

const UNIT: f64 = f64::EPSILON / 2.0;

/// Two convex meshes, and how far random poses bring B.
struct Pair {
    name: &'static str,
    a: Mesh,
    b: Mesh,
    reach: f64,
}

fn squeezed(mesh: &Mesh, by: [f64; 3]) -> Mesh {
    let by = Vector::from(by);
    let squeeze = |p: &Point| Point::from(p.coords.component_mul(&by));
    mesh.with_vertices(mesh.vertices().iter().map(squeeze).collect()).expect("in range")
}

fn pairs() -> Vec<Pair> {
    let pair = |name, a: Mesh, b: Mesh, reach| Pair { name, a, b, reach };
    let hull = |n, seed| Shape::Hull.mesh(n, seed);
    let needle = squeezed(&hull(40, 3), [2.0, 1e-3, 2e-3]);
    vec![
        pair("hull-hull", hull(60, 1), hull(40, 2), 0.85),
        pair("sphere-cube", Shape::Sphere.mesh(80, 0), Shape::Cube.mesh(48, 0), 0.95),
        pair("cube-cube", Shape::Cube.mesh(12, 0), Shape::Cube.mesh(12, 0), 0.95),
        pair("hull-needle", hull(60, 4), needle, 0.75),
        pair(
            "plate-sphere",
            squeezed(&Shape::Cube.mesh(48, 0), [2.0, 2.0, 1e-6]),
            Shape::Sphere.mesh(60, 0),
            0.9,
        ),
    ]
}

/// A detector with a pair prepared.
struct Bench<'d> {
    detector: &'d dyn Detector,
    models: [Prepared; 2],
    memory: PairMemory,
}

impl<'d> Bench<'d> {
    fn new(detector: &'d dyn Detector, a: &Mesh, b: &Mesh) -> Result<Self, String> {
        let prepare = |m| detector.prepare(m, &Control::NONE).map_err(|e| e.to_string());
        Ok(Self { detector, models: [prepare(a)?, prepare(b)?], memory: detector.memory() })
    }

    fn ask(&mut self, pose: &Pose, ask: &Ask) -> Result<Answer, String> {
        let mut answer = Answer::default();
        let ([a, b], memory) = (&self.models, &mut self.memory);
        self.detector
            .query(a, b, pose, memory, ask, &Control::NONE, &mut answer)
            .map_err(|e| format!("{ask:?}: {e}"))?;
        Ok(answer)
    }

    /// Contacts, verdicts and containment as the oracle has them.
    fn check(&mut self, a: &Mesh, b: &Mesh, pose: &Pose) -> Result<bool, String> {
        let posed = b.posed(pose).map_err(|e| e.to_string())?;
        let contacts = oracle::contacts(a, &posed);
        let truth: Vec<Contact> = contacts.into_iter().map(|(a, b)| Contact { a, b }).collect();
        let meets = !truth.is_empty();
        let first = self.ask(pose, &Ask::first_contact())?;
        if first.verdict.is_hit() != meets || !first.contacts.iter().all(|c| truth.contains(c)) {
            return Err(format!("first contact {first:?}, the oracle has {}", truth.len()));
        }
        let all = self.ask(pose, &Ask::all_contacts())?;
        if all.verdict.is_hit() != meets || all.contacts != truth {
            return Err(format!("{} contacts, the oracle has {}", all.contacts.len(), truth.len()));
        }
        let solid = self.ask(pose, &Ask::first_contact().solids())?.verdict;
        if solid.word() != oracle::solids(a, &posed).word() {
            return Err(format!("as solids {solid:?}"));
        }
        Ok(solid.is_hit())
    }
}

/// Random poses of every pair.
fn verdicts(detector: &dyn Detector) -> Outcome {
    let mut tally = Tally::default();
    for pair in pairs() {
        let mut bench = Bench::new(detector, &pair.a, &pair.b)?;
        for index in 0..30 {
            let pose = Random::stream(81, index).pose(pair.reach);
            let hit = bench
                .check(&pair.a, &pair.b, &pose)
                .map_err(|e| format!("{} pose {index}: {e}", pair.name))?;
            tally.cases += 1;
            tally.hits += usize::from(hit);
        }
    }
    tally.balanced()
}

/// Bodies brought to touch, give or take a few units of rounding; and exact contact of lattice
/// positions, one inside the other, and a body on itself.
fn touching(detector: &dyn Detector) -> Outcome {
    let mut tally = Tally::default();
    for pair in pairs() {
        let mut bench = Bench::new(detector, &pair.a, &pair.b)?;
        for index in 0..24 {
            let mut random = Random::stream(82, index);
            let far = random.turned_to(random.clone().unit_vector() * 4.0);
            let Some(nearest) = bench.ask(&far, &Ask::distance())?.nearest else { continue };
            let gap = nearest.on_b - nearest.on_a;
            let ulps = [-256.0, -32.0, -4.0, 0.0, 4.0, 256.0][index as usize % 6] * UNIT;
            let t = far.translation() - gap * (1.0 - ulps / gap.norm());
            let pose = Pose::new(*far.rotation(), t).map_err(|e| e.to_string())?;
            let hit = bench
                .check(&pair.a, &pair.b, &pose)
                .map_err(|e| format!("{} near contact {index}: {e}", pair.name))?;
            tally.cases += 1;
            tally.hits += usize::from(hit);
        }
    }
    let cube = Shape::Cube.mesh(48, 0);
    let small = cube.scaled(0.25).map_err(|e| e.to_string())?;
    for (b, x) in [(&cube, 1.0), (&cube, 0.0), (&cube, 1.0 + 2.0 * UNIT), (&small, 0.0)] {
        let pose = Pose::translation_by(Vector::new(x, 0.0, 0.0)).map_err(|e| e.to_string())?;
        let hit = Bench::new(detector, &cube, b)?.check(&cube, b, &pose)?;
        tally.cases += 1;
        tally.hits += usize::from(hit);
    }
    tally.balanced()
}

/// Distances, witness points, and "nearer than" on both sides.
fn distances(detector: &dyn Detector) -> Outcome {
    let mut tally = Tally::default();
    for pair in pairs() {
        for (scale, poses) in [(1.0, 16), (1e-150, 3), (1e150, 3)] {
            let [a, b] = [&pair.a, &pair.b].map(|m| m.scaled(scale).expect("in range"));
            let mut bench = Bench::new(detector, &a, &b)?;
            for index in 0..poses {
                let pose = Random::stream(83, index).pose(pair.reach * 1.1);
                let pose = Pose::new(*pose.rotation(), pose.translation() * scale);
                let pose = pose.map_err(|e| e.to_string())?;
                let posed = b.posed(&pose).map_err(|e| e.to_string())?;
                let truth = oracle::mesh_distance(&a, &posed);
                distance(&mut bench, &a, &posed, &pose, truth)
                    .map_err(|e| format!("{} × {scale:e}, pose {index}: {e}", pair.name))?;
                tally.cases += 1;
                tally.hits += usize::from(truth == 0.0);
            }
        }
    }
    tally.balanced()
}

/// The points are on their triangles and as far apart as the distance says.
fn witnesses(nearest: &Nearest, a: &Mesh, posed: &Mesh, allowed: f64) -> Result<(), String> {
    let gap = (nearest.on_b - nearest.on_a) / nearest.distance;
    if !((gap.norm() - 1.0).abs() * nearest.distance <= 2.0 * allowed) {
        return Err(format!("witness points {nearest:?}"));
    }
    let Contact { a: s, b: t } = nearest.triangles;
    for (p, triangle) in [(nearest.on_a, a.triangle(s)), (nearest.on_b, posed.triangle(t))] {
        if !(impinge_geometry::triangle::distance(&[p; 3], &triangle).0 <= allowed) {
            return Err(format!("{p:?} is not on its triangle: {nearest:?}"));
        }
    }
    Ok(())
}

fn distance(
    bench: &mut Bench<'_>,
    a: &Mesh,
    posed: &Mesh,
    pose: &Pose,
    truth: f64,
) -> Result<(), String> {
    let answer = bench.ask(pose, &Ask::distance())?;
    let nearest = answer.nearest.ok_or("no distance")?;
    let corners = || a.corners().chain(posed.corners()).flatten();
    let size = corners().fold(0.0f64, |m, p| m.max(p.coords.amax()));
    let allowed = 32.0 * UNIT * size;
    if (nearest.distance - truth).abs() > allowed || (nearest.distance == 0.0) != (truth == 0.0) {
        return Err(format!("distance {:e}, not {truth:e}", nearest.distance));
    }
    // Where they meet, the point is the inner engine's affair.
    if truth > 0.0 {
        witnesses(&nearest, a, posed, allowed)?;
    }
    for (d, expected) in [
        (truth * 2.0 + size, true),
        (truth + 2.0 * allowed, true),
        (truth - 2.0 * allowed, false),
        (truth * 0.5, truth == 0.0),
    ] {
        if d >= 0.0 {
            let found = bench.ask(pose, &Ask::new(Question::NearerThan(d)))?;
            if found.nearer != Some(expected) || found.verdict.is_hit() != (truth == 0.0) {
                return Err(format!("nearer than {d:e}: {:?} at {truth:e}", found.nearer));
            }
        }
    }
    Ok(())
}

/// A body that flies past and through another: the remembered direction helps and never misleads.
fn walk(detector: &dyn Detector) -> Outcome {
    let mut tally = Tally::default();
    for pair in pairs() {
        let mut bench = Bench::new(detector, &pair.a, &pair.b)?;
        let (mut random, turn) = (Random::new(84), Random::new(85).pose(0.0));
        let from = random.unit_vector() * 2.4;
        for step in 0..20 {
            let t = from * (1.0 - f64::from(step) / 9.0);
            let pose = Pose::new(*turn.rotation(), t).map_err(|e| e.to_string())?;
            let hit = bench
                .check(&pair.a, &pair.b, &pose)
                .map_err(|e| format!("{} step {step}: {e}", pair.name))?;
            tally.cases += 1;
            tally.hits += usize::from(hit);
        }
    }
    tally.balanced()
}

type Check = fn(&dyn Detector) -> Outcome;

fn passes(check: Check) {
    println!("{:?}", check(&gjk()).unwrap_or_else(|why| panic!("{why}")));
}

#[test]
fn verdicts_and_contacts_are_the_oracles() {
    passes(verdicts);
}

#[test]
fn touching_bodies_touch() {
    passes(touching);
}

#[test]
fn distances_are_the_oracles_at_every_scale() {
    passes(distances);
}

#[test]
fn walks_are_answered_like_single_poses() {
    passes(walk);
}

#[test]
fn faults_are_noticed() {
    let checks: [(&str, Check, &[Fault]); 4] = [
        ("verdicts", verdicts, &[Fault::MissesHits, Fault::LosesAContact]),
        (
            "touching",
            touching,
            &[Fault::MissesHits, Fault::LosesAContact, Fault::MissesContainment],
        ),
        ("distances", distances, &[Fault::StretchesDistance]),
        ("walk", walk, &[Fault::MissesHits, Fault::LosesAContact]),
    ];
    for (name, check, lies) in checks {
        for &fault in lies {
            let liar = Faulty::new(Box::new(gjk()), fault);
            assert!(check(&liar).is_err(), "{name} let {fault:?} pass");
        }
    }
}

/// The share of separated poses that the inner engine is not asked about.
#[test]
fn nearly_all_separated_poses_are_proved_without_the_tree() {
    let (mut apart, mut proved, mut measured) = (0, 0, 0);
    for pair in pairs() {
        let engine = gjk();
        let mut bench = Bench::new(&engine, &pair.a, &pair.b).unwrap_or_else(|e| panic!("{e}"));
        for index in 0..200 {
            let pose = Random::stream(86, index).pose(pair.reach);
            let stages = |answer: Answer| -> Vec<String> {
                let statistics = answer.statistics.expect("asked for");
                assert!(statistics.volume_tests > 0);
                statistics.stages.into_iter().map(|s| s.name).collect()
            };
            let first = bench.ask(&pose, &Ask::first_contact().counted()).expect("answers");
            if first.verdict.is_hit() {
                assert!(stages(first).len() > 1, "the tree finds the contact");
                continue;
            }
            apart += 1;
            proved += u32::from(stages(first) == ["gjk"]);
            let distance = bench.ask(&pose, &Ask::distance().counted()).expect("answers");
            measured += u32::from(stages(distance) == ["gjk", "triangles"]);
        }
    }
    println!("{apart} apart, {proved} proved, {measured} measured");
    assert!(apart > 300 && proved == apart && measured * 100 > apart * 98, "{proved} {measured}");
}

#[test]
fn a_memory_of_another_pair_is_forgotten() {
    let engine = gjk();
    let meshes = [Shape::Hull.mesh(300, 1), Shape::Cube.mesh(12, 0), Shape::Sphere.mesh(60, 0)];
    let models = meshes.map(|m| Engine::prepare(&engine, &m, &Control::NONE).expect("convex"));
    let (mut kept, mut answer, mut fresh) =
        (Engine::memory(&engine), Answer::default(), Answer::default());
    let mut random = Random::new(87);
    for _ in 0..300 {
        let [a, b] = [0, 0].map(|_| &models[random.below(3) as usize]);
        let pose = random.pose(1.0);
        for ask in [Ask::first_contact(), Ask::distance()] {
            let none = &Control::NONE;
            Engine::query(&engine, a, b, &pose, &mut kept, &ask, none, &mut answer).expect("ok");
            let mut empty = Engine::memory(&engine);
            Engine::query(&engine, a, b, &pose, &mut empty, &ask, none, &mut fresh).expect("ok");
            assert_eq!(answer.verdict, fresh.verdict);
            let gap = |answer: &Answer| answer.nearest.map_or(0.0, |n| n.distance);
            assert!((gap(&answer) - gap(&fresh)).abs() < 1e-14);
        }
    }
}

#[test]
fn far_from_the_origin_the_tree_measures() {
    let shift = |m: &Mesh| {
        let by = Pose::translation_by(Vector::repeat(1e6)).expect("finite");
        m.posed(&by).expect("in range")
    };
    let (a, b) = (shift(&Shape::Hull.mesh(60, 1)), shift(&Shape::Hull.mesh(60, 2)));
    let pose = Pose::translation_by(Vector::new(1.5, 0.2, 0.1)).expect("finite");
    let ask = |detector: &dyn Detector| {
        let mut bench = Bench::new(detector, &a, &b).unwrap_or_else(|e| panic!("{e}"));
        bench.ask(&pose, &Ask::distance()).expect("answers").nearest.expect("apart").distance
    };
    assert_eq!(ask(&gjk()).to_bits(), ask(&obbtree()).to_bits());
}

fn refusal(mesh: &Mesh) -> PrepareError {
    Engine::prepare(&gjk(), mesh, &Control::NONE).map(drop).expect_err("not convex")
}

#[test]
fn meshes_that_are_not_convex_are_refused_at_a_reflex_edge() {
    use impinge_geometry::convex::{ConvexBody, NotConvex};
    for shape in [Shape::Torus, Shape::Gear, Shape::Trefoil, Shape::Comb, Shape::Hand, Shape::Chain]
    {
        let mesh = shape.mesh(400, 0);
        let Err(NotConvex::Reflex { from, to, triangles: [t, u] }) = ConvexBody::new(&mesh) else {
            panic!("{shape}: {:?}", ConvexBody::new(&mesh).err());
        };
        let [a, b, c] = mesh.triangle(t);
        let corners = |t: u32| mesh.triangles()[t as usize];
        assert!([t, u].iter().all(|&t| corners(t).contains(&from) && corners(t).contains(&to)));
        let beyond = |d: &Point| orient3d(&a, &b, &c, d) == Sign::Positive;
        assert!(mesh.triangle(u).iter().any(beyond), "{shape}");
        let text = refusal(&mesh).to_string();
        for number in [from, to, t, u] {
            assert!(text.contains(&number.to_string()), "{text}");
        }
    }
}

#[test]
fn open_flat_and_degenerate_meshes_are_refused() {
    let p = |x: f64, y: f64, z: f64| Point::new(x, y, z);
    let corners = vec![p(0., 0., 0.), p(1., 0., 0.), p(0., 1., 0.)];
    let one = Mesh::new(corners.clone(), vec![[0, 1, 2]]).expect("a mesh");
    assert!(matches!(refusal(&one), PrepareError::Open(_)));
    let both = Mesh::new(corners, vec![[0, 1, 2], [0, 2, 1]]).expect("a mesh");
    assert!(refusal(&both).to_string().contains("flat"));
    let point = Mesh::new(vec![p(1., 1., 1.)], vec![[0, 0, 0]]).expect("a mesh");
    assert!(refusal(&point).to_string().contains("degenerate"));
    assert!(refusal(&Shape::Cube.mesh(12, 0).flipped()).to_string().contains("inside out"));
    assert!(matches!(
        refusal(&Shape::Teapot.mesh(400, 0)),
        PrepareError::Refused { .. } | PrepareError::Open(_)
    ));
}

#[test]
fn poses_out_of_range_are_errors_and_not_verdicts() {
    let cube = Shape::Cube.mesh(12, 0).scaled(1e299).expect("in range");
    let engine = gjk();
    let mut bench = Bench::new(&engine, &cube, &cube).unwrap_or_else(|e| panic!("{e}"));
    let far = Pose::translation_by(Vector::new(1e300, 0.0, 0.0)).expect("finite");
    assert!(bench.ask(&far, &Ask::first_contact()).is_err());
    let near = Pose::translation_by(Vector::new(3e299, 0.0, 0.0)).expect("finite");
    let answer = bench.ask(&near, &Ask::distance()).expect("answers");
    assert_eq!(answer.verdict, Verdict::Separated);
    let distance = answer.nearest.expect("apart").distance;
    assert!((distance / 2e299 - 1.0).abs() < 1e-14, "{distance:e}");
}
