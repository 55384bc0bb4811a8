//! Sweeps of a pair, and of a world between two steps.

use impinge::models::{Random, Shape};
use impinge::query::{Cancel, Control, QueryError, Side};
use impinge::{
    Error, Object, ObjectId, Pair, Point, Pose, RigidMotion, Sweep, SweepOptions, Vector, World,
    WorldError, sweep_world,
};

fn at(x: f64, y: f64) -> Pose {
    Pose::translation_by(Vector::new(x, y, 0.0)).expect("in range")
}

#[test]
fn a_pair_is_swept_as_its_poses_tell() {
    let mut random = Random::new(0x9a12);
    let [a, b] = [Shape::Torus, Shape::Gear].map(|shape| shape.mesh(2_000, 0));
    let (mut pair, mut seen) = (Pair::new(&a, &b).expect("prepared"), [0; 2]);
    for _ in 0..40 {
        let from = random.unit_vector() * 1.2;
        let to = random.in_ball() * 2.2 - from;
        let [start, end] = [from, to].map(|place| random.turned_to(place));
        let outcome = pair.sweep(&start, &end).expect("an answer");
        let motion = RigidMotion::new(&start, &end).expect("in range");
        let before = match outcome {
            Sweep::Touching { low, high, .. } => {
                assert!(pair.intersects(&motion.pose_at(high)).expect("an answer"));
                seen[0] += 1;
                low
            }
            Sweep::Free { .. } => {
                seen[1] += 1;
                1.0 + f64::EPSILON
            }
            Sweep::Undecided { .. } => panic!("{outcome:?}"),
        };
        let times = (0..100).map(|k| before * (1.0 - 0.9f64.powi(k))).filter(|t| *t < before);
        let poses: Vec<Pose> = times.map(|t| motion.pose_at(t)).collect();
        let hits = pair.intersects_at(&poses).expect("answers");
        assert!(!hits.contains(&true), "{outcome:?}");
    }
    assert!(seen.iter().all(|n| *n >= 8), "{seen:?}");
}

#[test]
fn a_refitted_body_is_swept_as_it_is_now() {
    let cube = Shape::Cube.mesh(12, 0);
    let mut pair = Pair::new(&cube, &cube).expect("prepared");
    let [start, end] = [at(-3.0, 1.5), at(3.0, 1.5)];
    let passes = pair.sweep(&start, &end).expect("an answer");
    assert!(matches!(passes, Sweep::Free { gap, .. } if gap > 0.2), "{passes:?}");
    for side in [Side::B, Side::A] {
        pair.refit(side, &cube.scaled(4.0).expect("in range")).expect("the same triangles");
        let meets = pair.sweep(&start, &end).expect("an answer");
        assert!(meets.is_touching(), "{meets:?}");
        pair.refit(side, &cube).expect("the same triangles");
        assert_eq!(pair.sweep(&start, &end).expect("an answer"), passes);
    }
    let options = SweepOptions { width: -1.0, ..SweepOptions::default() };
    let motion = RigidMotion::screw(&start, &end).expect("in range");
    let error = pair.sweep_with(&motion, &options, &Control::NONE).expect_err("refused");
    assert!(matches!(error, Error::Sweep(_)), "{error}");
    let cancel = Cancel::new();
    cancel.cancel();
    let control = Control::NONE.cancelled_by(&cancel);
    let error = pair.sweep_with(&motion, &SweepOptions::default(), &control);
    assert!(matches!(error, Err(Error::Query(QueryError::Cancelled(_)))));
}

