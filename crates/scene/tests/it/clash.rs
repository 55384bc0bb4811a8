//! The classes of clashes.

use impinge_models::{Random, Shape as Model};
use impinge_query::{Cancel, Control, Inner, QueryError};
use impinge_scene::geometry::{Mesh, Pose, Vector};
use impinge_scene::join::{enlarged, join};
use impinge_scene::{Clash, ClashOptions, Class, Object, ObjectId, World, WorldError};

const ALL: ClashOptions =
    ClashOptions { clearance: Some(0.25), solids: true, contacts: 1_000, only_class: false };

fn clashes(world: &mut World, options: &ClashOptions) -> Vec<Clash> {
    let mut found = Vec::new();
    let summary = world.clashes(options, &Control::NONE, &mut |clash| found.push(clash));
    assert_eq!(summary.expect("answered").found, found.len() as u64);
    let only_class = ClashOptions { only_class: true, ..*options };
    let mut classes = Vec::new();
    let summary = world.clashes(&only_class, &Control::NONE, &mut |clash| classes.push(clash));
    assert_eq!(summary.expect("answered").found, found.len() as u64);
    assert_eq!(classes, found.iter().cloned().map(without_contacts).collect::<Vec<_>>());
    found
}

/// What is told of a clash where only classes are asked for.
fn without_contacts(clash: Clash) -> Clash {
    let extent = clash.extent.filter(|_| clash.class == Class::TooNear);
    Clash { contacts_found: None, contacts: Vec::new(), extent, ..clash }
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::translation_by(Vector::new(x, y, z)).expect("near")
}

/// The clash of a cube of edge 1 around the origin with another mesh.
fn with_cube(mesh: &Mesh, pose: Pose, options: &ClashOptions) -> Option<Clash> {
    let mut world = World::new();
    let cube = world.shape(&Model::Cube.mesh(12, 0)).expect("prepared");
    world.add(Object::new(cube, Pose::identity())).expect("added");
    let shape = world.shape(mesh).expect("prepared");
    world.add(Object::new(shape, pose)).expect("added");
    clashes(&mut world, options).pop()
}

#[test]
fn every_class_is_told() {
    let cube = Model::Cube.mesh(12, 0);
    let small = cube.scaled(0.5).expect("in range");
    let turned = Mesh::new(
        cube.vertices().to_vec(),
        cube.triangles().iter().rev().map(|&[a, b, c]| [b, c, a]).collect(),
    )
    .expect("legal");
    let tiny = cube.scaled(0.125).expect("in range");
    let open = Mesh::new(tiny.vertices().to_vec(), tiny.triangles()[..11].to_vec());
    let open = open.expect("legal");
    // Two cubes with a common edge, as one mesh: four triangles share it.
    let twice = Mesh::union([&cube, &cube.posed(&at(1.0, 1.0, 0.0)).expect("near")]);
    let twice = twice.expect("in range").welded();
    let class = |mesh: &Mesh, pose: Pose| with_cube(mesh, pose, &ALL).map(|clash| clash.class);
    assert_eq!(class(&cube, at(1.0, 0.0, 0.0)), Some(Class::Touches), "face to face");
    assert_eq!(class(&cube, at(1.0, 1.0, 0.25)), Some(Class::Touches), "edge to edge");
    assert_eq!(class(&cube, at(1.0, 1.0, 1.0)), Some(Class::Touches), "corner to corner");
    assert_eq!(class(&cube, at(1.0 - f64::EPSILON, 0.0, 0.0)), Some(Class::Pierces));
    assert_eq!(class(&small, at(0.25, 0.0, 0.0)), Some(Class::Pierces), "flush within");
    assert_eq!(class(&small, at(0.0, 0.0, 0.0)), Some(Class::Inside));
    assert_eq!(class(&open, at(0.0, 0.0, 0.0)), None, "an open mesh is no solid");
    assert_eq!(class(&turned, at(0.0, 0.0, 0.0)), Some(Class::Duplicate));
    assert_eq!(class(&cube, at(0.0, 0.0, 1.25)), Some(Class::TooNear), "as far as allowed");
    assert_eq!(class(&cube, at(0.0, 0.0, 1.25 + f64::EPSILON)), None);
    assert_eq!(class(&twice, at(-1.0, 0.0, 0.0)), Some(Class::Uncertain));
    assert_eq!(class(&twice, at(0.5, 0.3, 0.2)), Some(Class::Pierces), "that is evident");
}

