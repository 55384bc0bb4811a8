//! The ends of the range of f64, in rotated poses: coordinates of a few units below the normal
//! range, where rounding is absolute, and sizes that are orders of magnitude apart.

use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_models::Random;
use impinge_query::{Ask, Detector};

use super::examiner::Examiner;
use super::truth::Truth;
use super::{Outcome, Tally};

/// The size of both meshes of a case.
#[derive(Clone, Copy, Debug)]
enum Scale {
    /// Whole multiples of 5e-324, up to 12.
    Steps,
    /// Coordinates up to this size.
    Size(f64),
    /// A up to 1e150 around B; B up to 1e-150 and near a corner, an edge or a face of A.
    Mixed,
    /// Sizes of 1, but for a corner of A some 1e15 away: its triangles' distances have no correct
    /// digit, and may be reported in place of the least.
    Spike,
}

/// The scales, and the number of cases of each.
const SCALES: [(Scale, u64); 7] = [
    (Scale::Steps, 90),
    (Scale::Size(1e-320), 50),
    (Scale::Size(1e-317), 50),
    (Scale::Size(4e-308), 40),
    (Scale::Size(1e-160), 30),
    (Scale::Mixed, 30),
    (Scale::Spike, 40),
];

/// Soups of a few triangles at the ends of the range, three of four rotated, with every question.
pub fn smallest_scales(detector: &dyn Detector) -> Outcome {
    let mut tally = Tally::default();
    for (kind, &(scale, cases)) in SCALES.iter().enumerate() {
        for index in 0..cases {
            let (a, b, pose) = draw(scale, kind as u64, index);
            let truth = Truth::new(&a, &b, &pose)?;
            judge(detector, a, b, &pose, &truth)
                .map_err(|e| format!("{scale:?} {index}, {pose:?}: {e}"))?;
            tally.count(truth.meets());
        }
    }
    tally.balanced()
}

fn judge(
    detector: &dyn Detector,
    a: Mesh,
    b: Mesh,
    pose: &Pose,
    truth: &Truth,
) -> Result<(), String> {
    let mut examiner = Examiner::new(detector, a, b)?;
    let d = truth.distance();
    let asks = [
        Ask::first_contact(),
        Ask::all_contacts(),
        Ask::distance(),
        Ask::nearer_than(0.0),
        Ask::nearer_than(d),
        Ask::nearer_than(d.next_down().max(0.0)),
        Ask::nearer_than(2.0 * d),
        Ask::nearer_than(5e-324),
    ];
    for ask in asks.iter().filter(|ask| detector.describe().check(ask).is_ok()) {
        let answer = examiner.ask(pose, ask)?;
        truth.judge(ask, &answer)?;
    }
    Ok(())
}

/// A, B in its own frame, and B's pose.
fn draw(scale: Scale, kind: u64, index: u64) -> (Mesh, Mesh, Pose) {
    let mut r = Random::stream(0x7111 + kind, index);
    let (of_a, of_b) = match scale {
        Scale::Steps => (12.0 * 5e-324, 12.0 * 5e-324),
        Scale::Size(size) => (size, size),
        Scale::Mixed => (1e150, 1e-150),
        Scale::Spike => (1.0, 1.0),
    };
    let mut points: [Vec<Point>; 2] =
        [of_a, of_b].map(|size| (0..5).map(|_| point(&mut r, size)).collect());
    if let Scale::Mixed = scale {
        // A corner near B, or two on opposite sides of it.
        points[0][0] = if r.chance(0.6) { point(&mut r, of_b) } else { -points[0][1] };
    }
    let mut shift = r.vector(-0.8, 0.8) * of_b;
    if let Scale::Spike = scale {
        points[0][1] *= 2e15;
        shift *= 3.0;
    }
    let turn =
        if index.is_multiple_of(4) { Pose::identity() } else { r.turned_to(Vector::zeros()) };
    let pose = Pose::new(*turn.rotation(), shift).unwrap_or_else(|_| Pose::identity());
    // A shared corner in 40 % of the cases.
    if r.chance(0.4) {
        points[0][0] = pose.apply(&points[1][0]);
    }
    let [a, b] = points.map(|points| {
        let triangles = 1 + r.below(3) as u32;
        let corners = (0..triangles).map(|k| [0, 1 + k, 2 + r.below(3) as u32]).collect();
        Mesh::new(points, corners).expect("finite points, indices in range")
    });
    (a, b, pose)
}

fn point(r: &mut Random, size: f64) -> Point {
    Point::from(r.vector(-1.0, 1.0) * size)
}
