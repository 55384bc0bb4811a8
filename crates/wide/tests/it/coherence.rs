//! A memory that goes through a motion says what a new one says at every step.

use impinge_geometry::{Mesh, Pose};
use impinge_models::{Random, Shape};
use impinge_query::{Answer, Ask, Control, Engine, Meaning, Question};
use impinge_wide::{Memory, WideModel, wide};

fn prepare(mesh: &Mesh) -> WideModel {
    wide().prepare(mesh, &Control::NONE).expect("any mesh")
}

fn ask(models: [&WideModel; 2], pose: &Pose, memory: &mut Memory, ask: &Ask) -> Answer {
    let mut answer = Answer::default();
    let [a, b] = models;
    Engine::query(&wide(), a, b, pose, memory, ask, &Control::NONE, &mut answer).expect("any pose");
    answer
}

/// Any turns on a way about A, in and out of contact.
fn walk(seed: u64, steps: u32, reach: f64) -> Vec<Pose> {
    let mut random = Random::new(seed);
    let mut way = random.unit_vector();
    (0..steps)
        .map(|step| {
            way = (way + random.in_ball() * 0.1).normalize();
            random.turned_to(way * (reach * (1.0 + 0.3 * (f64::from(step) / 5.0).sin())))
        })
        .collect()
}

fn same(remembered: &Answer, fresh: &Answer, ask: &Ask, models: [&WideModel; 2], pose: &Pose) {
    assert_eq!(remembered.verdict, fresh.verdict, "{ask:?} {pose:?}");
    assert_eq!(remembered.contacts_found, fresh.contacts_found, "{ask:?}");
    match ask.question {
        Question::FirstContact => {
            for contact in &remembered.contacts {
                let p = models[0].mesh().triangle(contact.a);
                let q = models[1].mesh().triangle(contact.b).map(|x| pose.apply(&x));
                assert!(impinge_geometry::exact::triangles_meet(&p, &q), "{contact:?}");
            }
        }
        _ => assert_eq!(
            (&remembered.contacts, &remembered.nearest, remembered.nearer),
            (&fresh.contacts, &fresh.nearest, fresh.nearer),
            "{ask:?} {pose:?}"
        ),
    }
}

#[test]
fn every_step_is_answered_as_if_it_were_the_first() {
    let asks = [
        Ask::first_contact(),
        Ask::all_contacts(),
        Ask::distance(),
        Ask::nearer_than(0.05),
        Ask { meaning: Meaning::Solids, ..Ask::distance() },
    ];
    for (seed, shapes) in
        [[Shape::Torus, Shape::Gear], [Shape::Cube, Shape::Cube], [Shape::Trefoil, Shape::Sphere]]
            .into_iter()
            .enumerate()
    {
        let [a, b] = shapes.map(|shape| prepare(&shape.mesh(1_500, 1)));
        let models = [&a, &b];
        let (mut hits, mut steps) = (0, 0);
        let mut of_all = Memory::default();
        let mut of_each = asks.map(|_| Memory::default());
        for pose in walk(seed as u64, 150, [0.95, 1.1, 1.0][seed]) {
            for (question, memory) in asks.iter().zip(&mut of_each) {
                let fresh = ask(models, &pose, &mut Memory::default(), question);
                for memory in [memory, &mut of_all] {
                    let remembered = ask(models, &pose, memory, question);
                    same(&remembered, &fresh, question, models, &pose);
                }
                hits += u32::from(fresh.verdict.is_hit());
                steps += 1;
            }
        }
        assert!(hits > steps / 10 && hits < steps * 9 / 10, "{hits} of {steps}");
    }
}

/// Contacts and nearest triangles of another pair, or of these before they were bent, say nothing.
#[test]
fn memories_of_others_are_forgotten() {
    let mesh = Shape::Torus.mesh(2_000, 0);
    let (mut bent, small) = (prepare(&mesh), prepare(&Shape::Cube.mesh(12, 0)));
    let deep = Pose::translation_by([0.4, 0.0, 0.1].into()).expect("finite");
    let off = Pose::translation_by([3.0, 0.0, 0.1].into()).expect("finite");
    let mut memory = Memory::default();
    for question in [Ask::first_contact(), Ask::distance(), Ask::nearer_than(1.2)] {
        for pose in [&deep, &off] {
            ask([&bent, &bent], pose, &mut memory, &question);
            let others = ask([&small, &small], pose, &mut memory, &question);
            let fresh = ask([&small, &small], pose, &mut Memory::default(), &question);
            same(&others, &fresh, &question, [&small, &small], pose);
            ask([&bent, &small], pose, &mut memory, &question);
            let vertices: Vec<_> = bent.mesh().vertices().iter().map(|p| p * 0.9).collect();
            wide().refit(&mut bent, &vertices, &Control::NONE).expect("finite");
            let later = ask([&bent, &small], pose, &mut memory, &question);
            let fresh = ask([&bent, &small], pose, &mut Memory::default(), &question);
            same(&later, &fresh, &question, [&bent, &small], pose);
        }
    }
}

/// Remembering is worth its while: most steps of a slow motion in contact need one pair of triangles, and
/// distances fewer boxes.
#[test]
fn what_is_remembered_saves_tests() {
    let model = prepare(&Shape::Trefoil.mesh(4_000, 0));
    let tests = |question: &Ask, reach: f64, remember: bool| -> [u64; 2] {
        let question = Ask { count: true, ..*question };
        let mut memory = Memory::default();
        let mut random = Random::new(3);
        let (turn, way) = (random.quaternion(), random.unit_vector());
        let mut sum = [0; 2];
        for step in 0..200 {
            let at = way * (reach + 1e-4 * f64::from(step));
            let pose = Pose::from_quaternion(at.into(), turn).expect("unit");
            if !remember {
                memory = Memory::default();
            }
            let counted = ask([&model, &model], &pose, &mut memory, &question).statistics;
            let counted = counted.expect("counted");
            sum[0] += counted.volume_tests;
            sum[1] += counted.primitive_tests;
        }
        sum
    };
    let [first, distance] = [Ask::first_contact(), Ask::distance()];
    let (met, anew) = (tests(&first, 0.3, true), tests(&first, 0.3, false));
    assert!(met[0] * 5 < anew[0], "{met:?} {anew:?}");
    println!("contact {met:?} of {anew:?}");
    let (near, anew) = (tests(&distance, 1.6, true), tests(&distance, 1.6, false));
    assert!(near[0] <= anew[0] && near[1] < anew[1], "{near:?} {anew:?}");
    println!("distance {near:?} of {anew:?}");
}
