//! `Pair::penetration`: the same for every method that keeps its meshes, and kept until a refit.

use impinge::query::{Cancel, Control, Meaning, QueryError, Side};
use impinge::{Error, Method, Pair, PenetrationOptions, Pose, Vector};
use impinge_models::Shape;

fn shifted(x: f64) -> Pose {
    Pose::translation_by(Vector::new(x, 0.1, 0.0)).expect("finite")
}

#[test]
fn a_pair_is_out_after_the_translation_and_as_a_surface_or_a_solid() {
    let (large, small) = (Shape::Sphere.mesh(500, 0), Shape::Cube.mesh(12, 0).scaled(0.25));
    let small = small.expect("in range");
    let mut pair = Pair::with(Method::default(), &large, &small).expect("ordinary meshes");
    let pose = shifted(0.4);
    let found = pair.penetration(&pose).expect("an answer");
    assert!(found.lower > 0.0 && found.width() <= 0.05, "{found:?}");
    let out = found.pose(&pose).expect("in range");
    assert!(
        pair.intersects(&pose).expect("an answer") && !pair.intersects(&out).expect("an answer")
    );
    let inside = shifted(0.0);
    assert_eq!(pair.penetration(&inside).expect("an answer").upper, 0.0);
    let solids = PenetrationOptions { meaning: Meaning::Solids, ..PenetrationOptions::default() };
    let found = pair.penetration_with(&inside, &solids, &Control::NONE).expect("closed");
    assert!(found.lower > 0.4 && found.upper < 0.6, "{found:?}");
    let open = Pair::new(&large, &Shape::Leaf.mesh(100, 0)).expect("ordinary meshes");
    let refused = open.penetration_with(&inside, &solids, &Control::NONE);
    let Err(Error::Query(QueryError::NotClosed { side, .. })) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(side, Side::B);
}

#[test]
fn a_width_that_is_no_number_is_refused_also_without_poses() {
    let cube = Shape::Cube.mesh(12, 0);
    let pair = Pair::new(&cube, &cube).expect("ordinary meshes");
    for width in [-1.0, f64::NAN, f64::INFINITY] {
        let options = PenetrationOptions { width, ..PenetrationOptions::default() };
        let one = pair.penetration_with(&shifted(0.4), &options, &Control::NONE).map(drop);
        let all = [&[][..], &[shifted(0.4)]]
            .map(|poses| pair.penetrations(poses, &options, &Control::NONE, &mut |_, _| ()));
        for refused in all.into_iter().chain([one]) {
            let bad = matches!(refused, Err(Error::Query(QueryError::BadOption { .. })));
            assert!(bad, "{width}: {refused:?}");
        }
    }
}

#[test]
fn a_refit_is_followed() {
    let ball = Shape::Sphere.mesh(300, 0);
    let mut pair = Pair::new(&ball, &ball).expect("ordinary meshes");
    let before = pair.penetration(&shifted(0.9)).expect("an answer");
    let moved = ball.posed(&Pose::translation_by(Vector::new(-0.05, 0.0, 0.0)).expect("finite"));
    pair.refit(Side::B, &moved.expect("in range")).expect("the same triangles");
    let after = pair.penetration(&shifted(0.9)).expect("an answer");
    assert!((after.upper - before.upper - 0.05).abs() < 0.01, "{before:?} {after:?}");
    let cancel = Cancel::new();
    cancel.cancel();
    let control = Control::NONE.cancelled_by(&cancel);
    let found = pair.penetration_with(&shifted(0.9), &PenetrationOptions::default(), &control);
    assert!(matches!(found, Err(Error::Query(QueryError::Cancelled(_)))), "{found:?}");
}

#[test]
fn many_poses_have_the_answers_of_single_calls() {
    let [torus, gear] = [Shape::Torus, Shape::Gear].map(|shape| shape.mesh(300, 0));
    let pair = Pair::new(&torus, &gear).expect("ordinary meshes");
    let poses: Vec<Pose> = (0..8).map(|k| shifted(0.15 * f64::from(k))).collect();
    let options = PenetrationOptions { budget: 20, ..PenetrationOptions::default() };
    let mut all = Vec::new();
    let mut each = |index: usize, found: &_| all.push((index, *found));
    pair.penetrations(&poses, &options, &Control::NONE, &mut each).expect("answers");
    let single =
        |(k, pose)| (k, pair.penetration_with(pose, &options, &Control::NONE).expect("an answer"));
    assert_eq!(all, poses.iter().enumerate().map(single).collect::<Vec<_>>());
    assert!(all.iter().any(|(_, found)| found.lower > 0.0));
    let open = Pair::new(&torus, &Shape::Leaf.mesh(100, 0)).expect("ordinary meshes");
    let solids = PenetrationOptions { meaning: Meaning::Solids, ..options };
    let refused = open.penetrations(&poses, &solids, &Control::NONE, &mut |_, _| ());
    let Err(Error::Batch(error)) = refused else { panic!("{refused:?}") };
    assert!(error.index == 0 && matches!(error.source, QueryError::NotClosed { .. }), "{error}");
}
