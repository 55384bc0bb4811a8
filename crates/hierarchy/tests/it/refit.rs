//! A tree that follows moved vertices answers like one built for them.

use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_hierarchy::Node;
use impinge_hierarchy::build::Update;
use impinge_hierarchy::methods::{
    AabbRefit, AabbRefitParams, aabb_refit, aabb_refit_with, kdop, obbtree, sphere,
};
use impinge_models::{Random, Shape};
use impinge_query::{Answer, Ask, Cancel, Contact, Control, Engine, Model, RefitError};

/// The mesh bent, blown up and shaken by `amount`.
fn moved(mesh: &Mesh, amount: f64, seed: u64) -> Vec<Point> {
    let mut random = Random::new(seed);
    let bend = random.vector(-1.0, 1.0) * amount;
    let shake = 0.05 * amount;
    (mesh.vertices().iter())
        .map(|p| p + bend * p.z * p.z + random.vector(-shake, shake) + p.coords * (0.2 * amount))
        .collect()
}

fn contacts<E: Engine>(engine: &E, a: &E::Model, b: &E::Model, pose: &Pose) -> Vec<Contact> {
    let (mut memory, mut answer) = (engine.memory(), Answer::default());
    let ask = Ask::all_contacts();
    engine.query(a, b, pose, &mut memory, &ask, &Control::NONE, &mut answer).expect("an answer");
    answer.contacts
}

/// The AABB tree that leaves its lower nodes to the queries.
fn lazy() -> AabbRefit {
    let params = AabbRefitParams { update: Update::Hybrid, ..AabbRefitParams::default() };
    aabb_refit_with(params)
}

fn follows<E: Engine>(engine: &E) {
    let (torus, gear) = (Shape::Torus.mesh(800, 0), Shape::Gear.mesh(600, 0));
    let mut a = engine.prepare(&torus, &Control::NONE).expect("a mesh");
    let b = engine.prepare(&gear, &Control::NONE).expect("a mesh");
    let (mut hits, mut random) = (0, Random::new(4));
    for step in 0..60u64 {
        let vertices = moved(&torus, (step as f64 * 0.2).sin(), step);
        let before = a.id();
        engine.refit(&mut a, &vertices, &Control::NONE).expect("as many vertices");
        assert_ne!(a.id(), before, "a memory of the old shape must notice");
        let fresh = torus.with_vertices(vertices).expect("legal");
        let fresh = engine.prepare(&fresh, &Control::NONE).expect("a mesh");
        let pose = random.pose(0.9);
        let found = contacts(engine, &a, &b, &pose);
        assert_eq!(found, contacts(engine, &fresh, &b, &pose), "step {step}");
        hits += u32::from(!found.is_empty());
    }
    assert!((18..=42).contains(&hits), "{hits} of 60 hit");
}

#[test]
fn refitted_trees_answer_like_new_ones() {
    follows(&aabb_refit());
    follows(&lazy());
    follows(&kdop());
    follows(&sphere());
}

#[test]
fn a_refitted_tree_wraps_its_mesh_and_one_left_alone_does_not() {
    let mesh = Shape::Hand.mesh(2_000, 0);
    for engine in [aabb_refit(), lazy()] {
        let mut model = engine.prepare(&mesh, &Control::NONE).expect("a mesh");
        for seed in 0..3 {
            let vertices = moved(&mesh, 0.3, seed);
            let deformed = mesh.with_vertices(vertices.clone()).expect("legal");
            assert!(model.tree().validate(&deformed).is_err(), "the faults: no refit");
            engine.refit(&mut model, &vertices, &Control::NONE).expect("as many vertices");
            model.tree().validate(&deformed).expect("every box holds its triangles");
        }
    }
}

#[test]
fn a_lazy_tree_is_the_bottom_up_one() {
    let mesh = Shape::Hand.mesh(3_000, 0);
    let prepare = |engine: &AabbRefit| engine.prepare(&mesh, &Control::NONE).expect("a mesh");
    let (mut eager, mut late) = (prepare(&aabb_refit()), prepare(&lazy()));
    for seed in 0..4 {
        let vertices = moved(&mesh, 0.1, seed);
        aabb_refit().refit(&mut eager, &vertices, &Control::NONE).expect("as many vertices");
        lazy().refit(&mut late, &vertices, &Control::NONE).expect("as many vertices");
        for node in 0..eager.tree().nodes().len() as u32 {
            assert_eq!(eager.tree().volume(node), late.tree().volume(node), "node {node}");
        }
    }
}

