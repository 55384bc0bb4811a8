//! Preparation looks often at whether the caller has cancelled, in every method.

use impinge::query::{Cancel, Control, PrepareError};
use impinge::{Method, models::Shape};

/// Triangles between two looks, on average. The least that is asked here: that no part of a
/// preparation of many triangles goes by without a look.
const BETWEEN: u64 = 1 << 14;

#[test]
fn a_long_preparation_looks_often() {
    // The methods on pictures take up to 8,192 triangles, `gjk` convex bodies.
    let (large, small) = (Shape::Torus.mesh(120_000, 1), Shape::Sphere.mesh(8_000, 1));
    for &method in Method::all() {
        let detector = method.build();
        let watched = |mesh| {
            let cancel = Cancel::at_look(u64::MAX);
            let made = detector.prepare(mesh, &Control::NONE.cancelled_by(&cancel));
            made.map(|_| cancel.looks().expect("watched").number)
        };
        let (looks, triangles) = match watched(&large) {
            Ok(looks) => (looks, 120_000),
            Err(PrepareError::Cancelled(_)) => panic!("{method}: nobody cancels"),
            Err(_) => (watched(&small).expect("closed, convex and small"), 8_000),
        };
        // Another library is asked in one call.
        if method.word().starts_with("parry") {
            continue;
        }
        assert!(looks >= 2 + triangles / BETWEEN, "{method}: {looks} looks");
        // Each of them is obeyed.
        for look in [1, 2, looks / 2, looks] {
            let cancel = Cancel::at_look(look);
            let mesh = if triangles > 8_000 { &large } else { &small };
            let made = detector.prepare(mesh, &Control::NONE.cancelled_by(&cancel));
            assert!(matches!(made, Err(PrepareError::Cancelled(_))), "{method}: look {look}");
        }
    }
}
