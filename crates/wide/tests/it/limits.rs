//! Strange input neither panics nor hangs, and what can be checked is right.

use std::time::{Duration, Instant};

use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_models::{Random, Shape};
use impinge_query::{Answer, Ask, Cancel, Control, Engine, Model, PrepareError, QueryError};
use impinge_wide::{WideModel, wide};

use crate::brute::{Truth, engines};

fn prepare(mesh: &Mesh) -> WideModel {
    wide().prepare(mesh, &Control::NONE).expect("nothing cancels")
}

/// What the fastest engine says.
fn query(a: &WideModel, b: &WideModel, pose: &Pose, ask: &Ask) -> Result<Answer, QueryError> {
    let (engine, mut answer) = (wide(), Answer::default());
    let control = Control::NONE;
    engine.query(a, b, pose, &mut engine.memory(), ask, &control, &mut answer).map(|()| answer)
}

fn soup(points: Vec<Point>) -> Mesh {
    let n = points.len() as u32 / 3;
    let triangles = (0..n).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Mesh::new(points, triangles).expect("in range")
}

/// All questions, for all instruction sets; contacts are those of all pairs.
fn ask_all(a: &Mesh, b: &Mesh, pose: &Pose, name: &str) {
    let truth = Truth::of(a, b, pose);
    let models = [prepare(a), prepare(b)];
    for engine in engines() {
        for ask in
            [Ask::all_contacts(), Ask::first_contact(), Ask::distance(), Ask::nearer_than(1e-9)]
        {
            let (mut answer, mut memory) = (Answer::default(), engine.memory());
            let [a, b] = &models;
            let done = engine.query(a, b, pose, &mut memory, &ask, &Control::NONE, &mut answer);
            if let Err(error) = done {
                assert!(matches!(error, QueryError::OutOfRange(_)), "{name}: {error}");
                continue;
            }
            let hit = answer.verdict.is_hit();
            assert_eq!(hit, !truth.contacts.is_empty(), "{name}, {}, {ask:?}", engine.width());
            if ask == Ask::all_contacts() {
                assert!(answer.contacts == truth.contacts, "{name}, {}", engine.width());
            }
            if let Some(nearest) = answer.nearest {
                assert_eq!(nearest.distance == 0.0, hit, "{name}: {nearest:?}");
                assert!(!nearest.distance.is_nan(), "{name}: {nearest:?}");
            }
        }
    }
}

/// Coordinates of any magnitude.
fn wild(random: &mut Random, exponents: &[i32]) -> Mesh {
    let n = 3 * (1 + random.below(8));
    let mut coordinate = || {
        let e = exponents[random.below(exponents.len() as u64) as usize];
        let x = if random.chance(0.2) { 1.0 } else { random.range(-1.0, 1.0) };
        if random.chance(0.1) { 0.0 } else { x * 10f64.powi(e) }
    };
    soup((0..n).map(|_| Point::new(coordinate(), coordinate(), coordinate())).collect())
}

#[test]
fn coordinates_of_any_magnitude() {
    let mut random = Random::new(1);
    let mixtures: [&[i32]; 7] = [
        &[299],
        &[-300],
        &[299, -300],
        &[0, -300, 299],
        &[-320],
        &[0, -10, -20, -40],
        &[-150, 150],
    ];
    for round in 0..210 {
        let [a, b] = [0, 1].map(|_| {
            let mixture = mixtures[random.below(7) as usize];
            wild(&mut random, mixture)
        });
        let at = [0.0, 1.0, 1e-300, 1e299][round % 4];
        let pose = if round % 3 == 0 { Pose::identity() } else { random.pose(at) };
        ask_all(&a, &b, &pose, &format!("round {round}"));
        ask_all(&a, &a, &Pose::identity(), &format!("round {round}, itself"));
    }
}

#[test]
fn points_and_single_triangles() {
    let point = soup(vec![Point::new(0.1, 0.2, 0.3); 3]);
    let many = soup(vec![Point::new(0.1, 0.2, 0.3); 60]);
    let line = soup(vec![Point::new(0.1, 0.2, 0.3), Point::origin(), Point::new(0.2, 0.4, 0.6)]);
    let one = soup(vec![Point::origin(), Point::new(1.0, 0.0, 0.0), Point::new(0.0, 1.0, 1.0)]);
    let meshes = [point, many, line, one];
    let mut random = Random::new(2);
    for a in &meshes {
        for b in &meshes {
            ask_all(a, b, &Pose::identity(), "still");
            for _ in 0..20 {
                let pose = random.pose(0.3);
                ask_all(a, b, &pose, "posed");
                // A's first corner is B's, rounded as it is.
                let away = pose.apply(&b.vertices()[0]) - a.vertices()[0];
                let moved = a.vertices().iter().map(|x| x + away).collect();
                ask_all(&a.with_vertices(moved).expect("in range"), b, &pose, "touching");
            }
        }
    }
}

/// Each triangle half as large as the one before, all the way down: deep trees.
fn shrinking(n: i32, factor: f64) -> Mesh {
    let size = |k: i32| factor.powi(k);
    let triangle = |k| {
        let s = size(k);
        [Point::new(s, 0.0, 0.0), Point::new(s, s, 0.3 * s), Point::new(s, 0.0, s)]
    };
    soup((0..n).flat_map(triangle).collect())
}

