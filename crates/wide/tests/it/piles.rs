//! Meshes that have triangles several times: answers are those of all pairs, and a search for a verdict
//! or a distance takes no longer than without the repeats.

use impinge_geometry::{Mesh, Point, Pose, Triangle, Vector, exact, triangle};
use impinge_models::Random;
use impinge_query::{Answer, Ask, Cancel, Control, Engine, Model, QueryError, Statistics, Verdict};
use impinge_wide::{Quality, Wide, WideModel, WideParams, wide, wide_with};

/// `n` times the same triangle, each with vertices of its own, corners in turn.
fn pile(n: usize) -> Mesh {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.1, 0.0], [0.2, 0.9, 0.3]].map(Point::from);
    let vertices = (0..n).flat_map(|k| [0, 1, 2].map(|i| corners[(i + k) % 3])).collect();
    let triangles = (0..n as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    Mesh::new(vertices, triangles).expect("indices are in range")
}

fn prepare(engine: Wide, mesh: &Mesh) -> WideModel {
    engine.prepare(mesh, &Control::NONE).expect("any mesh")
}

fn answer(engine: Wide, [a, b]: [&WideModel; 2], pose: &Pose, ask: &Ask) -> Answer {
    let (mut memory, mut answer) = (engine.memory(), Answer::default());
    engine.query(a, b, pose, &mut memory, ask, &Control::NONE, &mut answer).expect("an answer");
    answer
}

fn tests(statistics: Option<Statistics>) -> u64 {
    statistics.map_or(0, |s| s.volume_tests + s.primitive_tests)
}

#[test]
fn a_search_in_piles_takes_hardly_more_than_one_in_single_triangles() {
    let apart = Pose::translation_by(Vector::new(0.01, 0.02, 0.05)).expect("finite");
    for quality in [Quality::SurfaceArea, Quality::Morton] {
        let engine = wide_with(WideParams { quality, ..WideParams::default() });
        for ask in [Ask::first_contact(), Ask::distance(), Ask::nearer_than(0.01)] {
            let one = prepare(engine, &pile(1));
            let truth = answer(engine, [&one, &one], &apart, &ask);
            assert_eq!(truth.verdict, Verdict::Separated);
            for n in [1_000, 2_000, 4_000] {
                let model = prepare(engine, &pile(n));
                let found = answer(engine, [&model, &model], &apart, &ask.counted());
                assert_eq!((found.verdict, found.nearer), (truth.verdict, truth.nearer));
                let distance = |a: &Answer| a.nearest.map_or(0.0, |nearest| nearest.distance);
                // The order of corners changes the rounding.
                let [found_at, least] = [&found, &truth].map(distance);
                assert!((found_at - least).abs() <= 1e-14 * least, "{found_at} {least}");
                let tests = tests(found.statistics);
                assert!(tests < 400, "{ask:?} of {n}: {tests} tests");
            }
        }
    }
}

#[test]
fn all_contacts_are_still_between_all() {
    let model = prepare(wide(), &pile(50));
    let found = answer(wide(), [&model, &model], &Pose::identity(), &Ask::all_contacts());
    assert_eq!((found.contacts.len(), found.contacts_found), (2_500, 2_500));
    let first = answer(wide(), [&model, &model], &Pose::identity(), &Ask::first_contact());
    assert_eq!(first.verdict, Verdict::Intersecting);
}

#[test]
fn a_list_of_all_contacts_keeps_to_its_cap_and_ends_when_the_caller_cancels() {
    let model = prepare(wide(), &pile(600));
    let (ask, still) = (Ask::all_contacts().capped(10), Pose::identity());
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let found = pool.install(|| answer(wide(), [&model, &model], &still, &ask));
        assert_eq!((found.contacts.len(), found.contacts_found), (10, 360_000));
        assert!(found.contacts.capacity() <= 256, "{}", found.contacts.capacity());
        let (engine, cancel) = (wide(), Cancel::new());
        let control = Control::NONE.cancelled_by(&cancel);
        let (mut memory, mut answer) = (engine.memory(), Answer::default());
        cancel.cancel();
        let ended = engine.query(&model, &model, &still, &mut memory, &ask, &control, &mut answer);
        assert!(matches!(ended, Err(QueryError::Cancelled(_))), "{ended:?}");
    }
}