#[test]
fn many_motions_have_the_answers_of_single_calls() {
    let mut random = Random::new(0x5eed);
    let [a, b] = [Shape::Torus, Shape::Gear].map(|shape| shape.mesh(1_000, 0));
    let mut pair = Pair::new(&a, &b).expect("prepared");
    let motion = |_| {
        let from = random.unit_vector() * 1.2;
        let to = random.in_ball() * 2.2 - from;
        let [start, end] = [from, to].map(|place| random.turned_to(place));
        RigidMotion::new(&start, &end).expect("in range")
    };
    let motions: Vec<RigidMotion> = (0..40).map(motion).collect();
    let (options, mut all) = (SweepOptions::default(), Vec::new());
    let mut each = |index: usize, found: &_| all.push((index, *found));
    pair.sweeps(&motions, &options, &Control::NONE, &mut each).expect("answers");
    for (k, motion) in motions.iter().enumerate() {
        let single = pair.sweep_with(motion, &options, &Control::NONE).expect("an answer");
        assert_eq!(all[k], (k, single));
    }
    assert_eq!(all.len(), 40);
    let options = SweepOptions { near: -1.0, ..options };
    let refused = pair.sweeps(&[], &options, &Control::NONE, &mut |_, _| ());
    assert!(matches!(refused, Err(Error::Sweep(_))), "{refused:?}");
}

/// Objects, and where most of them go.
fn step(seed: u64, count: u32) -> (World, Vec<(ObjectId, Pose)>) {
    let (mut world, mut random) = (World::new(), Random::new(seed));
    let shapes = [Shape::Gear, Shape::Hand, Shape::Cube]
        .map(|shape| world.shape(&shape.mesh(200, 0)).expect("prepared"));
    let mut ends = Vec::new();
    for k in 0..count {
        let shape = shapes[k as usize % 3].clone();
        let id = world.add(Object::new(shape, random.pose(3.5))).expect("added");
        if k % 4 > 0 {
            ends.push((id, random.pose(3.5)));
        }
    }
    (world, ends)
}

#[test]
fn a_world_finds_every_pair_that_touches_on_the_way() {
    let (world, ends) = step(0x3012d, 24);
    let options = SweepOptions::default();
    let found = sweep_world(&world, &ends, &options, &Control::NONE).expect("answers");
    assert!(found.is_sorted_by_key(|one| [one.a, one.b]));
    let motion = |id: ObjectId| {
        let start = world.object(id).expect("there").pose;
        let end = ends.iter().find(|(moved, _)| *moved == id).map_or(start, |(_, end)| *end);
        RigidMotion::new(&start, &end).expect("in range")
    };
    let ids: Vec<ObjectId> = world.objects().map(|(id, _)| id).collect();
    let (mut touching, mut apart) = (0, 0);
    for (k, &a) in ids.iter().enumerate() {
        for &b in &ids[k + 1..] {
            let mesh = |id| world.object(id).expect("there").shape.prepared().mesh();
            let [p, q] = [a, b].map(|id| mesh(id).expect("kept"));
            let mut pair = Pair::new(p, q).expect("prepared");
            let (of_a, of_b) = (motion(a), motion(b));
            let mut meets = |t: f64| {
                let pose = Pose::relative(&of_a.pose_at(t), &of_b.pose_at(t));
                pair.intersects(&pose).expect("an answer")
            };
            let own = found.iter().find(|one| (one.a, one.b) == (a, b));
            match own.map(|one| one.swept.outcome) {
                Some(Sweep::Touching { low, high, .. }) => {
                    touching += 1;
                    assert!(meets(high) && high - low <= options.width, "{own:?}");
                    let early = (0..50).map(|n| low * f64::from(n) / 50.0).find(|t| meets(*t));
                    assert_eq!(early.filter(|t| *t < low), None, "{own:?}");
                }
                Some(outcome) => panic!("{outcome:?}"),
                None => {
                    apart += 1;
                    assert!(!(0..=50).any(|n| meets(f64::from(n) / 50.0)), "{a} {b}");
                }
            }
        }
    }
    assert!(touching >= 10 && apart >= 100, "{touching} {apart}");
}

