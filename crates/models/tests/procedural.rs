//! Every procedural shape keeps what its page promises.

use impinge_geometry::{Mesh, Topology};
use impinge_models::Shape;

fn volume(mesh: &Mesh) -> f64 {
    mesh.corners().map(|[a, b, c]| a.coords.dot(&b.coords.cross(&c.coords)) / 6.0).sum()
}

fn least_area(mesh: &Mesh) -> f64 {
    mesh.corners().map(|[a, b, c]| (b - a).cross(&(c - a)).norm() / 2.0).fold(f64::MAX, f64::min)
}

#[test]
fn closed_shapes_are_closed_and_wound_outward() {
    for shape in Shape::ALL {
        for target in [1, 100, 1000, 20_000, 200_000] {
            let mesh = shape.mesh(target, 1);
            let n = mesh.triangles().len();
            println!(
                "{shape} {target} -> {n} volume {} least {}",
                volume(&mesh),
                least_area(&mesh)
            );
            let topology = Topology::new(&mesh);
            assert_eq!(topology.closed(), Ok(()), "{shape} {target}");
            assert_eq!(topology.nonmanifold_edges(), 0, "{shape} {target}");
            assert!(volume(&mesh) > 0.0, "{shape} {target}");
            assert!(least_area(&mesh) > 0.0, "{shape} {target}");
        }
    }
}
