//! Closed pairs of meshes, and an exact judge of two hulls.

use impinge_geometry::exact::{Location, locate, triangles_meet};
use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_image::{Ibcd, ImageModel};
use impinge_models::{Random, Shape};
use impinge_query::{Control, Engine};

/// Two closed meshes, and how far random poses bring B.
pub(crate) struct Pair {
    pub(crate) name: &'static str,
    pub(crate) a: Mesh,
    pub(crate) b: Mesh,
    pub(crate) reach: f64,
}

impl Pair {
    pub(crate) fn pose(&self, seed: u64, index: u64) -> Pose {
        Random::stream(seed, index).pose(self.reach)
    }
}

/// The pairs of the differential tests; small, since the oracle tries all pairs of triangles.
pub(crate) fn pairs() -> Vec<Pair> {
    let pair = |name, a: Mesh, b: Mesh, reach| Pair { name, a, b, reach };
    let mesh = |shape: Shape, n| shape.mesh(n, 5);
    let scaled = |m: Mesh, by: f64| m.scaled(by).expect("in range");
    let nested =
        Mesh::union([&mesh(Shape::Sphere, 60), &scaled(mesh(Shape::Sphere, 60).flipped(), 0.8)]);
    vec![
        pair("spheres", mesh(Shape::Sphere, 80), mesh(Shape::Sphere, 60), 0.95),
        pair("hulls", mesh(Shape::Hull, 60), mesh(Shape::Hull, 40), 0.9),
        pair("tori", mesh(Shape::Torus, 100), mesh(Shape::Torus, 72), 0.75),
        pair("gears", mesh(Shape::Gear, 96), mesh(Shape::Gear, 96), 0.7),
        pair("combs", mesh(Shape::Comb, 44), mesh(Shape::Comb, 44), 0.6),
        pair("chain and torus", mesh(Shape::Chain, 96), mesh(Shape::Torus, 60), 0.7),
        pair("shell and hull", nested.expect("two"), scaled(mesh(Shape::Hull, 24), 0.3), 0.6),
        pair("cube and hull", mesh(Shape::Cube, 12), mesh(Shape::Hull, 30), 0.95),
    ]
}

pub(crate) fn model(engine: &Ibcd, mesh: &Mesh) -> ImageModel {
    engine.prepare(mesh, &Control::NONE).unwrap_or_else(|why| panic!("{why}"))
}

/// The hull of a patch, posed, as a mesh.
pub(crate) fn hull(model: &ImageModel, patch: u32, pose: &Pose) -> Mesh {
    let hull = model.decomposition().patches()[patch as usize].hull();
    let vertices = hull.corners(model.mesh()).flatten().map(|p| pose.apply(&p)).collect();
    let faces = (0..hull.faces().len() as u32).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect();
    Mesh::new(vertices, faces).expect("a hull")
}

/// Do two solid hulls share a point? Exact.
pub(crate) fn overlap(p: &Mesh, q: &Mesh) -> bool {
    let inside = |hull: &Mesh, x: &Point| locate(hull, x) != Location::Outside;
    inside(p, &q.vertices()[0])
        || inside(q, &p.vertices()[0])
        || p.corners().any(|s| q.corners().any(|t| triangles_meet(&s, &t)))
}

pub(crate) fn shifted(t: [f64; 3]) -> Pose {
    Pose::translation_by(Vector::from(t)).expect("finite")
}
