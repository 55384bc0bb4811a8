//! Meshes of the least numbers there are: rounding is then absolute, 2⁻¹⁰⁷⁴ for every product, and no
//! factor on a size covers it. Every method's list is that of the exact test on all pairs, in turned
//! poses too, and every node holds its triangles.

use impinge_geometry::{Mesh, Point, Pose, exact};
use impinge_hierarchy::methods::{edge_nodes, kdop_of, leaf, obbtree};
use impinge_hierarchy::{
    TreeModel, aabb_obb, aabb_refit, kdop, reduced_axes, sphere, sphere_aabb, swept_sphere,
    three_layer,
};
use impinge_models::Random;
use impinge_query::{Answer, Ask, Contact, Control, Detector, Engine};

/// The least positive number.
const LEAST: f64 = f64::from_bits(1);

/// Scales: a hundred, and half a million least numbers, the normal range's end, and above.
const UNITS: [f64; 5] =
    [LEAST, 17.0 * LEAST, 1e-318, f64::MIN_POSITIVE / 4.0, 64.0 * f64::MIN_POSITIVE];

/// Up to six triangles of whole multiples of `unit`.
fn soup(random: &mut Random, unit: f64) -> Mesh {
    let n = 1 + random.below(6) as u32;
    let reach = if random.chance(0.5) { 3.0 } else { 40.0 };
    let coordinate = |random: &mut Random| random.range(-reach, reach).round() * unit;
    let vertices = (0..3 * n).map(|_| {
        let [x, y, z] = [0; 3].map(|_| coordinate(random));
        Point::new(x, y, z)
    });
    let faces = (0..n).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    Mesh::new(vertices.collect(), faces).expect("in range")
}

struct Case {
    a: Mesh,
    b: Mesh,
    pose: Pose,
    truth: Vec<Contact>,
}

fn case(index: u64) -> Case {
    let mut random = Random::stream(61, index);
    let unit = UNITS[index as usize % UNITS.len()];
    let (a, b) = (soup(&mut random, unit), soup(&mut random, unit));
    let t = random.vector(-8.0, 8.0).map(|x| x.round() * unit);
    let pose = random.turned_to(t);
    // Most of them share a posed vertex.
    let a = if random.chance(0.7) {
        let mut vertices = a.vertices().to_vec();
        let shared = random.below(b.vertices().len() as u64) as usize;
        vertices[0] = pose.apply(&b.vertices()[shared]);
        a.with_vertices(vertices).expect("in range")
    } else {
        a
    };
    let posed = b.posed(&pose).expect("in range");
    let mut truth = Vec::new();
    for (s, p) in (0..).zip(a.corners()) {
        for (t, q) in (0..).zip(posed.corners()) {
            if exact::triangles_meet(&p, &q) {
                truth.push(Contact { a: s, b: t });
            }
        }
    }
    Case { a, b, pose, truth }
}

fn lists_are_exact(detectors: &[&dyn Detector]) {
    let (mut all, mut hits) = (0, 0);
    for index in 0..2500 {
        let Case { a, b, pose, truth } = case(index);
        for detector in detectors {
            let prepare = |m| detector.prepare(m, &Control::NONE).expect("a mesh");
            let (mut memory, mut answer) = (detector.memory(), Answer::default());
            let (ask, none) = (Ask::all_contacts(), &Control::NONE);
            let models = [prepare(&a), prepare(&b)];
            detector
                .query(&models[0], &models[1], &pose, &mut memory, &ask, none, &mut answer)
                .expect("an answer");
            assert_eq!(answer.contacts, truth, "{}, soup {index}", detector.describe().word);
        }
        all += 1;
        hits += u32::from(!truth.is_empty());
    }
    assert!(hits * 4 > all && hits * 20 < all * 19, "{hits} of {all} meet");
}

#[test]
fn boxes_find_every_contact_of_the_least_meshes() {
    lists_are_exact(&[&obbtree(), &reduced_axes(), &aabb_refit(), &edge_nodes(), &leaf()]);
}

#[test]
fn other_volumes_find_every_contact_of_the_least_meshes() {
    lists_are_exact(&[&sphere(), &swept_sphere(), &kdop(), &kdop_of::<3>(), &kdop_of::<13>()]);
}

#[test]
fn hybrids_find_every_contact_of_the_least_meshes() {
    lists_are_exact(&[&sphere_aabb(), &aabb_obb(), &three_layer()]);
}

#[test]
fn every_node_holds_its_triangles_however_small() {
    fn whole<V: impinge_hierarchy::volume::Volume, E: Engine<Model = TreeModel<V>>>(engine: &E) {
        for index in 0..400 {
            let mut random = Random::stream(62, index);
            let mesh = soup(&mut random, UNITS[index as usize % UNITS.len()]);
            let model = engine.prepare(&mesh, &Control::NONE).expect("a mesh");
            let word = engine.describe().word;
            model.tree().validate(&mesh).unwrap_or_else(|why| panic!("{word}, {index}: {why}"));
        }
    }
    whole(&obbtree());
    whole(&reduced_axes());
    whole(&aabb_refit());
    whole(&sphere());
    whole(&swept_sphere());
    whole(&kdop());
    whole(&sphere_aabb());
    whole(&aabb_obb());
    whole(&three_layer());
    whole(&leaf());
}

/// Two triangles that meet where their coordinates are a few of the least numbers.
#[test]
fn a_contact_below_1e_317_in_a_turned_pose_is_found() {
    let one = |corners: [[f64; 3]; 3]| {
        let corners = corners.map(|[x, y, z]| Point::new(x, y, z));
        Mesh::new(corners.into(), vec![[0, 1, 2]]).expect("a mesh")
    };
    let a = one([
        [2e-323, 1.5e-323, -2.5e-323],
        [1e-323, 1e-323, -2e-323],
        [-2.5e-323, -1e-323, -2.5e-323],
    ]);
    let b =
        one([[-1.5e-323, 1e-323, 0.0], [-2e-323, -2e-323, 2.5e-323], [2.5e-323, 2e-323, -2e-323]]);
    let q = [
        0.246_284_539_481_725_74,
        0.520_916_936_844_966_5,
        -0.588_301_420_478_888_7,
        -0.567_354_306_569_407_6,
    ];
    let pose = Pose::from_quaternion([-2.5e-323, 5e-324, -1e-323], q).expect("a unit quaternion");
    let methods: [&dyn Detector; 5] = [&obbtree(), &sphere(), &kdop(), &leaf(), &aabb_refit()];
    for detector in methods {
        let [a, b] = [&a, &b].map(|m| detector.prepare(m, &Control::NONE).expect("a mesh"));
        let (mut memory, mut answer) = (detector.memory(), Answer::default());
        let (ask, none) = (Ask::all_contacts(), &Control::NONE);
        detector.query(&a, &b, &pose, &mut memory, &ask, none, &mut answer).expect("an answer");
        assert_eq!(answer.contacts, [Contact { a: 0, b: 0 }], "{}", detector.describe().word);
    }
}
