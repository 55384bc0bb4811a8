//! Triangle soup from bytes: the same decoder serves seeded tests and coverage-guided fuzzing. Few
//! coordinates, chosen for trouble: they coincide, differ by one ulp, or by 600 orders of magnitude.

use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_models::Random;
use impinge_query::Detector;

use super::examiner::Examiner;
use super::{Outcome, Tally};

/// What a coordinate byte stands for.
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

/// Two meshes of at most eight triangles and a pose, from bytes; `None` if the bytes do not last.
/// Never refuses for any other reason: all coordinates are finite and all indices in range.
pub fn decode(bytes: &[u8]) -> Option<(Mesh, Mesh, Pose)> {
    let mut bytes = bytes.iter().copied();
    let tame = bytes.next()? % 4 != 0;
    let a = decode_mesh(&mut bytes, tame)?;
    let b = decode_mesh(&mut bytes, tame)?;
    let mut next = || Some(i32::from(bytes.next()?.cast_signed()));
    let t = Vector::new(f64::from(next()?), f64::from(next()?), f64::from(next()?)) / 512.0;
    let turn = next()?;
    // Every other pose is a pure translation by exact binary fractions.
    let pose = if turn % 2 == 0 {
        Pose::translation_by(t)
    } else {
        Pose::from_quaternion(t.into(), Random::new(turn.unsigned_abs().into()).quaternion())
    };
    Some((a, b, pose.ok()?))
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

/// Prepares and queries what the bytes say and compares with the oracle: whether they meet, or
/// `None` if the bytes do not last.
///
/// # Errors
/// A sentence with the failing pair as source.
pub fn judge_bytes(detector: &dyn Detector, bytes: &[u8]) -> Result<Option<bool>, String> {
    let Some((a, b, pose)) = decode(bytes) else { return Ok(None) };
    if b.posed(&pose).is_err() {
        return Ok(None);
    }
    Examiner::new(detector, a, b)?.judge(&pose).map(Some)
}

/// 600 seeded soups.
pub fn soups(detector: &dyn Detector) -> Outcome {
    let mut tally = Tally::default();
    for index in 0..600 {
        let mut random = Random::stream(13, index);
        let bytes: Vec<u8> = (0..120).map(|_| random.below(256) as u8).collect();
        if let Some(hit) =
            judge_bytes(detector, &bytes).map_err(|e| format!("soup {index}: {e}"))?
        {
            tally.count(hit);
        }
    }
    tally.balanced()
}
