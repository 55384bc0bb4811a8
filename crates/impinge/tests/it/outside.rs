//! The outside comparators agree where rounding cannot matter: far apart and deep in each other.
//! (Elsewhere they may be wrong; the benchmark reports that.)

use impinge::query::{Certainty, PrepareError, QueryError};
use impinge::{Ask, Error, Mesh, Method, Pair, Pose, Vector, Verdict};
use impinge_models::{Random, Shape};

const PARRY: [Method; 2] = [Method::Parry, Method::ParryPairs];

#[test]
fn parry_agrees_with_the_exact_method_away_from_touching() {
    let (a, b) = (Shape::Trefoil.mesh(1_200, 0), Shape::Torus.mesh(800, 0));
    let mut exact = Pair::new(&a, &b).expect("ordinary meshes");
    let mut outside = PARRY.map(|method| Pair::with(method, &a, &b).expect("ordinary meshes"));
    let mut random = Random::new(7);
    let (mut hits, mut misses) = (0, 0);
    for _ in 0..300 {
        let pose = random.pose(0.8);
        let gap = exact.distance(&pose).expect("answers").distance;
        if gap > 0.0 && gap < 1e-3 {
            continue; // close enough for f32 and GJK's tolerance to decide otherwise
        }
        let hit = gap == 0.0;
        for pair in &mut outside {
            let answer = pair.ask(&pose, &Ask::first_contact()).expect("answers").clone();
            assert_eq!(answer.verdict.is_hit(), hit, "{} {pose:?} {gap}", pair.method());
            assert_eq!(answer.certainty, Certainty::Unproven);
            assert_eq!(answer.contacts.len(), usize::from(hit));
        }
        if hit { hits += 1 } else { misses += 1 }
    }
    assert!(hits > 50 && misses > 50, "{hits} hits, {misses} misses");
}

#[test]
fn parry_pairs_finds_about_the_same_contacts() {
    let (a, b) = (Shape::Gear.mesh(1_500, 0), Shape::Torus.mesh(1_500, 0));
    let mut exact = Pair::new(&a, &b).expect("ordinary meshes");
    let mut outside = Pair::with(Method::ParryPairs, &a, &b).expect("ordinary meshes");
    let mut random = Random::new(11);
    let (mut found, mut missed) = (0, 0);
    for _ in 0..30 {
        let pose = random.pose(0.2);
        let contacts = exact.contacts(&pose).expect("answers").to_vec();
        let theirs = outside.contacts(&pose).expect("answers");
        assert!(theirs.is_sorted());
        missed += contacts.iter().filter(|c| theirs.binary_search(c).is_err()).count();
        found += contacts.len();
    }
    assert!(found > 1_000, "{found}");
    assert!(missed * 100 <= found, "{missed} of {found} missed");
}

#[test]
fn parry_distance_is_near_the_true_one() {
    let (a, b) = (Shape::Cube.mesh(48, 0), Shape::Sphere.mesh(200, 0));
    let mut exact = Pair::new(&a, &b).expect("ordinary meshes");
    let mut outside = Pair::with(Method::Parry, &a, &b).expect("ordinary meshes");
    let mut random = Random::new(3);
    for _ in 0..30 {
        let pose = random.turned_to(Vector::new(2.0, 0.5, 0.0));
        let (want, got) =
            (exact.distance(&pose).expect("answers"), outside.distance(&pose).expect("answers"));
        assert!((want.distance - got.distance).abs() < 1e-4, "{want:?} {got:?}");
        assert!(((got.on_a - got.on_b).norm() - got.distance).abs() < 1e-4, "{got:?}");
        assert!(outside.nearer_than(&pose, want.distance + 1e-3).expect("answers"));
        assert!(!outside.nearer_than(&pose, want.distance - 1e-3).expect("answers"));
    }
    let inside = outside.distance(&Pose::identity()).expect("answers");
    assert!(inside.distance >= 0.0);
    assert!(
        outside
            .nearer_than(&Pose::translation_by(Vector::new(0.5, 0.0, 0.0)).expect("finite"), 0.0)
            .expect("answers")
    );
}

#[test]
fn coordinates_beyond_f32_are_refused_by_vertex() {
    let cube = Shape::Cube.mesh(12, 0);
    let mut vertices = cube.vertices().to_vec();
    vertices[5].y = 1e30;
    let huge = Mesh::new(vertices, cube.triangles().to_vec()).expect("a mesh");
    for method in PARRY {
        let error = Pair::with(method, &cube, &huge).unwrap_err();
        let Error::Prepare { source: PrepareError::Refused { word, reason }, .. } = error else {
            panic!("{error:?}");
        };
        assert_eq!(word, method.word());
        assert!(reason.contains("vertex 5"), "{reason}");
    }
}

#[test]
fn far_poses_and_details_are_errors() {
    let cube = Shape::Cube.mesh(12, 0);
    let far = Pose::translation_by(Vector::new(1e200, 0.0, 0.0)).expect("finite");
    for method in PARRY {
        let mut pair = Pair::with(method, &cube, &cube).expect("a cube");
        let error = pair.intersects(&far).unwrap_err();
        assert!(matches!(error, Error::Query(QueryError::Backend { .. })), "{error:?}");
        let ask = Ask::first_contact().detailed();
        let error = pair.ask(&Pose::identity(), &ask).cloned().unwrap_err();
        assert!(matches!(error, Error::Query(QueryError::Unanswered { .. })), "{error:?}");
    }
}

#[test]
fn a_cap_is_a_prefix() {
    let cube = Shape::Cube.mesh(48, 0);
    let mut pair = Pair::with(Method::ParryPairs, &cube, &cube).expect("a cube");
    let all = pair.ask(&Pose::identity(), &Ask::all_contacts()).expect("answers").clone();
    let few = pair.ask(&Pose::identity(), &Ask::all_contacts().capped(5)).expect("answers");
    assert_eq!(few.contacts, all.contacts[..5]);
    assert_eq!(few.contacts_found, all.contacts_found);
    assert_eq!(few.verdict, Verdict::Intersecting);
}
