//! Bodies that follow moved vertices, and bodies stored and read again.

use impinge::query::{Cancel, Control, RefitError, Side};
use impinge::wide::StoredError;
use impinge::{Ask, Body, Error, Mesh, Method, Pair, Pose, Vector};
use impinge_models::Shape;

fn shifted(x: f64) -> Pose {
    Pose::translation_by(Vector::new(x, 0.0, 0.0)).expect("finite")
}

fn ball() -> Mesh {
    Shape::Sphere.mesh(320, 0)
}

fn twice(mesh: &Mesh) -> Mesh {
    mesh.scaled(2.0).expect("in range")
}

fn contacts(a: &Body, b: &Body, x: f64) -> usize {
    Pair::of(a, b).expect("one method").contacts(&shifted(x)).expect("answers").len()
}

#[test]
fn a_moved_body_answers_like_a_new_one_and_its_clone_as_before() {
    let ball = ball();
    for &method in Method::all() {
        let prepare = |mesh: &Mesh| Body::with(method, mesh, &Control::NONE).expect("a ball");
        let (still, large) = (prepare(&ball), prepare(&twice(&ball)));
        let mut moved = prepare(&ball);
        let clone = moved.clone();
        let meets = |body: &Body, x: f64| {
            Pair::of(body, &still).expect("one method").intersects(&shifted(x)).expect("answers")
        };
        assert!(meets(&moved, 0.9) && !meets(&moved, 1.2), "{method}");
        moved.refit(&twice(&ball)).expect("shared, so prepared anew");
        assert!(meets(&moved, 1.2) && !meets(&moved, 0.4), "{method}");
        assert!(!meets(&clone, 1.2) && meets(&clone, 0.9), "{method}");
        drop(clone);
        moved.refit(&ball).expect("refitted alone");
        assert!(meets(&moved, 0.9) && !meets(&moved, 1.2), "{method}");
        moved.refit(&twice(&ball)).expect("and back");
        if method.description().questions.contains(&impinge::query::QuestionKind::AllContacts) {
            assert_eq!(contacts(&moved, &still, 1.2), contacts(&large, &still, 1.2), "{method}");
        }
        if let Some(mesh) = moved.mesh() {
            assert_eq!(mesh, &twice(&ball), "{method}");
        } else {
            assert!(method.word().starts_with("parry"), "{method}");
        }
    }
}

#[test]
fn either_mesh_of_a_pair_is_moved() {
    let ball = ball();
    for &method in Method::all() {
        let mut pair = Pair::with(method, &ball, &ball).expect("balls");
        assert!(!pair.intersects(&shifted(1.2)).expect("answers"));
        pair.refit(Side::A, &twice(&ball)).expect("the same triangles");
        assert!(pair.intersects(&shifted(1.2)).expect("answers"));
        assert!(!pair.intersects(&shifted(1.6)).expect("answers"));
        pair.refit(Side::B, &twice(&ball)).expect("the same triangles");
        assert!(pair.intersects(&shifted(1.6)).expect("answers"));
    }
    // Both sides are one body: only the asked one moves.
    let body = Body::new(&ball).expect("a ball");
    let mut pair = Pair::of(&body, &body).expect("one method");
    pair.refit(Side::B, &twice(&ball)).expect("the same triangles");
    assert!(pair.contains(&Pose::identity()).is_ok_and(|inside| !inside));
    assert!(!pair.intersects(&Pose::identity()).expect("answers"));
    assert!(pair.collide_solids(&Pose::identity()).expect("closed").is_hit());
}

#[test]
fn a_refit_to_other_triangles_is_an_error_and_changes_nothing() {
    let ball = ball();
    let (vertices, mut triangles) = (ball.vertices().to_vec(), ball.triangles().to_vec());
    triangles[7].rotate_left(1);
    let turned = Mesh::new(vertices.clone(), triangles.clone()).expect("legal");
    triangles.truncate(5);
    let few = Mesh::new(vertices, triangles).expect("legal");
    let mut body = Body::new(&ball).expect("a ball");
    for (mesh, first) in [(&turned, 7), (&few, 5)] {
        let error = body.refit(mesh).expect_err("other triangles");
        assert_eq!(error, Error::Refit(RefitError::OtherTriangles { triangle: first }));
        assert!(error.to_string().contains(&format!("triangle {first} ")), "{error}");
        assert_eq!(body.mesh(), Some(&ball));
    }
    // As many triangles, and more vertices.
    let mut vertices = ball.vertices().to_vec();
    vertices.push(vertices[0]);
    let more = Mesh::new(vertices, ball.triangles().to_vec()).expect("legal");
    assert!(matches!(body.refit(&more), Err(Error::Refit(RefitError::Mesh(_)))));
    assert_eq!(body.mesh(), Some(&ball));
}

#[test]
fn a_stored_body_answers_as_before() {
    let (gear, ball) = (Shape::Gear.mesh(900, 0), ball());
    let [a, b] = [&gear, &ball].map(|mesh| Body::new(mesh).expect("a mesh"));
    let load = |body: &Body| Body::from_bytes(&body.to_bytes().expect("wide")).expect("stored");
    let (c, d) = (load(&a), load(&b));
    assert_eq!((c.mesh(), c.method()), (Some(&gear), Method::Wide));
    assert_eq!(c.prepared().triangles(), gear.triangles().len());
    for x in [0.0, 0.7, 1.2, 1.9, 3.0] {
        let answer = |a: &Body, b: &Body, ask: &Ask| {
            Pair::of(a, b).expect("one method").ask(&shifted(x), ask).expect("answers").clone()
        };
        for ask in [Ask::all_contacts(), Ask::distance()] {
            assert_eq!(answer(&a, &b, &ask), answer(&c, &d, &ask), "{x} {ask:?}");
            assert_eq!(answer(&a, &b, &ask), answer(&a, &d, &ask), "{x} {ask:?}");
        }
    }
    // What is stored is the shape of now.
    let mut moved = load(&a);
    moved.refit(&twice(&gear)).expect("the same triangles");
    assert_eq!(load(&moved).mesh(), Some(&twice(&gear)));
}

#[test]
fn other_methods_are_not_stored_and_named() {
    for &method in Method::all() {
        let body = Body::with(method, &ball(), &Control::NONE).expect("a ball");
        match body.to_bytes() {
            Ok(_) => assert_eq!(method, Method::Wide),
            Err(error) => {
                assert_eq!(error, Error::NotStored { word: method.word() });
                assert!(error.to_string().contains(method.word()) && method != Method::Wide);
            }
        }
    }
}

#[test]
fn bytes_that_are_no_stored_body_are_an_error() {
    let bytes = Body::new(&ball()).expect("a ball").to_bytes().expect("wide");
    for at in [0, 9, 60, bytes.len() / 2, bytes.len() - 1] {
        let mut changed = bytes.clone();
        changed[at] ^= 4;
        assert!(Body::from_bytes(&changed).is_err(), "byte {at}");
        assert!(matches!(Body::from_bytes(&bytes[..at]), Err(StoredError::CutOff { .. })), "{at}");
    }
    assert!(matches!(Body::from_bytes(b"solid cube"), Err(StoredError::Foreign)));
    let cancel = Cancel::new();
    cancel.cancel();
    let cancelled = Body::from_bytes_with(&bytes, &Control::NONE.cancelled_by(&cancel));
    assert!(matches!(cancelled, Err(StoredError::Cancelled(_))));
}
