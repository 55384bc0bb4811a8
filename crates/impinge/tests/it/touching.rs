//! [`Pair::touch`] by its engine's contacts; the decision itself is tested in `geometry`.

use impinge::geometry::touching::Undecided;
use impinge::models::Shape;
use impinge::query::{Cancel, Control, QueryError, Side};
use impinge::{Error, Mesh, Method, Pair, Pose, Touch, Vector};

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::translation_by(Vector::new(x, y, z)).expect("in range")
}

#[test]
fn every_exact_method_agrees() {
    let (cube, small) = (Shape::Cube.mesh(48, 0), Shape::Cube.mesh(12, 0));
    let small = small.scaled(0.5).expect("smaller");
    let exact = Method::all().iter().filter(|method| method.kind() == impinge::Kind::Exact);
    for &method in exact.filter(|method| method.description().self_contacts) {
        let mut pair = Pair::with(method, &cube, &small).expect("closed cubes");
        for (pose, expected) in [
            (at(2.0, 0.0, 0.0), None),
            (at(0.0, 0.0, 0.0), None),
            (at(0.75, 0.0, 0.0), Some(Touch::Touches)),
            (at(0.75, 0.75, 0.75), Some(Touch::Touches)),
            (at(0.25, 0.0, 0.0), Some(Touch::Pierces)),
            (at(0.5, 0.1, 0.0), Some(Touch::Pierces)),
        ] {
            assert_eq!(pair.touch(&pose).expect("decided"), expected, "{method} {pose:?}");
        }
    }
}

#[test]
fn a_turned_gear_pierces_and_a_resting_one_touches() {
    let gear = Shape::Gear.mesh(2_000, 0);
    let mut pair = Pair::new(&gear, &gear).expect("a closed mesh");
    let (lower, upper) = gear.bounds();
    let on_top = at(0.0, 0.0, upper.z - lower.z);
    assert_eq!(pair.touch(&on_top).expect("decided"), Some(Touch::Touches));
    assert_eq!(pair.touch(&at(0.0, 0.0, 0.01)).expect("decided"), Some(Touch::Pierces));
    assert_eq!(pair.touch(&Pose::identity()).expect("decided"), Some(Touch::Pierces));
}

#[test]
fn an_uncertain_inside_is_an_error_that_names_the_mesh() {
    let cube = Shape::Cube.mesh(12, 0);
    let shifted = cube.posed(&at(1.0, 1.0, 0.0)).expect("in range");
    let joined = Mesh::union([&cube, &shifted]).expect("24 triangles").welded();
    let mut pair = Pair::new(&cube, &joined).expect("closed cubes");
    let error = pair.touch(&at(-1.0, 0.0, 0.0)).expect_err("four triangles share an edge");
    let Error::Undecided { side: Side::B, source: Undecided::NonManifold { triangles, .. } } =
        error
    else {
        panic!("{error}");
    };
    assert_eq!(triangles, 4);
}

/// The same on any number of threads; of one that is not certain the list ends there.
#[test]
fn many_poses_are_decided_as_single_ones() {
    let cube = Shape::Cube.mesh(12, 0);
    let shifted = cube.posed(&at(1.0, 1.0, 0.0)).expect("in range");
    let joined = Mesh::union([&cube, &shifted]).expect("24 triangles").welded();
    let mut pair = Pair::new(&cube, &joined).expect("closed cubes");
    // Past it and through it; where it rests on it, its inside is not certain.
    let mut poses: Vec<Pose> =
        (0..300).map(|k| at(-4.0 + 0.02 * f64::from(k), 0.25, 0.125)).collect();
    let uncertain: Vec<usize> = (0..300).filter(|&k| pair.touch(&poses[k]).is_err()).collect();
    let all = |pair: &Pair, poses: &[Pose], threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let mut found = Vec::new();
        let mut keep = |index: usize, touch: &Option<Touch>| {
            assert_eq!(index, found.len());
            found.push(*touch);
        };
        let done = pool.install(|| pair.touches(poses, &Control::NONE, &mut keep));
        (done, found)
    };
    for k in uncertain.into_iter().rev() {
        poses.remove(k);
    }
    let single: Vec<_> = poses.iter().map(|pose| pair.touch(pose).expect("decided")).collect();
    for kind in [None, Some(Touch::Pierces)] {
        assert!(single.iter().filter(|touch| **touch == kind).count() > 50, "{kind:?}");
    }
    for threads in [1, 3] {
        assert_eq!(all(&pair, &poses, threads), (Ok(()), single.clone()));
    }
    poses.insert(200, at(-1.0, 0.0, 0.0));
    let (done, found) = all(&pair, &poses, 3);
    assert!(matches!(done, Err(Error::Undecided { side: Side::B, .. })), "{done:?}");
    assert_eq!(found, single[..200]);
}

