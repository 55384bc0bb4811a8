//! Which queries are left to the inner engine.

use impinge_models::{Random, Shape};
use impinge_query::{Ask, Statistics};

use super::*;

fn body(mesh: &Mesh) -> ConvexBody {
    ConvexBody::new(mesh).expect("convex")
}

fn memory() -> GjkMemory<()> {
    GjkMemory { direction: None, at: [0, 0], inner: () }
}

fn beside(x: f64) -> Pose {
    Pose::translation_by(Vector::new(x, 0.0, 0.0)).expect("finite")
}

/// The bound on posed coordinates is twice B's largest coordinate plus the translation: at the
/// limit GJK runs, beyond it does not.
#[test]
fn bodies_within_the_range_of_coordinates_are_asked_and_others_are_not() {
    let cube = |half: f64| body(&Shape::Cube.mesh(12, 0).scaled(2.0 * half).expect("in range"));
    let a = cube(1e298);
    for (half, x, asked) in [
        (2.5e299, 5e299, true),
        (2.5e299, 5e299 * (1.0 + 1e-15), false),
        (2.5e299 * (1.0 + 1e-15), 5e299, false),
        (1e297, 9.9e299, true),
        (4e299, 9e299, false),
    ] {
        let b = cube(half);
        assert_eq!(b.max_abs(), half);
        let pose = beside(x);
        let pair = Pair { a: &a, b: &b, pose: &pose };
        for ask in [Ask::first_contact(), Ask::distance(), Ask::nearer_than(1.0)] {
            let mut counted = Statistics::default();
            let settled =
                pair.settle(ask.question, &mut memory(), &mut counted, &mut Answer::default());
            assert_eq!(settled, asked, "{half:e} at {x:e}: {ask:?}");
            assert_eq!(counted.volume_tests > 0, asked, "{half:e} at {x:e}: {ask:?}");
        }
    }
}

/// A pair's memory makes the next run shorter: the direction, and the support vertices.
#[test]
fn the_direction_of_the_last_run_is_where_the_next_one_begins() {
    let (a, b) = (body(&Shape::Hull.mesh(200, 1)), body(&Shape::Hull.mesh(200, 2)));
    let (mut with, mut without, mut first) = (0, 0, 0);
    for index in 0..60 {
        let mut random = Random::stream(121, index);
        let at = random.unit_vector() * random.range(1.1, 1.6);
        let pose = random.turned_to(at);
        let pair = Pair { a: &a, b: &b, pose: &pose };
        let mut kept = memory();
        let found = pair.run(Until::Nearest, &mut kept, &mut ());
        if !found.apart() {
            assert_eq!(kept.direction, None, "only what separates is kept");
            continue;
        }
        assert_eq!(kept.direction, Some(found.direction));
        let again = pair.run(Until::Apart, &mut kept, &mut ());
        let anew = pair.run(Until::Apart, &mut memory(), &mut ());
        assert!(again.apart() && anew.apart());
        assert_eq!(again.iterations, 1, "it separates at once");
        // Between the centres, as in the first run.
        let start = pose.apply(&b.center()) - a.center();
        let mut given = memory();
        given.direction = Some(start);
        let told = pair.run(Until::Apart, &mut given, &mut ());
        assert_eq!((told.iterations, told.direction), (anew.iterations, anew.direction));
        (with, without) = (with + again.iterations, without + anew.iterations);
        first += 1;
    }
    assert!(first > 40 && 2 * with < 3 * without, "{first}: {with} of {without}");
}

/// A run's proved bound decides "no", a pair of triangles "yes"; other cases stay open.
#[test]
fn nearer_is_settled_unless_the_bodies_are_within_rounding_of_it() {
    let cube = body(&Shape::Cube.mesh(12, 0));
    for x in [1.5, 2.0, 3.25] {
        let pose = beside(x);
        let pair = Pair { a: &cube, b: &cube, pose: &pose };
        let apart = x - 1.0;
        let nearer = |d: f64| pair.nearer(d, &mut memory(), &mut ());
        assert_eq!(nearer(apart), Some(true), "as far as asked");
        assert_eq!(nearer(apart * 1.001), Some(true));
        assert_eq!(nearer(2.0 * apart), Some(true));
        assert_eq!(nearer(apart * 0.999), Some(false));
        assert_eq!(nearer(0.0), Some(false));
        assert_ne!(nearer(apart.next_down()), Some(true), "the tree says so");
    }
    let pose = beside(0.5);
    let pair = Pair { a: &cube, b: &cube, pose: &pose };
    assert_eq!(pair.nearer(1.0, &mut memory(), &mut ()), None, "they meet");
}

/// A pair of triangles exactly at the given distance ends the search.
#[test]
fn a_walk_ends_at_what_is_exactly_near_enough() {
    let cube = body(&Shape::Cube.mesh(48, 0));
    let pose = beside(2.0);
    let pair = Pair { a: &cube, b: &cube, pose: &pose };
    let found = pair.run(Until::Nearest, &mut memory(), &mut ());
    let steps = |d: f64| {
        let mut counted = Statistics::default();
        let is_within = pair.within(&found, d, &mut counted);
        (is_within, counted.primitive_tests)
    };
    assert_eq!(steps(1.0), (true, 1));
    assert_eq!(steps(1.5), (true, 1));
    let (is_within, tests) = steps(0.5);
    assert!(!is_within && tests > 4, "{tests}");
}
