//! Depths and ways out in worlds.

use impinge::models::{Random, Shape};
use impinge::query::{Cancel, Control, Meaning};
use impinge::{
    Object, ObjectId, Pair, PenetrationOptions, Pose, Vector, Way, WaysOut, World, WorldError,
};

const OPTIONS: PenetrationOptions =
    PenetrationOptions { meaning: Meaning::Solids, width: 0.2, budget: 2_000 };
const LAST: (Way, Meaning) = (Way::LastContact, Meaning::Solids);

fn crowd(seed: u64, count: u32, spread: f64) -> World {
    let (mut world, mut random) = (World::new(), Random::new(seed));
    let shapes = [Shape::Gear, Shape::Torus, Shape::Cube]
        .map(|shape| world.shape(&shape.mesh(200, 0)).expect("prepared"));
    for k in 0..count {
        let shape = shapes[k as usize % 3].clone();
        world.add(Object::new(shape, random.pose(spread))).expect("added");
    }
    world
}

fn pair(world: &World, ids: [ObjectId; 2]) -> (Pair, Pose, Pose) {
    let [a, b] = ids.map(|id| world.object(id).expect("there"));
    let [p, q] = [a, b].map(|object| object.shape.prepared().mesh().expect("kept"));
    (Pair::new(p, q).expect("prepared"), a.pose, Pose::relative(&a.pose, &b.pose))
}

/// Every pair that overlaps has the answers of a pair of its own, and no other pair has one.
#[test]
fn answers_are_those_of_each_pair() {
    let mut world = crowd(0xdee9, 9, 1.2);
    let (mut ways, none) = (WaysOut::default(), &Control::NONE);
    let deep = ways.penetrations(&mut world, &OPTIONS, none).expect("answers");
    let up = Vector::new(0.0, 0.0, 2.0);
    let out = ways.exits(&mut world, &up, LAST, none).expect("answers");
    let ids: Vec<ObjectId> = world.objects().map(|(id, _)| id).collect();
    let mut met = 0;
    for (k, &a) in ids.iter().enumerate() {
        for &b in &ids[k + 1..] {
            let (mut alone, pose, b_in_a) = pair(&world, [a, b]);
            let own = deep.iter().find(|one| [one.a, one.b] == [a, b]);
            let hit = alone.collide_solids(&b_in_a).expect("an answer").is_hit();
            assert_eq!(own.is_some(), hit, "{a} {b}");
            let Some(own) = own else { continue };
            let depth = alone.penetration_with(&b_in_a, &OPTIONS, none).expect("an answer");
            assert_eq!((own.found, own.b_in_a), (depth, b_in_a));
            let one = ways.penetration(&world, [a, b], &OPTIONS, none).expect("an answer");
            assert_eq!(one, depth);
            let turned = pose.rotation().transpose() * up;
            let (way, meaning) = LAST;
            let exit = alone.exit_with(&b_in_a, &turned, way, meaning, none).expect("an answer");
            assert!(exit.by >= 0.5 * depth.lower * (1.0 - 1e-9), "{exit:?} {depth:?}");
            assert_eq!(out[met].found, exit);
            assert_eq!(ways.exit(&world, [a, b], &up, LAST, none).expect("an answer"), exit);
            met += 1;
        }
    }
    assert!(met >= 5 && deep.len() == met && out.len() == met, "{met}");
    let order = |one: [ObjectId; 2]| one;
    assert!(deep.is_sorted_by_key(|one| order([one.a, one.b])));
}

