//! Triangle soups decoded from bytes, for seeded tests and for coverage-guided fuzzing. The few
//! coordinates are chosen to cause trouble: they coincide, differ by one ulp, or by 600 orders of
//! magnitude.

use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_models::Random;
use impinge_query::Detector;

use super::examiner::Examiner;
use super::plan::Plan;
use super::{Outcome, Tally};

/// The coordinate for each byte value.
const COORDINATES: [f64; 32] = [
    0.0,
    1.0,
    -1.0,
    2.0,
    -2.0,
    0.5,
    -0.5,
    0.25,
    3.0,
    -3.0,
    1.5,
    -1.5,
    1.0 + f64::EPSILON,
    1.0 - f64::EPSILON / 2.0,
    -1.0 - f64::EPSILON,
    0.1,
    1.0 / 3.0,
    -2.0 / 3.0,
    f64::EPSILON,
    -f64::EPSILON,
    1e-30,
    -1e-30,
    1e-300,
    5e-324,
    -5e-324,
    1e30,
    -1e30,
    1e150,
    -1e150,
    1e300,
    -1e300,
    -0.0,
];

/// Decodes two meshes of at most eight triangles and a pose; `None` if there are too few bytes.
/// Never fails for another reason: all coordinates are finite and all indices in range.
pub fn decode(bytes: &[u8]) -> Option<(Mesh, Mesh, Pose)> {
    let mut bytes = bytes.iter().copied();
    let tame = bytes.next()? % 4 != 0;
    let a = decode_mesh(&mut bytes, tame)?;
    let b = decode_mesh(&mut bytes, tame)?;
    Some((a, b, decode_pose(&mut bytes)?))
}

fn decode_pose(bytes: &mut impl Iterator<Item = u8>) -> Option<Pose> {
    let mut next = || Some(i32::from(bytes.next()?.cast_signed()));
    let t = Vector::new(f64::from(next()?), f64::from(next()?), f64::from(next()?)) / 512.0;
    let turn = next()?;
    // Every other pose is a pure translation by exact binary fractions.
    let pose = if turn % 2 == 0 {
        Pose::translation_by(t)
    } else {
        Pose::from_quaternion(t.into(), Random::new(turn.unsigned_abs().into()).quaternion())
    };
    pose.ok()
}

fn decode_mesh(bytes: &mut impl Iterator<Item = u8>, tame: bool) -> Option<Mesh> {
    let triangles = usize::from(bytes.next()? % 8) + 1;
    let vertices = usize::from(bytes.next()? % 9) + 1;
    let range = if tame { 20 } else { COORDINATES.len() };
    let mut coordinate = || Some(COORDINATES[usize::from(bytes.next()?) % range]);
    let points: Option<Vec<Point>> = (0..vertices)
        .map(|_| Some(Point::new(coordinate()?, coordinate()?, coordinate()?)))
        .collect();
    let mut index = || Some(u32::from(bytes.next()?) % vertices as u32);
    let corners: Option<Vec<[u32; 3]>> =
        (0..triangles).map(|_| Some([index()?, index()?, index()?])).collect();
    Mesh::new(points?, corners?).ok()
}

/// The most pairs of triangles whose distances are asked if coordinates are wild: the oracle takes
/// some milliseconds for each.
const WILD: usize = 6;

/// Decodes a plan for two soups: meshes, poses, and a sequence of questions. `None` if there are
/// too few bytes or a pose moves a vertex out of range. In one of four plans both meshes are
/// closed, and in one of two they share a corner.
pub fn plan(bytes: &[u8]) -> Option<Plan> {
    let mut bytes = bytes.iter().copied();
    let first = bytes.next()?;
    let (tame, closed) = (first % 4 != 0, first / 4 % 4 == 0);
    let mut mesh = || {
        let soup = decode_mesh(&mut bytes, tame)?;
        if closed { closed_on(&soup) } else { Some(soup) }
    };
    let (a, mut b) = (mesh()?, mesh()?);
    if first / 16 % 2 == 0 {
        // They share a corner unposed; the poses may separate it.
        let mut vertices = b.vertices().to_vec();
        vertices[b.triangles()[0][0] as usize] = a.triangle(0)[0];
        b = b.with_vertices(vertices).ok()?;
    }
    let still = Pose::identity();
    let poses = [still, decode_pose(&mut bytes)?, still, decode_pose(&mut bytes)?];
    if poses.iter().any(|pose| b.posed(pose).is_err() || a.posed(&pose.inverse()).is_err()) {
        return None;
    }
    let distances = tame || a.triangles().len() * b.triangles().len() <= WILD;
    Some(Plan::draw([a, b], &poses, distances, &mut bytes))
}

/// At most two tetrahedra, on the corners of the soup's first triangles and one more vertex.
fn closed_on(soup: &Mesh) -> Option<Mesh> {
    let n = soup.vertices().len() as u32;
    let tetrahedron = |&[i, j, k]: &[u32; 3]| {
        let l = (i + j + k + 1) % n;
        [[i, k, j], [i, j, l], [j, k, l], [k, i, l]]
    };
    let triangles = soup.triangles().iter().take(2).flat_map(tetrahedron).collect();
    Mesh::new(soup.vertices().to_vec(), triangles).ok()
}

/// Compares 600 seeded soups with the oracle.
pub fn soups(detector: &dyn Detector) -> Outcome {
    let mut tally = Tally::default();
    for index in 0..600 {
        let mut random = Random::stream(13, index);
        let bytes: Vec<u8> = (0..120).map(|_| random.below(256) as u8).collect();
        let Some((a, b, pose)) = decode(&bytes) else { continue };
        if b.posed(&pose).is_ok() {
            let hit = Examiner::new(detector, a, b)?.judge(&pose);
            tally.count(hit.map_err(|e| format!("soup {index}: {e}"))?);
        }
    }
    tally.balanced()
}
