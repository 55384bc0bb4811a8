//! `octree-front`: the battery for all its forms, and what its markers and its assignment of edges may
//! and may not change.

use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_models::{Random, Shape};
use impinge_query::{Answer, Ask, Cancel, Contact, Control, Engine, QueryError};
use impinge_scene::front::{
    Division, Markers, OctreeFront, OctreeFrontParams, OctreeParams, Trees, TriangleTest,
    octree_front, octree_front_with,
};
use impinge_testkit::battery;

const DEFAULT: fn() -> OctreeFrontParams = OctreeFrontParams::default;

fn tested(test: TriangleTest) -> OctreeFront {
    octree_front_with(OctreeFrontParams { test, ..DEFAULT() })
}

fn printed(test: TriangleTest) -> OctreeFront {
    octree_front_with(OctreeFrontParams { test, ..OctreeFrontParams::PRINTED })
}

fn from_the_root() -> OctreeFront {
    octree_front_with(OctreeFrontParams { markers: Markers::None, ..DEFAULT() })
}

fn sinking() -> OctreeFront {
    octree_front_with(OctreeFrontParams { markers: Markers::Sinking, ..DEFAULT() })
}

fn without_octree(trees: Trees) -> OctreeFront {
    octree_front_with(OctreeFrontParams { octree: None, trees, ..DEFAULT() })
}

/// Small cells, two at a time.
fn small_cells() -> OctreeFront {
    let octree = OctreeParams { triangles: 1, division: Division::Two, ..OctreeParams::default() };
    octree_front_with(OctreeFrontParams {
        octree: Some(octree),
        test: TriangleTest::Reassigned,
        ..DEFAULT()
    })
}

impinge_testkit::conformance!(octree_front, impinge_scene::front::octree_front());
impinge_testkit::conformance!(every_edge, super::tested(super::TriangleTest::EveryEdge));
impinge_testkit::conformance!(assigned, super::tested(super::TriangleTest::Assigned));
impinge_testkit::conformance!(reassigned, super::tested(super::TriangleTest::Reassigned));
impinge_testkit::conformance!(printed_form, super::printed(super::TriangleTest::CommonLine));
impinge_testkit::conformance!(printed_edges, super::printed(super::TriangleTest::Reassigned));
impinge_testkit::conformance!(from_the_root, super::from_the_root());
impinge_testkit::conformance!(sinking, super::sinking());
impinge_testkit::conformance!(no_octree, super::without_octree(super::Trees::Kept));
impinge_testkit::conformance!(no_octree_anew, super::without_octree(super::Trees::Anew));
impinge_testkit::conformance!(small_cells, super::small_cells());

#[test]
fn one_memory_serves_many() {
    for form in [octree_front(), tested(TriangleTest::Reassigned), printed(TriangleTest::Assigned)]
    {
        battery::one_memory_serves_many(&form).expect("the same answers");
    }
}

/// A walk of B about A, nearer and farther, with jumps.
fn walk(steps: usize, seed: u64) -> Vec<Pose> {
    let mut random = Random::new(seed);
    let (mut turn, mut at) = (Pose::identity(), Vector::zeros());
    let step = |step: usize| {
        if step.is_multiple_of(40) {
            (turn, at) = (random.turned_to(Vector::zeros()), random.unit_vector() * 1.1);
        }
        let v = random.vector(-0.02, 0.02);
        let by = [v.x, v.y, v.z, (1.0 - v.norm_squared()).sqrt()];
        let by = Pose::from_quaternion([0.0; 3], by).expect("a unit quaternion");
        turn = turn.then_inner(&by);
        at += random.vector(-0.02, 0.02) - at * if step % 40 < 25 { 0.02 } else { -0.03 };
        Pose::new(*turn.rotation(), at).expect("a rotation")
    };
    (0..steps).map(step).collect()
}

/// What a walk gives: contacts of every step, and the sums of box and primitive tests.
struct Walked {
    contacts: Vec<Vec<Contact>>,
    volumes: u64,
    primitives: u64,
}