#[test]
fn the_bits_are_the_same_on_any_number_of_threads_and_calls_can_be_cancelled() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        let (mut world, mut ways) = (crowd(0x7ead, 12, 1.4), WaysOut::default());
        pool.install(|| {
            let deep = ways.penetrations(&mut world, &OPTIONS, &Control::NONE).expect("answers");
            let along = Vector::new(1.0, 2.0, -0.5);
            let out = ways.exits(&mut world, &along, LAST, &Control::NONE).expect("answers");
            (deep, out)
        })
    };
    let alone = on(1);
    assert!(alone.0.len() >= 5, "{}", alone.0.len());
    assert_eq!(on(4), alone);
    let (mut world, mut ways) = (crowd(0x7ead, 12, 1.4), WaysOut::default());
    for look in [1, 20, 200] {
        let cancel = Cancel::at_look(look);
        let control = Control::NONE.cancelled_by(&cancel);
        let gone = ways.penetrations(&mut world, &OPTIONS, &control);
        assert!(matches!(gone, Err(WorldError::Cancelled(_))), "{look}: {gone:?}");
    }
    let cancel = Cancel::at_look(1);
    let control = Control::NONE.cancelled_by(&cancel);
    let gone = ways.exits(&mut world, &Vector::new(1.0, 0.0, 0.0), LAST, &control);
    assert!(matches!(gone, Err(WorldError::Cancelled(_))), "{gone:?}");
}

/// What was made of a shape is not that of another, whatever becomes of its memory.
#[test]
fn shapes_that_deform_are_prepared_anew() {
    let (mut world, mut ways) = (World::new(), WaysOut::default());
    let cube = Shape::Cube.mesh(12, 0);
    let at = |x: f64| Pose::translation_by(Vector::new(x, 0.0, 0.0)).expect("in range");
    let a = world.shape(&cube).expect("prepared");
    let a = world.add(Object::new(a, at(0.0))).expect("added");
    let b = world.shape(&cube).expect("prepared");
    let b = world.add(Object::new(b, at(0.75))).expect("added");
    let along = Vector::new(1.0, 0.0, 0.0);
    for step in 1..4 {
        let size = 1.0 + 0.25 * f64::from(step);
        let larger: Vec<_> = cube.vertices().iter().map(|p| p * size).collect();
        let before = ways.exit(&world, [a, b], &along, LAST, &Control::NONE).expect("an answer");
        world.deform(b, &larger, &Control::NONE).expect("as many vertices");
        let exit = ways.exit(&world, [a, b], &along, LAST, &Control::NONE).expect("an answer");
        assert!((exit.by - before.by - 0.125).abs() < 1e-9, "{exit:?} {before:?}");
        let depth = ways.penetration(&world, [a, b], &OPTIONS, &Control::NONE).expect("an answer");
        assert!((depth.upper - exit.by).abs() < 1e-6, "{depth:?} {exit:?}");
    }
}

#[test]
fn what_has_no_answer_is_an_error() {
    let (mut world, mut ways) = (crowd(0xbad, 4, 0.2), WaysOut::default());
    let ids: Vec<ObjectId> = world.objects().map(|(id, _)| id).collect();
    let (zero, up) = (Vector::zeros(), Vector::new(0.0, 0.0, 1.0));
    let refused = ways.exits(&mut world, &zero, LAST, &Control::NONE);
    assert!(matches!(refused, Err(WorldError::Refused(_))), "{refused:?}");
    let options = PenetrationOptions { width: f64::NAN, ..OPTIONS };
    let refused = [
        ways.penetration(&world, [ids[0], ids[1]], &options, &Control::NONE).map(drop),
        ways.penetrations(&mut world, &options, &Control::NONE).map(drop),
    ];
    assert!(
        refused.iter().all(|found| matches!(found, Err(WorldError::Refused(_)))),
        "{refused:?}"
    );
    world.remove(ids[1]).expect("there");
    let gone = ways.exit(&world, [ids[0], ids[1]], &up, LAST, &Control::NONE);
    assert!(matches!(gone, Err(WorldError::NoObject(id)) if id == ids[1]), "{gone:?}");
    // Objects that the world does not ask about have an answer if it is asked for.
    world.allow(ids[0], ids[2], true).expect("there");
    let asked = ways.penetration(&world, [ids[0], ids[2]], &OPTIONS, &Control::NONE);
    assert!(asked.expect("an answer").lower > 0.0);
    let all = ways.penetrations(&mut world, &OPTIONS, &Control::NONE).expect("answers");
    assert!(all.iter().all(|one| [one.a, one.b] != [ids[0], ids[2]]));
}
