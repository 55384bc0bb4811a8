//! Soups that share corners and edges at coordinates that are not on a lattice. They meet in one
//! point or along one edge, and a bound rounded the wrong way misses that.

use impinge_geometry::{Mesh, Point, Pose, Vector, exact};
use impinge_models::Random;
use impinge_query::{Contact, Detector};

use super::examiner::Examiner;
use super::{Outcome, Tally};
use crate::cases;

/// Size of the triangles, and their distance from the origin along each axis.
const PLACES: [(f64, f64); 6] =
    [(1e-3, 1.5), (1e-3, 1e3), (1e-3, 1e7), (1.0, 1.5), (1.0, 1e3), (1.0, 1e7)];

const SOUPS: u64 = 80;

/// Two soups on either side of a plane, of which two fans share a corner or an edge, or miss it by
/// a few ulps; half of them rotated. Compared with all pairs by the exact test, and one in four
/// with the oracle.
pub fn shared_corners(detector: &dyn Detector) -> Outcome {
    let mut tally = Tally::default();
    for (place, &(size, about)) in PLACES.iter().enumerate() {
        for index in 0..SOUPS {
            let (a, b, pose) = soups(place as u64, index);
            let mut examiner = Examiner::new(detector, a, b)?;
            let named = |e| format!("size {size:e} about {about:e}, soup {index}: {e}");
            let truth = if index % 4 == 0 {
                examiner.truth(&pose).map_err(named)?
            } else {
                every_pair(&examiner.a, &examiner.b, &pose)
            };
            examiner.judge_against(&pose, &truth).map_err(named)?;
            tally.count(!truth.is_empty());
        }
    }
    tally.balanced()
}

/// The contacts by `geometry::exact`, pair by pair.
fn every_pair(a: &Mesh, b: &Mesh, pose: &Pose) -> Vec<Contact> {
    let mut found = Vec::new();
    for (i, p) in (0u32..).zip(a.corners()) {
        for (j, q) in (0u32..).zip(b.corners()) {
            if exact::triangles_meet(&p, &q.map(|x| pose.apply(&x))) {
                found.push(Contact { a: i, b: j });
            }
        }
    }
    found
}

/// A in its place, B in its own frame, and B's pose.
fn soups(place: u64, index: u64) -> (Mesh, Mesh, Pose) {
    let (size, about) = PLACES[place as usize];
    let mut r = Random::stream(0x5a4e + place, index);
    let middle = Point::from(Vector::from_element(about) + r.vector(-size, size));
    let pose = if index.is_multiple_of(2) {
        Pose::identity()
    } else {
        let turn = r.turned_to(Vector::zeros());
        let back = middle - turn.apply(&middle) + r.vector(-size, size);
        Pose::new(*turn.rotation(), back).unwrap_or_else(|_| Pose::identity())
    };
    let inverse = pose.inverse();
    // Separated by a plane, or with boxes that share at most a corner.
    let boxes = r.chance(0.5);
    let normal = if boxes {
        Vector::from_fn(|_, _| if r.chance(0.5) { 1.0 } else { -1.0 })
    } else {
        r.unit_vector()
    };
    // B beyond a plane through the middle when posed, with rounded corners.
    let fan_b = fan(&mut r, &middle, &normal, size, boxes);
    let b = fan_b.map(|p| inverse.apply(&p));
    let shared = b[..2].iter().map(|p| pose.apply(p));
    // A in front of the plane; its fan starts where that of B does.
    let mut a = fan(&mut r, &middle, &-normal, size, boxes);
    let edge = r.chance(0.4);
    for (corner, of_b) in a.iter_mut().zip(shared).take(if edge { 2 } else { 1 }) {
        *corner = of_b;
    }
    if r.chance(0.65) {
        let ulps = 1 + r.below(3) as i64;
        let axis = normal.iamax();
        // Away from B in three of four cases.
        let off = if r.chance(0.75) { -normal[axis] } else { normal[axis] };
        for corner in &mut a[..if edge { 2 } else { 1 }] {
            let stepped = cases::stepped(corner[axis], if off > 0.0 { ulps } else { -ulps });
            corner[axis] = stepped;
        }
    }
    let mesh = |points: [Point; CORNERS], r: &mut Random| {
        let triangles = 2 + r.below(5) as u32;
        let corners = (0..triangles).map(|k| {
            let mut t = [k % 2, 1 + r.below(3) as u32, 4 + r.below(4) as u32];
            // Some are segments.
            if r.chance(0.3) {
                t[2] = t[1];
            }
            r.shuffle(&mut t);
            t
        });
        Mesh::new(points.to_vec(), corners.collect()).expect("finite points, indices in range")
    };
    (mesh(a, &mut r), mesh(b, &mut r), pose)
}

/// The points of a soup: the corner, the other end of the edge, and six more.
const CORNERS: usize = 8;

/// A corner at `middle`, an edge in the plane through it, and points in front of the plane; with
/// `boxes`, points whose coordinates are all beyond those of the corner.
fn fan(
    r: &mut Random,
    middle: &Point,
    normal: &Vector,
    size: f64,
    boxes: bool,
) -> [Point; CORNERS] {
    let along = normal.cross(&r.unit_vector()).normalize();
    let edge = if boxes { Vector::ith(0, normal.x) } else { along };
    std::array::from_fn(|k| {
        let v = r.in_ball();
        let up = v.dot(normal).abs() + 0.05;
        middle
            + size
                * match k {
                    0 => Vector::zeros(),
                    1 => edge,
                    _ if boxes => v.abs().component_mul(normal),
                    _ => v - normal * (v.dot(normal) - up),
                }
    })
}