/// Triangles of which some are there several times, in any order of corners, with −0 for 0.
fn mixed(random: &mut Random) -> Mesh {
    let mut corners: Vec<Triangle> = Vec::new();
    for _ in 0..40 {
        let old = (!corners.is_empty() && random.below(2) == 0)
            .then(|| corners[random.below(corners.len() as u64) as usize]);
        let t = old.unwrap_or_else(|| {
            let around = random.vector(-1.0, 1.0);
            [(); 3].map(|()| Point::from((around + random.vector(-0.3, 0.3)).map(on_grid)))
        });
        let turn = random.below(3) as usize;
        corners.push([0, 1, 2].map(|k| t[(k + turn) % 3].map(|x| if x == 0.0 { -x } else { x })));
    }
    let triangles = (0..40).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    Mesh::new(corners.concat(), triangles).expect("indices are in range")
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

fn check(models: [&WideModel; 2], pose: &Pose) -> bool {
    let (contacts, least) = brute(models[0].mesh(), models[1].mesh(), pose);
    let ask = |ask: Ask| answer(wide(), models, pose, &ask);
    assert_eq!(ask(Ask::all_contacts()).contacts.len(), contacts);
    assert_eq!(ask(Ask::first_contact()).verdict.is_hit(), contacts > 0);
    let found = ask(Ask::distance()).nearest.expect("a distance").distance;
    assert!((found - least).abs() <= 1e-14 * least, "{found} {least}");
    for factor in [0.999, 1.001] {
        let near = ask(Ask::nearer_than(least * factor)).nearer;
        assert_eq!(near, Some(contacts > 0 || factor > 1.0));
    }
    contacts > 0
}

#[test]
fn mixed_meshes_are_answered_as_by_all_pairs_also_when_they_move_and_when_they_are_stored() {
    let (mut hits, mut random) = (0, Random::new(77));
    for round in 0..60 {
        let meshes = [mixed(&mut random), mixed(&mut random)];
        let [mut a, b] = [0, 1].map(|k| prepare(wide(), &meshes[k]));
        let pose = if round % 2 == 0 {
            Pose::translation_by(random.vector(-2.0, 2.0).map(on_grid)).expect("finite")
        } else {
            random.pose(1.0)
        };
        hits += u32::from(check([&a, &b], &pose));
        let stored = WideModel::from_bytes(&a.to_bytes(), &Control::NONE).expect("as it was");
        check([&stored, &b], &pose);
        // Every vertex on its own: what was equal comes apart. Back: it is equal again.
        let shaken = |p: &Point| p + random.vector(-0.2, 0.2);
        let moved: Vec<Point> = meshes[0].vertices().iter().map(shaken).collect();
        for vertices in [&moved[..], meshes[0].vertices()] {
            wide().refit(&mut a, vertices, &Control::NONE).expect("as many vertices");
            check([&a, &b], &pose);
        }
    }
    assert!((15..=45).contains(&hits), "{hits} of 60 hit");
}

/// All that a model holds: its mesh, nodes and leaves as they are documented, and itself.
#[test]
fn bytes_are_those_of_the_parts() {
    let at = |k: u32| Point::new(f64::from(k), f64::from(k * k), 0.5);
    let single = Mesh::new((0..9).map(at).collect(), vec![[0, 1, 2], [3, 4, 5], [6, 7, 8]]);
    let single = prepare(wide(), &single.expect("indices are in range"));
    assert_eq!(single.triangles(), 3);
    assert_eq!(single.mesh_bytes(), 9 * 24 + 3 * 12);
    let tree = 1088 * single.nodes() + 128 * single.leaves();
    assert_eq!((single.nodes(), single.leaves()), (1, 1));
    assert_eq!(single.bytes(), single.mesh_bytes() + tree + size_of::<WideModel>());
}

#[test]
fn marks_take_space_only_where_there_are_repeats() {
    let single = |n: u32| {
        let at = |k: u32| Point::new(f64::from(k), f64::from(k * k), 0.5);
        let triangles = (0..n).map(|k| [k, k + 1, k + 2]).collect();
        Mesh::new((0..n + 2).map(at).collect(), triangles).expect("indices are in range")
    };
    let beside = |mesh: &Mesh| {
        let model = prepare(wide(), mesh);
        model.bytes() - model.mesh_bytes() - 1088 * model.nodes() - 128 * model.leaves()
    };
    assert_eq!(beside(&single(10)), beside(&single(1_000)));
    assert!(beside(&pile(1_000)) > beside(&pile(1)) + 4_000);
}

/// A refit makes triangles equal that were not: answers and images are those of a model prepared anew, also
/// where the triangles at a hub are searched apart from the others.
#[test]
fn triangles_that_a_refit_makes_equal_are_all_found() {
    for fan in [0, 130] {
        let apex = Point::new(5.0, 0.0, 0.0);
        let rim = |k: usize| {
            let turn = std::f64::consts::TAU * k as f64 / 130.0;
            Point::new(5.0 + turn.cos(), turn.sin(), 0.5 * turn.sin().abs())
        };
        let mut vertices = vec![apex];
        vertices.extend((0..fan).map(rim));
        let mut triangles: Vec<[u32; 3]> =
            (0..fan as u32).map(|k| [0, 1 + k, 1 + (k + 1) % fan as u32]).collect();
        let single = |z: f64| [[0.0, 0.0, z], [1.0, 0.1, z], [0.2, 0.9, z]].map(Point::from);
        let of_single = |k: usize| single(k as f64);
        let before = vertices.len() as u32;
        vertices.extend((0..8).flat_map(of_single));
        triangles.extend((0..8).map(|k| [0, 1, 2].map(|i| before + 3 * k + i)));
        let mesh = Mesh::new(vertices, triangles).expect("indices are in range");
        let mut places = mesh.vertices()[..before as usize].to_vec();
        places.extend((0..8).flat_map(|_| single(0.0)));
        let mut model = prepare(wide(), &mesh);
        wide().refit(&mut model, &places, &Control::NONE).expect("as many vertices");
        let fresh = prepare(wide(), &mesh.with_vertices(places).expect("finite"));
        let image = model.to_image().shared();
        let viewed = WideModel::view(&image, &Control::NONE).expect("its own image");
        let contacts = |model: &WideModel| {
            let (mut memory, mut answer) = (wide().memory(), Answer::default());
            let ask = Ask::all_contacts();
            let done = wide().query_self(model, &mut memory, &ask, &Control::NONE, &mut answer);
            done.expect("an answer");
            answer.contacts
        };
        let expected = contacts(&fresh);
        assert!(expected.len() >= 28, "{}", expected.len());
        assert_eq!(contacts(&model), expected, "{fan}");
        assert_eq!(contacts(&viewed), expected, "{fan}");
    }
}
