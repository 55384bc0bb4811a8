//! What is tested: all edges against all triangles, and what boxes leave of that.

use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_hierarchy::edges::Edges;
use impinge_models::{Random, Shape};
use impinge_query::{Answer, Ask, Certainty, Control, Engine, PrepareError, Statistics};
use impinge_stream::{
    Params, stream_basic, stream_basic_with, stream_pairs, stream_shrink, stream_tree,
    stream_tree_with,
};

fn ask(engine: &impl Engine, [a, b]: [&Mesh; 2], pose: &Pose, ask: &Ask) -> Answer {
    let [a, b] = [a, b].map(|m| engine.prepare(m, &Control::NONE).expect("any mesh"));
    engine.ask(&a, &b, pose, &ask.counted()).expect("an answer")
}

fn counts(answer: &Answer) -> &Statistics {
    answer.statistics.as_ref().expect("counted")
}

fn apart() -> Pose {
    Pose::translation_by(Vector::new(1.2, 0.1, 0.05)).expect("in range")
}

#[test]
fn the_basic_form_tests_all_edges_against_all_triangles() {
    let (a, b) = (Shape::Sphere.mesh(300, 1), Shape::Torus.mesh(200, 2));
    let answer = ask(&stream_basic(), [&a, &b], &apart(), &Ask::first_contact());
    let [of_a, of_b] = [&a, &b].map(|mesh| Edges::new(mesh, &Control::NONE).expect("edges").len());
    let [faces_a, faces_b] = [&a, &b].map(|mesh| mesh.triangles().len());
    let counted = counts(&answer);
    assert!(!answer.verdict.is_hit());
    assert_eq!(counted.primitive_tests, (of_a * faces_b + of_b * faces_a) as u64);
    assert_eq!((counted.volume_tests, counted.pixels), (0, counted.primitive_tests));
    assert_eq!(counted.pictures, (faces_a + faces_b) as u64, "one draw for each triangle");
    assert_eq!(counted.submissions, counted.pictures, "one result read after each");
    // A hit ends the search after its triangle, whose draw has all edges.
    let still = Pose::identity();
    for engine in [stream_basic(), stream_tree(), stream_shrink()] {
        let answer = ask(&engine, [&a, &b], &still, &Ask::first_contact());
        let counted = counts(&answer);
        assert!(answer.verdict.is_hit());
        assert_eq!(counted.pixels, counted.primitive_tests + counted.volume_tests, "{engine:?}");
        assert!(counted.primitive_tests < (of_a * faces_b) as u64);
    }
}

/// Linked rings, near each other all around: a tree leaves few triangles, and shrinking streams few
/// edges.
#[test]
fn boxes_leave_a_small_part_of_the_tests() {
    let (a, b) = (Shape::Torus.mesh(4_000, 1), Shape::Torus.mesh(4_000, 2));
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let pose = Pose::from_quaternion([0.35, 0.0, 0.0], [half, 0.0, 0.0, half]).expect("turned");
    let tests = [stream_basic(), stream_tree(), stream_shrink()].map(|engine| {
        let answer = ask(&engine, [&a, &b], &pose, &Ask::first_contact());
        assert!(!answer.verdict.is_hit());
        counts(&answer).primitive_tests + counts(&answer).volume_tests
    });
    println!("{tests:?}");
    assert!(tests[0] > 40 * tests[1] && tests[1] > 4 * tests[2], "{tests:?}");
}

/// On generic scenes 32 bits leave few of the pairs that were tested to exact arithmetic.
#[test]
fn few_pairs_are_left_to_exact_arithmetic() {
    let meshes = [Shape::Trefoil.mesh(1_200, 1), Shape::Gear.mesh(1_000, 2)];
    for engine in [stream_basic(), stream_tree(), stream_shrink()] {
        assert!(left_open(&engine, &meshes) <= 0.01);
    }
    // Places are finer than 32-bit numbers.
    let larger = [Shape::Trefoil.mesh(10_000, 1), Shape::Gear.mesh(10_000, 2)];
    assert!(left_open(&stream_pairs(), &larger) <= 0.001);
}

