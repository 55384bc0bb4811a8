//! Descents that begin where the last one stopped: when they do, and what they forget.

use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_hierarchy::methods::obbtree;
use impinge_hierarchy::traverse::{Front, FrontOfBoth, Traversal};
use impinge_hierarchy::volume::{ObbRows, Volume};
use impinge_hierarchy::{TreeEngine, TreeModel};
use impinge_models::{Random, Shape};
use impinge_query::{Answer, Ask, Cancel, Contact, Control, Engine, QueryError};

/// The volume tests of a first contact, or of all.
fn tests<E: Engine>(
    engine: &E,
    [a, b]: [&E::Model; 2],
    pose: &Pose,
    memory: &mut E::Memory,
) -> (u64, Vec<Contact>) {
    let mut answer = Answer::default();
    let ask = Ask::all_contacts().counted();
    engine.query(a, b, pose, memory, &ask, &Control::NONE, &mut answer).expect("an answer");
    (answer.statistics.expect("counted").volume_tests, answer.contacts)
}

/// A descent begins at the front if the middles of the roots came nearer, else at the root; and at the
/// root if nothing is known.
#[test]
fn a_front_is_used_if_and_only_if_the_middles_came_nearer() {
    uses_its_front(Front);
    uses_its_front(FrontOfBoth { renewed: false });
}

fn uses_its_front<T: Traversal>(traversal: T) {
    let base = obbtree();
    let engine = TreeEngine::new(base.description, base.builder, traversal, base.leaf);
    let shift = |m: &Mesh, by: Vector| {
        m.posed(&Pose::translation_by(by).expect("finite")).expect("in range")
    };
    let a = shift(&Shape::Torus.mesh(400, 0), Vector::new(3.0, -5.0, 2.0));
    let b = shift(&Shape::Gear.mesh(300, 0), Vector::new(-1.0, 4.0, 7.0));
    let models = [a, b].map(|m| engine.prepare(&m, &Control::NONE).expect("a mesh"));
    let [a, b] = &models;
    let middle = |m: &TreeModel<ObbRows>| Point::from(m.tree().nodes()[0].volume.center());
    let apart = |pose: &Pose| (pose.apply(&middle(b)) - middle(a)).norm();
    let mut memory = engine.memory();
    let (mut before, mut last, mut fronts, mut roots) = (f64::NAN, 0, 0, 0);
    let mut random = Random::new(161);
    let mut place = random.unit_vector();
    let mut turn = random.turned_to(Vector::zeros());
    for step in 0..240 {
        match step % 6 {
            0 => turn = random.turned_to(Vector::zeros()),
            // The same again.
            1 => {}
            k => place[k % 3] += random.range(-0.2, 0.2),
        }
        place *= 0.9 / place.norm().max(0.9);
        let back = turn.rotation() * middle(b).coords;
        let pose = Pose::new(*turn.rotation(), place + middle(a).coords - back).expect("finite");
        let (found, contacts) = tests(&engine, [a, b], &pose, &mut memory);
        let (fresh, truth) = tests(&engine, [a, b], &pose, &mut engine.memory());
        assert_eq!(contacts, truth, "step {step}");
        let now = apart(&pose);
        if (now - before).abs() > 1e-12 || step % 6 == 1 {
            let nearer = now < before - 1e-12;
            // A front of the roots alone is the root.
            if !nearer || last > 20 {
                assert_eq!(found != fresh, nearer, "step {step}: {found} {fresh}, {before} {now}");
            }
            fronts += u32::from(nearer);
            roots += u32::from(!nearer);
        }
        (before, last) = (now, found);
    }
    assert!(fronts > 40 && roots > 80, "{fronts} {roots}");
}

/// What was cancelled leaves no front: the next descent begins at the root, nearer or not.
#[test]
fn a_front_that_was_cancelled_is_forgotten() {
    is_forgotten(Front);
    is_forgotten(FrontOfBoth { renewed: true });
}

fn is_forgotten<T: Traversal>(traversal: T) {
    let base = obbtree();
    let engine = TreeEngine::new(base.description, base.builder, traversal, base.leaf);
    let mesh = Shape::Torus.mesh(2000, 0);
    let model = engine.prepare(&mesh, &Control::NONE).expect("a mesh");
    let at = |x: f64| Pose::translation_by(Vector::new(x, 0.01, 0.02)).expect("finite");
    let mut memory = engine.memory();
    tests(&engine, [&model, &model], &at(0.4), &mut memory);
    let cancel = Cancel::at_look(3);
    let control = Control::NONE.cancelled_by(&cancel);
    let (ask, mut answer) = (Ask::all_contacts(), Answer::default());
    let ended = engine.query(&model, &model, &at(0.3), &mut memory, &ask, &control, &mut answer);
    assert!(matches!(ended, Err(QueryError::Cancelled(_))), "{ended:?}");
    let (found, contacts) = tests(&engine, [&model, &model], &at(0.2), &mut memory);
    let (fresh, truth) = tests(&engine, [&model, &model], &at(0.2), &mut engine.memory());
    assert_eq!((found, contacts.len()), (fresh, truth.len()));
    assert!(!truth.is_empty());
}