fn walked(form: &OctreeFront, meshes: [&Mesh; 2], poses: &[Pose]) -> Walked {
    let [a, b] = meshes.map(|mesh| form.prepare(mesh, &Control::NONE).expect("any mesh"));
    let (mut memory, mut answer) = (form.memory(), Answer::default());
    let mut all = Walked { contacts: Vec::new(), volumes: 0, primitives: 0 };
    for (step, pose) in poses.iter().enumerate() {
        // A search for a first contact in between leaves a front and edges that it did not test.
        if step % 3 == 0 {
            let ask = Ask::first_contact();
            form.query(&a, &b, pose, &mut memory, &ask, &Control::NONE, &mut answer).expect("fine");
        }
        let ask = Ask::all_contacts().counted();
        form.query(&a, &b, pose, &mut memory, &ask, &Control::NONE, &mut answer).expect("fine");
        let statistics = answer.statistics.take().expect("counted");
        all.volumes += statistics.volume_tests;
        all.primitives += statistics.primitive_tests;
        all.contacts.push(std::mem::take(&mut answer.contacts));
    }
    all
}

/// Every form finds the same contacts at every step; markers save box tests, and the assignment of
/// edges, as well as their re-assignment, saves tests of an edge and a face.
#[test]
fn no_form_changes_a_contact() {
    let meshes = [&Shape::Torus.mesh(800, 0), &Shape::Gear.mesh(700, 0)];
    let poses = walk(400, 31);
    let by = |test| walked(&tested(test), meshes, &poses);
    let (lines, every) = (by(TriangleTest::CommonLine), by(TriangleTest::EveryEdge));
    let (once, again) = (by(TriangleTest::Assigned), by(TriangleTest::Reassigned));
    let root = walked(&from_the_root(), meshes, &poses);
    let forms = [
        &every,
        &once,
        &again,
        &root,
        &walked(&sinking(), meshes, &poses),
        &walked(&printed(TriangleTest::CommonLine), meshes, &poses),
        &walked(&printed(TriangleTest::Reassigned), meshes, &poses),
        &walked(&small_cells(), meshes, &poses),
    ];
    for (k, form) in forms.into_iter().enumerate() {
        assert_eq!(form.contacts, lines.contacts, "form {k}");
    }
    let hits = lines.contacts.iter().filter(|of| !of.is_empty()).count();
    assert!((80..360).contains(&hits), "{hits} of 400 steps hit");
    assert!(once.primitives < every.primitives, "{} {}", once.primitives, every.primitives);
    assert!(again.primitives < once.primitives, "{} {}", again.primitives, once.primitives);
    assert!(lines.volumes < root.volumes, "{} {}", lines.volumes, root.volumes);
}

/// Corners, edges and faces on a lattice: touching, coplanar and repeated triangles, found by edges
/// that are assigned to neighbours.
#[test]
fn neighbours_that_only_touch_are_found_by_their_common_edge() {
    let cube = Shape::Cube.mesh(108, 0);
    let twice = Mesh::union(&[cube.clone(), cube.clone()]).expect("legal");
    let third = 1.0 / 3.0;
    let mut poses = Vec::new();
    for (x, y, z) in
        [(1.0, 0.0, 0.0), (1.0, third, 0.0), (1.0, 1.0, 0.0), (1.0, 1.0, 1.0), (third, 0.0, 0.0)]
    {
        for _ in 0..2 {
            poses.push(Pose::translation_by(Vector::new(x, y, z)).expect("finite"));
        }
    }
    for meshes in [[&cube, &cube], [&twice, &cube], [&cube, &twice]] {
        let [lines, once, again] =
            [TriangleTest::CommonLine, TriangleTest::Assigned, TriangleTest::Reassigned]
                .map(|test| walked(&tested(test), meshes, &poses).contacts);
        assert!(lines.iter().all(|of| !of.is_empty()));
        assert!(once == lines && again == lines);
    }
}

/// The tree of fig. 2 and 3: E0 over E1, E2; E1 over E3, E4; E2 over E5, E6; E3 over E7, E8; E4 over
/// E9, E10.
fn tree_of_the_figure() -> Mesh {
    let small = |x: f64, y: f64| {
        [[0.0, 0.0, 0.0], [0.5, 0.0, 0.1], [0.0, 0.5, 0.1]]
            .map(|[u, v, w]| Point::new(x + u, y + v, w))
    };
    let places = [(40.0, 0.0), (44.0, 6.0), (0.0, 0.0), (4.0, 0.0), (0.0, 6.0), (4.0, 6.0)];
    let vertices = places.into_iter().flat_map(|(x, y)| small(x, y)).collect();
    Mesh::new(vertices, (0..6).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect()).expect("legal")
}

/// A triangle between those of E3 and those of E4.
fn between() -> Mesh {
    let corners = [[2.0, 0.6, 0.0], [2.2, 0.6, 0.1], [2.0, 6.4, 0.1]];
    Mesh::new(corners.map(Point::from).to_vec(), vec![[0, 1, 2]]).expect("legal")
}

