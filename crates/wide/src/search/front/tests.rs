//! The bound on motion, which parts are taken, and a front that is wrong.

use impinge_geometry::{Mesh, Point};
use impinge_models::{Random, Shape};
use impinge_query::{Answer, Ask, Control, Engine};

use super::*;
use crate::engine::{Memory, wide};
use crate::placement::Placement;

fn prepare(mesh: &Mesh) -> WideModel {
    wide().prepare(mesh, &Control::NONE).expect("any mesh")
}

/// A pose near another, from far less than the rounding of its numbers to a turn by a radian.
fn near(random: &mut Random, pose: &Pose, unit: f64) -> Pose {
    let size = random.range(1e-18f64.ln(), 0.0).exp();
    let axis = random.in_ball() * (0.5 * size);
    let turn = [axis.x, axis.y, axis.z, (1.0 - axis.norm_squared()).sqrt()];
    let small = Pose::from_quaternion([0.0; 3], turn).expect("unit");
    let shift = random.in_ball() * (size * unit);
    Pose::new(pose.rotation() * small.rotation(), pose.translation() + shift).expect("rigid")
}

/// No vertex moves farther than the bound, which is not far from the truth.
#[test]
fn no_vertex_moves_farther() {
    let mut random = Random::new(61);
    for (unit, place) in [(1.0, 0.0), (1.0, 1e5), (1e-200, 0.0), (1e200, 3.0), (1e-300, 0.0)] {
        let shape = Shape::Gear.mesh(300, 1);
        let at = |p: &Point| Point::new((p.x + place) * unit, p.y * unit, (p.z - place) * unit);
        let vertices: Vec<Point> = shape.vertices().iter().map(at).collect();
        let model = prepare(&shape.with_vertices(vertices).expect("finite"));
        let (mut most, mut least) = (0.0f64, f64::INFINITY);
        for _ in 0..2_000 {
            let t = (random.in_ball() * (3.0 * unit)).into();
            let before = Pose::from_quaternion(t, random.quaternion()).expect("unit");
            let now = near(&mut random, &before, unit);
            let (radius, bound) = way([&model, &model], [&before, &now]);
            assert_eq!(bound == 0.0, before == now);
            let mut farthest = 0.0f64;
            for p in model.mesh().vertices() {
                let way = (now.apply(p) - before.apply(p)) / unit;
                farthest = farthest.max(way.norm());
                // The radius is around the middle of the root box, which is near that of the mesh.
                assert!(radius > 0.4 * unit && radius < 3.0 * unit, "{radius:e}");
            }
            assert!(farthest <= bound / unit, "{unit:e} {farthest:e} {bound:e}");
            if farthest > 1e-6 {
                most = most.max(farthest / (bound / unit));
                least = least.min(farthest / (bound / unit));
            }
        }
        println!("unit {unit:e}, at {place}: {least:.3} to {most:.3} of the bound");
        assert!(most > 0.8, "{unit:e}: {most}");
    }
}

#[test]
fn a_pose_that_stays_is_no_motion() {
    let model = prepare(&Shape::Cube.mesh(12, 0));
    let mut random = Random::new(62);
    for _ in 0..100 {
        let pose = random.pose(1e3);
        assert_eq!(way([&model, &model], [&pose, &pose]).1, 0.0);
    }
}

/// Those that may meet, each once; the others stay, and those kept meanwhile come after them.
#[test]
fn parts_that_may_meet_are_taken() {
    let mut random = Random::new(63);
    for _ in 0..300 {
        let n = random.below(40) as u32;
        let part = |k: u32, until: f64| Part { item: Item::new(k, k, 0), lanes: 1, until };
        let parts: Vec<Part> =
            (0..n).map(|k| part(k, [1.0, 2.0, 3.0][random.below(3) as usize])).collect();
        let mut front = Front { parts: parts.clone(), moved: 2.0, ..Front::default() };
        let (mut at, mut left, mut taken) = (0, parts.len(), Vec::new());
        while let Some(part) = front.take(&mut at, &mut left) {
            taken.push(part.item.one);
            front.parts.push(Part { item: Item::new(100 + part.item.one, 0, 0), ..part });
        }
        let mut stay: Vec<u32> = front.parts.iter().map(|part| part.item.one).collect();
        taken.sort_unstable();
        stay.sort_unstable();
        let of = |early: bool| {
            let some = parts.iter().filter(move |part| (part.until < 2.0) == early);
            some.map(|part| part.item.one)
        };
        assert_eq!(taken, of(true).collect::<Vec<_>>());
        assert_eq!(stay, of(false).chain(of(true).map(|k| 100 + k)).collect::<Vec<_>>());
    }
}

