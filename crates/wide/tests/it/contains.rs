//! Whether a body is wholly inside a solid: shells, cavities and several components.

use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_models::{Random, Shape};
use impinge_query::{Control, Engine, QueryError};
use impinge_wide::{Memory, wide};

/// A ball of this radius about `(x, 0, 0)`.
fn ball(radius: f64, x: f64) -> Mesh {
    let mesh = Shape::Sphere.mesh(200, 0);
    let scale = radius / mesh.max_abs_coordinate();
    let at = |p: &Point| Point::from(p.coords * scale + Vector::new(x, 0.0, 0.0));
    mesh.with_vertices(mesh.vertices().iter().map(at).collect()).expect("in range")
}

/// A hole of this radius: a ball turned inside out.
fn hole(radius: f64, x: f64) -> Mesh {
    let mesh = ball(radius, x);
    let turned = mesh.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
    Mesh::new(mesh.vertices().to_vec(), turned).expect("as legal")
}

fn all(parts: &[Mesh]) -> Mesh {
    Mesh::union(parts).expect("in range")
}

fn contains(a: &Mesh, b: &Mesh, pose: &Pose) -> Result<bool, QueryError> {
    let [a, b] = [a, b].map(|mesh| wide().prepare(mesh, &Control::NONE).expect("any mesh"));
    wide().contains(&a, &b, pose, &mut Memory::default(), &Control::NONE)
}

#[test]
fn all_of_a_body_and_of_what_it_bounds_must_be_inside() {
    let shell = all(&[ball(4.0, 0.0), hole(2.0, 0.0)]);
    let two = all(&[ball(1.0, 0.0), ball(1.0, 5.0)]);
    let cases = [
        ("a ball in a ball", ball(2.0, 0.0), ball(1.0, 0.3), true),
        ("a ball around a ball", ball(1.0, 0.3), ball(2.0, 0.0), false),
        ("a ball beside", ball(2.0, 0.0), ball(1.0, 5.0), false),
        ("a ball half inside", ball(2.0, 0.0), ball(1.0, 2.0), false),
        ("the same", ball(2.0, 0.0), ball(2.0, 0.0), false),
        ("in a cavity", shell.clone(), ball(1.0, 0.0), false),
        ("in the wall", shell.clone(), ball(0.5, 3.0), true),
        ("in the wall, around the cavity", shell.clone(), ball(3.0, 0.0), false),
        ("a shell in the wall", shell, all(&[ball(3.4, 0.0), hole(2.8, 0.0)]), true),
        ("one of two", ball(2.0, 0.0), two.clone(), false),
        ("the other of two", ball(2.0, 5.0), two.clone(), false),
        ("two in one", ball(9.0, 2.0), two.clone(), true),
        ("two in two", all(&[ball(2.0, 5.0), ball(2.0, 0.0)]), two, true),
    ];
    for (name, a, b, inside) in cases {
        assert_eq!(contains(&a, &b, &Pose::identity()), Ok(inside), "{name}");
        // Turned and moved, both.
        let pose = Random::new(3).pose(7.0);
        let moved = a.posed(&pose).expect("in range");
        assert_eq!(contains(&moved, &b, &pose), Ok(inside), "{name}, moved");
    }
}

#[test]
fn what_bounds_nothing_is_refused() {
    let (solid, mut open) = (ball(2.0, 0.0), ball(1.0, 0.0).triangles().to_vec());
    open.pop();
    let open = Mesh::new(ball(1.0, 0.0).vertices().to_vec(), open).expect("legal");
    for (a, b) in [(&solid, &open), (&open, &solid)] {
        let refused = contains(a, b, &Pose::identity());
        assert!(matches!(refused, Err(QueryError::NotClosed { .. })), "{refused:?}");
    }
}
