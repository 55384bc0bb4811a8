//! Ways out along a direction, verified at their poses.

use impinge_continuous::translation::{Exit, ExitError, TranslationBody, Translations, Way};
use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_models::{Random, Shape};
use impinge_query::continuous::Interval;
use impinge_query::{Cancel, Control, Meaning, QueryError};
use impinge_testkit::oracle;

fn model(mesh: &Mesh) -> TranslationBody {
    TranslationBody::new(mesh, &Control::NONE).expect("not cancelled")
}

/// An axis-aligned box, seen from outside.
fn cuboid(low: [f64; 3], high: [f64; 3]) -> Mesh {
    let corner = |k: usize| Point::from([0, 1, 2].map(|i| [low, high][k >> i & 1][i]));
    let faces =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Mesh::new((0..8).map(corner).collect(), triangles).expect("a box")
}

fn exit(a: &Mesh, b: &Mesh, pose: &Pose, way: Way, d: [f64; 3], meaning: Meaning) -> Exit {
    let (p, q) = (model(a), model(b));
    let translations = Translations::new(&p, &q, pose);
    translations.exit(way, &Vector::from(d), meaning, &Control::NONE).expect("a way out")
}

/// Apart at its pose, by the reference, and no farther than the error that is stated.
#[track_caller]
fn assert_out(a: &Mesh, b: &Mesh, exit: &Exit, expected: f64) {
    let posed = b.posed(&exit.pose).expect("in range");
    assert!(oracle::contacts(a, &posed).is_empty(), "{exit:?}");
    let Exit { by, end, .. } = *exit;
    assert!(end.low <= expected && expected <= end.high && end.high <= by, "{exit:?}");
    assert!(by - end.low <= 1e-9 * by, "{exit:?}");
}

/// A box with walls 1 thick around a room from 0 to 4, and a lid that leaves a slit from 4 to 4 + gap.
fn chest(gap: f64) -> Mesh {
    let walls = [
        cuboid([-1.0, -1.0, -1.0], [5.0, 5.0, 0.0]),
        cuboid([-1.0, -1.0, 0.0], [0.0, 5.0, 4.0]),
        cuboid([4.0, -1.0, 0.0], [5.0, 5.0, 4.0]),
        cuboid([0.0, -1.0, 0.0], [4.0, 0.0, 4.0]),
        cuboid([0.0, 4.0, 0.0], [4.0, 5.0, 4.0]),
        cuboid([-1.0, -1.0, 4.0 + gap], [5.0, 5.0, 5.0 + gap]),
    ];
    Mesh::union(&walls).expect("few")
}

#[test]
fn a_cube_leaves_a_chest() {
    // In the bottom of a chest: first free in the room, at last beyond the lid.
    let (chest, cube) = (chest(0.0), cuboid([1.0, 1.0, -0.5], [2.0, 2.0, 0.5]));
    let up = [0.0, 0.0, 1.0];
    for meaning in [Meaning::Surfaces, Meaning::Solids] {
        let pose = Pose::identity();
        let first = exit(&chest, &cube, &pose, Way::FirstFree, up, meaning);
        assert_out(&chest, &cube, &first, 0.5);
        let last = exit(&chest, &cube, &pose, Way::LastContact, up, meaning);
        assert_out(&chest, &cube, &last, 5.5);
        // Sideways it meets the floor until it has left it.
        let side = exit(&chest, &cube, &pose, Way::FirstFree, [0.5, 0.0, 0.0], meaning);
        assert_out(&chest, &cube, &side, 8.0);
    }
    // Free from the start.
    let inside = Pose::translation_by(Vector::new(0.0, 0.0, 1.0)).expect("small");
    let none = exit(&chest, &cube, &inside, Way::FirstFree, up, Meaning::Solids);
    assert_eq!((none.by, none.triangles, none.pose), (0.0, None, inside));
}