#[test]
fn a_clash_tells_how_badly() {
    let cube = Model::Cube.mesh(12, 0);
    let near = with_cube(&cube, at(0.0, 0.0, 1.125), &ALL).expect("near");
    assert_eq!((near.distance, near.contacts_found, near.inner), (0.125, Some(0), None));
    let extent = near.extent.expect("nearest points");
    assert_eq!((extent.min.z, extent.max.z), (0.5, 0.625));
    let [on_a, on_b] = near.nearest.expect("nearest points");
    assert_eq!((on_a.z, on_b.z, (on_b - on_a).norm()), (0.5, 0.625, 0.125));
    let inside = with_cube(&cube.scaled(3.0).expect("in range"), at(0.0, 0.0, 0.0), &ALL);
    let inside = inside.expect("around");
    assert_eq!((inside.class, inside.inner, inside.distance), (Class::Inside, Some(Inner::A), 0.0));
    let side = with_cube(&cube, at(1.0, 0.0, 0.0), &ALL).expect("side by side");
    let extent = side.extent.expect("a face");
    assert!(extent.min.x >= 0.5 - 1e-15 && extent.max.x <= 0.5 + 1e-15);
    assert_eq!((extent.min.y, extent.max.z, side.distance), (-0.5, 0.5, 0.0));
    assert_eq!(Some(side.contacts.len() as u64), side.contacts_found);
    let few = ClashOptions { contacts: 2, ..ALL };
    let capped = with_cube(&cube, at(1.0, 0.0, 0.0), &few).expect("side by side");
    assert_eq!(
        (capped.contacts.as_slice(), capped.contacts_found),
        (&side.contacts[..2], side.contacts_found)
    );
    // Without solids or a clearance, these are no clashes.
    let surfaces = ClashOptions::default();
    assert_eq!(with_cube(&cube, at(0.0, 0.0, 1.125), &surfaces), None);
    assert_eq!(with_cube(&cube.scaled(3.0).expect("in range"), at(0.0, 0.0, 0.0), &surfaces), None);
}

/// A scene in which pairs of all kinds are frequent: every clash is that of the pair asked alone.
#[test]
fn a_scene_has_the_clashes_of_its_pairs() {
    let mut world = World::new();
    let mut random = Random::stream(0xc1a5, 0);
    let meshes = [Model::Cube.mesh(12, 0), Model::Gear.mesh(200, 0), Model::Sphere.mesh(80, 0)];
    let shapes = meshes.map(|mesh| {
        [1.0, 0.25].map(|size| world.shape(&mesh.scaled(size).expect("in range")).expect("any"))
    });
    for _ in 0..130 {
        let lattice = |random: &mut Random| 0.5 * random.below(9) as f64;
        let [x, y, z] = [(); 3].map(|()| lattice(&mut random));
        let pose =
            if random.chance(0.85) { at(x, y, z) } else { random.turned_to(Vector::new(x, y, z)) };
        let shape = &shapes[random.below(3) as usize][random.below(2) as usize];
        world.add(Object::new(shape.clone(), pose)).expect("added");
    }
    let objects: Vec<_> = world.objects().map(|(id, o)| (id, o.clone())).collect();
    let found = clashes(&mut world, &ALL);
    let mut expected = Vec::new();
    for (k, (a, m)) in objects.iter().enumerate() {
        for (b, n) in &objects[k + 1..] {
            let mut pair = World::new();
            pair.add(m.clone()).expect("added");
            pair.add(n.clone()).expect("added");
            let alone = clashes(&mut pair, &ALL).pop();
            expected.extend(alone.map(|clash| Clash { a: *a, b: *b, ..clash }));
        }
    }
    assert_eq!(found, expected);
    let mut counts = Vec::new();
    for class in [Class::Touches, Class::Pierces, Class::Inside, Class::TooNear] {
        let of_class = found.iter().filter(|clash| clash.class == class).count();
        counts.push((class, of_class));
    }
    assert!(counts.iter().all(|(_, count)| *count > 5), "{counts:?}");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("threads");
    assert_eq!(pool.install(|| clashes(&mut world, &ALL)), found);
}