#[test]
fn triangles_that_shrink() {
    let mut random = Random::new(3);
    for (n, factor) in [(120, 0.5), (250, 0.1), (100, 0.9), (90, 1e-3)] {
        let a = shrinking(n, factor);
        ask_all(&a, &a, &Pose::identity(), "itself");
        for _ in 0..3 {
            let pose = random.pose(1e-3);
            ask_all(&a, &a, &pose, "posed");
        }
    }
    let a = prepare(&shrinking(20_000, 0.9995));
    assert!(a.nodes() < 8000 && a.leaves() <= 20_000, "{} {}", a.nodes(), a.leaves());
    let turned = random.pose(0.5);
    query(&a, &a, &turned, &Ask::all_contacts()).expect("in range");
    query(&a, &a, &turned, &Ask::distance()).expect("in range");
}

#[test]
fn many_equal_triangles() {
    let corners = [Point::origin(), Point::new(1.0, 0.0, 0.0), Point::new(0.0, 1.0, 0.0)];
    let one = soup(corners.to_vec());
    let mesh = Mesh::new(corners.to_vec(), vec![[0, 1, 2]; 100_000]).expect("finite");
    let many = prepare(&mesh);
    assert!(many.bytes() - many.mesh_bytes() < 400 * 100_000, "{}", many.bytes());
    let one = prepare(&one);
    let still = Pose::identity();
    let answer = query(&many, &one, &still, &Ask::all_contacts()).expect("in range");
    assert_eq!(answer.contacts.len(), 100_000);
    let answer = query(&many, &many, &still, &Ask::first_contact()).expect("in range");
    assert!(answer.verdict.is_hit());
    let aside = Pose::translation_by(Vector::new(0.0, 0.0, 2.0)).expect("in range");
    let answer = query(&one, &many, &aside, &Ask::distance()).expect("in range");
    assert_eq!(answer.nearest.map(|nearest| nearest.distance), Some(2.0));
    // One of all ten thousand million pairs tells how far apart they are.
    let answer = query(&many, &many, &aside, &Ask::distance()).expect("in range");
    assert_eq!(answer.nearest.map(|nearest| nearest.distance), Some(2.0));
    // All are contacts: it takes long, and can be stopped.
    stops(&many, &many, &still, &Ask::all_contacts().capped(10));
    // The same of triangles that are as near, but not equal.
    let beside = |k: u32| {
        let x = f64::from(k) * 1e-9;
        [Point::new(x, 0.0, 0.0), Point::new(1.0 + x, 0.0, 0.0), Point::new(x, 1.0, 0.0)]
    };
    let many = prepare(&soup((0..100_000).flat_map(beside).collect()));
    stops(&many, &many, &aside, &Ask::distance());
    stops(&many, &many, &still, &Ask::all_contacts().capped(10));
}

/// A query that would take minutes ends soon after it is cancelled.
fn stops(a: &WideModel, b: &WideModel, pose: &Pose, ask: &Ask) {
    let (engine, cancel, mut answer) = (wide(), Cancel::new(), Answer::default());
    let mut since = None;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(50));
            since = Some(Instant::now());
            cancel.cancel();
        });
        let control = Control::NONE.cancelled_by(&cancel);
        let done = engine.query(a, b, pose, &mut engine.memory(), ask, &control, &mut answer);
        assert!(matches!(done, Err(QueryError::Cancelled(_))), "{done:?}");
    });
    assert!(since.is_some_and(|since| since.elapsed() < Duration::from_secs(5)));
}

#[test]
fn cancelled_at_any_moment() {
    let mesh = Shape::Torus.mesh(100_000, 0);
    let (engine, mut random) = (wide(), Random::new(5));
    let model = prepare(&mesh);
    let (mut stopped, mut ended) = (0, 0);
    for round in 0..40u32 {
        let cancel = Cancel::new();
        let control = Control::NONE.cancelled_by(&cancel);
        let wait = Duration::from_micros(random.below(if round % 2 == 0 { 40_000 } else { 4000 }));
        let pose = random.pose(0.1);
        let cancelled = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(wait);
                cancel.cancel();
            });
            if round % 2 == 0 {
                matches!(engine.prepare(&mesh, &control), Err(PrepareError::Cancelled(_)))
            } else {
                let (mut memory, mut answer) = (engine.memory(), Answer::default());
                let ask = Ask::all_contacts();
                engine
                    .query(&model, &model, &pose, &mut memory, &ask, &control, &mut answer)
                    .is_err()
            }
        });
        stopped += u32::from(cancelled);
        ended += u32::from(!cancelled);
    }
    println!("{stopped} stopped, {ended} ended");
    assert!(stopped > 0);
}

/// Where turning or the way there leads out of the range the error names the vertex, and what
/// stays in range is answered, however near its end.
#[test]
fn poses_are_refused_if_and_only_if_they_lead_out_of_the_range() {
    let corner = |x: f64| soup(vec![Point::origin(), Point::new(x, 0.0, 0.0), Point::new(x, x, x)]);
    let one = prepare(&corner(1.0));
    let mut random = Random::new(31);
    let (mut refused, mut kept) = (0, 0);
    for round in 0..400 {
        let size = 1e300 * [0.05, 0.4, 0.6, 1.0][round % 4];
        let model = prepare(&corner(size));
        let turn = random.pose(0.0);
        let at = random.unit_vector() * (1e300 * [0.0, 0.2, 0.7, 0.99][round / 4 % 4]);
        let pose = Pose::new(*turn.rotation(), at).expect("in range");
        let posed = model.mesh().posed(&pose);
        for ask in [Ask::first_contact(), Ask::distance()] {
            match (&posed, query(&one, &model, &pose, &ask)) {
                (Err(wanted), Err(QueryError::OutOfRange(found))) => {
                    assert_eq!(wanted.to_string(), found.to_string());
                    refused += 1;
                }
                (Ok(_), Ok(_)) => kept += 1,
                (wanted, found) => panic!("{wanted:?}, but {found:?}"),
            }
        }
    }
    assert!(refused > 50 && kept > 200, "{refused} {kept}");
}
