//! Features that meet step by step, however they are assigned, are those that brute force finds.

use impinge_continuous::{
    ElementStep, ElementTest, ElementWalk, Meeting, MovingTree, OtherTriangles, Question, StepError,
};
use impinge_geometry::{Mesh, Point};
use impinge_models::{Random, Shape};
use impinge_query::continuous::Moving;
use impinge_query::{Cancel, Control};

/// The edges of a mesh, ends ascending.
fn edges(mesh: &Mesh) -> Vec<[u32; 2]> {
    let ends = |&[p, q, r]: &[u32; 3]| [[p, q], [q, r], [r, p]].map(|[u, v]| [u.min(v), u.max(v)]);
    let mut all: Vec<[u32; 2]> = mesh.triangles().iter().flat_map(ends).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Every vertex against every face, every edge against every edge. Vertices without a triangle have no
/// place on a surface.
fn brute_force(a: &Moving<'_>, b: &Moving<'_>) -> Vec<Meeting> {
    let meet = |question: Question, own: &Moving<'_>, u: &[u32], other: &Moving<'_>, v: &[u32]| {
        let points = |of: fn(&Moving<'_>, usize) -> Point| -> [Point; 4] {
            let mut all = u.iter().map(|i| (own, i)).chain(v.iter().map(|i| (other, i)));
            std::array::from_fn(|_| all.next().map(|(m, i)| of(m, *i as usize)).expect("four"))
        };
        let [start, end] = [points(|m, i| m.mesh().vertices()[i]), points(|m, i| m.end()[i])];
        question.decide(&start, &end).expect("finite").first.is_some()
    };
    let used = |m: &Moving<'_>| {
        let mut all = m.mesh().triangles().concat();
        all.sort_unstable();
        all.dedup();
        all
    };
    let mut met = Vec::new();
    for (own, other, named) in
        [(a, b, Meeting::VertexOfA as fn(u32, u32) -> Meeting), (b, a, Meeting::VertexOfB)]
    {
        for v in used(own) {
            for (t, corners) in (0..).zip(other.mesh().triangles()) {
                if meet(Question::VertexFace, own, &[v], other, corners) {
                    met.push(named(v, t));
                }
            }
        }
    }
    for e in edges(a.mesh()) {
        for f in edges(b.mesh()) {
            if meet(Question::EdgeEdge, a, &e, b, &f) {
                met.push(Meeting::Edges(e, f));
            }
        }
    }
    met.sort_unstable();
    met
}

const FORMS: [ElementTest; 3] =
    [ElementTest::Every, ElementTest::Assigned, ElementTest::Reassigned];

#[test]
fn all_forms_find_what_brute_force_finds() {
    let (mut random, mut with, mut steps, mut tests) = (Random::new(0xe1e), 0, 0, [0; 3]);
    for case in 0..8 {
        let shapes = [Shape::Torus, Shape::Hand, Shape::Gear, Shape::Teapot];
        let meshes = [0, 1].map(|k| shapes[(case + k) % 4].mesh(50, random.bits()));
        // A vertex that no triangle has, and a triangle without area.
        let [a, b] = meshes.map(|mesh| {
            let (mut vertices, mut triangles) =
                (mesh.vertices().to_vec(), mesh.triangles().to_vec());
            vertices.push(Point::origin());
            triangles.push([triangles[0][0], triangles[0][1], triangles[0][1]]);
            Mesh::new(vertices, triangles).expect("in range")
        });
        let still = Moving::new(&a, a.vertices()).expect("finite");
        let tree = MovingTree::new(&still, &Control::NONE).expect("not cancelled");
        let mut walks = FORMS
            .map(|test| ElementWalk::new([&a, &b], test, &Control::NONE).expect("not cancelled"));
        let mut at = random.unit_vector() * 1.2;
        let mut places: Vec<Point> = b.vertices().iter().map(|p| p + at).collect();
        for _ in 0..6 {
            let go = random.in_ball() * 0.2 - at * 0.25;
            at += go;
            let ends: Vec<Point> =
                places.iter().map(|p| p + go + random.in_ball() * 0.01).collect();
            let start = b.with_vertices(places).expect("finite");
            let moving = Moving::new(&start, &ends).expect("finite");
            let other = MovingTree::new(&moving, &Control::NONE).expect("not cancelled");
            let truth = brute_force(&still, &moving);
            for (k, walk) in walks.iter_mut().enumerate() {
                let step = walk.step([&tree, &other], &Control::NONE).expect("the same meshes");
                assert_eq!(step.met, truth, "case {case}, {:?}", FORMS[k]);
                tests[k] += step.tests;
            }
            (steps, with) = (steps + 1, with + usize::from(!truth.is_empty()));
            places = ends;
        }
    }
    assert!((steps / 3..=2 * steps / 3).contains(&with), "{with} of {steps} steps have a meeting");
    assert!(tests[1] * 2 < tests[0] && tests[2] < tests[1], "{tests:?}");
}

#[test]
fn other_meshes_are_refused_and_cancellation_ends() {
    let [a, b] = [50, 60].map(|n| Shape::Torus.mesh(n, 0));
    let tree = |mesh: &Mesh| {
        let still = Moving::new(mesh, mesh.vertices()).expect("finite");
        MovingTree::new(&still, &Control::NONE).expect("not cancelled")
    };
    let (of_a, of_b) = (tree(&a), tree(&b));
    let mut walk =
        ElementWalk::new([&a, &b], ElementTest::Reassigned, &Control::NONE).expect("not cancelled");
    let refused = walk.step([&of_b, &of_a], &Control::NONE);
    assert_eq!(refused, Err(StepError::OtherTriangles(OtherTriangles)));
    let before = walk.step([&of_a, &of_b], &Control::NONE).expect("its meshes");
    assert!(before != ElementStep::default(), "two tori in one place meet");
    let cancel = Cancel::new();
    cancel.cancel();
    let control = Control::NONE.cancelled_by(&cancel);
    assert!(matches!(walk.step([&of_a, &of_b], &control), Err(StepError::Cancelled(_))));
    assert!(ElementWalk::new([&a, &b], ElementTest::Every, &control).is_err());
}
