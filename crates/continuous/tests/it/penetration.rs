//! Penetration depths that are known, and those of shapes that other methods get wrong.

use impinge_continuous::penetration::{
    Penetration, PenetrationBody, PenetrationOptions, penetration,
};
use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_models::procedural::{cuboid, sphere as ball, torus as ring};
use impinge_models::{Random, Shape};
use impinge_query::{Cancel, Cancelled, Control, Meaning, QueryError, Side};

fn body(mesh: &Mesh) -> PenetrationBody {
    PenetrationBody::new(mesh, &Control::NONE).expect("not cancelled")
}

fn sphere(radius: f64, stacks: usize, sectors: usize) -> Mesh {
    ball(radius, stacks, sectors).expect("fine enough")
}

fn torus(major: f64, minor: f64, rings: usize, sides: usize) -> Mesh {
    ring(major, minor, rings, sides).expect("fine enough")
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::translation_by(Vector::new(x, y, z)).expect("in range")
}

fn options(meaning: Meaning, width: f64) -> PenetrationOptions {
    PenetrationOptions { meaning, width, ..PenetrationOptions::default() }
}

fn depth(a: &Mesh, b: &Mesh, pose: &Pose, meaning: Meaning, width: f64) -> Penetration {
    let (a, b) = (body(a), body(b));
    let found = penetration(&a, &b, pose, &options(meaning, width), &Control::NONE);
    let found = found.expect("an answer");
    assert!(0.0 <= found.lower && found.lower <= found.upper, "{found:?}");
    let length = found.translation.norm();
    assert!(found.upper == length || length.is_infinite(), "{found:?}");
    found
}

/// The depth is `truth`, and both bounds are as near as asked.
fn is(found: Penetration, truth: f64, width: f64) {
    assert!(found.lower <= truth && truth <= found.upper * (1.0 + 1e-12), "{truth}: {found:?}");
    assert!(found.width() <= width, "{truth}: {found:?}");
}

#[test]
fn cubes_leave_through_the_nearest_face() {
    let cube = Shape::Cube.mesh(12, 0);
    for meaning in [Meaning::Surfaces, Meaning::Solids] {
        for k in 0..3 {
            let mut away = [0.15, -0.25, 0.05];
            away[k] = 0.875;
            let found = depth(&cube, &cube, &at(away[0], away[1], away[2]), meaning, 1e-9);
            is(found, 0.125, 1e-9);
            assert!((found.translation - Vector::ith(k, 0.125)).norm() < 1e-9, "{found:?}");
        }
    }
}

#[test]
fn bodies_that_are_apart_have_no_depth_and_bodies_that_touch_hardly_any() {
    let cube = Shape::Cube.mesh(12, 0);
    let found = depth(&cube, &cube, &at(1.25, 0.0, 0.0), Meaning::Solids, 0.1);
    assert_eq!((found.lower, found.upper, found.width()), (0.0, 0.0, 0.0));
    let found = depth(&cube, &cube, &at(1.0, 0.25, 0.0), Meaning::Solids, 0.1);
    assert!(found.lower == 0.0 && found.upper > 0.0 && found.upper < 1e-11, "{found:?}");
}

#[test]
fn convex_bodies_are_measured_to_a_billionth() {
    let shapes = [Shape::Hull, Shape::Sphere, Shape::Cube];
    let bodies = shapes.map(|shape| body(&shape.mesh(200, 0)));
    let mut random = Random::new(0xc0e5);
    let mut deep = 0;
    for case in 0..60 {
        let [a, b] = [&bodies[case % 3], &bodies[case / 3 % 3]];
        let place = random.unit_vector() * random.range(0.6, 0.9);
        let pose = random.turned_to(place);
        let found = penetration(a, b, &pose, &options(Meaning::Solids, 1e-9), &Control::NONE);
        let found = found.expect("an answer");
        assert!(found.width() <= 1e-9 && found.cells == 0, "{case}: {found:?}");
        deep += u32::from(found.upper > 0.0);
    }
    assert!(deep >= 30, "{deep}");
}

/// As surfaces, a ball within a ball is apart from it; as solids, it leaves by the shortest way.
#[test]
fn a_ball_in_a_ball_is_out_as_a_surface_and_deep_as_a_solid() {
    let (large, small) = (sphere(0.5, 24, 48), sphere(0.125, 12, 24));
    let inside = at(0.125, 0.0, 0.0);
    let found = depth(&large, &small, &inside, Meaning::Surfaces, 0.1);
    assert_eq!(found.upper, 0.0);
    let found = depth(&large, &small, &inside, Meaning::Solids, 1e-9);
    assert!(found.width() <= 1e-9 && (found.upper - 0.5).abs() < 0.01, "{found:?}");
    // Its surface, half out: back in is nearer than out, or farther.
    for (x, truth) in [(0.4375, 0.0625), (0.5625, 0.0625)] {
        let found = depth(&large, &small, &at(x, 0.0, 0.0), Meaning::Surfaces, 0.1);
        assert!((found.upper - truth).abs() < 0.006 && found.width() <= 0.1, "{found:?}");
        assert_eq!(found.translation.x < 0.0, x < 0.5, "{found:?}");
    }
}

