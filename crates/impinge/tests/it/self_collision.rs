//! A mesh against itself, by every method that supports it.

use impinge::query::{BatchError, Control, QueryError};
use impinge::{Ask, Body, Error, Kind, Mesh, Method, Point, ask_bodies, self_contacts};
use impinge_models::Shape;

/// A torus with one vertex moved through the opposite side.
fn torn() -> Mesh {
    let ring = Shape::Torus.mesh(600, 0);
    let mut vertices = ring.vertices().to_vec();
    vertices[0] = Point::new(-2.0, 0.0, 0.0);
    ring.with_vertices(vertices).expect("as many")
}

/// Three copies of one triangle: every two of them meet in their whole area.
fn pile() -> Mesh {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Point::from);
    Mesh::new(corners.to_vec(), vec![[0, 1, 2], [1, 2, 0], [2, 1, 0]]).expect("legal")
}

#[test]
fn all_methods_find_the_same_or_say_that_they_do_not_answer() {
    let whole = Shape::Gear.mesh(800, 0);
    let truth = self_contacts(&torn()).expect("any mesh");
    assert!(truth.len() > 20 && truth.is_sorted() && truth.iter().all(|c| c.a < c.b));
    let mut answering = 0;
    for &method in Method::all() {
        let prepared = |mesh: &Mesh| Body::with(method, mesh, &Control::NONE);
        // Some methods accept only convex bodies.
        let Ok(body) = prepared(&torn()) else { continue };
        if !method.description().self_contacts {
            let error = body.self_intersects().expect_err("unanswered");
            assert!(matches!(error, Error::Query(QueryError::Unanswered { .. })), "{error}");
            continue;
        }
        answering += 1;
        let mut found = body.self_contacts().expect("any mesh");
        if method.kind() == Kind::Faithful {
            // It may miss contacts but reports no false ones.
            found.retain(|contact| !truth.contains(contact));
            assert_eq!(found, [], "{method}");
            continue;
        }
        assert_eq!(found, truth, "{method}");
        assert_eq!(body.self_intersects(), Ok(true), "{method}");
        assert_eq!(prepared(&whole).expect("any").self_intersects(), Ok(false), "{method}");
        let pile = prepared(&pile()).expect("any");
        assert_eq!(pile.self_contacts().expect("any").len(), 3, "{method}");
        assert_eq!(pile.self_intersects(), Ok(true), "{method}");
        let detailed = body.ask_self(&Ask::all_contacts().detailed().counted(), &Control::NONE);
        let detailed = detailed.expect("any mesh");
        assert_eq!(detailed.details.len(), truth.len(), "{method}");
        assert!(detailed.statistics.is_some_and(|counted| counted.primitive_tests > 0), "{method}");
    }
    assert!(answering >= 17, "{answering} methods answer");
}

#[test]
fn distances_are_refused() {
    let body = Body::new(&torn()).expect("any mesh");
    for ask in [Ask::distance(), Ask::nearer_than(1.0), Ask::contained_in()] {
        let error = body.ask_self(&ask, &Control::NONE).expect_err("no such question");
        assert!(matches!(error, Error::Query(QueryError::Unanswered { word: "wide", .. })));
    }
}

#[test]
fn many_bodies_are_answered_in_order() {
    let meshes = [torn(), Shape::Torus.mesh(600, 0), pile()];
    let bodies: Vec<Body> = (0..60).map(|k| Body::new(&meshes[k % 3]).expect("any mesh")).collect();
    let answers = ask_bodies(&bodies, &Ask::all_contacts()).expect("all answer");
    let single = |body: &Body| body.self_contacts().expect("any mesh");
    assert!(bodies.iter().zip(&answers).all(|(body, answer)| answer.contacts == single(body)));
    assert_eq!(answers.len(), 60);
    let mut mixed = bodies;
    mixed[7] = Body::with(Method::ObbTree, &pile(), &Control::NONE).expect("any mesh");
    let error = ask_bodies(&mixed, &Ask::all_contacts()).expect_err("of another method");
    assert!(matches!(error, Error::Batch(BatchError { index: 7, .. })), "{error}");
}
