//! Maize: varied leaves, plants, and pairs of leaves near each other, the scenes of the paper on
//! leaf collision (anthology 5, §4). Its digitised leaves are not published; these replace them.
//!
//! Units: a leaf of usual size is 1 long. z is up.

use impinge_geometry::{Mesh, Pose, Vector};

use crate::motion::{Motion, MotionError};
use crate::procedural::{Leaf, leaf};
use crate::{Random, Scene, SceneObject};

/// Distance of the leaves of a plant from its axis: the radius of the stalk.
const STALK: f64 = 0.015;
/// Distance between leaves along the stalk.
const INTERNODE: f64 = 0.16;
/// The range of the blade, from base (0) to tip (1), with the points that are brought together in a
/// pair of leaves. The paper reports most crossings there, towards the tip.
const MEETING: (f64, f64) = (0.45, 0.98);
/// Largest distance between these points, chosen so that about half of the pairs collide; see the
/// test.
const REACH: f64 = 0.095;
/// Number of different leaves in a family of pairs.
const KINDS: usize = 12;
/// Most leaves of a plant and most pairs of a family. Unit: 1. Usual value: 2¹⁶.
const MAX_COUNT: usize = 1 << 16;

/// A random leaf: its size and shape vary about [`Leaf::default`], its counts do not.
pub fn varied_leaf(random: &mut Random) -> Leaf {
    Leaf {
        length: random.range(0.8, 1.1),
        width: random.range(0.09, 0.14),
        rise: random.range(0.8, 1.3),
        droop: random.range(1.4, 2.6),
        fold: random.range(0.15, 0.55),
        twist: random.range(-0.9, 0.9),
        wave_height: random.range(0.012, 0.03),
        phase: random.range(0.0, std::f64::consts::TAU),
        waves: 3 + random.below(3) as usize,
        ..Leaf::default()
    }
}

/// A maize plant at rest: `leaves` varied leaves, each its own mesh, alternating on two opposite
/// sides of an upright stalk, shorter towards the top. The stalk itself is omitted, so that only
/// leaves collide.
///
/// # Errors
/// [`MotionError`] unless `leaves` is in `1..=65536`.
pub fn maize_plant(leaves: usize, seed: u64) -> Result<Scene, MotionError> {
    check_count("leaves", leaves)?;
    let mut plant = Scene {
        name: format!("maize-{leaves}"),
        meshes: Vec::with_capacity(leaves),
        objects: Vec::with_capacity(leaves),
    };
    for k in 0..leaves {
        let mut random = Random::stream(seed, k as u64);
        let mut parameters = varied_leaf(&mut random);
        parameters.length *= 1.0 - 0.35 * k as f64 / leaves as f64;
        let side = if k % 2 == 0 { 0.0 } else { std::f64::consts::PI };
        let azimuth = side + random.range(-0.35, 0.35);
        let (sin, cos) = libm::sincos(azimuth);
        let height = INTERNODE * (k as f64 + random.range(-0.2, 0.2));
        let pose = turned(&Vector::z(), azimuth, Vector::new(STALK * cos, STALK * sin, height))?;
        plant.meshes.push(mesh_of(&parameters));
        plant.objects.push(SceneObject { mesh: k, motion: Motion::still(pose) });
    }
    Ok(plant)
}

/// Two leaves near each other, by index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeafPair {
    /// Index of A into [`LeafPairs::leaves`].
    pub a: usize,
    /// Index of B into [`LeafPairs::leaves`].
    pub b: usize,
    /// The pose of B in A's frame.
    pub pose: Pose,
}

/// Leaves and pairs of them.
#[derive(Clone, Debug, PartialEq)]
pub struct LeafPairs {
    /// Twelve varied leaves, each in its own frame.
    pub leaves: Vec<Mesh>,
    /// Pairs; B is never the same leaf as A.
    pub pairs: Vec<LeafPair>,
}

/// `count` pairs of leaves of neighbouring plants, near each other in their outer halves; about
/// half of them collide. Both leaves are upright up to a tilt of 0.3 radians and have any heading.
/// Pair k uses stream k of `seed`.
///
/// # Errors
/// [`MotionError`] unless `count` is in `1..=65536`.
pub fn leaf_pairs(count: usize, seed: u64) -> Result<LeafPairs, MotionError> {
    check_count("count", count)?;
    let parameters: Vec<Leaf> =
        (0..KINDS).map(|k| varied_leaf(&mut Random::stream(!seed, k as u64))).collect();
    let leaves: Vec<Mesh> = parameters.iter().map(mesh_of).collect();
    let pairs = (0..count).map(|k| pair(&leaves, &mut Random::stream(seed, k as u64)));
    let pairs = pairs.collect::<Result<_, _>>()?;
    Ok(LeafPairs { leaves, pairs })
}

fn pair(leaves: &[Mesh], random: &mut Random) -> Result<LeafPair, MotionError> {
    let a = random.below(leaves.len() as u64) as usize;
    let b = (a + 1 + random.below(leaves.len() as u64 - 1) as usize) % leaves.len();
    let mut near = |mesh: &Mesh| {
        // A vertex of the outer half; vertices are ordered from base to tip.
        let part = random.range(MEETING.0, MEETING.1);
        mesh.vertices()[(part * mesh.vertices().len() as f64) as usize].coords
    };
    let (on_a, on_b) = (near(&leaves[a]), near(&leaves[b]));
    let facing = random.range(0.0, std::f64::consts::TAU);
    let facing = turned(&Vector::z(), facing, Vector::zeros())?;
    let axis = random.unit_vector();
    let tilt = turned(&axis, random.range(0.0, 0.3), Vector::zeros())?;
    let rotation = tilt.rotation() * facing.rotation();
    let shift = on_a + random.in_ball() * REACH - rotation * on_b;
    Ok(LeafPair { a, b, pose: Pose::new(rotation, shift)? })
}

/// A rotation about a unit axis through the origin, followed by a translation.
fn turned(axis: &Vector, angle: f64, shift: Vector) -> Result<Pose, MotionError> {
    let (sin, cos) = libm::sincos(0.5 * angle);
    let quaternion = [axis.x * sin, axis.y * sin, axis.z * sin, cos];
    Ok(Pose::from_quaternion(shift.into(), quaternion)?)
}

fn mesh_of(parameters: &Leaf) -> Mesh {
    leaf(parameters).expect("varied leaves keep the bounds of a leaf")
}

fn check_count(parameter: &'static str, value: usize) -> Result<(), MotionError> {
    if (1..=MAX_COUNT).contains(&value) {
        return Ok(());
    }
    let value = value as f64;
    Err(MotionError::Parameter { parameter, value, must: "lie between 1 and 65536" })
}
