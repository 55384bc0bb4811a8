//! Two meshes at exact distances and depths, after the static benchmark of Trenkel, Weller and
//! Zachmann ("A Benchmarking Suite for Static Collision Detection Algorithms", WSCG 2007): B is
//! rotated at random and moved along a random line through both centres until the distance is as
//! wanted.
//!
//! 1. [`Plan`]: the distances and depths, and the number of orientations.
//! 2. [`approach`]: the root search along the line.
//! 3. [`store`]: placed poses on disk, keyed by everything that made them.

pub mod approach;
pub mod store;

use impinge::{Method, Pair, Point, Pose, Vector};
use impinge_models::Random;

use crate::scene::NamedMesh;
use approach::{Line, descend};

/// The distance that counts as first contact. Unit: fraction of the diagonal. Usual value: 1e-9, a
/// thousandth of the smallest placed gap.
const CONTACT: f64 = 1e-9;

/// An orientation whose line misses A (passes through a hole) is redrawn, at most this many times
/// per wanted orientation.
const TRIES: usize = 8;

/// The wanted position of B.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// The distance of the surfaces. Unit: fraction of the smaller diagonal.
    Apart(f64),
    /// Further movement along the line after first contact. Unit: fraction of the smaller diagonal.
    Deep(f64),
    /// The centres nearly coincide, up to a tenth of the diagonal.
    Inside,
}

impl Target {
    /// The label in tables.
    pub fn label(self) -> String {
        let size = |part: f64| {
            if part < 1e-5 { format!("{part:.0e}") } else { format!("{} %", part * 100.0) }
        };
        match self {
            Self::Apart(part) => format!("{} apart", size(part)),
            Self::Deep(part) => format!("{} deep", size(part)),
            Self::Inside => "deep inside".to_owned(),
        }
    }
}

/// The targets of the static benchmark: distances in decreasing order, then depths in increasing
/// order.
pub const TARGETS: [Target; 8] = [
    Target::Apart(0.01),
    Target::Apart(0.001),
    Target::Apart(0.0001),
    Target::Apart(1e-6),
    Target::Deep(1e-6),
    Target::Deep(0.01),
    Target::Deep(0.02),
    Target::Inside,
];

/// The orientations to place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Number of orientations; each gives one pose per target.
    pub orientations: usize,
    /// Seed of orientations and lines.
    pub seed: u64,
}

/// A pose and its target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// The target that the pose meets.
    pub target: Target,
    /// Pose of B in A's frame.
    pub pose: Pose,
}

/// Places B about A for every target in every orientation. The result is ordered by orientation.
/// `progress` gets the number of finished orientations.
///
/// # Errors
/// If the meshes cannot be prepared or queried, or too many lines miss.
pub fn place(
    a: &NamedMesh,
    b: &NamedMesh,
    plan: &Plan,
    progress: &dyn Fn(usize),
) -> Result<Vec<Placed>, String> {
    place_at([a, b], &TARGETS, plan, progress)
}

/// As [`place`], for `targets`: distances in decreasing order, then depths in increasing order.
///
/// # Errors
/// As for [`place`].
pub fn place_at(
    [a, b]: [&NamedMesh; 2],
    targets: &[Target],
    plan: &Plan,
    progress: &dyn Fn(usize),
) -> Result<Vec<Placed>, String> {
    place_on([a, b], targets, plan, |random, _| line(a, b, random).map(Some), progress)
}

/// As [`place_at`], along lines that the caller draws; `None` is redrawn.
///
/// # Errors
/// As for [`place`], and those of `draw`.
pub fn place_on(
    [a, b]: [&NamedMesh; 2],
    targets: &[Target],
    plan: &Plan,
    mut draw: impl FnMut(&mut Random, &mut Pair) -> Result<Option<Line>, String>,
    progress: &dyn Fn(usize),
) -> Result<Vec<Placed>, String> {
    let said = |error: impinge::Error| format!("{} and {}: {error}", a.name, b.name);
    let mut pair = Pair::with(Method::ObbTree, &a.mesh, &b.mesh).map_err(said)?;
    let size = a.mesh.diagonal().min(b.mesh.diagonal());
    if !(size > 0.0) {
        return Err(format!("{} and {}: one of them is a single point", a.name, b.name));
    }
    let mut placed = Vec::new();
    let mut done = 0;
    for index in 0..plan.orientations * TRIES {
        if done == plan.orientations {
            break;
        }
        let mut random = Random::stream(plan.seed, index as u64);
        let Some(line) = draw(&mut random, &mut pair)? else { continue };
        if let Some(poses) = along(&mut pair, &line, targets, size, &mut random).map_err(said)? {
            placed.extend(poses);
            done += 1;
            progress(done);
        }
    }
    if done == 0 {
        return Err(format!("{} and {}: no line through both centres hits", a.name, b.name));
    }
    Ok(placed)
}

/// The poses for `target`, in the order of orientations.
pub fn poses(placed: &[Placed], target: Target) -> Vec<Pose> {
    placed.iter().filter(|placed| placed.target == target).map(|placed| placed.pose).collect()
}

/// A random line through the centres of the bounding boxes, with B rotated at random.
fn line(a: &NamedMesh, b: &NamedMesh, random: &mut Random) -> Result<Line, String> {
    let (center_a, center_b) = (center(a), center(b));
    let turned = random.turned_to(Vector::zeros());
    let direction = random.unit_vector();
    let reach = a.mesh.diagonal() + b.mesh.diagonal();
    Line::new(&turned, center_a.coords - turned.rotate(&center_b.coords), direction, reach)
        .map_err(|error| error.to_string())
}

fn center(mesh: &NamedMesh) -> Point {
    let (lo, hi) = mesh.mesh.bounds();
    lo + (hi - lo) * 0.5
}

/// Poses for all targets along one line; `None` if B passes A without contact.
fn along(
    pair: &mut Pair,
    line: &Line,
    targets: &[Target],
    size: f64,
    random: &mut Random,
) -> Result<Option<Vec<Placed>>, impinge::Error> {
    let mut distance =
        |at: f64| -> Result<f64, impinge::Error> { Ok(pair.distance(&line.pose(at)?)?.distance) };
    let mut placed = Vec::new();
    let mut at = line.reach();
    let mut contact = None;
    for &target in targets {
        let pose = match target {
            Target::Apart(part) => {
                let Some(found) = descend(&mut distance, at, part * size, -line.reach())? else {
                    return Ok(None);
                };
                at = found;
                line.pose(at)?
            }
            Target::Deep(part) => {
                let start = match contact {
                    Some(start) => start,
                    None => match descend(&mut distance, at, CONTACT * size, -line.reach())? {
                        Some(found) => *contact.insert(found),
                        None => return Ok(None),
                    },
                };
                line.pose(start - part * size)?
            }
            Target::Inside => line.shifted(random.in_ball() * (0.1 * size))?,
        };
        placed.push(Placed { target, pose });
    }
    Ok(Some(placed))
}
