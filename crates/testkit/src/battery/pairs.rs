//! The mesh pairs that the battery poses: small enough for the oracle, and different in shape, size
//! and topology.

use impinge_geometry::{Mesh, Pose};
use impinge_models::{Random, Shape};

/// A pair of meshes, with the reach of random poses at which about half of them hit.
pub(super) struct Pair {
    pub(super) name: &'static str,
    pub(super) a: Mesh,
    pub(super) b: Mesh,
    pub(super) reach: f64,
}

pub(super) fn pairs() -> Vec<Pair> {
    let mesh = |shape: Shape, n| shape.mesh(n, 7);
    let pair = |name, a: Mesh, b: Mesh| {
        // Balanced for round bodies: they meet if the centres are nearer than the sum of the radii.
        let reach = 0.53 * (a.diagonal() + b.diagonal()) / 3f64.sqrt();
        Pair { name, a, b, reach }
    };
    let small = |m: Mesh| m.scaled(0.3).unwrap_or(m);
    vec![
        pair("torus-torus", mesh(Shape::Torus, 100), mesh(Shape::Torus, 60)),
        pair("sphere-hull", mesh(Shape::Sphere, 80), mesh(Shape::Hull, 60)),
        pair("sphere-small-torus", mesh(Shape::Sphere, 80), small(mesh(Shape::Torus, 60))),
        pair("teapot-cube", mesh(Shape::Teapot, 150), mesh(Shape::Cube, 12)),
    ]
}

/// The pose of one case: uniform rotation, uniform translation within the reach.
pub(super) fn pose(pair: &Pair, seed: u64, index: u64) -> Pose {
    Random::stream(seed, index).pose(pair.reach)
}
