//! Preparation looks often at whether the caller has cancelled, in every method.

use impinge::query::{Cancel, Control, PrepareError};
use impinge::{Method, models::Shape};

/// Triangles between two looks, on average. The least that is asked here: that no part of a
/// preparation of many triangles goes by without a look.
const BETWEEN: u64 = 1 << 14;

#[test]
fn a_long_preparation_looks_often() {
    // `gjk` takes convex bodies, the methods on pictures up to 8,192 triangles.
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
        // Another library is asked in one call.
        if method.word().starts_with("parry") {
            continue;
        }
        assert!(looks >= 2 + triangles / BETWEEN, "{method}: {looks} looks");
        // Each of them is obeyed.
        for look in [1, 2, looks / 2, looks] {
            let cancel = Cancel::at_look(look);
            let made = detector.prepare(mesh, &Control::NONE.cancelled_by(&cancel));
            assert!(matches!(made, Err(PrepareError::Cancelled(_))), "{method}: look {look}");
        }
    }
}
