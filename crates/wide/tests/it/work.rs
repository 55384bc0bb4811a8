//! How much is tested to answer: boxes, pairs of triangles, and those left to exact arithmetic, summed over
//! fixed scenes. Answers would be right with any amount of work; these sums hold that pruning, the order of
//! search and the filters are as good as they were. Rounding differs between instruction sets, and with it
//! the sums, by less than a hundredth.

use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_models::{Random, Shape};
use impinge_query::{Answer, Ask, Control, Engine, Inner, Statistics, Verdict};
use impinge_wide::{Memory, Quality, Wide, WideModel, WideParams, wide, wide_with};

use crate::brute::{Truth, engines};

fn prepare(engine: Wide, mesh: &Mesh) -> WideModel {
    engine.prepare(mesh, &Control::NONE).expect("any mesh")
}

fn add(sums: &mut [u64; 3], counted: Option<Statistics>) {
    let counted = counted.expect("asked for");
    sums[0] += counted.volume_tests;
    sums[1] += counted.primitive_tests;
    sums[2] += counted.exact_tests;
}

/// Boxes, pairs of triangles and exact tests of a question in all these places, each from nothing.
fn work(engine: Wide, [a, b]: [&WideModel; 2], poses: &[Pose], ask: &Ask) -> [u64; 3] {
    let mut sums = [0; 3];
    for pose in poses {
        let (mut memory, mut answer) = (Memory::default(), Answer::default());
        let (ask, control) = (ask.counted(), Control::NONE);
        engine.query(a, b, pose, &mut memory, &ask, &control, &mut answer).expect("in range");
        add(&mut sums, answer.statistics);
    }
    sums
}

/// Work that is what it was, but for a hundredth.
#[track_caller]
fn hold(what: &str, found: [u64; 3], expected: [u64; 3]) {
    for (found, expected) in found.into_iter().zip(expected) {
        let given = 1 + expected / 100;
        assert!(found.abs_diff(expected) <= given, "{what}: {found}, not {expected}");
    }
    println!("{what}: {found:?} of {expected:?}");
}

/// Any turns, so many units from the origin.
fn poses(seed: u64, n: usize, reach: f64) -> Vec<Pose> {
    let mut random = Random::new(seed);
    (0..n)
        .map(|_| {
            let way = random.unit_vector() * reach;
            random.turned_to(way)
        })
        .collect()
}

/// The four questions of two models in these places.
fn questions(name: &str, meshes: [&Mesh; 2], poses: &[Pose], d: f64, expected: [[u64; 3]; 4]) {
    for engine in engines() {
        let models = meshes.map(|mesh| prepare(engine, mesh));
        let models = models.each_ref();
        let asks =
            [Ask::first_contact(), Ask::all_contacts(), Ask::distance(), Ask::nearer_than(d)];
        for (ask, expected) in asks.iter().zip(expected) {
            let what = format!("{name}, {}, {:?}", engine.width(), ask.question);
            hold(&what, work(engine, models, poses, ask), expected);
        }
    }
}

#[test]
fn bodies_that_touch_and_bodies_apart() {
    let [torus, trefoil] = [Shape::Torus, Shape::Trefoil].map(|shape| shape.mesh(2_000, 0));
    questions(
        "in contact",
        [&torus, &trefoil],
        &poses(1, 12, 0.7),
        0.1,
        [[1_150, 317, 0], [11_719, 12_025, 1], [7_220, 387, 0], [2_557, 319, 0]],
    );
    questions(
        "apart",
        [&torus, &trefoil],
        &poses(2, 12, 1.2),
        0.1,
        [[142, 0, 0], [142, 0, 0], [11_199, 210, 0], [602, 0, 0]],
    );
}

