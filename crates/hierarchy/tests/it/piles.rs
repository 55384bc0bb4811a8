//! Meshes that have triangles several times: answers are those of all pairs, and a search for a verdict
//! or a distance takes little longer than without the repeats.

use impinge_geometry::{Mesh, Point, Pose, Triangle, Vector, exact, triangle};
use impinge_hierarchy::TreeEngine;
use impinge_hierarchy::build::Update;
use impinge_hierarchy::methods as by;
use impinge_hierarchy::traverse::{Front, Restart};
use impinge_models::Random;
use impinge_query::{Answer, Ask, Control, Engine, Verdict};

/// Triangles, each with vertices of its own.
fn mesh(corners: &[Triangle]) -> Mesh {
    let triangles = (0..corners.len() as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    Mesh::new(corners.concat(), triangles).expect("indices are in range")
}

/// `n` times the same triangle, corners in turn.
fn pile(corners: [[f64; 3]; 3], n: usize) -> Mesh {
    let turned = |k: usize| [0, 1, 2].map(|i| Point::from(corners[(i + k) % 3]));
    mesh(&(0..n).map(turned).collect::<Vec<_>>())
}

fn answer<E: Engine>(engine: &E, [a, b]: [&E::Model; 2], pose: &Pose, ask: &Ask) -> Answer {
    let (mut memory, mut answer) = (engine.memory(), Answer::default());
    engine.query(a, b, pose, &mut memory, ask, &Control::NONE, &mut answer).expect("an answer");
    answer
}

fn check_piles<E: Engine>(engine: &E) {
    // In each other's boxes, and apart.
    let a = [[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let b = [[1.4, 0.6, 0.01], [1.6, 0.5, 0.0], [1.5, 0.7, 0.0]];
    let word = engine.describe().word;
    for ask in [Ask::first_contact(), Ask::distance(), Ask::nearer_than(0.01)] {
        let mut least = 0.0;
        for n in [1, 1_000, 2_000, 4_000] {
            let [p, q] =
                [a, b].map(|t| engine.prepare(&pile(t, n), &Control::NONE).expect("any mesh"));
            let found = answer(engine, [&p, &q], &Pose::identity(), &ask.counted());
            assert_eq!((found.verdict, found.nearer.unwrap_or(false)), (Verdict::Separated, false));
            let distance = found.nearest.map_or(0.0, |nearest| nearest.distance);
            least = if n == 1 { distance } else { least };
            // The order of corners changes the rounding.
            assert!((distance - least).abs() <= 1e-14 * least, "{word}: {distance} {least}");
            let tests = found.statistics.map_or(0, |s| s.volume_tests + s.primitive_tests);
            assert!(tests < 400 + 4 * n as u64, "{word} {ask:?}, {n}: {tests} tests");
        }
    }
}

#[test]
fn a_search_in_piles_grows_as_they_do() {
    check_piles(&by::leaf());
    check_piles(&by::leaf_block());
    check_piles(&by::three_layer());
    check_piles(&by::obbtree());
    check_piles(&by::aabb_refit());
    check_piles(&by::aabb_obb());
    check_piles(&by::kdop());
    check_piles(&by::sphere());
    check_piles(&by::sphere_aabb());
    check_piles(&by::swept_sphere());
    check_piles(&by::reduced_axes());
    check_piles(&by::edge_nodes());
}

/// Triangles of which some are there several times, in any order of corners, with −0 for 0.
fn mixed(random: &mut Random) -> Mesh {
    let mut corners: Vec<Triangle> = Vec::new();
    for _ in 0..30 {
        let old = (!corners.is_empty() && random.below(2) == 0)
            .then(|| corners[random.below(corners.len() as u64) as usize]);
        let t = old.unwrap_or_else(|| {
            let around = random.vector(-1.0, 1.0);
            [(); 3].map(|()| Point::from((around + random.vector(-0.3, 0.3)).map(on_grid)))
        });
        let turn = random.below(3) as usize;
        corners.push([0, 1, 2].map(|k| t[(k + turn) % 3].map(|x| if x == 0.0 { -x } else { x })));
    }
    mesh(&corners)
}

fn on_grid(x: f64) -> f64 {
    (x * 4.0).round() / 4.0
}

fn brute(a: &Mesh, b: &Mesh, pose: &Pose) -> (usize, f64) {
    let (mut contacts, mut least) = (0, f64::INFINITY);
    for p in a.corners() {
        for q in b.corners() {
            let q = q.map(|x| pose.apply(&x));
            if exact::triangles_meet(&p, &q) {
                (contacts, least) = (contacts + 1, 0.0);
            } else if least > 0.0 {
                least = least.min(triangle::distance(&p, &q).0);
            }
        }
    }
    (contacts, least)
}

fn check<E: Engine>(
    engine: &E,
    models: [&E::Model; 2],
    pose: &Pose,
    (contacts, least): (usize, f64),
) {
    let word = engine.describe().word;
    let ask = |ask: Ask| answer(engine, models, pose, &ask);
    if engine.describe().exact {
        assert_eq!(ask(Ask::all_contacts()).contacts.len(), contacts, "{word}");
    }
    assert_eq!(ask(Ask::first_contact()).verdict.is_hit(), contacts > 0, "{word}");
    let found = ask(Ask::distance()).nearest.expect("a distance").distance;
    assert!((found - least).abs() <= 1e-14 * least, "{word}: {found} {least}");
    for factor in [0.999, 1.001] {
        let near = ask(Ask::nearer_than(least * factor)).nearer;
        assert_eq!(near, Some(contacts > 0 || factor > 1.0), "{word}");
    }
}

fn check_mixed<E: Engine>(engine: &E) {
    let (mut hits, mut random) = (0, Random::new(78));
    for round in 0..24 {
        let meshes = [mixed(&mut random), mixed(&mut random)];
        let [mut a, b] =
            [0, 1].map(|k: usize| engine.prepare(&meshes[k], &Control::NONE).expect("any mesh"));
        let pose = if round % 2 == 0 {
            Pose::translation_by(random.vector(-2.0, 2.0).map(on_grid)).expect("finite")
        } else {
            random.pose(1.0)
        };
        let truth = brute(&meshes[0], &meshes[1], &pose);
        hits += u32::from(truth.0 > 0);
        check(engine, [&a, &b], &pose, truth);
        // Every vertex on its own: what was equal comes apart. Back: it is equal again.
        let shaken = |p: &Point| p + random.vector(-0.2, 0.2);
        let moved: Vec<Point> = meshes[0].vertices().iter().map(shaken).collect();
        for vertices in [&moved[..], meshes[0].vertices()] {
            if engine.refit(&mut a, vertices, &Control::NONE).is_ok() {
                let now = meshes[0].with_vertices(vertices.to_vec()).expect("finite");
                check(engine, [&a, &b], &pose, brute(&now, &meshes[1], &pose));
            }
        }
    }
    assert!((5..=21).contains(&hits), "{hits} of 24 hit");
}

#[test]
fn mixed_meshes_are_answered_as_by_all_pairs_also_when_they_move() {
    check_mixed(&by::leaf());
    check_mixed(&by::leaf_block());
    check_mixed(&by::three_layer());
    check_mixed(&by::obbtree());
    check_mixed(&by::aabb_refit());
    let mut lazy = by::aabb_refit();
    lazy.update = Update::Hybrid;
    check_mixed(&lazy);
    check_mixed(&by::kdop());
    check_mixed(&by::sphere());
    check_mixed(&by::swept_sphere());
    check_mixed(&by::edge_nodes());
}

/// One memory over all questions: what a search for a first contact leaves out, the next one for all
/// contacts finds.
#[test]
fn a_memory_of_a_search_without_repeats_serves_one_with_them() {
    let base = by::obbtree();
    serves(&TreeEngine::new(base.description, base.builder, Front, base.leaf));
    serves(&TreeEngine::new(base.description, base.builder, Restart, base.leaf));
}

fn serves<E: Engine>(engine: &E) {
    let t = [[0.0, 0.0, 0.0], [1.0, 0.1, 0.0], [0.2, 0.9, 0.3]];
    let model = engine.prepare(&pile(t, 20), &Control::NONE).expect("any mesh");
    let (mut memory, mut answer) = (engine.memory(), Answer::default());
    let apart = Pose::translation_by(Vector::new(0.0, 0.0, 0.01)).expect("finite");
    for round in 0..3 {
        for (pose, contacts) in [(&apart, 0), (&Pose::identity(), 400)] {
            for ask in [Ask::first_contact(), Ask::all_contacts()] {
                let (control, models) = (Control::NONE, [&model, &model]);
                let [a, b] = models;
                engine.query(a, b, pose, &mut memory, &ask, &control, &mut answer).expect("fine");
                let wanted = if ask == Ask::first_contact() { contacts.min(1) } else { contacts };
                assert_eq!(answer.contacts_found, wanted, "{round} {ask:?}");
            }
        }
    }
}