/// A slab between two plates, with some clearance: it is free there, unless no pose is exact enough.
#[test]
fn narrow_gaps_are_passed_over() {
    for (clearance, expected) in [(1e-6, 0.5), (1e-12, 0.5), (2f64.powi(-50), 2.5 + 2f64.powi(-50))]
    {
        let lower = cuboid([-4.0, -4.0, 0.0], [4.0, 4.0, 1.0]);
        let upper = cuboid([-4.0, -4.0, 2.0 + clearance], [4.0, 4.0, 3.0 + clearance]);
        let plates = Mesh::union([&lower, &upper]).expect("few");
        let slab = cuboid([-1.0, -1.0, 0.5], [1.0, 1.0, 1.5]);
        for meaning in [Meaning::Surfaces, Meaning::Solids] {
            let up = [0.0, 0.0, 1.0];
            let first = exit(&plates, &slab, &Pose::identity(), Way::FirstFree, up, meaning);
            assert_out(&plates, &slab, &first, expected);
            assert!(first.by < expected + 1e-12, "{first:?}");
        }
        // The surfaces themselves are apart there, however narrow it is.
        let (p, q) = (model(&plates), model(&slab));
        let moved = Translations::new(&p, &q, &Pose::identity());
        let free = moved.first_free(&Vector::z(), &Control::NONE).expect("a direction");
        assert_eq!((free.at.low, free.at.high), (0.5, 0.5));
    }
}

/// Within the wall of a chest, surfaces are apart but solids are not.
#[test]
fn a_cube_in_a_wall_is_not_free() {
    let (block, cube) = (cuboid([0.0; 3], [4.0; 3]), cuboid([-0.5; 3], [0.5; 3]));
    let x = [1.0, 0.0, 0.0];
    let pose = Pose::translation_by(Vector::new(0.0, 2.0, 2.0)).expect("small");
    let surfaces = exit(&block, &cube, &pose, Way::FirstFree, x, Meaning::Surfaces);
    assert_out(&block, &cube, &surfaces, 0.5);
    let solids = exit(&block, &cube, &pose, Way::FirstFree, x, Meaning::Solids);
    assert_out(&block, &cube, &solids, 4.5);
    // It starts inside, and touches nothing.
    let inside = Pose::translation_by(Vector::new(2.0, 2.0, 2.0)).expect("small");
    let surfaces = exit(&block, &cube, &inside, Way::FirstFree, x, Meaning::Surfaces);
    assert_eq!(surfaces.by, 0.0);
    let solids = exit(&block, &cube, &inside, Way::FirstFree, x, Meaning::Solids);
    assert_out(&block, &cube, &solids, 2.5);
}

/// A ball in a shell: free inside the shell, and not where it crosses it.
#[test]
fn a_ball_crosses_a_shell() {
    let ball = Shape::Sphere.mesh(200, 0);
    let scaled = |factor: f64| ball.scaled(factor).expect("small");
    let shell = Mesh::union([&scaled(8.0), &scaled(6.0).flipped()]).expect("few");
    let d = [0.2, 0.3, 1.0];
    let start = Pose::identity();
    for meaning in [Meaning::Surfaces, Meaning::Solids] {
        let none = exit(&shell, &ball, &start, Way::FirstFree, d, meaning);
        assert_eq!(none.by, 0.0);
        let last = exit(&shell, &ball, &start, Way::LastContact, d, meaning);
        assert_out(&shell, &ball, &last, last.end.high);
    }
    // From within the wall, a small ball is free at once for surfaces, and outside for solids.
    let small = scaled(0.25);
    let radius = ball.bounds().1.x;
    let wall = Pose::translation_by(Vector::new(7.0 * radius, 0.0, 0.0)).expect("small");
    let x = [1.0, 0.0, 0.0];
    let at_once = exit(&shell, &small, &wall, Way::FirstFree, x, Meaning::Surfaces);
    assert_eq!(at_once.by, 0.0);
    let outside = exit(&shell, &small, &wall, Way::FirstFree, x, Meaning::Solids);
    assert!(outside.by > radius && outside.by < 1.5 * radius, "{outside:?}");
    assert_out(&shell, &small, &outside, outside.end.high);
}

