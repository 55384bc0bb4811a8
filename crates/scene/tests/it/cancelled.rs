//! A caller who has gone: every question of a world hears it, whatever the world keeps, and the next
//! question is answered right.

use impinge_models::Shape as Model;
use impinge_query::{Ask, Cancel, Control, Meaning};
use impinge_scene::geometry::{Pose, Vector};
use impinge_scene::{ClashOptions, Keep, Object, ObjectId, World, WorldError};

use crate::world::{Scene, essence, rows};

/// A question of a world about some of its objects.
type Question = fn(&mut World, &[ObjectId], &Control<'_>) -> Result<(), WorldError>;

const OPTIONS: ClashOptions =
    ClashOptions { clearance: Some(0.1), solids: true, contacts: 3, only_class: false };

fn pairs(ids: &[ObjectId]) -> Vec<[ObjectId; 2]> {
    let of = |(k, a): (usize, &ObjectId)| ids[k + 1..].iter().map(|b| [*a, *b]).collect::<Vec<_>>();
    ids.iter().enumerate().flat_map(of).collect()
}

const QUESTIONS: [(&str, Question); 8] = [
    ("contacts", |world, _, control| {
        world.ask(&Ask::all_contacts(), control, &mut |_| ()).map(|_| ())
    }),
    ("containment", |world, _, control| {
        world.ask(&Ask::contained_in(), control, &mut |_| ()).map(|_| ())
    }),
    ("near", |world, _, control| {
        world.near_with(0.1, Meaning::Surfaces, control, &mut |_| ()).map(|_| ())
    }),
    ("one object", |world, ids, control| {
        world.ask_one(ids[0], &Ask::all_contacts(), control, &mut |_, _| ()).map(|_| ())
    }),
    ("an object outside", |world, ids, control| {
        let object = world.object(ids[0])?.clone();
        world.ask_object(&object, &Ask::all_contacts(), control, &mut |_, _| ()).map(|_| ())
    }),
    ("clashes", |world, _, control| world.clashes(&OPTIONS, control, &mut |_| ()).map(|_| ())),
    ("clashes of some", |world, _, control| {
        let odd = |[a, b]: [ObjectId; 2]| (a.index() + b.index()) % 2 == 1;
        world.clashes_where(odd, &OPTIONS, control, &mut |_| ()).map(|_| ())
    }),
    ("clashes of a list", |world, ids, control| {
        world.clashes_of(&pairs(ids), &OPTIONS, control, &mut |_| ()).map(|_| ())
    }),
];

#[test]
fn a_cancelled_question_is_an_error_and_the_next_is_right() {
    let asks = [Ask::all_contacts(), Ask::first_contact(), Ask::nearer_than(0.1)];
    for keep in [Keep::Hints, Keep::Memories] {
        for (name, question) in QUESTIONS {
            let mut scene = Scene::new(World::new().keeping(keep), 3, 1.5);
            let mut cancelled = 0;
            for step in 0..60 {
                for _ in 0..6 {
                    scene.change();
                }
                let cancel = Cancel::at_look(1 + step as u64 / 3);
                let control = Control::NONE.cancelled_by(&cancel);
                if let Err(error) = question(&mut scene.world, &scene.ids, &control) {
                    assert!(matches!(error, WorldError::Cancelled(_)), "{name}: {error}");
                    cancelled += 1;
                }
                if step % 2 == 0 {
                    let ask = &asks[step / 2 % asks.len()];
                    let (found, truth) = (rows(&mut scene.world, ask), scene.truth(ask));
                    let place = format!("{keep:?}, {name}, step {step}");
                    assert_eq!(essence(ask, found), essence(ask, truth), "{place}");
                }
            }
            assert!(cancelled >= 10, "{keep:?}, {name}: {cancelled} of 60 were cancelled");
        }
    }
}

/// Nothing has changed since the last question, and no boxes overlap.
#[test]
fn a_question_without_candidates_hears_that_the_caller_has_gone() {
    let mut world = World::new();
    let cube = world.shape(&Model::Cube.mesh(12, 0)).expect("prepared");
    let mut ids = Vec::new();
    for x in [0.0, 3.0] {
        let pose = Pose::translation_by(Vector::new(x, 0.0, 0.0)).expect("near");
        ids.push(world.add(Object::new(cube.clone(), pose)).expect("added"));
    }
    for (name, question) in QUESTIONS {
        question(&mut world, &ids, &Control::NONE).expect("answered");
        let cancel = Cancel::new();
        cancel.cancel();
        let outcome = question(&mut world, &ids, &Control::NONE.cancelled_by(&cancel));
        assert!(matches!(outcome, Err(WorldError::Cancelled(_))), "{name}: {outcome:?}");
    }
}
