//! Meshes of the smallest numbers, alone and beside larger ones, in turned poses: rounding of a posed vertex
//! is absolute there, 2⁻¹⁰⁷⁵ an operation, and as large as the mesh.

use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_models::Random;
use impinge_query::{Ask, Control, Engine};

use crate::brute::{Truth, ask, engines};

/// The least number there is.
const LEAST: f64 = f64::from_bits(1);

fn mesh(corners: Vec<Point>) -> Mesh {
    let n = corners.len() as u32 / 3;
    Mesh::new(corners, (0..n).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect()).expect("finite")
}

/// Whole multiples of the least number, at most so many.
fn steps(random: &mut Random, most: f64) -> f64 {
    random.range(-most - 0.5, most + 0.5).round() * LEAST
}

fn check(a: &Mesh, b: &Mesh, pose: &Pose) -> Result<bool, String> {
    let truth = Truth::of(a, b, pose);
    for engine in engines() {
        let prepare = |mesh| engine.prepare(mesh, &Control::NONE).expect("small");
        let (of_a, of_b) = (prepare(a), prepare(b));
        let answer = ask(engine, &of_a, &of_b, pose, &Ask::all_contacts());
        let found = ask(engine, &of_a, &of_b, pose, &Ask::distance()).nearest;
        let distance = found.expect("asked for").distance;
        // The same function of the same triangles, but for pairs within its rounding of each other.
        let near = (distance - truth.distance).abs() <= 1e-12 * distance + 2.0 * LEAST;
        if answer.contacts != truth.contacts || !near {
            let (width, contacts) = (engine.width(), &answer.contacts);
            return Err(format!(
                "{width}: {contacts:?} and {distance:e}, not {truth:?}\na {a:?}\nb {b:?}\n{pose:?}"
            ));
        }
    }
    Ok(!truth.contacts.is_empty())
}

fn run(name: &str, cases: u32, mut make: impl FnMut() -> (Mesh, Mesh, Pose)) {
    let (mut wrong, mut hits, mut first) = (0, 0, None);
    for _ in 0..cases {
        let (a, b, pose) = make();
        match check(&a, &b, &pose) {
            Ok(hit) => hits += u32::from(hit),
            Err(what) => {
                wrong += 1;
                first.get_or_insert(what);
            }
        }
    }
    println!("{name}: {hits} of {cases} meet, {wrong} wrong");
    assert!(first.is_none(), "{name}: {wrong} of {cases}: {}", first.unwrap_or_default());
    assert!(hits > cases / 20 && hits < cases - cases / 20, "{name}: {hits} of {cases} meet");
}

#[test]
fn a_pair_that_was_called_separated() {
    let steps =
        |t: [[i32; 3]; 3]| mesh(t.map(|x| Point::from(x.map(|k| f64::from(k) * LEAST))).to_vec());
    let a = steps([[4, 3, -5], [2, 2, -4], [-5, -2, -5]]);
    let b = steps([[-3, 2, 0], [-4, -4, 5], [5, 4, -4]]);
    let turn = [
        0.246_284_539_481_725_74,
        0.520_916_936_844_966_5,
        -0.588_301_420_478_888_7,
        -0.567_354_306_569_407_6,
    ];
    let pose = Pose::from_quaternion([-5.0 * LEAST, LEAST, -2.0 * LEAST], turn).expect("unit");
    assert_eq!(check(&a, &b, &pose), Ok(true));
}

#[test]
fn soups_of_the_least_numbers() {
    let mut random = Random::new(74);
    let kinds = [("few steps", 5.0, 2, 1500), ("some", 40.0, 5, 500), ("many", 3e5, 12, 50)];
    for (name, most, triangles, cases) in kinds {
        run(name, cases, || {
            let n = 3 * (1 + random.below(triangles));
            let mut soup = || {
                let mut point = || Point::from([0; 3].map(|_| steps(&mut random, most)));
                mesh((0..n).map(|_| point()).collect())
            };
            let (a, b) = (soup(), soup());
            let at = Vector::from([0; 3].map(|_| steps(&mut random, most)));
            let pose = Pose::new(*random.pose(0.0).rotation(), at).expect("a rotation");
            (a, b, pose)
        });
    }
}

/// A corner of posed B is one of A, which is as small as rounding.
#[test]
fn tiny_meshes_that_touch() {
    let mut random = Random::new(75);
    run("tiny meshes", 2000, || {
        let mut exponent = |least: f64, most: f64| 10f64.powf(random.range(least, most));
        let (far, size) = (exponent(-324.0, -300.0), exponent(-324.0, -315.0));
        let mut tiny_mesh =
            |at: Vector| mesh((0..3).map(|_| Point::from(at + random.in_ball() * size)).collect());
        let b = tiny_mesh(Vector::new(far, -0.3 * far, 0.0));
        let a = tiny_mesh(Vector::zeros());
        let turn = random.pose(0.0);
        let corner = turn.apply(&b.vertices()[0]);
        let near = if random.chance(0.5) { Vector::zeros() } else { random.in_ball() * size };
        let pose = Pose::new(*turn.rotation(), a.vertices()[1] - corner + near);
        (a, b, pose.expect("a rotation"))
    });
}

/// Some coordinates of the least numbers, others larger by any factor.
#[test]
fn mixed_scales() {
    let mut random = Random::new(76);
    let scales = [LEAST, 16.0 * LEAST, 1e-320, 1e-310, 1e-300, 1e-160, 1e-30, 1.0];
    run("mixed", 2500, || {
        let first = random.below(6) as usize;
        let among = &scales[first..=first + random.below(3) as usize];
        let mut coordinate = || {
            let scale = among[random.below(among.len() as u64) as usize];
            if random.chance(0.1) { 0.0 } else { scale * random.range(-4.0, 4.0).round() }
        };
        let mut soup =
            |n| mesh((0..n).map(|_| Point::from([0; 3].map(|_| coordinate()))).collect());
        let (a, b) = (soup(9), soup(9));
        let at = Vector::from([0; 3].map(|_| coordinate()));
        let pose = Pose::new(*random.pose(0.0).rotation(), at).expect("a rotation");
        (a, b, pose)
    });
}