/// Whichever is coarse, large or far from the other.
#[test]
fn bodies_that_differ() {
    let (cube, hand) = (Shape::Cube.mesh(12, 0), Shape::Hand.mesh(3_000, 0));
    questions(
        "fine in coarse",
        [&cube, &hand],
        &poses(4, 12, 0.8),
        0.1,
        [[598, 356, 0], [6_017, 10_650, 28], [1_606, 418, 0], [878, 358, 0]],
    );
    questions(
        "coarse in fine",
        [&hand, &cube],
        &poses(5, 12, 0.8),
        0.1,
        [[716, 1_372, 0], [6_029, 12_040, 10], [1_053, 1_391, 0], [962, 1_374, 0]],
    );
    let (large, small) = (Shape::Torus.mesh(3_000, 0), Shape::Sphere.mesh(500, 0));
    let small = small.scaled(0.003).expect("in range");
    questions(
        "a tiny mesh",
        [&large, &small],
        &poses(6, 12, 0.5),
        0.02,
        [[96, 0, 0], [96, 0, 0], [7_331, 358, 0], [245, 2, 0]],
    );
    questions(
        "its world",
        [&small, &large],
        &poses(7, 12, 0.5),
        0.02,
        [[312, 16, 0], [654, 187, 8], [6_522, 295, 0], [510, 19, 0]],
    );
    let sphere = Shape::Sphere.mesh(800, 0);
    questions(
        "far",
        [&sphere, &large],
        &poses(8, 4, 3e5),
        3.1e5,
        [[0, 0, 0], [0, 0, 0], [8_867, 283, 0], [247, 4, 0]],
    );
}

/// Codes make worse trees, and not worse than they were.
#[test]
fn trees_of_either_kind() {
    let mesh = Shape::Hand.mesh(4_000, 0);
    for (quality, expected) in [
        (Quality::SurfaceArea, [[6_075, 6_400, 0], [7_624, 334, 0]]),
        (Quality::Morton, [[11_798, 26_512, 0], [16_652, 1_164, 0]]),
    ] {
        let engine = wide_with(WideParams { quality, ..WideParams::default() });
        let model = prepare(engine, &mesh);
        for (ask, expected) in [Ask::all_contacts(), Ask::distance()].iter().zip(expected) {
            let found = work(engine, [&model; 2], &poses(9, 10, 0.5), ask);
            hold(&format!("{quality:?} {:?}", ask.question), found, expected);
        }
    }
}

/// Rays of points inside, outside, and outside of the boxes around all; of a body that stays, and of one
/// that is turned.
#[test]
fn one_body_in_another() {
    let (large, ball) = (Shape::Sphere.mesh(4_000, 0), Shape::Sphere.mesh(80, 0));
    let [large, small] =
        [large, ball.scaled(0.02).expect("in range")].map(|mesh| prepare(wide(), &mesh));
    let mut random = Random::new(10);
    let mut places = Vec::new();
    for _ in 0..100 {
        let at = random.vector(-1.0, 1.0) * large.mesh().max_abs_coordinate();
        places.push(random.turned_to(at));
    }
    let ask = Ask::first_contact().solids();
    for (models, inner, expected) in [
        ([&large, &small], Inner::B, [5_439, 708, 0]),
        ([&small, &large], Inner::A, [6_407, 674, 0]),
    ] {
        let inside = places.iter().filter(|pose| {
            let (mut memory, mut answer) = (Memory::default(), Answer::default());
            let ([a, b], control) = (models, Control::NONE);
            wide().query(a, b, pose, &mut memory, &ask, &control, &mut answer).expect("closed");
            answer.verdict == Verdict::Contained(inner)
        });
        let inside = inside.count();
        assert!((20..80).contains(&inside), "{inside} inside");
        let alone = |ask: &Ask| work(wide(), models, &places, ask);
        let (with, without) = (alone(&ask), alone(&Ask::first_contact()));
        hold("rays", [0, 1, 2].map(|k| with[k] - without[k]), expected);
    }
}