/// The share of the tested pairs that exact arithmetic decides, of 20 poses.
fn left_open(engine: &impl Engine, [a, b]: &[Mesh; 2]) -> f64 {
    let (mut hits, mut sum) = (0, [0; 2]);
    for index in 0..20 {
        let pose = Random::stream(621, index).pose(0.85);
        let answer = ask(engine, [a, b], &pose, &Ask::all_contacts());
        let Certainty::Certified { settled, resolved } = answer.certainty else {
            panic!("{:?}", answer.certainty);
        };
        assert_eq!(counts(&answer).exact_tests, resolved);
        assert_eq!(counts(&answer).primitive_tests, settled + resolved);
        sum = [sum[0] + settled, sum[1] + resolved];
        hits += usize::from(answer.verdict.is_hit());
    }
    println!("{}: {sum:?} settled and resolved, {hits} of 20 hit", engine.describe().word);
    assert!((6..=14).contains(&hits), "{hits}");
    let [settled, resolved] = sum.map(|n: u64| n as f64);
    resolved / (settled + resolved)
}

/// A mesh of one point has no size of its own: 32 bits must tell it from a tiny mesh nearby, and
/// from another point.
#[test]
fn a_point_is_told_from_what_it_does_not_touch() {
    let at = |place: [f64; 3]| {
        Mesh::new(vec![Point::from(place); 3], vec![[0, 1, 2], [0, 0, 0]]).expect("legal")
    };
    let hull = Shape::Hull.mesh(40, 1);
    let tiny = hull.scaled(1e-9).expect("in range");
    let large = hull.scaled(1e9).expect("in range");
    let (origin, aside) = ([0.0; 3], [3e-9, 0.0, 0.0]);
    let still = Pose::identity();
    for (name, a, b, pose, hit) in [
        ("a tiny mesh", at(aside), tiny.clone(), still, false),
        ("a tiny mesh, turned", at(origin), tiny.clone(), Random::new(622).pose(8e-9), false),
        ("a tiny mesh far off", at(origin), tiny.clone(), apart(), false),
        ("a large mesh", at([3e9, 0.0, 0.0]), large, still, false),
        ("a corner of a tiny mesh", at(tiny.vertices()[3].coords.into()), tiny, still, true),
        ("another point", at(origin), at([1.0, 2.0, 3.0]), still, false),
        ("the same point", at(aside), at(aside), still, true),
    ] {
        for (meshes, pose) in [([&a, &b], pose), ([&b, &a], pose.inverse())] {
            for found in [
                ask(&stream_basic(), meshes, &pose, &Ask::all_contacts()),
                ask(&stream_tree(), meshes, &pose, &Ask::all_contacts()),
                ask(&stream_shrink(), meshes, &pose, &Ask::all_contacts()),
                ask(&stream_pairs(), meshes, &pose, &Ask::all_contacts()),
            ] {
                assert_eq!(found.verdict.is_hit(), hit, "{name}");
                let exact = counts(&found).exact_tests;
                assert!(hit || exact == 0, "{name}: {exact} exact tests");
            }
        }
    }
}

/// Two large meshes would take hours by all edges against all triangles.
#[test]
fn the_basic_form_refuses_large_meshes() {
    let mesh = Shape::Cube.mesh(12, 0);
    let params = Params { largest: 11, ..Params::default() };
    let error = stream_basic_with(params).prepare(&mesh, &Control::NONE).expect_err("12 triangles");
    let PrepareError::Refused { word: "stream-basic", reason } = error else { panic!("{error}") };
    assert!(reason.starts_with("12 triangles, at most 11:"), "{reason}");
    assert!(stream_tree_with(params).prepare(&mesh, &Control::NONE).is_ok());
}
