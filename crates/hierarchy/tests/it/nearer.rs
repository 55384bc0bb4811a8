//! "Nearer than d" is decided exactly: the answer of every method is that of `exact::within` on all
//! pairs of triangles, for distances that are as near to `d` as numbers are, at every scale down to
//! the least numbers there are.

use impinge_geometry::{Mesh, Point, Pose, Vector, exact, triangle};
use impinge_hierarchy::methods::{edge_nodes, kdop_of, leaf, obbtree};
use impinge_hierarchy::{
    aabb_obb, aabb_refit, gjk, kdop, reduced_axes, sphere, sphere_aabb, swept_sphere, three_layer,
};
use impinge_models::{Random, Shape};
use impinge_query::{Answer, Ask, Control, Detector, PairMemory, Prepared, Question};

/// The least positive number.
const LEAST: f64 = f64::from_bits(1);

/// A detector with a pair prepared.
struct Bench<'d> {
    detector: &'d dyn Detector,
    models: [Prepared; 2],
    memory: PairMemory,
}

impl<'d> Bench<'d> {
    fn new(detector: &'d dyn Detector, a: &Mesh, b: &Mesh) -> Self {
        let prepare = |m| detector.prepare(m, &Control::NONE).expect("a mesh that it takes");
        Self { detector, models: [prepare(a), prepare(b)], memory: detector.memory() }
    }

    fn ask(&mut self, pose: &Pose, question: Question) -> Answer {
        let ([a, b], mut answer) = (&self.models, Answer::default());
        self.detector
            .query(a, b, pose, &mut self.memory, &Ask::new(question), &Control::NONE, &mut answer)
            .expect("an answer");
        answer
    }

    fn nearer(&mut self, pose: &Pose, d: f64) -> bool {
        self.ask(pose, Question::NearerThan(d)).nearer.expect("asked")
    }
}

/// All pairs.
fn truth(a: &Mesh, posed: &Mesh, d: f64) -> bool {
    a.corners().any(|p| posed.corners().any(|q| exact::within(&p, &q, d)))
}

/// The least distance of all pairs, to rounding.
fn distance(a: &Mesh, posed: &Mesh) -> f64 {
    let each = a.corners().flat_map(|p| posed.corners().map(move |q| triangle::distance(&p, &q).0));
    each.fold(f64::INFINITY, f64::min)
}

/// Up to three triangles near the origin or beside it, of numbers that are multiples of `unit`.
fn soup(random: &mut Random, aside: f64, unit: f64) -> Mesh {
    let n = 1 + random.below(3) as u32;
    let coordinate = |random: &mut Random| (random.range(-30.0, 30.0)).round();
    let vertices = (0..3 * n).map(|_| {
        let [x, y, z] = [0; 3].map(|_| coordinate(random));
        Point::new((x + aside) * unit, y * unit, z * unit)
    });
    let faces = (0..n).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    Mesh::new(vertices.collect(), faces).expect("in range")
}

/// A pair of soups at a scale, apart or nearly, and its pose.
fn case(index: u64) -> (Mesh, Mesh, Pose) {
    let mut random = Random::stream(19, index);
    let unit = [LEAST, f64::MIN_POSITIVE / 8.0, 1e-300, 1e-160, 1.0, 1e150][index as usize % 6];
    let aside = [61.0, 40.0, 200.0][random.below(3) as usize];
    let (a, b) = (soup(&mut random, 0.0, unit), soup(&mut random, aside, unit));
    let turned = random.chance(0.5);
    let pose = if turned { random.turned_to(Vector::zeros()) } else { Pose::identity() };
    (a, b, pose)
}

/// Distances that are nearly the pair's: its own, as computed, and some numbers beside it.
fn around(distance: f64) -> impl Iterator<Item = f64> {
    let bits = distance.to_bits();
    let beside = [-3_i64, -2, -1, 0, 1, 2, 3].map(move |k| bits.saturating_add_signed(k));
    let far = [0.0, 0.5 * distance, 0.9 * distance, 1.1 * distance, 2.0 * distance];
    beside.into_iter().map(f64::from_bits).chain(far)
}

