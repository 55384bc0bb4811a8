//! Models smaller than the rounding of their places: a point, or a tiny mesh far from its own origin.

use impinge_geometry::{Mesh, Point, Vector};
use impinge_models::Random;
use impinge_query::{Ask, Control, Engine};

use crate::brute::{Truth, ask, engines};

/// A triangle of this size about `at`; all corners are the same for 0.
fn tiny_mesh(random: &mut Random, at: Point, size: f64) -> Mesh {
    let corners = (0..3).map(|_| at + random.in_ball() * size).collect();
    Mesh::new(corners, vec![[0, 1, 2]]).expect("finite")
}

/// `a`'s first corner is one of posed `b`: they meet, whatever the pose rounds.
fn check(seed: u64, reach: f64, size: f64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let at = Point::from(random.vector(-reach, reach));
    let b = tiny_mesh(&mut random, at, size);
    let pose = random.pose(reach);
    let same: Vec<Point> = b.vertices().iter().map(|x| pose.apply(x)).collect();
    let away = Vector::new(size, 0.0, 0.0);
    let a =
        Mesh::new(vec![same[0], same[0] + away, same[0] - away], vec![[0, 1, 2]]).expect("finite");
    let truth = Truth::of(&a, &b, &pose);
    for engine in engines() {
        let prepare = |mesh| engine.prepare(mesh, &Control::NONE).expect("small");
        let answer = ask(engine, &prepare(&a), &prepare(&b), &pose, &Ask::all_contacts());
        if answer.contacts != truth.contacts {
            let (width, found) = (engine.width(), &answer.contacts);
            return Err(format!(
                "{width}: seed {seed}, reach {reach:e}, size {size:e}: {found:?}, not {:?}\na {a:?}\nb {b:?}\npose {pose:?}",
                truth.contacts
            ));
        }
    }
    Ok(())
}

#[test]
fn tiny_meshes_that_meet_are_found() {
    let mut wrong = Vec::new();
    for reach in [1.0, 1e-100, 1e8, 1e100] {
        for size in [0.0, 1e-20, 1e-17, 1e-16, 1e-15, 1e-12] {
            let of = (0..200).filter_map(|seed| check(seed, reach, size * reach).err());
            let some: Vec<String> = of.collect();
            if let Some(one) = some.first() {
                println!("reach {reach:e} size {size:e}: {} of 200", some.len());
                wrong.push(one.clone());
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong[0]);
}
