//! Motions stay rigid, in their box and within their step size, and are reproducible; so are
//! scenes.

use impinge_geometry::{Pose, Vector};
use impinge_models::motion::{Bounce, MAX_STEPS, Walk};
use impinge_models::scene::Movers;
use impinge_models::{Motion, Random, Scene, Shape};

use crate::measures::{self, hash};

const WALK: Walk = Walk { reach: 0.8, shift: 0.1, turn: 0.2 };
const BOUNCE: Bounce = Bounce { reach: 2.0, speed: 0.3, spin: 0.25 };

fn bits(poses: &[Pose]) -> u64 {
    let of = |p: &Pose| -> Vec<u64> {
        p.rotation().iter().chain(p.translation().iter()).map(|c| c.to_bits()).collect()
    };
    hash(poses.iter().flat_map(of))
}

fn assert_rigid(motion: &Motion) {
    for pose in motion.poses() {
        let r = pose.rotation();
        assert!((r.transpose() * r - nalgebra::Matrix3::identity()).amax() < 1e-14);
        assert!(r.determinant() > 0.0);
    }
}

/// Checks rigidity, walls and step size; returns how often a coordinate came near a wall.
fn assert_bounded(motion: &Motion, reach: f64, shift: f64, turn: f64) -> usize {
    assert_rigid(motion);
    for pair in motion.poses().windows(2) {
        let step = (pair[1].translation() - pair[0].translation()).norm();
        assert!(step <= shift * (1.0 + 1e-12), "{step}");
        let relative = pair[1].rotation() * pair[0].rotation().transpose();
        let angle = ((relative.trace() - 1.0) / 2.0).min(1.0).acos();
        assert!(angle <= turn + 1e-7, "{angle}");
    }
    let translations = motion.poses().iter().flat_map(|pose| pose.translation().iter());
    let far = translations.map(|c| c.abs()).inspect(|&c| assert!(c <= reach, "{c}"));
    far.filter(|&c| c > reach - shift).count()
}

#[test]
fn walks_and_bounces_keep_their_bounds_and_meet_the_walls() {
    let mut near_walls = 0;
    for seed in 0..50 {
        let walk = Motion::walk(&WALK, seed, 400).unwrap();
        near_walls += assert_bounded(&walk, WALK.reach, WALK.shift, WALK.turn);
        let bounce = Motion::bounce(&BOUNCE, seed, 400).unwrap();
        near_walls += assert_bounded(&bounce, BOUNCE.reach, BOUNCE.speed, BOUNCE.spin);
        assert_eq!((walk.steps(), bounce.steps()), (400, 400));
    }
    assert!(near_walls > 1000, "{near_walls}");
    // Steps as long as the half box, and a box of size zero.
    let wild = Bounce { reach: 1.0, speed: 1.0, spin: 3.0 };
    assert_bounded(&Motion::bounce(&wild, 1, 1000).unwrap(), 1.0, 1.0, 3.0);
    let still = Motion::walk(&Walk { reach: 0.0, shift: 0.0, turn: 0.1 }, 1, 10).unwrap();
    assert!(still.poses().iter().all(|pose| *pose.translation() == Vector::zeros()));
}

#[test]
fn equal_seeds_give_equal_bits_and_others_do_not() {
    let walk = |seed| bits(Motion::walk(&WALK, seed, 100).unwrap().poses());
    let bounce = |seed| bits(Motion::bounce(&BOUNCE, seed, 100).unwrap().poses());
    assert_eq!((walk(7), bounce(7)), (walk(7), bounce(7)));
    assert_ne!(walk(7), walk(8));
    assert_ne!(bounce(7), bounce(8));
    // A longer motion begins like a shorter one.
    let long = Motion::walk(&WALK, 7, 200).unwrap();
    assert_eq!(bits(&long.poses()[..100]), walk(7));
}

#[test]
fn bits_are_the_recorded_ones() {
    let walk = bits(Motion::walk(&WALK, 7, 100).unwrap().poses());
    let bounce = bits(Motion::bounce(&BOUNCE, 7, 100).unwrap().poses());
    let axis = Vector::new(1.0, 2.0, 3.0);
    let fly = Motion::fly_by(Vector::zeros(), axis, axis, 1.5, 100).unwrap();
    let mut random = Random::new(7);
    let numbers = hash((0..100).map(|_| random.pose(3.0).translation().x.to_bits()));
    let recorded = [
        0x26c3_62ba_719c_33bf,
        0xaceb_194c_76b2_b338,
        0x782f_3999_99d4_7a5c,
        0x9ad4_0c98_8e6c_4220,
    ];
    assert_eq!([walk, bounce, bits(fly.poses()), numbers], recorded);
}

