//! Every instruction set gives the contacts and the distance of all pairs of triangles.

use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_models::{Random, Shape};
use impinge_query::{Ask, Control, Engine, Verdict};
use impinge_wide::{Wide, WideModel};

use crate::brute::{Truth, ask, engines};

/// Two meshes of about this size in some places.
struct Case {
    a: Mesh,
    b: Mesh,
    pose: Pose,
}

/// Triangles in a ball of radius 0.5.
fn soup(random: &mut Random) -> Mesh {
    let n = 1 + random.below(40) as u32;
    let mut points = Vec::new();
    for _ in 0..n {
        let at = random.in_ball() * 0.4;
        points.extend((0..3).map(|_| Point::from(at + random.in_ball() * 0.1)));
    }
    let triangles = (0..n).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Mesh::new(points, triangles).expect("finite")
}

fn any(random: &mut Random) -> Mesh {
    let shape = match random.below(8) {
        0 => Shape::Sphere,
        1 => Shape::Cube,
        2 => Shape::Torus,
        3 => Shape::Hull,
        4 => Shape::Leaf,
        5 if random.chance(0.2) => Shape::Gear,
        _ => return soup(random),
    };
    let triangles = 12 + random.below(40) as usize;
    shape.mesh(triangles, random.bits())
}

fn moved(mesh: &Mesh, by: Vector) -> Mesh {
    mesh.with_vertices(mesh.vertices().iter().map(|x| x + by).collect()).expect("in range")
}

/// Somewhere on the surface.
fn on_surface(random: &mut Random, mesh: &Mesh) -> Point {
    let t = mesh.triangle(random.below(mesh.triangles().len() as u64) as u32);
    let (x, y) = (random.unit(), random.unit());
    let (x, y) = if x + y > 1.0 { (1.0 - x, 1.0 - y) } else { (x, y) };
    t[0] + (t[1] - t[0]) * x + (t[2] - t[0]) * y
}

/// A point of posed `b` is `offset` from one of `a`.
fn beside(random: &mut Random, a: &Mesh, b: &Mesh, offset: f64) -> Pose {
    let (at, of_b) = (on_surface(random, a), on_surface(random, b));
    let turned = random.turned_to(Vector::zeros());
    let t = at - turned.apply(&of_b) + random.unit_vector() * offset;
    Pose::new(*turned.rotation(), t).expect("in range")
}

/// How far apart, so that about half the models meet.
fn offset(random: &mut Random, size: f64) -> f64 {
    if random.chance(0.4) { size * random.range(0.0, 1e-3) } else { size * random.range(0.0, 2.0) }
}

#[derive(Debug, Default)]
struct Tally {
    cases: u32,
    hits: u32,
    /// Distances that differ from that of all pairs in their last bits.
    differ: u32,
}

fn check(engines: &[Wide], case: &Case, tally: &mut Tally) {
    let Case { a, b, pose } = case;
    let truth = Truth::of(a, b, pose);
    let prepare = |mesh| engines[0].prepare(mesh, &Control::NONE).expect("small");
    let models = [prepare(a), prepare(b)];
    let reach = a.max_abs_coordinate() + 3.0 * b.max_abs_coordinate() + pose.translation().amax();
    let rounding = 1e-12 * truth.distance + 1e-14 * reach;
    for &engine in engines {
        let at = || format!("{}, case {}: {pose:?}\n{a:?}\n{b:?}", engine.width(), tally.cases);
        contacts(engine, &models, pose, &truth, &at);
        let answer = ask(engine, &models[0], &models[1], pose, &Ask::distance());
        let found = answer.nearest.expect("asked for").distance;
        assert_eq!(found == 0.0, truth.distance == 0.0, "{}", at());
        assert!((found - truth.distance).abs() <= rounding, "{found} for {truth:?}, {}", at());
        for (factor, nearer) in [(1.001, true), (0.999, false)] {
            if truth.distance > 2000.0 * rounding {
                let ask_nearer = Ask::nearer_than(truth.distance * factor);
                let answer = ask(engine, &models[0], &models[1], pose, &ask_nearer);
                assert_eq!(answer.nearer, Some(nearer), "{factor}, {truth:?}, {}", at());
            }
        }
        tally.differ += u32::from(found.to_bits() != truth.distance.to_bits());
    }
    tally.cases += 1;
    tally.hits += u32::from(!truth.contacts.is_empty());
}

fn contacts(
    engine: Wide,
    [a, b]: &[WideModel; 2],
    pose: &Pose,
    truth: &Truth,
    at: &dyn Fn() -> String,
) {
    let all = ask(engine, a, b, pose, &Ask::all_contacts());
    assert!(all.contacts == truth.contacts, "{:?}, not {truth:?}, {}", all.contacts, at());
    let first = ask(engine, a, b, pose, &Ask::first_contact());
    assert_eq!(first.verdict == Verdict::Intersecting, !truth.contacts.is_empty(), "{}", at());
    assert!(first.contacts.iter().all(|contact| truth.contacts.contains(contact)), "{}", at());
}

fn run(name: &str, seed: u64, cases: u32, hits: (f64, f64), make: impl Fn(&mut Random) -> Case) {
    let (mut random, mut tally) = (Random::new(seed), Tally::default());
    let engines = engines();
    for _ in 0..cases {
        check(&engines, &make(&mut random), &mut tally);
    }
    let share = f64::from(tally.hits) / f64::from(cases);
    println!("{name}: {tally:?}, hit share {share:.2}");
    assert!((hits.0..=hits.1).contains(&share), "{name}: {tally:?}");
}

const HALF: (f64, f64) = (0.3, 0.7);

#[test]
fn at_scales() {
    for (seed, scale) in (1..).zip([1e-6, 1.0, 1e6]) {
        run(&format!("scale {scale:e}"), seed, 1500, HALF, |random| {
            let [a, b] = [0, 1].map(|_| any(random).scaled(scale).expect("in range"));
            let offset = offset(random, scale);
            let pose = beside(random, &a, &b, offset);
            Case { a, b, pose }
        });
    }
}

/// From 1 : 1e-9 to 1 : 1e9.
#[test]
fn of_unequal_sizes() {
    run("unequal", 4, 2500, HALF, |random| {
        let size = 10f64.powf(random.range(-9.0, 9.0));
        let (a, b) = (any(random), any(random).scaled(size).expect("in range"));
        let smaller = size.min(1.0);
        let offset = 1.4 * offset(random, smaller);
        let pose = beside(random, &a, &b, offset);
        Case { a, b, pose }
    });
}

/// Meshes up to 1e8 sizes from their own origins.
#[test]
fn far_from_their_origins() {
    run("far from origins", 5, 1500, HALF, |random| {
        let [a, b] = [0, 1].map(|_| {
            let away = random.unit_vector() * 10f64.powf(random.range(0.0, 8.0));
            moved(&any(random), away)
        });
        let offset = offset(random, 1.0);
        let pose = beside(random, &a, &b, offset);
        Case { a, b, pose }
    });
}

/// Far apart, also with unequal sizes.
#[test]
fn far_apart() {
    for (seed, away) in (6..).zip([1e3, 1e6, 1e12]) {
        run(&format!("{away:e} apart"), seed, 800, (0.0, 0.01), |random| {
            let size = if random.chance(0.5) { 1.0 } else { 10f64.powf(random.range(-9.0, 0.0)) };
            let (a, b) = (any(random), any(random).scaled(size).expect("in range"));
            let offset = away * random.range(0.5, 2.0);
            let pose = beside(random, &a, &b, offset);
            Case { a, b, pose }
        });
    }
}
