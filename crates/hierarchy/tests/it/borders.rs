//! Where an answer begins and ends: bodies inside each other near a wall, poses near the end of the
//! range of coordinates.

use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_hierarchy::methods::{edge_nodes, kdop_of, leaf, obbtree};
use impinge_hierarchy::{
    aabb_obb, aabb_refit, kdop, reduced_axes, sphere, sphere_aabb, swept_sphere, three_layer,
};
use impinge_models::Shape;
use impinge_query::{Answer, Ask, Control, Detector, Inner, QueryError, Verdict};

fn every() -> Vec<Box<dyn Detector>> {
    vec![
        Box::new(obbtree()),
        Box::new(aabb_refit()),
        Box::new(sphere()),
        Box::new(kdop()),
        Box::new(kdop_of::<3>()),
        Box::new(swept_sphere()),
        Box::new(sphere_aabb()),
        Box::new(aabb_obb()),
        Box::new(three_layer()),
        Box::new(reduced_axes()),
        Box::new(edge_nodes()),
        Box::new(leaf()),
    ]
}

fn ask(
    detector: &dyn Detector,
    a: &Mesh,
    b: &Mesh,
    pose: &Pose,
    ask: &Ask,
) -> Result<Answer, QueryError> {
    let [a, b] = [a, b].map(|m| detector.prepare(m, &Control::NONE).expect("a mesh"));
    let (mut memory, mut answer) = (detector.memory(), Answer::default());
    detector.query(&a, &b, pose, &mut memory, ask, &Control::NONE, &mut answer)?;
    Ok(answer)
}

/// A tetrahedron as small as the numbers there allow.
fn tiny_mesh(at: Vector) -> Mesh {
    let corner = |x: f64, y: f64, z: f64| Point::from(at + Vector::new(x, y, z) * 1e-15);
    let corners =
        vec![corner(0., 0., 0.), corner(2., 0., 0.), corner(0., 2., 0.), corner(0., 0., 2.)];
    Mesh::new(corners, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).expect("legal")
}

/// A tiny mesh that is nearer to a wall than what the volumes grant is inside, and one as far beyond it
/// is outside, whichever of the two meshes it is.
#[test]
fn a_tiny_mesh_beside_a_wall_is_on_its_side_of_it() {
    let cube = Shape::Cube.mesh(192, 0).scaled(2.0).expect("in range");
    let still = Pose::identity();
    for detector in every() {
        let word = detector.describe().word;
        for k in 0..3 {
            for wall in [-1.0, 1.0] {
                for (off, inside) in [(-1e-14, true), (1e-14, false)] {
                    let mut at = Vector::new(0.3, -0.2, 0.1);
                    at[k] = wall * (1.0 + off);
                    let tiny = tiny_mesh(at);
                    let solids = Ask::first_contact().solids();
                    let say = |a: &Mesh, b: &Mesh| {
                        ask(&*detector, a, b, &still, &solids).expect("closed").verdict
                    };
                    let expected = |inner| {
                        if inside { Verdict::Contained(inner) } else { Verdict::Separated }
                    };
                    assert_eq!(say(&cube, &tiny), expected(Inner::B), "{word} {k} {wall} {off}");
                    assert_eq!(say(&tiny, &cube), expected(Inner::A), "{word} {k} {wall} {off}");
                }
            }
        }
    }
}

/// A turn or a way can bring a vertex out of the range: that is an error, and what stays within is
/// answered.
#[test]
fn poses_that_leave_the_range_are_errors() {
    let one = |half: f64| {
        let corner = |x: f64, y: f64| Point::new(x * half, y * half, 0.0);
        Mesh::new(vec![corner(1., 1.), corner(-1., 1.), corner(0., -1.)], vec![[0, 1, 2]])
    };
    let [small, large] = [1.0, 9e299].map(|half| one(half).expect("in range"));
    let eighth = (0.5f64 - 0.5 * 0.5f64.sqrt()).sqrt();
    let turned = |t: [f64; 3]| {
        let q = [0.0, 0.0, eighth, (1.0 - eighth * eighth).sqrt()];
        Pose::from_quaternion(t, q).expect("a unit quaternion")
    };
    let moved = |x: f64| Pose::translation_by(Vector::new(x, 0.0, 0.0)).expect("finite");
    for detector in every() {
        let word = detector.describe().word;
        let fine =
            |b: &Mesh, pose: &Pose| match ask(&*detector, &small, b, pose, &Ask::first_contact()) {
                Ok(_) => true,
                Err(QueryError::OutOfRange(_)) => false,
                Err(other) => panic!("{word}: {other}"),
            };
        assert!(fine(&large, &Pose::identity()), "{word}");
        assert!(fine(&large, &moved(1e298)), "{word}");
        assert!(!fine(&large, &moved(2e299)), "{word}");
        assert!(!fine(&large, &moved(-2e299)), "{word}");
        assert!(!fine(&large, &turned([0.0; 3])), "{word}: 1.27e300");
        assert!(fine(&small, &turned([1e299, 0.0, -1e299])), "{word}");
        assert!(fine(&small, &moved(1e300)), "{word}: one is nothing beside it");
    }
}