/// Approaches in steps of a hundredth; `blind`: the front is told that nothing moves. Returns how many
/// verdicts are wrong.
fn wrong(blind: bool) -> u32 {
    let model = prepare(&Shape::Torus.mesh(2_000, 1));
    let (mut random, mut wrong) = (Random::new(64), 0);
    for _ in 0..10 {
        let (turn, from) = (random.quaternion(), random.unit_vector());
        let (mut memory, mut fresh) = (Memory::default(), Answer::default());
        for step in 0..150 {
            let at = from * (1.3 - 0.005 * f64::from(step));
            let pose = Pose::from_quaternion(at.into(), turn).expect("unit");
            if blind && memory.own().front.whole {
                memory.own().front.pose = pose;
            }
            let mut answer = Answer::default();
            for (memory, answer) in
                [(&mut memory, &mut answer), (&mut Memory::default(), &mut fresh)]
            {
                let (ask, control) = (Ask::first_contact(), &Control::NONE);
                Engine::query(&wide(), &model, &model, &pose, memory, &ask, control, answer)
                    .expect("any pose");
            }
            wrong += u32::from(answer.verdict != fresh.verdict);
        }
    }
    wrong
}

#[test]
fn a_front_that_does_not_see_motion_is_wrong() {
    assert_eq!(wrong(false), 0);
    assert!(wrong(true) > 20);
}

/// Memory of a walk of two tori at a speed, after so many steps.
fn after(speed: f64, steps: u32) -> Memory {
    let model = prepare(&Shape::Torus.mesh(2_000, 1));
    let mut memory = Memory::default();
    for step in 0..steps {
        // To and fro, with an angle.
        let way = speed * f64::from(step % 3);
        let (x, turn) = (1.002 + way, [0.0, 0.0, (0.5 * way).sin(), 1.0]);
        let norm = turn.iter().map(|x| x * x).sum::<f64>().sqrt();
        let pose = Pose::from_quaternion([x, 0.0, 0.1], turn.map(|x| x / norm)).expect("unit");
        let (mut answer, control) = (Answer::default(), &Control::NONE);
        let ask = Ask::first_contact();
        Engine::query(&wide(), &model, &model, &pose, &mut memory, &ask, control, &mut answer)
            .expect("any pose");
    }
    memory
}

/// A front begins with the fifth query of a slow motion, after three slow moves in a row, and not at leaps.
#[test]
fn a_front_begins_with_the_fifth_query() {
    let front = |speed, steps| after(speed, steps).own().front.clone();
    assert!(front(1e-4, 5).whole && !front(1e-4, 4).whole);
    let slow = front(1e-4, 60);
    assert!(slow.whole && slow.last_rest == 0 && !slow.parts.is_empty(), "{slow:?}");
    assert!(!front(0.5, 40).whole);
}

/// One that saves too little ends, and rests longer each time, until one is worth its tests.
#[test]
fn a_front_that_saves_little_rests() {
    let mut front = Front::default();
    let part = Part { item: Item::new(0, 0, 0), lanes: 1, until: 3.0 };
    for last in [1, 3, 7, 15, 31, 31] {
        (front.parts, front.whole, front.from_roots) = (vec![part; 3], true, 10);
        front.tested = 7;
        front.end(Start::Front, true);
        assert!(!front.whole && front.parts.is_empty(), "{front:?}");
        assert_eq!((front.rest, front.last_rest), (last, last));
    }
    (front.parts, front.whole, front.tested) = (vec![part; 3], true, 6);
    front.end(Start::Front, true);
    assert!(front.whole && front.parts.len() == 3, "{front:?}");
    assert_eq!((front.last_rest, front.next), (0, 3.0));
}

/// Parts are missing while they are tested. If that is never ended, because something panicked, the front
/// says nothing.
#[test]
fn a_front_is_not_whole_while_it_is_searched() {
    let model = prepare(&Shape::Torus.mesh(2_000, 1));
    let mut memory = after(1e-4, 60);
    let front = &mut memory.own().front;
    let pose = front.pose;
    let frames = [&model.tree.frame; 2];
    let placement = Placement::new(&pose, frames, [model.max_abs(); 2]).expect("near");
    let pair = Pair { models: [&model; 2], pose: &pose, placement: &placement };
    assert!(front.whole && front.is_apart([&model; 2], &pose));
    assert_eq!(front.start(&pair), Start::Front);
    assert!(!front.is_apart([&model; 2], &pose));
    assert_ne!(front.start(&pair), Start::Front);
}

/// A contact, a cancellation and too many parts end it.
#[test]
fn a_front_that_is_not_whole_ends() {
    let part = Part { item: Item::new(0, 0, 0), lanes: 1, until: 3.0 };
    for (start, parts, is_apart, whole) in [
        (Start::Roots, MOST, true, true),
        (Start::Roots, MOST + 1, true, false),
        (Start::Roots, 5, false, false),
        (Start::Front, 5, false, false),
    ] {
        let mut front = Front { parts: vec![part; parts], tested: 9, ..Front::default() };
        (front.whole, front.from_roots) = (start == Start::Front, 9);
        front.end(start, is_apart);
        assert_eq!((front.whole, front.parts.is_empty()), (whole, !whole), "{start:?} {parts}");
    }
}
