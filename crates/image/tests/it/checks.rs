//! Closed pairs in many poses, judged by rational arithmetic: the same for every method of this crate.

use impinge_geometry::{Mesh, Pose, Vector};
use impinge_models::{Random, Shape};
use impinge_query::Detector;
use impinge_testkit::battery::{Outcome, Tally};

use crate::bench::Bench;
use crate::bodies::{pairs, shifted};

fn count(tally: &mut Tally, hit: bool) {
    tally.cases += 1;
    tally.hits += usize::from(hit);
}

/// Random poses of every pair.
pub(crate) fn verdicts(detector: &dyn Detector) -> Outcome {
    let mut tally = Tally::default();
    for pair in pairs() {
        let mut bench = Bench::new(detector, &pair.a, &pair.b)?;
        for index in 0..24 {
            let hit = bench
                .check(&pair.a, &pair.b, &pair.pose(101, index))
                .map_err(|e| format!("{} pose {index}: {e}", pair.name))?;
            count(&mut tally, hit);
        }
    }
    tally.balanced()
}

/// The same at other units of measure.
pub(crate) fn scaled(detector: &dyn Detector) -> Outcome {
    let mut tally = Tally::default();
    for pair in pairs().iter().step_by(2) {
        for scale in [1e-150, 1e-6, 1e6, 1e100, 1e150] {
            let [a, b] = [&pair.a, &pair.b].map(|m| m.scaled(scale).expect("in range"));
            let mut bench = Bench::new(detector, &a, &b)?;
            for index in 0..5 {
                let pose = pair.pose(102, index);
                let pose = Pose::new(*pose.rotation(), pose.translation() * (0.8 * scale));
                let hit = bench
                    .check(&a, &b, &pose.map_err(|e| e.to_string())?)
                    .map_err(|e| format!("{} × {scale:e}, pose {index}: {e}", pair.name))?;
                count(&mut tally, hit);
            }
        }
    }
    tally.balanced()
}

/// A mesh on itself, touching, linked, and one inside the other, both ways.
pub(crate) fn traps(detector: &dyn Detector) -> Outcome {
    let mut tally = Tally::default();
    let (cube, torus) = (Shape::Cube.mesh(48, 0), Shape::Torus.mesh(100, 0));
    let small = |m: &Mesh| m.scaled(0.25).expect("in range");
    let (gear, comb) = (Shape::Gear.mesh(96, 0), Shape::Comb.mesh(44, 0));
    let upright =
        Pose::from_quaternion([0.35, 0.0, 0.0], [0.5_f64.sqrt(), 0.0, 0.0, 0.5_f64.sqrt()]);
    let ulp = 2.0 * f64::EPSILON;
    let cases = [
        ("a cube on itself", &cube, &cube, shifted([0.0; 3])),
        ("a torus on itself", &torus, &torus, shifted([0.0; 3])),
        ("a gear on itself", &gear, &gear, shifted([0.0; 3])),
        ("a comb on itself", &comb, &comb, shifted([0.0; 3])),
        ("face to face", &cube, &cube, shifted([1.0, 0.25, 0.0])),
        ("faces an ulp apart", &cube, &cube, shifted([1.0 + ulp, 0.25, 0.0])),
        ("faces an ulp deep", &cube, &cube, shifted([1.0 - ulp, 0.25, 0.0])),
        ("edge to edge", &cube, &cube, shifted([1.0, 1.0, 0.0])),
        ("corner to corner", &cube, &cube, shifted([1.0, 1.0, 1.0])),
        ("corners apart", &cube, &cube, shifted([1.0, 1.0, 1.0 + ulp])),
        ("deep", &cube, &cube, shifted([0.1, 0.05, 0.0])),
        ("B inside A", &cube, &small(&cube), shifted([0.1, 0.0, 0.0])),
        ("A inside B", &small(&cube), &cube, shifted([0.1, 0.0, 0.0])),
        ("a torus inside a cube", &cube, &torus.scaled(0.5).expect("in range"), shifted([0.0; 3])),
        ("linked tori", &torus, &torus, upright.map_err(|e| e.to_string())?),
        ("in the hole", &torus, &small(&cube), shifted([0.0; 3])),
        ("far", &torus, &torus, shifted([9.0, 0.0, 0.0])),
        ("boxes overlap only", &torus, &small(&cube), shifted([0.45, 0.45, 0.1])),
    ];
    for (name, a, b, pose) in cases {
        let hit =
            Bench::new(detector, a, b)?.check(a, b, &pose).map_err(|e| format!("{name}: {e}"))?;
        count(&mut tally, hit);
    }
    Ok(tally)
}

/// Shallow penetration: spheres that overlap by a share of their radius, or are as much apart.
pub(crate) fn shallow(detector: &dyn Detector) -> Outcome {
    let mut tally = Tally::default();
    let (a, b) = (Shape::Sphere.mesh(120, 0), Shape::Hull.mesh(60, 3));
    let mut bench = Bench::new(detector, &a, &b)?;
    for index in 0..40 {
        let mut random = Random::stream(103, index);
        let depth = [1e-1, 1e-2, 1e-3, -1e-3][index as usize % 4];
        let at: Vector = random.clone().unit_vector() * (0.97 - depth);
        let hit = bench
            .check(&a, &b, &random.turned_to(at))
            .map_err(|e| format!("shallow {index}: {e}"))?;
        count(&mut tally, hit);
    }
    tally.balanced()
}

/// One memory, two pairs in turn: what was drawn for the one must not answer for the other.
pub(crate) fn turns(detector: &dyn Detector) -> Outcome {
    let mut tally = Tally::default();
    let all = pairs();
    let mut one = Bench::new(detector, &all[2].a, &all[2].b)?;
    let mut other = Bench::new(detector, &all[7].a, &all[7].b)?;
    for index in 0..30 {
        let (pair, bench) =
            if index % 2 == 0 { (&all[2], &mut one) } else { (&all[7], &mut other) };
        let hit = bench
            .check(&pair.a, &pair.b, &pair.pose(105, index))
            .map_err(|e| format!("{} pose {index}: {e}", pair.name))?;
        count(&mut tally, hit);
        std::mem::swap(&mut one.memory, &mut other.memory);
    }
    tally.balanced()
}

/// A check of a detector.
pub(crate) type Check = fn(&dyn Detector) -> Outcome;

/// All of them, by name.
pub(crate) const CHECKS: [(&str, Check); 5] = [
    ("verdicts", verdicts),
    ("scaled", scaled),
    ("traps", traps),
    ("shallow", shallow),
    ("turns", turns),
];