/// Two links of a chain: the hulls of tori are deep in each other, the tori are not.
#[test]
fn linked_tori_move_within_each_other() {
    let link = torus(0.35, 0.15, 48, 24);
    let across =
        |x: f64| Pose::from_quaternion([x, 0.0, 0.0], [0.5f64.sqrt(), 0.0, 0.0, 0.5f64.sqrt()]);
    let across = |x: f64| across(x).expect("a rotation");
    for meaning in [Meaning::Surfaces, Meaning::Solids] {
        let free = depth(&link, &link, &across(0.35), meaning, 0.1);
        assert_eq!(free.upper, 0.0);
        let found = depth(&link, &link, &across(0.43), meaning, 0.1);
        assert!(found.width() <= 0.1 && (found.upper - 0.03).abs() < 0.003, "{found:?}");
    }
}

/// Two hooks that hold each other: out of their hulls is far, out of each other near.
#[test]
fn combs_slide_in_their_gaps() {
    let bar = |x: [f64; 2], y: [f64; 2], z: [f64; 2]| {
        let extent = [x, y, z].map(|[low, high]| high - low);
        let place = Vector::new(x[0] + x[1], y[0] + y[1], z[0] + z[1]) * 0.5;
        let bar = cuboid(extent, [1; 3]).expect("it has extent");
        bar.with_vertices(bar.vertices().iter().map(|p| p + place).collect()).expect("finite")
    };
    let c = Mesh::union([
        &bar([0.0, 1.0], [0.0, 0.25], [0.0, 1.0]),
        &bar([0.0, 1.0], [2.0, 2.25], [0.0, 1.0]),
        &bar([0.0, 0.25], [0.0, 2.25], [0.0, 1.0]),
    ])
    .expect("small");
    let turned = Pose::from_quaternion([1.5, 3.0, 0.0], [0.0, 0.0, 1.0, 0.0]).expect("half a turn");
    // The arm of B from 0.75 to 1 in y is in the gap of A; moved down by 0.625 it is 0.125 in A's arm.
    let found = depth(&c, &c, &turned, Meaning::Solids, 0.05);
    assert_eq!(found.upper, 0.0, "{found:?}");
    let lower = Pose::from_quaternion([1.5, 2.375, 0.0], [0.0, 0.0, 1.0, 0.0]).expect("a turn");
    for meaning in [Meaning::Surfaces, Meaning::Solids] {
        is(depth(&c, &c, &lower, meaning, 0.05), 0.125, 0.05);
    }
}

fn sheet(corners: [[f64; 3]; 4]) -> Mesh {
    let corners = corners.map(Point::from).to_vec();
    Mesh::new(corners, vec![[0, 1, 2], [0, 2, 3]]).expect("finite")
}

#[test]
fn open_sheets_and_triangles_leave_over_the_nearest_border() {
    let flat = sheet([[-1., -1., 0.], [1., -1., 0.], [1., 1., 0.], [-1., 1., 0.]]);
    let upright = sheet([[0., -0.5, -0.25], [0., 0.5, -0.25], [0., 0.5, 2.], [0., -0.5, 2.]]);
    // Up by 0.25 it is out; aside it would be 1 or more.
    is(depth(&flat, &upright, &Pose::identity(), Meaning::Surfaces, 0.05), 0.25, 0.05);
    is(depth(&upright, &flat, &at(0.0, 0.0, 0.0), Meaning::Surfaces, 0.05), 0.25, 0.05);
    is(depth(&flat, &upright, &at(0.875, 0.0, -1.0), Meaning::Surfaces, 0.05), 0.125, 0.05);
    let one =
        |t: [[f64; 3]; 3]| Mesh::new(t.map(Point::from).to_vec(), vec![[0, 1, 2]]).expect("finite");
    let a = one([[-4., -4., 0.], [4., -4., 0.], [0., 4., 0.]]);
    let b = one([[0., -1., -0.5], [0., 1., -0.5], [0., 0., 3.]]);
    is(depth(&a, &b, &Pose::identity(), Meaning::Surfaces, 0.05), 0.5, 0.05);
    let round = sphere(0.5, 16, 32);
    let found = depth(&flat, &round, &at(0.1, 0.1, 0.375), Meaning::Surfaces, 0.05);
    assert!(found.width() <= 0.05 && (found.upper - 0.125).abs() < 0.01, "{found:?}");
    let body = [&flat, &round].map(body);
    let solids = options(Meaning::Solids, 0.1);
    let refused = penetration(&body[1], &body[0], &Pose::identity(), &solids, &Control::NONE);
    assert!(matches!(refused, Err(QueryError::NotClosed { side: Side::B, .. })), "{refused:?}");
}

