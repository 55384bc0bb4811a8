//! Small closed meshes in random poses, and the oracle's verdict on each: whether the solids share
//! a point.

use impinge::{Mesh, Pose};
use impinge_models::{Random, Shape};
use impinge_testkit::oracle;

/// A pose of B and its correct verdict.
#[derive(Clone, Debug)]
pub struct Placed {
    /// B in A's frame.
    pub pose: Pose,
    /// Whether the solids share a point.
    pub hit: bool,
    /// Whether the surfaces do.
    pub meet: bool,
}

/// Two closed meshes and their poses.
#[derive(Clone, Debug)]
pub struct Set {
    /// One line of description.
    pub name: &'static str,
    /// Mesh A.
    pub a: Mesh,
    /// Mesh B.
    pub b: Mesh,
    /// In the order of the queries.
    pub poses: Vec<Placed>,
}

/// Fixed, so that the poses are the same in every run.
const SEED: u64 = 151;
/// Poses per pair of meshes, in quick and in full runs.
const POSES: [u64; 2] = [30, 400];

/// Generates and checks all poses. `progress` gets the number of finished poses, and of all.
pub fn sets(quick: bool, progress: &dyn Fn(usize, usize)) -> Vec<Set> {
    let pairs = pairs();
    let (each, count) = (POSES[usize::from(!quick)], pairs.len());
    let set = |(index, (name, a, b, reach)): (usize, Pair)| {
        progress(index * each as usize, count * each as usize);
        let placed = |k| {
            let pose = Random::stream(SEED + index as u64, k).pose(reach);
            let posed = b.posed(&pose).ok()?;
            let truth = oracle::solids(&a, &posed);
            let (hit, meet) = (truth != oracle::Verdict::Separated, truth.word() == "intersecting");
            Some(Placed { pose, hit, meet })
        };
        let poses = (0..each).filter_map(placed).collect();
        Set { name, a, b, poses }
    };
    pairs.into_iter().enumerate().map(set).collect()
}

/// Name, A, B, and the range of B's displacement. Unit: that of the meshes, which are about 1 wide.
type Pair = (&'static str, Mesh, Mesh, f64);

/// Convex and non-convex, pierced, and of several parts; 12 to 100 triangles, since the oracle
/// tries all pairs.
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
