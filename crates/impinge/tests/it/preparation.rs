//! Every method checks often during preparation whether the caller has cancelled.

use impinge::Method;
use impinge::query::{Cancel, Control, PrepareError};
use impinge_models::Shape;

/// Most triangles between two checks, on average, so that no part of a long preparation runs
/// without a check.
const BETWEEN: u64 = 1 << 14;

#[test]
fn a_long_preparation_looks_often() {
    // The image methods take at most 8,192 triangles, `gjk` only convex bodies.
    let meshes = [(Shape::Torus, 48_000), (Shape::Sphere, 48_000), (Shape::Sphere, 8_000)]
        .map(|(shape, triangles)| shape.mesh(triangles, 1));
    for &method in Method::all() {
        let detector = method.build();
        let watched = |mesh| {
            let cancel = Cancel::at_look(u64::MAX);
            let made = detector.prepare(mesh, &Control::NONE.cancelled_by(&cancel));
            made.map(|_| cancel.looks().expect("watched").number)
        };
        let taken = meshes.iter().find_map(|mesh| match watched(mesh) {
            Ok(looks) => Some((mesh, looks)),
            Err(PrepareError::Cancelled(_)) => panic!("{method}: nobody cancels"),
            Err(_) => None,
        });
        let (mesh, looks) = taken.expect("the last is closed, convex and small");
        let triangles = mesh.triangles().len() as u64;
        assert!(method.word() != "gjk" || triangles > 8_000, "a large convex body");
        // An outside library runs in one call, without checks.
        if method.word().starts_with("parry") {
            continue;
        }
        assert!(looks >= 2 + triangles / BETWEEN, "{method}: {looks} looks");
        // Cancellation takes effect at each of them.
        for look in [1, 2, looks / 2, looks] {
            let cancel = Cancel::at_look(look);
            let made = detector.prepare(mesh, &Control::NONE.cancelled_by(&cancel));
            assert!(matches!(made, Err(PrepareError::Cancelled(_))), "{method}: look {look}");
        }
    }
}