#[test]
fn the_unit_does_not_matter() {
    let link = torus(0.35, 0.15, 16, 8);
    let base = depth(&link, &link, &at(0.3, 0.1, 0.05), Meaning::Solids, 0.1);
    assert!(base.lower > 0.0);
    for power in [-332, -100, 100, 332, 900] {
        let unit = 2f64.powi(power);
        let scaled = link.scaled(unit).expect("in range");
        let pose = at(0.3 * unit, 0.1 * unit, 0.05 * unit);
        let found = depth(&scaled, &scaled, &pose, Meaning::Solids, 0.1);
        assert!(found.width() <= 0.1, "{power}: {found:?}");
        let (low, high) = (found.lower / unit, found.upper / unit);
        assert!(low <= base.upper && base.lower <= high, "{power}: {found:?} {base:?}");
    }
}

#[test]
fn the_same_bits_every_time_and_from_any_thread() {
    let meshes = [Shape::Hand, Shape::Gear].map(|shape| shape.mesh(400, 0));
    let [a, b] = meshes.each_ref().map(body);
    let pose = at(0.3, 0.2, 0.1);
    let run = || penetration(&a, &b, &pose, &PenetrationOptions::default(), &Control::NONE);
    let first = run().expect("an answer");
    assert!(first.lower > 0.0);
    std::thread::scope(|s| {
        let all = [(); 3].map(|()| s.spawn(run));
        for one in all {
            assert_eq!(one.join().expect("no panic"), Ok(first));
        }
    });
}

#[test]
fn a_cancelled_question_is_an_error_wherever_it_is_cancelled() {
    let meshes = [Shape::Torus, Shape::Gear].map(|shape| shape.mesh(300, 0));
    let [a, b] = meshes.each_ref().map(body);
    let pose = at(0.3, 0.2, 0.1);
    let run = |cancel: &Cancel| {
        let control = Control::NONE.cancelled_by(cancel);
        penetration(&a, &b, &pose, &PenetrationOptions::default(), &control)
    };
    let counting = Cancel::at_look(u64::MAX);
    run(&counting).expect("never raised");
    let all = counting.looks().expect("it counts").number;
    assert!(all > 100, "{all}");
    for look in [1, 2, 5, all / 2, all] {
        let found = run(&Cancel::at_look(look));
        assert_eq!(found, Err(QueryError::Cancelled(Cancelled)), "{look} of {all}");
    }
}

#[test]
fn widths_that_are_no_numbers_are_refused() {
    let cube = body(&Shape::Cube.mesh(12, 0));
    for bad in [-0.1, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let options = options(Meaning::Surfaces, bad);
        // Also where the bodies are apart, and the width would not matter.
        for pose in [at(0.75, 0.0, 0.0), at(3.0, 0.0, 0.0)] {
            let Err(error) = penetration(&cube, &cube, &pose, &options, &Control::NONE) else {
                panic!("{bad} is answered");
            };
            let text = format!(
                "the width of a penetration is {bad:e}; it must be finite and not negative"
            );
            assert_eq!(error.to_string(), text);
        }
    }
    let found = penetration(
        &cube,
        &cube,
        &at(0.75, 0.0, 0.0),
        &options(Meaning::Surfaces, 2.0),
        &Control::NONE,
    );
    assert!(found.is_ok(), "a width of more than all is answered");
}

#[test]
fn turned_inside_out_or_without_extent_nothing_panics() {
    let link = torus(0.35, 0.15, 16, 8);
    let pose = at(0.3, 0.1, 0.05);
    let one = depth(&link, &link, &pose, Meaning::Solids, 0.1);
    let other = depth(&link.flipped(), &link, &pose, Meaning::Solids, 0.1);
    assert!(one.lower <= other.upper && other.lower <= one.upper, "{one:?} {other:?}");
    let point = Mesh::new(vec![Point::origin(); 3], vec![[0, 1, 2]]).expect("finite");
    let needle = Mesh::new(
        vec![Point::origin(), Point::new(1.0, 0.0, 0.0), Point::new(0.5, 0.0, 0.0)],
        vec![[0, 1, 2]],
    )
    .expect("finite");
    for (a, b) in [(&point, &point), (&point, &needle), (&needle, &needle), (&needle, &link)] {
        for pose in [Pose::identity(), at(0.25, 0.0, 0.0)] {
            depth(a, b, &pose, Meaning::Surfaces, 0.1);
        }
    }
}
