//! Worlds of objects as small and as large as coordinates allow, and of both side by side: every broad
//! phase finds the pairs that the method finds when it is asked about every pair.

use impinge_models::{Random, Shape as Model};
use impinge_query::{Answer, Ask, Control, Question};
use impinge_scene::geometry::volume::Aabb;
use impinge_scene::geometry::{Point, Pose, Vector};
use impinge_scene::{Clash, ClashOptions, Object, ObjectId, World};

use crate::phases::phases;
use crate::world::{ASKS, Scene, apex_to_apex, essence, one, rows};

/// Sizes of meshes, and of the places of objects. Those of 1e-308 have subnormal coordinates; those of
/// 1e-318 have few digits, too.
const UNITS: [&[f64]; 10] = [
    &[1e-150],
    &[1e-300],
    &[1e-308],
    &[1e-318],
    &[1e150],
    &[1e299],
    &[1.0, 1e-300],
    &[1e150, 1e-150, 1e-308],
    &[1e299, 1.0],
    &[1e299, 1e-318],
];

/// A question, with a distance in the unit of the objects.
fn scaled(ask: Ask, unit: f64) -> Ask {
    match ask.question {
        Question::NearerThan(d) => Ask::nearer_than(d * unit),
        _ => ask,
    }
}

/// The objects that the method finds when it is asked about one, in the frame of that one.
fn neighbours(scene: &Scene, id: ObjectId, ask: &Ask) -> Vec<ObjectId> {
    let world = &scene.world;
    let own = world.object(id).expect("there");
    let holds = |(other, object): (ObjectId, &Object)| {
        let pose = Pose::relative(&own.pose, &object.pose);
        let answer = one(world, &own.shape, &object.shape, &pose, ask);
        let holds = answer.contained.or(answer.nearer);
        let holds = holds.unwrap_or_else(|| answer.verdict.is_hit());
        (holds && world.asks(id, other).expect("there")).then_some(other)
    };
    world.objects().filter_map(holds).collect()
}

#[test]
fn worlds_of_every_scale_answer_as_every_pair_does_by_every_broad_phase() {
    for units in UNITS {
        let asks: Vec<Ask> =
            ASKS.iter().flat_map(|ask| units.iter().map(|unit| scaled(*ask, *unit))).collect();
        let mut met = Vec::new();
        for (name, phase) in phases() {
            let mut scene = Scene::of_units(World::new().with_phase(phase), 7, 1.5, units);
            let (mut hits, mut pairs) = (0, 0);
            for step in 0..40 {
                for _ in 0..4 {
                    scene.change();
                }
                let ask = &asks[step % asks.len()];
                let truth = scene.truth(ask);
                hits += truth.len();
                pairs += scene.ids.len() * (scene.ids.len() - 1) / 2;
                let found = essence(ask, rows(&mut scene.world, ask));
                assert_eq!(found, essence(ask, truth), "{units:?}, {name}, step {step}: {ask:?}");
                let (id, mut others) = (scene.some(), Vec::new());
                let each = &mut |other: ObjectId, _: &Answer| others.push(other);
                scene.world.ask_one(id, ask, &Control::NONE, each).expect("answered");
                assert_eq!(others, neighbours(&scene, id, ask), "{units:?}, {name}, step {step}");
            }
            assert!(hits * 20 > pairs && hits * 2 < pairs, "{units:?}: {hits} of {pairs}");
            met.push(hits);
        }
        assert!(met.iter().all(|hits| *hits == met[0]), "{units:?}: {met:?}");
    }
}

/// Pairs that are near, with their distances.
fn listed(scene: &mut Scene, d: f64) -> Vec<(ObjectId, ObjectId, f64)> {
    let found = scene.world.near(d).expect("answered");
    found.into_iter().map(|near| (near.a, near.b, near.nearest.distance)).collect()
}