#[test]
fn fly_bys_and_approaches_hit_their_ends() {
    let (start, end) = (Vector::new(-2.0, 0.5, 0.0), Vector::new(2.0, 0.5, 1.0));
    let fly = Motion::fly_by(start, end, Vector::z(), 0.25, 11).unwrap();
    assert_rigid(&fly);
    assert_eq!((*fly.at(0).translation(), *fly.at(10).translation()), (start, end));
    assert_eq!(fly.at(99), fly.at(10), "rests at its end");
    let turned = fly.at(10).rotate(&Vector::x());
    assert!((turned - Vector::y()).norm() < 1e-15, "a quarter turn about z");
    let from = Random::new(3).turned_to(start);
    let approach = Motion::approach(&from, end, 5).unwrap();
    assert_eq!((approach.at(0), approach.at(4).translation()), (&from, &end));
    assert!(approach.poses().iter().all(|pose| pose.rotation() == from.rotation()));
    assert_eq!(Motion::approach(&from, end, 1).unwrap().poses(), [from]);
}

#[test]
fn wrong_parameters_are_refused_by_name() {
    let walk = |reach, shift, turn| Motion::walk(&Walk { reach, shift, turn }, 1, 5).unwrap_err();
    let fly =
        |axis, turns| Motion::fly_by(Vector::zeros(), Vector::x(), axis, turns, 5).unwrap_err();
    let refusals = [
        (walk(-1.0, 0.0, 0.0), "motion: reach"),
        (walk(1.0, 1.5, 0.0), "motion: shift"),
        (walk(1.0, 0.5, f64::NAN), "motion: turn"),
        (fly(Vector::zeros(), 1.0), "motion: axis"),
        (fly(Vector::x() * f64::INFINITY, 1.0), "motion: axis"),
        (fly(Vector::x(), f64::NAN), "motion: turns"),
        (Motion::walk(&WALK, 1, 0).unwrap_err(), "motion: steps"),
        (Motion::bounce(&BOUNCE, 1, MAX_STEPS + 1).unwrap_err(), "motion: steps"),
        (
            Motion::approach(&Pose::identity(), Vector::x() * f64::NAN, 5).unwrap_err(),
            "the pose's translation",
        ),
    ];
    for (error, start) in refusals {
        assert!(error.to_string().starts_with(start), "{error}");
    }
}

#[test]
fn the_scene_of_130_movers_is_whole() {
    let movers = Movers { triangles: 300, steps: 20, ..Movers::default() };
    let scene = Scene::random_movers(&movers, 5).unwrap();
    assert_eq!((scene.objects.len(), scene.meshes.len(), scene.steps()), (130, 9, 20));
    for object in &scene.objects {
        assert!(object.mesh < scene.meshes.len());
        let Bounce { reach, speed, spin } = movers.bounce;
        assert_bounded(&object.motion, reach, speed, spin);
    }
    let starts = hash(scene.objects.iter().map(|o| bits(o.motion.poses())));
    assert_eq!(scene, Scene::random_movers(&movers, 5).unwrap());
    let other = Scene::random_movers(&movers, 6).unwrap();
    assert_ne!(starts, hash(other.objects.iter().map(|o| bits(o.motion.poses()))));
    let mut distinct: Vec<u64> = scene.objects.iter().map(|o| bits(o.motion.poses())).collect();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), 130, "every body moves its own way");
    for movers in [
        Movers { count: 0, ..movers.clone() },
        Movers { shapes: Vec::new(), ..movers.clone() },
        Movers { count: usize::MAX, ..movers.clone() },
    ] {
        assert!(Scene::random_movers(&movers, 5).is_err());
    }
}

#[test]
fn pairs_come_into_contact_and_leave() {
    let (a, b) = (Shape::Torus, Shape::Gear);
    let crossings = |scene: &Scene, step: usize| {
        let moved = scene.meshes[1].posed(scene.objects[1].motion.at(step)).unwrap();
        measures::crossings(&scene.meshes[0], &moved)
    };
    let fly = Scene::fly_by(a, b, 300, 1, 41).unwrap();
    assert_eq!((crossings(&fly, 0), crossings(&fly, 40)), (0, 0));
    assert!((0..41).any(|step| crossings(&fly, step) > 0));
    let approach = Scene::approach(a, b, 300, 1, 41).unwrap();
    assert_eq!(crossings(&approach, 0), 0);
    assert!(crossings(&approach, 40) > 0);
    let walk = Scene::walk(a, b, 300, 1, 200).unwrap();
    let touching = (0..200).step_by(10).filter(|&step| crossings(&walk, step) > 0).count();
    assert!(touching > 0);
    assert_eq!(walk.name, "walk-torus-gear");
    assert_eq!(walk.objects[0].motion.poses(), [Pose::identity()]);
}
