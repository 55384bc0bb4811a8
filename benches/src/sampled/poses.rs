//! Small closed meshes in random poses, and the oracle's verdict on each: do the solids share a point?

use impinge::{Mesh, Pose};
use impinge_models::{Random, Shape};
use impinge_testkit::oracle;

/// A pose of B, and what is true of it.
#[derive(Clone, Debug)]
pub struct Placed {
    /// B in A's frame.
    pub pose: Pose,
    /// Do the solids share a point?
    pub hit: bool,
}

/// Two closed meshes in their poses.
#[derive(Clone, Debug)]
pub struct Set {
    /// What they are.
    pub name: &'static str,
    /// A.
    pub a: Mesh,
    /// B.
    pub b: Mesh,
    /// In the order in which they are asked.
    pub poses: Vec<Placed>,
}

/// The poses are the same in every run.
const SEED: u64 = 151;
/// Poses of each pair, in quick and in full runs.
const POSES: [u64; 2] = [30, 400];

/// The pairs, posed and judged. `progress` hears how many poses are judged, and of how many.
pub fn sets(quick: bool, progress: &dyn Fn(usize, usize)) -> Vec<Set> {
    let pairs = pairs();
    let (each, count) = (POSES[usize::from(!quick)], pairs.len());
    let set = |(index, (name, a, b, reach)): (usize, Pair)| {
        progress(index * each as usize, count * each as usize);
        let placed = |k| {
            let pose = Random::stream(SEED, k).pose(reach);
            let posed = b.posed(&pose).ok()?;
            let hit = oracle::solids(&a, &posed) != oracle::Verdict::Separated;
            Some(Placed { pose, hit })
        };
        let poses = (0..each).filter_map(placed).collect();
        Set { name, a, b, poses }
    };
    pairs.into_iter().enumerate().map(set).collect()
}

/// Name, A, B, and how far B is brought from A. Unit: the meshes', of which each is about 1 wide.
type Pair = (&'static str, Mesh, Mesh, f64);

/// Convex and not, pierced, in several parts; 12 to 100 triangles, since the oracle tries all pairs.
fn pairs() -> [Pair; 6] {
    let mesh = |shape: Shape, triangles| shape.mesh(triangles, 5);
    [
        ("spheres", mesh(Shape::Sphere, 80), mesh(Shape::Sphere, 60), 0.95),
        ("hulls", mesh(Shape::Hull, 60), mesh(Shape::Hull, 40), 0.9),
        ("tori", mesh(Shape::Torus, 100), mesh(Shape::Torus, 72), 0.75),
        ("gears", mesh(Shape::Gear, 96), mesh(Shape::Gear, 96), 0.7),
        ("combs", mesh(Shape::Comb, 44), mesh(Shape::Comb, 44), 0.6),
        ("cube and hull", mesh(Shape::Cube, 12), mesh(Shape::Hull, 30), 0.95),
    ]
}