/// The visits of both steps of the figures, and the pairs of the fronts that they leave.
fn visits(markers: Markers) -> [(u64, usize); 2] {
    let form = octree_front_with(OctreeFrontParams { octree: None, markers, ..DEFAULT() });
    let [a, b] = [tree_of_the_figure(), between()]
        .map(|mesh| form.prepare(&mesh, &Control::NONE).expect("any mesh"));
    assert_eq!((a.tree().nodes().len(), b.tree().nodes().len()), (11, 1));
    let (mut memory, mut answer) = (form.memory(), Answer::default());
    [0.0, -0.15].map(|y| {
        let pose = Pose::translation_by(Vector::new(0.0, y, 0.0)).expect("finite");
        let ask = Ask::all_contacts().counted();
        form.query(&a, &b, &pose, &mut memory, &ask, &Control::NONE, &mut answer).expect("fine");
        assert!(answer.contacts.is_empty());
        (answer.statistics.take().expect("counted").volume_tests, memory.own().front().len())
    })
}

/// Anthology 2 §2.3.2: at the first step E2, E3, E9, E10 are marked. At the second, a descent from the
/// root visits nine nodes, one from the markers six: E2, E3, E7, E8, E9, E10.
#[test]
fn the_figures_of_the_paper_take_nine_and_six_visits() {
    assert_eq!(visits(Markers::Sinking), [(7, 4), (6, 5)]);
    assert_eq!(visits(Markers::None), [(7, 0), (9, 0)]);
}

/// A query that was cancelled in the middle leaves nothing that changes a later answer.
#[test]
fn what_was_cancelled_changes_nothing() {
    let mesh = Shape::Torus.mesh(2_000, 0);
    let poses = walk(30, 33);
    for form in
        [octree_front(), tested(TriangleTest::Reassigned), printed(TriangleTest::Reassigned)]
    {
        let model = form.prepare(&mesh, &Control::NONE).expect("a mesh");
        let (mut memory, mut answer) = (form.memory(), Answer::default());
        let (ask, mut cancelled) = (Ask::all_contacts(), 0);
        for (step, pose) in poses.iter().enumerate() {
            let cancel = Cancel::at_look(1 + step as u64 % 7);
            let control = Control::NONE.cancelled_by(&cancel);
            let ended = form.query(&model, &model, pose, &mut memory, &ask, &control, &mut answer);
            cancelled += usize::from(matches!(ended, Err(QueryError::Cancelled(_))));
            form.query(&model, &model, pose, &mut memory, &ask, &Control::NONE, &mut answer)
                .expect("an answer");
            let truth = form.ask(&model, &model, pose, &ask).expect("an answer");
            assert_eq!(answer.contacts, truth.contacts, "step {step}");
        }
        assert!(cancelled > 15, "{cancelled}");
    }
}

/// After a refit, which may build the tree anew, marks and fronts are those of the new tree.
#[test]
fn moved_vertices_are_followed() {
    let mut random = Random::new(34);
    let mesh = Shape::Torus.mesh(600, 0);
    for form in
        [octree_front(), tested(TriangleTest::Reassigned), printed(TriangleTest::CommonLine)]
    {
        let mut model = form.prepare(&mesh, &Control::NONE).expect("a mesh");
        let (mut memory, mut answer) = (form.memory(), Answer::default());
        let mut contacts = 0;
        for pose in walk(40, 35) {
            let nearer = pose.translation() * 0.5;
            let pose = Pose::new(*pose.rotation(), nearer).expect("a rotation");
            let size = random.range(0.3, 1.5);
            let moved: Vec<Point> = (mesh.vertices().iter())
                .map(|p| Point::new(p.x * size, p.z + 0.2 * p.x, p.y / size))
                .collect();
            form.refit(&mut model, &moved, &Control::NONE).expect("as many vertices");
            let ask = Ask::all_contacts();
            form.query(&model, &model, &pose, &mut memory, &ask, &Control::NONE, &mut answer)
                .expect("an answer");
            let fresh = form.prepare(model.mesh(), &Control::NONE).expect("a mesh");
            let truth = form.ask(&fresh, &fresh, &pose, &ask).expect("an answer");
            assert_eq!(answer.contacts, truth.contacts);
            contacts += truth.contacts.len();
        }
        assert!(contacts > 100, "{contacts}");
    }
}
