//! `Pair::overlap`: the same for every method that keeps its meshes.

use impinge::image::ldi::{OverlapOptions, ldi};
use impinge::query::{Cancel, Control, QueryError, Side};
use impinge::{Error, Method, Pair, Pose, Settings, Vector};
use impinge_models::Shape;

fn shifted(x: f64) -> Pose {
    Pose::translation_by(Vector::new(x, 0.1, 0.0)).expect("finite")
}

#[test]
fn the_overlap_does_not_depend_on_the_method() {
    let (ball, hull) = (Shape::Sphere.mesh(300, 0), Shape::Hull.mesh(200, 0));
    let options = OverlapOptions { resolution: 32, contacts: 7, ..OverlapOptions::default() };
    let (mut first, mut refused) = (None, 0);
    for &method in Method::all() {
        let mut pair = Pair::with(method, &ball, &hull).expect("convex bodies");
        let overlap = pair.overlap_with(&shifted(0.4), &ldi(), &options, &Control::NONE);
        match overlap {
            Ok(overlap) => {
                assert_eq!(overlap.contacts.len(), 7, "{method}");
                assert!(overlap.share().value > 0.0 && overlap.agrees(), "{method}");
                if pair.description().exact {
                    let contacts = pair.contacts(&shifted(0.4)).expect("answers");
                    assert_eq!(overlap.contacts_found, contacts.len() as u64, "{method}");
                }
                assert_eq!(first.get_or_insert(overlap.clone()), &overlap, "{method}");
            }
            Err(error) => {
                assert!(matches!(error, Error::Query(QueryError::Unanswered { .. })), "{error}");
                refused += 1;
            }
        }
    }
    assert!(refused < 3 && first.is_some());
}

#[test]
fn a_pair_keeps_what_it_prepared_until_a_refit() {
    let ball = Shape::Sphere.mesh(20_000, 0);
    let mut pair = Pair::new(&ball, &ball).expect("an ordinary mesh");
    let options = OverlapOptions { resolution: 4, ..OverlapOptions::default() };
    // Preparing a mesh, and finding that it is closed, looks at the flag as often as it is large.
    let measured = |pair: &Pair| {
        let cancel = Cancel::at_look(u64::MAX);
        let control = Control::NONE.cancelled_by(&cancel);
        let overlap = pair.overlap_with(&shifted(0.4), &ldi(), &options, &control);
        (overlap.expect("closed"), cancel.looks().expect("a flag that counts").number)
    };
    let (first, both) = measured(&pair);
    let (second, none) = measured(&pair);
    assert!(first == second && none < both && measured(&pair).1 == none, "{none} of {both} looks");
    for side in [Side::A, Side::B] {
        pair.refit(side, &ball).expect("the same triangles");
        let (again, one) = measured(&pair);
        assert_eq!((&again, 2 * (one - none)), (&first, both - none));
    }
    let moved = ball.posed(&shifted(0.2)).expect("in range");
    pair.refit(Side::B, &moved).expect("the same triangles");
    let farther = measured(&pair).0;
    assert!(farther.volume().value < 0.7 * first.volume().value, "{farther:?}");
}

#[test]
fn a_cancelled_overlap_is_an_error() {
    let ball = Shape::Sphere.mesh(300, 0);
    let pair = Pair::new(&ball, &ball).expect("an ordinary mesh");
    let cancel = Cancel::new();
    cancel.cancel();
    let control = Control::NONE.cancelled_by(&cancel);
    let overlap = pair.overlap_with(&shifted(0.4), &ldi(), &OverlapOptions::default(), &control);
    assert!(overlap.is_err());
    assert!(pair.overlap(&shifted(0.4)).is_ok());
}

#[test]
fn the_resolution_is_checked() {
    let build = |resolution| {
        Method::Ldi.build_with(&Settings { resolution: Some(resolution), ..Settings::default() })
    };
    assert!(build(1).is_ok() && build(4096).is_ok());
    assert!(build(0).is_err() && build(4097).is_err());
}