#[test]
fn a_search_for_clashes_can_be_cancelled_and_refuses_bad_distances() {
    let mut world = World::new();
    let gear = world.shape(&Model::Gear.mesh(2_000, 0)).expect("prepared");
    for i in 0..10 {
        world.add(Object::new(gear.clone(), at(0.8 * f64::from(i), 0.0, 0.0))).expect("added");
    }
    let all = clashes(&mut world, &ALL).len();
    for look in [1, 3, 20] {
        let cancel = Cancel::at_look(look);
        let outcome = world.clashes(&ALL, &Control::NONE.cancelled_by(&cancel), &mut |_| ());
        assert!(matches!(outcome, Err(WorldError::Cancelled(_))), "{outcome:?}");
    }
    assert_eq!(clashes(&mut world, &ALL).len(), all);
    let bad = ClashOptions { clearance: Some(-1.0), ..ALL };
    let outcome = world.clashes(&bad, &Control::NONE, &mut |_| ());
    assert!(matches!(outcome, Err(WorldError::Refused(QueryError::BadDistance { .. }))));
}

/// Random bodies in a small space, and their clashes.
fn crowd(seed: u64, count: usize) -> (World, Vec<ObjectId>) {
    let (mut random, mut world, mut ids) = (Random::new(seed), World::new(), Vec::new());
    let meshes = [Model::Cube.mesh(12, 0), Model::Sphere.mesh(80, 0), Model::Torus.mesh(100, 0)];
    let shapes = meshes.map(|mesh| world.shape(&mesh).expect("prepared"));
    for _ in 0..count {
        let place = random.vector(0.0, 6.0).map(|x| (4.0 * x).floor() / 4.0);
        let shape = shapes[random.below(3) as usize].clone();
        let object = Object::new(shape, Pose::translation_by(place).expect("near"));
        ids.push(world.add(object).expect("added"));
    }
    (world, ids)
}

#[test]
fn portions_of_a_join_have_the_clashes_of_the_world() {
    let (mut world, ids) = crowd(9, 120);
    let all = clashes(&mut world, &ALL);
    assert!(all.len() > 100, "{}", all.len());
    let boxes: Vec<_> = (ids.iter())
        .map(|id| Some(enlarged(&world.bounds(*id).expect("an object"), 0.125)))
        .collect();
    let (mut found, mut candidates) = (Vec::new(), 0);
    let portions = join(&boxes, 20, &Control::NONE).expect("not cancelled");
    assert!(portions.len() > 4, "{}", portions.len());
    for portion in portions {
        let mut pairs: Vec<_> =
            portion.pairs.iter().map(|pair| pair.map(|i| ids[i as usize])).collect();
        pairs.reverse();
        pairs.iter_mut().step_by(2).for_each(|pair| pair.reverse());
        pairs.push(pairs[0]);
        let each = &mut |clash| found.push(clash);
        let summary = world.clashes_of(&pairs, &ALL, &Control::NONE, each).expect("answered");
        assert_eq!(summary.candidates, portion.pairs.len() as u64);
        candidates += summary.candidates;
    }
    assert!(candidates > found.len() as u64);
    found.sort_by_key(|clash| [clash.a, clash.b]);
    assert_eq!(found, all);
    assert_eq!(clashes(&mut world, &ALL), all, "the next question is about all pairs again");
}