#[test]
fn groups_exceptions_and_nearness_count_on_the_way() {
    let mut world = World::new();
    let cube = world.shape(&Shape::Cube.mesh(12, 0)).expect("prepared");
    let bullet = world.add(Object::new(cube.clone(), at(-8.0, 0.0))).expect("added");
    let wall = world.add(Object::new(cube.clone(), at(0.0, 0.0))).expect("added");
    let beside = world.add(Object::new(cube, at(4.0, 1.25)).grouped(2, 2)).expect("added");
    let ends = [(bullet, at(8.0, 0.0))];
    let ask = |world: &World, near: f64| {
        let options = SweepOptions { near, ..SweepOptions::default() };
        let found = sweep_world(world, &ends, &options, &Control::NONE).expect("answers");
        found.iter().map(|one| [one.a, one.b]).collect::<Vec<_>>()
    };
    assert_eq!(ask(&world, 0.0), [[bullet, wall]]);
    assert_eq!(ask(&world, 0.25), [[bullet, wall], [bullet, beside]]);
    world.set_groups(bullet, 1, 1).expect("there");
    assert_eq!(ask(&world, 0.25), [[bullet, wall]]);
    assert!(world.asks(bullet, wall).expect("there") && !world.asks(wall, wall).expect("there"));
    world.allow(bullet, wall, true).expect("there");
    assert!(ask(&world, 0.25).is_empty() && !world.asks(wall, bullet).expect("there"));
    let ends = [(beside, at(-8.0, 0.0))];
    world.remove(beside).expect("there");
    let gone = sweep_world(&world, &ends, &SweepOptions::default(), &Control::NONE);
    assert!(matches!(gone, Err(WorldError::NoObject(id)) if id == beside));
    world.allow(bullet, wall, false).expect("there");
    let bad = [
        ("distance", SweepOptions { near: f64::NAN, ..SweepOptions::default() }),
        ("width", SweepOptions { width: -1.0, ..SweepOptions::default() }),
    ];
    for (what, options) in bad {
        let refused = sweep_world(&world, &[(bullet, at(0.0, 0.0))], &options, &Control::NONE);
        let told = refused.expect_err("a bad option").to_string();
        assert!(told.contains(&format!("the {what} of a sweep is")), "{told}");
    }
}

/// A turn leads far beside the straight lines between both ends.
#[test]
fn a_turn_meets_what_boxes_of_both_ends_do_not() {
    let mut world = World::new();
    let cube = Shape::Cube.mesh(12, 0);
    let stretched = |p: &Point| Point::new(8.0 * (p.x + 0.5), p.y, p.z);
    let bar = cube.with_vertices(cube.vertices().iter().map(stretched).collect());
    let bar = world.shape(&bar.expect("as many")).expect("prepared");
    let post = world.shape(&cube.scaled(0.5).expect("in range")).expect("prepared");
    let bar = world.add(Object::new(bar, at(0.0, 0.0))).expect("added");
    let post = world.add(Object::new(post, at(0.0, 7.0))).expect("added");
    // Half a turn about z, by way of y.
    let end = Pose::from_quaternion([0.0; 3], [0.0, 0.0, 1.0, 0.0]).expect("a rotation");
    let options = SweepOptions::default();
    let found = sweep_world(&world, &[(bar, end)], &options, &Control::NONE).expect("answers");
    assert_eq!(found.iter().map(|one| [one.a, one.b]).collect::<Vec<_>>(), [[bar, post]]);
}

#[cfg(unix)]
#[test]
fn a_world_has_the_same_bits_on_any_number_of_threads() {
    let (world, ends) = step(0x7ead, 30);
    let options = SweepOptions::default();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| sweep_world(&world, &ends, &options, &Control::NONE)).expect("answers")
    };
    let alone = on(1);
    assert!(alone.len() >= 5, "{}", alone.len());
    assert_eq!(on(4), alone);
    for look in [1, 10, 100] {
        let cancel = Cancel::at_look(look);
        let control = Control::NONE.cancelled_by(&cancel);
        let gone = sweep_world(&world, &ends, &options, &control);
        assert!(matches!(gone, Err(WorldError::Cancelled(_))), "{look}: {gone:?}");
    }
}