/// Two wavy fans of so many triangles from one tip, a third and a fourth from the ends of an edge, and pages
/// on that edge.
fn fans(n: usize) -> Mesh {
    let mut random = Random::new(11);
    let mut vertices = vec![Point::origin(), Point::new(0.3, 0.0, 0.2)];
    let mut triangles = Vec::new();
    for (tip, height) in [(0, 0.5), (0, 0.52), (1, 0.9)] {
        let first = vertices.len() as u32;
        for k in 0..=n {
            let angle = std::f64::consts::TAU * k as f64 / n as f64;
            let wave = height + 0.05 * (9.0 * angle).sin() + 0.01 * random.unit();
            vertices.push(Point::new(angle.cos(), angle.sin(), wave));
        }
        triangles.extend((0..n as u32).map(|k| [tip, first + k, first + k + 1]));
    }
    let first = vertices.len() as u32;
    vertices.extend((0..n).map(|_| Point::from(random.unit_vector() * 0.3)));
    triangles.extend((0..n as u32).map(|k| [0, 1, first + k]));
    Mesh::new(vertices, triangles).expect("indices are in range")
}

/// A mesh against itself: without a corner that many have, and with such corners and an edge.
#[test]
fn a_body_against_itself() {
    let [trefoil, sphere] = [Shape::Trefoil.mesh(5_000, 0), Shape::Sphere.mesh(3_000, 0)];
    let scenes = [
        ("trefoil", trefoil, [37_924, 84_746, 29_952]),
        ("sphere", sphere, [21_509, 48_956, 20_940]),
        ("fans", fans(400), [48_502, 167_409, 0]),
    ];
    for (name, mesh, expected) in scenes {
        let model = prepare(wide(), &mesh);
        let (mut memory, mut answer) = (Memory::default(), Answer::default());
        let (ask, control) = (Ask::all_contacts().counted(), Control::NONE);
        wide().query_self(&model, &mut memory, &ask, &control, &mut answer).expect("any mesh");
        let mut sums = [0; 3];
        add(&mut sums, answer.statistics);
        hold(name, sums, expected);
    }
}

/// What a memory of the last place saves, in steps of a slow motion and in a place that is asked about
/// twice: the pair of triangles that it knows bounds the search from the start.
#[test]
fn what_is_remembered_bounds_the_search() {
    let [torus, trefoil] = [Shape::Torus, Shape::Trefoil].map(|shape| shape.mesh(2_000, 0));
    let models = [&torus, &trefoil].map(|mesh| prepare(wide(), mesh));
    let places = poses(12, 10, 1.3);
    let far = poses(13, 6, 1e4);
    for (ask, poses, expected) in [
        (Ask::first_contact(), &places, [42, 0, 0]),
        (Ask::distance(), &places, [11_008, 185, 0]),
        (Ask::nearer_than(0.9), &places, [42, 10, 0]),
        (Ask::distance(), &far, [10_439, 282, 0]),
    ] {
        let (mut memory, mut answer, mut sums) = (Memory::default(), Answer::default(), [0; 3]);
        for pose in poses {
            for _ in 0..2 {
                let ([a, b], control, ask) = (&models, Control::NONE, ask.counted());
                wide()
                    .query(a, b, pose, &mut memory, &ask, &control, &mut answer)
                    .expect("in range");
            }
            // Only the second, which has the first's answer, counts.
            add(&mut sums, answer.statistics.take());
        }
        hold(&format!("again: {:?}", ask.question), sums, expected);
    }
}

/// A square of `n` by `n` squares in the plane z = 0, turned by `turn`.
fn square(n: u32, turn: &Pose) -> Mesh {
    let at = |i: u32| f64::from(i) / f64::from(n) - 0.5;
    let points = (0..=n).flat_map(|i| (0..=n).map(move |j| Point::new(at(i), at(j), 0.0)));
    let corner = |i: u32, j: u32| i * (n + 1) + j;
    let squares = (0..n).flat_map(|i| (0..n).map(move |j| [i, j]));
    let halves = squares.flat_map(|[i, j]| {
        let [a, b] = [corner(i, j), corner(i + 1, j + 1)];
        [[a, corner(i + 1, j), b], [a, b, corner(i, j + 1)]]
    });
    Mesh::new(points.map(|p| turn.apply(&p)).collect(), halves.collect()).expect("legal")
}

