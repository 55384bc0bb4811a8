//! A tree that follows moved vertices answers like one built for them.

use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_models::{Random, Shape};
use impinge_query::{Answer, Ask, Cancel, Contact, Control, Engine, Model, RefitError};
use impinge_wide::{Quality, Wide, WideModel, WideParams, wide, wide_with};

/// The mesh bent, blown up and shaken by `amount`.
fn moved(mesh: &Mesh, amount: f64, seed: u64) -> Vec<Point> {
    let mut random = Random::new(seed);
    let bend = random.vector(-1.0, 1.0) * amount;
    let shake = 0.05 * amount;
    (mesh.vertices().iter())
        .map(|p| p + bend * p.z * p.z + random.vector(-shake, shake) + p.coords * (0.2 * amount))
        .collect()
}

fn answer(engine: Wide, models: [&WideModel; 2], pose: &Pose, ask: &Ask) -> Answer {
    let (mut memory, mut answer) = (engine.memory(), Answer::default());
    let [a, b] = models;
    engine.query(a, b, pose, &mut memory, ask, &Control::NONE, &mut answer).expect("an answer");
    answer
}

#[test]
fn refitted_trees_answer_like_new_ones() {
    for quality in [Quality::SurfaceArea, Quality::Morton] {
        let engine = wide_with(WideParams { quality, ..WideParams::default() });
        let (torus, gear) = (Shape::Torus.mesh(800, 0), Shape::Gear.mesh(600, 0));
        let mut a = engine.prepare(&torus, &Control::NONE).expect("a mesh");
        let b = engine.prepare(&gear, &Control::NONE).expect("a mesh");
        let (mut hits, mut random) = (0, Random::new(4));
        for step in 0..60u64 {
            let vertices = moved(&torus, (step as f64 * 0.2).sin(), step);
            let before = a.id();
            engine.refit(&mut a, &vertices, &Control::NONE).expect("as many vertices");
            assert_ne!(a.id(), before, "a memory of the old shape must notice");
            assert_eq!(a.validate(), Ok(()), "step {step}");
            let fresh = torus.with_vertices(vertices).expect("legal");
            let fresh = engine.prepare(&fresh, &Control::NONE).expect("a mesh");
            let pose = random.pose(0.9);
            let contacts = |a: &WideModel| -> Vec<Contact> {
                answer(engine, [a, &b], &pose, &Ask::all_contacts()).contacts
            };
            let found = contacts(&a);
            assert_eq!(found, contacts(&fresh), "step {step}");
            hits += u32::from(!found.is_empty());
            let distance = |a: &WideModel| {
                answer(engine, [a, &b], &pose, &Ask::distance()).nearest.map(|n| n.distance)
            };
            assert_eq!(distance(&a), distance(&fresh), "step {step}");
        }
        assert!((18..=42).contains(&hits), "{hits} of 60 hit");
    }
}

#[test]
fn a_tree_that_has_become_costly_is_built_anew() {
    // Small balls in a row that trade places: what was near is far.
    let ball = Shape::Sphere.mesh(80, 0).scaled(0.02).expect("in range");
    let at = |place: usize| Vector::new(place as f64, 0.0, 0.0);
    let row: Vec<Mesh> = (0..64)
        .map(|k| ball.posed(&Pose::translation_by(at(k)).expect("finite")).expect("in range"))
        .collect();
    let mesh = Mesh::union(&row).expect("legal");
    let each = ball.vertices().len();
    let vertices: Vec<Point> = (0..mesh.vertices().len())
        .map(|v| ball.vertices()[v % each] + at((v / each * 29) % 64))
        .collect();
    let engine = wide();
    let mut model = engine.prepare(&mesh, &Control::NONE).expect("a mesh");
    let boxes = |model: &WideModel| {
        let ask = Ask { count: true, ..Ask::all_contacts() };
        let found = answer(engine, [model, model], &Pose::identity(), &ask);
        found.statistics.expect("asked for").volume_tests
    };
    engine.refit(&mut model, &vertices, &Control::NONE).expect("as many vertices");
    let refitted = boxes(&model);
    engine.refit(&mut model, &vertices, &Control::NONE).expect("as many vertices");
    let rebuilt = boxes(&model);
    assert!(rebuilt * 10 < refitted * 9, "{rebuilt} after {refitted}");
}

#[test]
fn a_refit_that_fails_changes_nothing() {
    let (engine, mesh) = (wide(), Shape::Torus.mesh(300, 0));
    let mut model = engine.prepare(&mesh, &Control::NONE).expect("a mesh");
    let id = model.id();
    let mut vertices = moved(&mesh, 0.2, 3);
    let few = &vertices[1..];
    assert!(matches!(engine.refit(&mut model, few, &Control::NONE), Err(RefitError::Mesh(_))));
    let cancel = Cancel::new();
    cancel.cancel();
    let cancelled = engine.refit(&mut model, &vertices, &Control::NONE.cancelled_by(&cancel));
    assert!(matches!(cancelled, Err(RefitError::Cancelled(_))));
    vertices[5].y = f64::NAN;
    let nan = engine.refit(&mut model, &vertices, &Control::NONE);
    assert!(nan.expect_err("no number").to_string().contains("vertex 5"));
    assert_eq!((model.id(), model.mesh()), (id, &mesh));
}