#[test]
fn threads_that_meet_in_a_lazy_tree_get_one_answer() {
    let mesh = Shape::Torus.mesh(4_000, 0);
    let engine = lazy();
    let mut model = engine.prepare(&mesh, &Control::NONE).expect("a mesh");
    engine.refit(&mut model, &moved(&mesh, 0.1, 5), &Control::NONE).expect("as many vertices");
    let pose = Pose::translation_by(Vector::new(0.4, 0.1, 0.0)).expect("finite");
    let answers: Vec<Vec<Contact>> = std::thread::scope(|scope| {
        let ask = || contacts(&engine, &model, &model, &pose);
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(ask)).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    assert!(!answers[0].is_empty());
    assert!(answers.iter().all(|answer| *answer == answers[0]));
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
    let cost = |rebuild_above: f64| {
        let update = Update::BottomUp;
        let engine = aabb_refit_with(AabbRefitParams { update, rebuild_above });
        let mut model = engine.prepare(&mesh, &Control::NONE).expect("a mesh");
        engine.refit(&mut model, &vertices, &Control::NONE).expect("as many vertices");
        let refitted = model.tree().cost();
        engine.refit(&mut model, &vertices, &Control::NONE).expect("as many vertices");
        model.tree().validate(model.mesh()).expect("whole");
        (refitted, model.tree().cost())
    };
    let (refitted, rebuilt) = cost(2.0);
    assert!(rebuilt < 0.8 * refitted, "{rebuilt} after {refitted}");
    let (refitted, again) = cost(f64::INFINITY);
    assert_eq!(refitted, again, "never means never");
    // Just above what it has come to it is kept, just below it is not; by default the bar is twice.
    let built = {
        let model = aabb_refit().prepare(&mesh, &Control::NONE).expect("a mesh");
        model.tree().cost()
    };
    let (kept, again) = cost(refitted / built * (1.0 + 1e-9));
    assert_eq!(kept, again, "it has not become as costly");
    let (_, rebuilt) = cost(refitted / built * (1.0 - 1e-9));
    assert!(rebuilt < 0.8 * refitted, "it has become as costly");
    assert!(refitted > 2.0 * built, "{refitted} of {built}");
    for by in [aabb_refit().rebuild_above, kdop().rebuild_above, sphere().rebuild_above] {
        assert_eq!(by, 2.0);
    }
    let engine = lazy();
    let mut model = engine.prepare(&mesh, &Control::NONE).expect("a mesh");
    let before = model.tree().nodes().iter().map(Node::child).collect::<Vec<_>>();
    for _ in 0..2 {
        engine.refit(&mut model, &vertices, &Control::NONE).expect("as many vertices");
        model.tree().validate(model.mesh()).expect("whole");
    }
    let after = model.tree().nodes().iter().map(Node::child).collect::<Vec<_>>();
    assert_ne!(before, after, "a lazy tree is built anew, too");
}

#[test]
fn a_refit_that_fails_changes_nothing() {
    fails(&aabb_refit());
    fails(&lazy());
}

fn fails(engine: &AabbRefit) {
    let mesh = Shape::Torus.mesh(300, 0);
    let mut model = engine.prepare(&mesh, &Control::NONE).expect("a mesh");
    // A lazy tree holds the mesh only after its first refit.
    engine.refit(&mut model, mesh.vertices(), &Control::NONE).expect("as many vertices");
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
    model.tree().validate(&mesh).expect("untouched");
}

#[test]
fn a_method_without_refit_says_so() {
    let mesh = Shape::Cube.mesh(12, 0);
    let engine = obbtree();
    let mut model = engine.prepare(&mesh, &Control::NONE).expect("a mesh");
    let error = engine.refit(&mut model, mesh.vertices(), &Control::NONE).expect_err("no refit");
    assert!(error.to_string().contains("obbtree cannot be refitted"), "{error}");
}