#[test]
fn a_cancelled_decision_is_no_answer() {
    let cube = Shape::Cube.mesh(12, 0);
    let mut pair = Pair::new(&cube, &cube).expect("a closed mesh");
    let cancel = Cancel::new();
    cancel.cancel();
    let control = Control::NONE.cancelled_by(&cancel);
    let error = pair.touch_with(&at(1.0, 0.0, 0.0), &control).expect_err("cancelled");
    assert!(matches!(error, Error::Query(QueryError::Cancelled(_))), "{error}");
}

/// Far from the origin a triangle of B turns over when its vertices are rounded: B as posed meets
/// itself, though B does not.
#[test]
fn a_mesh_is_examined_as_posed() {
    let top =
        [[0.0, 0.0], [8.0, 0.0], [8.0, 8.0], [0.0, 8.0], [0.75, 1.0], [2.25, 2.0], [3.5, 3.0]];
    let bottom = top[..4].iter().map(|&[x, y]| [x, y, -4.0]);
    let corners = top.iter().map(|&[x, y]| [x, y, 0.0]).chain(bottom);
    let triangles = [
        [4, 5, 6],
        [4, 6, 3],
        [5, 4, 1],
        [6, 5, 1],
        [0, 4, 3],
        [0, 1, 4],
        [1, 2, 6],
        [2, 3, 6],
        [0, 7, 8],
        [0, 8, 1],
        [1, 8, 9],
        [1, 9, 2],
        [2, 9, 10],
        [2, 10, 3],
        [3, 10, 7],
        [3, 7, 0],
        [7, 9, 8],
        [7, 10, 9],
    ];
    let corners = corners.map(impinge::Point::from).collect();
    let block = Mesh::new(corners, triangles.to_vec()).expect("legal");
    assert!(!impinge::self_intersects(&block).expect("prepared"));
    let far = 2.0_f64.powi(52);
    let resting = Shape::Cube.mesh(12, 0);
    let places = resting.vertices().iter().map(|p| {
        let [x, y, z] = [p.x + 0.5, p.y + 0.5, p.z + 0.5];
        impinge::Point::new(far + 8.0 * x, 2.5 + 3.5 * y, z)
    });
    let resting = resting.with_vertices(places.collect()).expect("finite");
    let mut pair = Pair::new(&resting, &block).expect("closed meshes");
    let error = pair.touch(&at(far, 0.0, 0.0)).expect_err("B as posed meets itself");
    assert!(matches!(error, Error::Undecided { side: Side::B, .. }), "{error}");
}

/// A method that loses contacts may lose those that pierce.
#[cfg(feature = "methods")]
#[test]
fn methods_that_lose_contacts_are_refused() {
    let cube = Shape::Cube.mesh(48, 0);
    for method in [Method::LeafBlock, Method::LeafFaithful] {
        assert!(!method.description().exact);
        let mut pair = Pair::with(method, &cube, &cube).expect("closed cubes");
        let none = pair.touches(&[], &Control::NONE, &mut |_, _| {});
        assert!(matches!(none, Err(Error::Query(_))), "without a pose too: {none:?}");
        for x in [0.25, 1.0, 2.0] {
            let refused = pair.touch(&at(x, 0.0, 0.0));
            let unanswered = matches!(refused, Err(Error::Query(QueryError::Unanswered { .. })));
            assert!(unanswered, "{method}: {refused:?}");
        }
        let mut world = impinge::World::of(method.build().into());
        let shape = world.shape(&cube).expect("prepared");
        for x in [0.0, 0.25] {
            world.add(impinge::Object::new(shape.clone(), at(x, 0.0, 0.0))).expect("room");
        }
        let options = impinge::scene::ClashOptions::default();
        let refused = world.clashes(&options, &Control::NONE, &mut |_| {});
        assert!(matches!(refused, Err(impinge::WorldError::Refused(_))), "{method}: {refused:?}");
    }
}