/// Bodies in general position, at any scale, at poses that round: the place is free, and a little
/// before it is not.
#[test]
fn places_are_free_and_not_before() {
    for (number, scale, length) in
        [(0, 1.0, 1.0), (1, 1e100, 1e-100), (2, 1e-100, 1e3), (3, 1.0, 1e200)]
    {
        let mut random = Random::stream(0x0e81, number);
        let [a, b] = [Shape::Torus, Shape::Gear].map(|shape| shape.mesh(300, 0));
        let [a, b] = [a, b].map(|mesh| mesh.scaled(scale).expect("in range"));
        let (p, q) = (model(&a), model(&b));
        for _ in 0..5 {
            let pose = random.turned_to(random.clone().in_ball() * (0.3 * scale));
            let translations = Translations::new(&p, &q, &pose);
            let d = random.unit_vector() * length;
            for way in [Way::LastContact, Way::FirstFree] {
                let exit =
                    translations.exit(way, &d, Meaning::Surfaces, &Control::NONE).expect("out");
                assert_eq!(exit.pose.rotation(), pose.rotation());
                assert_out(&a, &b, &exit, exit.end.high);
                if exit.by > 0.0 {
                    let before = pose.translation() + d * (exit.end.low * (1.0 - 1e-9));
                    let before = Pose::new(*pose.rotation(), before).expect("in range");
                    let posed = b.posed(&before).expect("in range");
                    assert!(!oracle::contacts(&a, &posed).is_empty(), "{exit:?}");
                }
            }
        }
    }
}

/// Their rounding, relative to their size, is below all positive numbers.
#[test]
fn the_smallest_meshes_have_a_way_out() {
    let least = f64::from_bits(1);
    let point = Mesh::new(vec![Point::origin(); 3], vec![[0, 1, 2]]).expect("finite");
    let still = Pose::identity();
    for way in [Way::LastContact, Way::FirstFree] {
        for d in [[1.0, 0.0, 0.0], [-3e-7, 2e-5, 0.0], [0.0, 1e-300, 0.0], [0.0, 0.0, 1e200]] {
            let out = exit(&point, &point, &still, way, d, Meaning::Surfaces);
            let posed = point.posed(&out.pose).expect("in range");
            assert!(oracle::contacts(&point, &posed).is_empty(), "{out:?}");
            assert!(out.end == Interval { low: 0.0, high: 0.0 } && out.by > 0.0, "{out:?}");
        }
        for size in [4.0 * least, 1e-320, 1e-312, 3e-310, 2e-309] {
            let [a, b] =
                [0.0, 1.0].map(|k| cuboid([k * size, 0.0, 0.0], [k * size + size, size, size]));
            for meaning in [Meaning::Surfaces, Meaning::Solids] {
                // They touch; on the other way B crosses A.
                for (d, end) in [([1.0, 0.0, 0.0], 0.0), ([-1.0, 0.0, 0.0], 2.0 * size)] {
                    let out = exit(&a, &b, &still, way, d, meaning);
                    let posed = b.posed(&out.pose).expect("in range");
                    assert!(oracle::contacts(&a, &posed).is_empty(), "{out:?}");
                    assert!(out.end.low <= out.end.high && out.end.high <= out.by, "{out:?}");
                    let last = way == Way::LastContact || meaning == Meaning::Solids;
                    assert!(!last || out.end.low <= end && end <= out.end.high, "{out:?}");
                    assert!(out.by - out.end.high <= 8.0 * least, "{size:e}: {out:?}");
                }
            }
        }
    }
}

#[test]
fn what_cannot_be_answered_is_an_error() {
    let cube = cuboid([0.0; 3], [1.0; 3]);
    let open = Mesh::new(cube.vertices().to_vec(), cube.triangles()[1..].to_vec()).expect("fine");
    let (p, q) = (model(&cube), model(&open));
    let translations = Translations::new(&p, &q, &Pose::identity());
    let x = Vector::x();
    for way in [Way::LastContact, Way::FirstFree] {
        let found = translations.exit(way, &x, Meaning::Solids, &Control::NONE);
        assert!(matches!(found, Err(ExitError::Query(QueryError::NotClosed { .. }))), "{found:?}");
        let found = translations.exit(way, &Vector::zeros(), Meaning::Surfaces, &Control::NONE);
        assert!(matches!(found, Err(ExitError::Translations(_))), "{found:?}");
        // The multiple is out of range, though the place would not be.
        let found = translations.exit(way, &(x * 1e-320), Meaning::Surfaces, &Control::NONE);
        assert!(matches!(found, Err(ExitError::Pose(_))), "{found:?}");
        let flag = Cancel::new();
        flag.cancel();
        let control = Control::NONE.cancelled_by(&flag);
        assert!(translations.exit(way, &x, Meaning::Surfaces, &control).is_err());
    }
}
