//! [`Pair::touch`] by its engine's contacts; the decision itself is tested in `geometry`.

use impinge::geometry::touching::Undecided;
use impinge::models::Shape;
use impinge::query::{Cancel, Control, QueryError, Side};
use impinge::{Error, Mesh, Method, Pair, Pose, Touch, Vector};

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::translation_by(Vector::new(x, y, z)).expect("in range")
}

#[test]
fn every_exact_method_agrees() {
    let (cube, small) = (Shape::Cube.mesh(48, 0), Shape::Cube.mesh(12, 0));
    let small = small.scaled(0.5).expect("smaller");
    let exact = Method::all().iter().filter(|method| method.kind() == impinge::Kind::Exact);
    for &method in exact.filter(|method| method.description().self_contacts) {
        let mut pair = Pair::with(method, &cube, &small).expect("closed cubes");
        for (pose, expected) in [
            (at(2.0, 0.0, 0.0), None),
            (at(0.0, 0.0, 0.0), None),
            (at(0.75, 0.0, 0.0), Some(Touch::Touches)),
            (at(0.75, 0.75, 0.75), Some(Touch::Touches)),
            (at(0.25, 0.0, 0.0), Some(Touch::Pierces)),
            (at(0.5, 0.1, 0.0), Some(Touch::Pierces)),
        ] {
            assert_eq!(pair.touch(&pose).expect("decided"), expected, "{method} {pose:?}");
        }
    }
}

#[test]
fn a_turned_gear_pierces_and_a_resting_one_touches() {
    let gear = Shape::Gear.mesh(2_000, 0);
    let mut pair = Pair::new(&gear, &gear).expect("a closed mesh");
    let (lower, upper) = gear.bounds();
    let on_top = at(0.0, 0.0, upper.z - lower.z);
    assert_eq!(pair.touch(&on_top).expect("decided"), Some(Touch::Touches));
    assert_eq!(pair.touch(&at(0.0, 0.0, 0.01)).expect("decided"), Some(Touch::Pierces));
    assert_eq!(pair.touch(&Pose::identity()).expect("decided"), Some(Touch::Pierces));
}

#[test]
fn an_uncertain_inside_is_an_error_that_names_the_mesh() {
    let cube = Shape::Cube.mesh(12, 0);
    let shifted = cube.posed(&at(1.0, 1.0, 0.0)).expect("in range");
    let joined = Mesh::union([&cube, &shifted]).expect("24 triangles").welded();
    let mut pair = Pair::new(&cube, &joined).expect("closed cubes");
    let error = pair.touch(&at(-1.0, 0.0, 0.0)).expect_err("four triangles share an edge");
    let Error::Undecided { side: Side::B, source: Undecided::NonManifold { triangles, .. } } =
        error
    else {
        panic!("{error}");
    };
    assert_eq!(triangles, 4);
}

#[test]
fn a_cancelled_decision_is_no_answer() {
    let cube = Shape::Cube.mesh(12, 0);
    let mut pair = Pair::new(&cube, &cube).expect("a closed mesh");
    let cancel = Cancel::new();
    cancel.cancel();
    let control = Control::NONE.cancelled_by(&cancel);
    let error = pair.touch_with(&at(1.0, 0.0, 0.0), &control).expect_err("cancelled");
    assert!(matches!(error, Error::Query(QueryError::Cancelled(_))), "{error}");
}