/// Of faces in two parallel planes all pairs above each other are as near as the planes. Across an axis of A few
/// of them are evaluated; in any other direction many are. The distance is that of all pairs.
#[test]
fn parallel_faces_across_an_axis_take_few_evaluations() {
    let mut random = Random::new(16);
    let mut sums = [0; 2];
    for k in 0..12 {
        let to_axis = random.turned_to(Vector::zeros());
        for (sum, turn) in sums.iter_mut().zip([Pose::identity(), to_axis]) {
            let angle = if k % 2 == 0 { 0.0 } else { random.range(0.0, 1.5) };
            let beside = random.vector(-0.2, 0.2).xy().push(random.range(0.01, 0.1));
            let place = Pose::new(
                nalgebra::Rotation3::from_axis_angle(&Vector::z_axis(), angle).into(),
                beside,
            );
            let pose = turn.then_inner(&place.expect("a rotation"));
            let [a, b] = [square(16, &turn), square(16, &Pose::identity())];
            let truth = Truth::of(&a, &b, &pose);
            for engine in engines() {
                let models = [&a, &b].map(|mesh| prepare(engine, mesh));
                let (mut memory, mut found) = (Memory::default(), Answer::default());
                let mut asked = || {
                    let ([a, b], ask, control) =
                        (&models, Ask::distance().counted(), Control::NONE);
                    let asked = engine.query(a, b, &pose, &mut memory, &ask, &control, &mut found);
                    asked.expect("in range");
                    let work = found.statistics.take().expect("asked for");
                    (found.nearest.expect("asked for"), work)
                };
                let (nearest, work) = asked();
                assert_eq!(asked().0, nearest, "what is remembered changes nothing");
                assert_eq!(Some(nearest.triangles), truth.nearest, "{k}: the first of all as near");
                let off = (nearest.distance - truth.distance).abs();
                assert!(off <= f64::EPSILON * truth.distance, "{k}: {off:e}");
                *sum += work.primitive_tests;
            }
        }
    }
    println!("evaluated across an axis and otherwise: {sums:?}");
    let places = 12 * engines().len() as u64;
    assert!(sums[0] < 4 * places && sums[1] > 100 * sums[0], "{sums:?}");
}

/// Nothing depends on the unit: models and places of any power of two take the same work.
#[test]
fn work_does_not_depend_on_the_unit() {
    let (large, small) = (Shape::Sphere.mesh(1_500, 0), Shape::Torus.mesh(300, 0));
    let small = small.scaled(0.25).expect("in range");
    let mut places = poses(14, 12, 0.3);
    places.extend(poses(15, 8, 1.1));
    let asks = [Ask::first_contact().solids(), Ask::all_contacts(), Ask::distance()];
    let all = |exponent: i32| {
        let unit = 2f64.powi(exponent);
        let models = [&large, &small].map(|mesh| mesh.scaled(unit).expect("in range"));
        let models = models.map(|mesh| prepare(wide(), &mesh));
        let scaled = |pose: &Pose| Pose::new(*pose.rotation(), pose.translation() * unit);
        let places: Vec<Pose> = places.iter().map(|p| scaled(p).expect("in range")).collect();
        let [a, b] = models.each_ref();
        asks.map(|ask| [work(wide(), [a, b], &places, &ask), work(wide(), [b, a], &places, &ask)])
    };
    let truth = all(0);
    for exponent in [-300, -70, -3, 2, 70, 300] {
        assert_eq!(all(exponent), truth, "in frame of 2^{exponent}");
    }
}
