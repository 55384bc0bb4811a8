//! Small soups where a contact is one point and rounding is as large as what a box test may tell
//! apart: about a corner that they share at large coordinates, and of the least numbers there are.
//! Every method's list is that of the exact test on all pairs.

use impinge_geometry::{Mesh, Point, Pose, Vector, exact};
use impinge_models::Random;
use impinge_parallel::methods::{EdgeBoxParams, SimpleParams, escd_with, sstcd_with};
use impinge_parallel::{Balanced, Passed, edge_steal, epcd, escd, spcd, sstcd};
use impinge_query::{Answer, Ask, Contact, Control, Detector};

/// Soups for each place.
const SOUPS: u64 = 200;

/// The least positive number.
const LEAST: f64 = f64::from_bits(1);

/// Two soups, and how B lies.
struct Case {
    a: Mesh,
    b: Mesh,
    pose: Pose,
    truth: Vec<Contact>,
}

/// Up to fourteen triangles about `corner`, some of which have it; some are segments or points. Offsets
/// are multiples of `grain`.
fn soup(random: &mut Random, corner: Point, size: f64, grain: f64) -> Mesh {
    let mut vertices = Vec::new();
    let offset = |random: &mut Random| {
        let v = random.vector(-size, size);
        if grain > 0.0 { v.map(|x| (x / grain).round() * grain) } else { v }
    };
    for _ in 0..=random.below(14) {
        let [p, q] = [0, 1].map(|_| corner + offset(random));
        let r = if random.chance(0.3) { corner + offset(random) } else { corner };
        vertices.extend(if random.chance(0.3) { [p, p, r] } else { [p, q, r] });
    }
    let faces = (0..vertices.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    Mesh::new(vertices, faces).expect("in range")
}

impl Case {
    /// Half of them as they are, half with B turned and moved there. Without a place: about the origin,
    /// of a few of the least numbers.
    fn new(about: Option<f64>, index: u64) -> Self {
        let mut random = Random::stream(15, index);
        let (corner, size, grain) = match about {
            Some(about) => (Vector::repeat(about), 1e-3 * random.range(0.05, 1.0), 0.0),
            None => (random.vector(-9.0, 9.0).map(|x| x.round() * LEAST), 30.0 * LEAST, LEAST),
        };
        let t = random.vector(-1.0, 1.0).map(|x| about.map_or(x * 1e-322, |about| x * about));
        let pose = match random.below(2) {
            0 => Pose::identity(),
            _ => random.turned_to(t),
        };
        let corner = Point::from(corner);
        let b = soup(&mut random, corner, size, grain);
        let a = soup(&mut random, pose.apply(&corner), size, grain);
        let posed = b.posed(&pose).expect("in range");
        let mut truth = Vec::new();
        for (s, p) in (0..).zip(a.corners()) {
            for (t, q) in (0..).zip(posed.corners()) {
                if exact::triangles_meet(&p, &q) {
                    truth.push(Contact { a: s, b: t });
                }
            }
        }
        Self { a, b, pose, truth }
    }
}

fn lists_are_exact(about: Option<f64>) {
    let (builder, bounds_first) = (Balanced { shrink: false, ..Balanced::default() }, false);
    let edges = |passed| EdgeBoxParams { builder, passed, bounds_first, ..Default::default() };
    let detectors: [&dyn Detector; 9] = [
        &sstcd(),
        &escd(),
        &spcd(),
        &epcd(),
        &edge_steal(),
        &sstcd_with(SimpleParams { builder, bounds_first, ..Default::default() }),
        &escd_with(edges(Passed::All)),
        &escd_with(edges(Passed::Surviving)),
        &escd_with(edges(Passed::AllAtLeaves)),
    ];
    let (mut all, mut hits) = (0, 0);
    for index in 0..SOUPS {
        let Case { a, b, pose, truth } = Case::new(about, index);
        for detector in detectors {
            let [a, b] = [&a, &b].map(|m| detector.prepare(m, &Control::NONE).expect("a mesh"));
            let (mut memory, mut answer) = (detector.memory(), Answer::default());
            let (ask, none) = (Ask::all_contacts(), &Control::NONE);
            detector.query(&a, &b, &pose, &mut memory, &ask, none, &mut answer).expect("an answer");
            let word = detector.describe().word;
            assert_eq!(answer.contacts, truth, "{word} about {about:?}, soup {index}");
        }
        all += 1;
        hits += u32::from(!truth.is_empty());
    }
    assert!(hits * 4 > all, "{hits} of {all} meet");
}

#[test]
fn every_contact_at_a_shared_corner_is_found() {
    for about in [1.5, 1e3, 1e7] {
        lists_are_exact(Some(about));
    }
}

#[test]
fn every_contact_of_the_least_meshes_is_found() {
    lists_are_exact(None);
}