/// Objects that are added in parts, those of a part asked about all others: all clashes, each once.
#[test]
fn pairs_with_a_new_object_have_the_clashes_of_the_world() {
    let (mut whole, ids) = crowd(9, 120);
    let all = clashes(&mut whole, &ALL);
    let objects: Vec<Object> = whole.objects().map(|(_, object)| object.clone()).collect();
    let mut world = World::new();
    let (mut found, mut candidates) = (Vec::new(), 0);
    for (index, object) in objects.into_iter().enumerate() {
        assert_eq!(world.add(object), Ok(ids[index]));
        if index % 23 != 22 && index != 119 {
            continue;
        }
        let first = ids[index - index % 23];
        let is_new = |[a, b]: [ObjectId; 2]| {
            assert!(a < b, "{a} {b}");
            b >= first
        };
        let each = &mut |clash| found.push(clash);
        let summary = world.clashes_where(is_new, &ALL, &Control::NONE, each).expect("answered");
        candidates += summary.candidates;
    }
    let each = &mut |_| ();
    let complete = whole.clashes(&ALL, &Control::NONE, each).expect("answered").candidates;
    assert_eq!(candidates, complete);
    assert_ne!(found, all, "not in the order of the pairs");
    found.sort_by_key(|clash| [clash.a, clash.b]);
    assert_eq!(found, all);
    assert_eq!(clashes(&mut world, &ALL), all, "the next question is about all pairs again");
}

/// Two bodies that come near, meet, hold each other and part, turned anew each time, asked about by clashes of
/// listed pairs, without and with a question of all pairs in between: the clashes are those of a new world.
#[test]
fn clashes_are_of_the_places_where_objects_are_now() {
    let (mut random, mut world, mut classes) = (Random::new(31), World::new(), Vec::new());
    let [cube, ball] =
        [Model::Cube.mesh(12, 0), Model::Sphere.mesh(80, 0).scaled(0.4).expect("small")]
            .map(|mesh| world.shape(&mesh).expect("prepared"));
    let (a, b) = (Object::new(cube, Pose::identity()), Object::new(ball, at(3.0, 0.0, 0.0)));
    let pair = [&a, &b].map(|object| world.add(object.clone()).expect("added"));
    for step in 0..400 {
        let x = (0.05 * f64::from(step)).sin() * 1.5;
        let pose = random.turned_to(Vector::new(x, 0.1, 0.2));
        world.set_pose(pair[1], pose).expect("an object");
        let mut found = Vec::new();
        if step % 7 == 3 {
            found = clashes(&mut world, &ALL);
        } else {
            let each = &mut |clash| found.push(clash);
            world.clashes_of(&[pair], &ALL, &Control::NONE, each).expect("answered");
        }
        let mut anew = World::new();
        anew.add(a.clone()).expect("added");
        anew.add(Object { pose, ..b.clone() }).expect("added");
        assert_eq!(found, clashes(&mut anew, &ALL), "{step}");
        classes.extend(found.iter().map(|clash| clash.class));
    }
    let count = |class| classes.iter().filter(|found| **found == class).count();
    let counts = [Class::TooNear, Class::Pierces, Class::Inside].map(count);
    assert!(counts.iter().all(|count| *count > 20) && classes.len() < 320, "{counts:?}");
}

#[test]
fn listed_pairs_obey_groups_and_exceptions() {
    let (mut world, ids) = crowd(9, 20);
    let all = clashes(&mut world, &ALL);
    let pairs: Vec<_> = all.iter().map(|clash| [clash.a, clash.b]).collect();
    let asked = |world: &mut World| {
        let mut found = Vec::new();
        world
            .clashes_of(&pairs, &ALL, &Control::NONE, &mut |clash| found.push([clash.a, clash.b]))
            .map(|_| found)
    };
    assert_eq!(asked(&mut world), Ok(pairs.clone()));
    world.allow(pairs[0][0], pairs[0][1], true).expect("objects");
    world.set_groups(pairs[1][0], 0, 0).expect("an object");
    for id in pairs[2] {
        world.set_fixed(id, true).expect("an object");
    }
    let left = asked(&mut world).expect("answered");
    assert!(left.len() < pairs.len() - 2 && !left.is_empty());
    assert!(!left.contains(&pairs[0]) && !left.contains(&pairs[2]));
    assert!(left.iter().flatten().all(|id| *id != pairs[1][0]));
    let own = [[ids[0], ids[0]]];
    let summary = world.clashes_of(&own, &ALL, &Control::NONE, &mut |_| panic!("no pair"));
    assert_eq!(summary.expect("answered").candidates, 0);
    world.remove(ids[0]).expect("an object");
    assert!(matches!(
        world.clashes_of(&own, &ALL, &Control::NONE, &mut |_| ()),
        Err(WorldError::NoObject(id)) if id == ids[0]
    ));
}