fn all_are_exact(detectors: &[&dyn Detector]) {
    let mut said = [0_u32; 2];
    for index in 0..120 {
        let (a, b, pose) = case(index);
        let posed = b.posed(&pose).expect("in range");
        let apart = distance(&a, &posed);
        let expected: Vec<(f64, bool)> = around(apart).map(|d| (d, truth(&a, &posed, d))).collect();
        for detector in detectors {
            let mut bench = Bench::new(*detector, &a, &b);
            let word = detector.describe().word;
            for &(d, nearer) in &expected {
                assert_eq!(bench.nearer(&pose, d), nearer, "{word}, {index}: {d:e} of {apart:e}");
                said[usize::from(nearer)] += 1;
            }
            let found = bench.ask(&pose, Question::Distance).nearest.expect("found").distance;
            assert_eq!(found > 0.0, !truth(&a, &posed, 0.0), "{word}, {index}: {found:e}");
        }
    }
    assert!(said.iter().all(|n| *n > 500), "{said:?}");
}

#[test]
fn boxes_decide_nearer_exactly() {
    all_are_exact(&[&obbtree(), &reduced_axes(), &aabb_refit(), &edge_nodes(), &leaf()]);
}

#[test]
fn other_volumes_decide_nearer_exactly() {
    all_are_exact(&[&sphere(), &swept_sphere(), &kdop(), &kdop_of::<13>()]);
}

#[test]
fn hybrids_decide_nearer_exactly() {
    all_are_exact(&[&sphere_aabb(), &aabb_obb(), &three_layer()]);
}

/// Convex bodies beside each other, those whose surface is below their hull by rounding included.
#[test]
fn gjk_decides_nearer_exactly() {
    let mut said = [0_u32; 2];
    let turn = Random::new(3).turned_to(Vector::new(0.3, -0.1, 0.2));
    let notched = Shape::Sphere.mesh(80, 0).posed(&turn).expect("in range");
    let flat = Shape::Cube.mesh(192, 0).posed(&turn).expect("in range");
    let bodies = [Shape::Hull.mesh(40, 2), notched, flat, Shape::Cube.mesh(12, 0)];
    for index in 0..240 {
        let mut random = Random::stream(20, index);
        let [a, b] = [0, 1].map(|_| &bodies[random.below(4) as usize]);
        let place = random.unit_vector() * random.range(1.5, 4.0);
        let pose = random.turned_to(place);
        let posed = b.posed(&pose).expect("in range");
        let apart = distance(a, &posed);
        let engine = gjk();
        let mut bench = Bench::new(&engine, a, b);
        for d in around(apart) {
            let nearer = truth(a, &posed, d);
            assert_eq!(bench.nearer(&pose, d), nearer, "{index}: {d:e} of {apart:e}");
            said[usize::from(nearer)] += 1;
        }
    }
    assert!(said.iter().all(|n| *n > 300), "{said:?}");
}

/// Two triangles a few of the least numbers apart: the distance is that, and as near as itself.
#[test]
fn the_least_distances_are_told() {
    let flat = |z: f64| {
        let corner = |x: f64, y: f64| Point::new(x * LEAST, y * LEAST, z * LEAST);
        let corners = vec![corner(0.0, 0.0), corner(4.0, 0.0), corner(0.0, 4.0)];
        let twice = vec![[0, 1, 2], [0, 1, 2]];
        Mesh::new(corners, twice).expect("in range")
    };
    let still = Pose::identity();
    for detector in [&obbtree() as &dyn Detector, &edge_nodes(), &leaf(), &sphere(), &kdop()] {
        let word = detector.describe().word;
        for apart in [1.0, 2.0, 2000.0] {
            let mut bench = Bench::new(detector, &flat(0.0), &flat(apart));
            let found = bench.ask(&still, Question::Distance).nearest.expect("found").distance;
            assert_eq!(found, apart * LEAST, "{word}");
            assert!(bench.nearer(&still, apart * LEAST), "{word} at {apart}");
            assert!(!bench.nearer(&still, (apart - 1.0) * LEAST), "{word} at {apart}");
            assert!(bench.nearer(&still, (apart + 1.0) * LEAST), "{word} at {apart}");
        }
    }
}