/// The number of pairs that are near: those of every pair, with the distances that the method tells, by every
/// broad phase.
fn near(scenes: &mut [(&'static str, Scene)], d: f64, units: &[f64]) -> usize {
    let scene = &mut scenes[0].1;
    let truth: Vec<_> = (scene.truth(&Ask::nearer_than(d)).into_iter())
        .map(|(a, b, _)| {
            let [p, q] = [a, b].map(|id| scene.world.object(id).expect("there"));
            let pose = Pose::relative(&p.pose, &q.pose);
            let alone = one(&scene.world, &p.shape, &q.shape, &pose, &Ask::distance());
            (a, b, alone.nearest.expect("one").distance)
        })
        .collect();
    for (name, scene) in scenes {
        assert_eq!(listed(scene, d), truth, "{units:?}, {name}: {d:e}");
    }
    truth.len()
}

/// Also at the least and at the largest distance that a number can tell.
#[test]
fn what_is_near_has_its_distance_at_every_scale() {
    for units in UNITS {
        let scene = |phase| Scene::of_units(World::new().with_phase(phase), 8, 1.5, units);
        let mut scenes: Vec<_> =
            phases().into_iter().map(|(name, phase)| (name, scene(phase))).collect();
        for step in 0..8 {
            for (_, scene) in &mut scenes {
                (0..8).for_each(|_| scene.change());
            }
            for unit in units {
                near(&mut scenes, unit * [0.1, 0.25, 0.4, 0.6][step % 4], units);
            }
        }
        let least = near(&mut scenes, 5e-324, units);
        assert!(near(&mut scenes, f64::MAX, units) > least, "{units:?}: {least}");
    }
}

/// In units where rounding is that of the largest numbers, and in units where a digit is lost at the end of the
/// range.
#[test]
fn no_pair_is_lost_by_rounding_at_any_scale() {
    let mut random = Random::stream(0xfa4, 1);
    let (mut meet, mut lost_without_room) = (0, 0);
    for unit in [1e290, 1e150, 1e-150, 1e-300, 1e-311, 1e-316, 1e-320] {
        for place in [1.0, 1e3, 1e6, 1e9].into_iter().flat_map(|place| [place; 100]) {
            let [met, lost] = apex_to_apex(&mut random, unit, place);
            meet += u32::from(met);
            lost_without_room += u32::from(lost);
        }
    }
    assert!(meet > 600 && lost_without_room > 4, "{meet}, {lost_without_room}");
}

/// A lattice of cubes whose edge is a power of two, so that no unit rounds anything.
fn lattice(power: i32) -> (f64, Vec<Clash>) {
    let unit =
        if power < -1000 { 2f64.powi(-1000) * 2f64.powi(power + 1000) } else { 2f64.powi(power) };
    let (mut world, mut random) = (World::new(), Random::stream(0x1a77, 0));
    let cube = Model::Cube.mesh(12, 0);
    let shapes = [1.0, 0.25].map(|size| {
        let mesh = cube.scaled(size).and_then(|mesh| mesh.scaled(unit)).expect("in range");
        world.shape(&mesh).expect("prepared")
    });
    for _ in 0..90 {
        let place = Vector::from_fn(|_, _| 0.5 * random.below(7) as f64) * unit;
        let pose = Pose::translation_by(place).expect("in range");
        let shape = &shapes[random.below(2) as usize];
        world.add(Object::new(shape.clone(), pose)).expect("added");
    }
    let options = ClashOptions {
        clearance: Some(0.25 * unit),
        solids: true,
        contacts: 1_000,
        only_class: false,
    };
    let mut found = Vec::new();
    world.clashes(&options, &Control::NONE, &mut |clash| found.push(clash)).expect("answered");
    (unit, found)
}

/// All that is told of clashes changes with the unit alone.
#[test]
fn clashes_are_the_same_in_every_unit() {
    let (_, plain) = lattice(0);
    assert!(plain.len() > 100, "{}", plain.len());
    for power in [-1065, -1022, -997, -499, 499, 993] {
        let (unit, found) = lattice(power);
        assert_eq!(found.len(), plain.len(), "2^{power}");
        let scaled = |p: Point| Point::from(p.coords * unit);
        for (found, plain) in found.into_iter().zip(&plain) {
            let mut expected = plain.clone();
            expected.distance *= unit;
            expected.nearest = plain.nearest.map(|ends| ends.map(scaled));
            expected.extent =
                plain.extent.map(|one| Aabb { min: scaled(one.min), max: scaled(one.max) });
            assert_eq!(found, expected, "2^{power}");
        }
    }
}
