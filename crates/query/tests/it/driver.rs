//! The driver around a search of all pairs of triangles.

use impinge_geometry::{Mesh, Point, Pose, Vector, exact};
use impinge_query::driver::{self, Query};
use impinge_query::{
    Answer, Ask, Cancel, Control, Engine, Inner, QueryError, Search, Statistics, Verdict,
};

use crate::all_pairs::{AllPairs, Model, at, query, tetrahedron};

/// The parts of an answer that do not depend on which first contact or nearest pair is found.
fn known(answer: &Answer) -> Known {
    let nearest = answer.nearest.map(|nearest| nearest.distance);
    (answer.verdict, answer.contacts_found, nearest, answer.nearer)
}

fn asks() -> [Ask; 6] {
    [
        Ask::first_contact(),
        Ask::all_contacts().detailed(),
        Ask::distance(),
        Ask::nearer_than(0.3),
        Ask::first_contact().solids(),
        Ask::distance().solids(),
    ]
}

/// Between queries the pair jumps, one model is refitted, and the models swap roles. A used memory
/// gives the same answers as a new one.
#[test]
fn what_is_remembered_changes_no_answer_across_jumps_and_refits() {
    let engine = AllPairs::<true>;
    let prepare = |size: f64| Engine::prepare(&engine, &tetrahedron(size), &Control::NONE);
    let (mut a, b) = (prepare(1.0).expect("any"), prepare(0.2).expect("any"));
    let mut memory = Engine::memory(&engine);
    let (mut hits, mut refits) = (0, 0);
    for step in 0..240_u32 {
        let pose = match step % 5 {
            0 => at(0.1, 0.1),
            1 => at(-0.1, 0.1),
            2 => at(3.0 + f64::from(step), 0.0),
            _ => at(f64::from(step % 7) * 0.2 - 0.4, f64::from(step % 11) * 0.1 - 0.3),
        };
        if step % 6 == 5 {
            let size = 0.5 + f64::from(step % 4) * 0.4;
            let vertices = tetrahedron(size).vertices().to_vec();
            Engine::refit(&engine, &mut a, &vertices, &Control::NONE).expect("as many");
            refits += 1;
        }
        let pair = if step % 13 < 9 { (&a, &b, &pose) } else { (&b, &a, &pose) };
        let ask = asks()[step as usize * 5 % 6];
        let answer = query(&engine, pair, &mut memory, &ask);
        let fresh = query(&engine, pair, &mut Engine::memory(&engine), &ask);
        assert_eq!(known(&answer), known(&fresh), "step {step}: {ask:?}");
        assert_eq!(answer.details.len(), if ask.details { answer.contacts.len() } else { 0 });
        for contact in &answer.contacts {
            let (p, q) =
                Query { a: pair.0, b: pair.1, pose: &pose, ask: &ask, control: &Control::NONE }
                    .triangles(*contact);
            assert!(exact::triangles_meet(&p, &q), "step {step}");
        }
        hits += u32::from(answer.verdict.is_hit());
    }
    assert!((60..180).contains(&hits) && refits == 40, "{hits} hits, {refits} refits");
}

/// The last contact is tested first, also after a refit. Contacts of another pair are not.
#[test]
fn a_query_begins_with_the_triangles_that_met_last() {
    let engine = AllPairs::<true>;
    let prepare = || Engine::prepare(&engine, &tetrahedron(1.0), &Control::NONE).expect("any");
    let (mut a, b, c) = (prepare(), prepare(), prepare());
    let (pose, ask) = (at(0.2, 0.2), Ask::first_contact().counted());
    let mut memory = Engine::memory(&engine);
    let tests = |answer: Answer| {
        let statistics: Statistics = answer.statistics.expect("asked for");
        assert!(answer.verdict == Verdict::Intersecting && answer.contacts.len() == 1);
        let memory = statistics.stages.iter().any(|stage| stage.name == "memory");
        (statistics.primitive_tests, memory)
    };
    let (first, remembered) = tests(query(&engine, (&a, &b, &pose), &mut memory, &ask));
    assert!(first > 1 && !remembered, "{first} tests");
    assert_eq!(tests(query(&engine, (&a, &b, &pose), &mut memory, &ask)), (1, true));
    let moved: Vec<Point> = tetrahedron(1.01).vertices().to_vec();
    Engine::refit(&engine, &mut a, &moved, &Control::NONE).expect("as many");
    assert_eq!(*memory.own(), 1, "the first pair");
    assert_eq!(tests(query(&engine, (&a, &b, &pose), &mut memory, &ask)), (1, true));
    assert_eq!(*memory.own(), 2, "and the refit");
    assert_eq!(tests(query(&engine, (&a, &c, &pose), &mut memory, &ask)), (first, false));
    // Without a memory, every query does the same work.
    let engine = AllPairs::<false>;
    let mut memory = Engine::memory(&engine);
    for _ in 0..2 {
        assert_eq!(tests(query(&engine, (&b, &c, &pose), &mut memory, &ask)), (first, false));
    }
}

/// Also if the outer solid is inverted: inside means any winding number other than zero.
#[test]
fn solids_inside_each_other_are_found_by_all_triangles() {
    let engine = AllPairs::<false>;
    let prepare = |mesh: &Mesh| Engine::prepare(&engine, mesh, &Control::NONE).expect("any");
    let small = prepare(&tetrahedron(0.1));
    let inside = at(0.2, 0.2);
    let mut memory = Engine::memory(&engine);
    for large in [tetrahedron(1.0), tetrahedron(1.0).flipped()] {
        let large = prepare(&large);
        for (pair, inner) in
            [((&large, &small, inside), Inner::B), ((&small, &large, inside.inverse()), Inner::A)]
        {
            let pair = (pair.0, pair.1, &pair.2);
            let answer = query(&engine, pair, &mut memory, &Ask::distance().solids());
            assert_eq!(answer.verdict, Verdict::Contained(inner));
            assert_eq!(answer.nearest.expect("asked for").distance, 0.0);
            let answer = query(&engine, pair, &mut memory, &Ask::nearer_than(0.0).solids());
            assert_eq!((answer.nearer, answer.contacts_found), (Some(true), 0));
            let answer = query(&engine, pair, &mut memory, &Ask::distance());
            assert_eq!(answer.verdict, Verdict::Separated);
            assert!(answer.nearest.expect("asked for").distance > 0.01);
            let answer = query(&engine, pair, &mut memory, &Ask::contained_in());
            assert_eq!(answer.verdict, Verdict::Contained(inner));
            assert_eq!(answer.contained, Some(inner == Inner::B));
        }
    }
}

/// B is contained if every component of B is inside A and no part of A is inside B.
#[test]
fn a_body_is_inside_if_all_of_it_is() {
    let engine = AllPairs::<true>;
    let moved = |size: f64, x: f64| {
        let pose = Pose::translation_by(Vector::new(x, 0.1, 0.1)).expect("in range");
        tetrahedron(size).posed(&pose).expect("in range")
    };
    let prepare = |parts: &[Mesh]| {
        let whole = Mesh::union(parts.iter()).expect("in range");
        Engine::prepare(&engine, &whole, &Control::NONE).expect("any")
    };
    let (large, still) = (prepare(&[tetrahedron(1.0)]), Pose::identity());
    let mut memory = Engine::memory(&engine);
    for (b, held) in [
        (prepare(&[moved(0.1, 0.1), moved(0.1, 0.4)]), true),
        (prepare(&[moved(0.1, 0.1), moved(0.1, 4.0)]), false),
        (prepare(&[moved(0.1, 4.0)]), false),
        (prepare(&[moved(0.1, 0.75)]), false),
        (prepare(&[moved(0.1, 0.1), moved(10.0, -2.0)]), false),
    ] {
        for memory in [&mut memory, &mut Engine::memory(&engine)] {
            let answer = query(&engine, (&large, &b, &still), memory, &Ask::contained_in());
            assert_eq!(answer.contained, Some(held), "{:?}", answer.verdict);
            let other = query(&engine, (&large, &b, &still), memory, &Ask::first_contact());
            assert_eq!(other.contained, None);
        }
    }
}

#[test]
fn what_cannot_be_answered_is_an_error_before_any_work() {
    let engine = AllPairs::<false>;
    let open = Mesh::new(tetrahedron(1.0).vertices().to_vec(), vec![[0, 1, 2]]).expect("legal");
    let [whole, open] = [&tetrahedron(1.0), &open]
        .map(|mesh| Engine::prepare(&engine, mesh, &Control::NONE).expect("any"));
    let cancel = Cancel::new();
    cancel.cancel();
    let cancelled = Control::NONE.cancelled_by(&cancel);
    let mut memory = Engine::memory(&engine);
    let mut ask = |b: &Model, pose: &Pose, ask: &Ask, control: &Control<'_>| {
        let mut answer = Answer::default();
        let error = engine
            .query(&whole, b, pose, &mut memory, ask, control, &mut answer)
            .expect_err("cannot be answered");
        assert_eq!(answer, Answer::default());
        error
    };
    let (near, first) = (at(0.0, 0.0), Ask::first_contact());
    assert!(matches!(ask(&whole, &near, &first, &cancelled), QueryError::Cancelled(_)));
    let none = &Control::NONE;
    assert!(matches!(ask(&open, &near, &first.solids(), none), QueryError::NotClosed { .. }));
    let negative = Ask::nearer_than(-1.0);
    assert!(matches!(ask(&whole, &near, &negative, none), QueryError::BadDistance { .. }));
}

type Known = (Verdict, u64, Option<f64>, Option<bool>);

/// The answers of a batch of distances between a mesh and itself at several poses.
fn distances<S: Search>(engine: &S, poses: &[Pose]) -> Vec<Known> {
    let model = Engine::prepare(engine, &tetrahedron(1.0), &Control::NONE).expect("any");
    let (mut memory, mut found) = (Engine::memory(engine), Vec::new());
    let ask = Ask::distance();
    let mut each = |index: usize, answer: &Answer| {
        assert_eq!(index, found.len());
        found.push(known(answer));
    };
    engine
        .batch(&model, &model, poses, &mut memory, &ask, &Control::NONE, &mut each)
        .expect("in range");
    found
}

/// With and without poses.
#[test]
fn a_batch_of_what_is_not_answered_is_an_error() {
    let engine: &dyn impinge_query::Detector = &AllPairs::<false>;
    let model = engine.prepare(&tetrahedron(1.0), &Control::NONE).expect("any");
    for poses in [&[][..], &[at(0.0, 0.0)]] {
        let (mut memory, mut came) = (engine.memory(), 0);
        let mut each = |_: usize, _: &Answer| came += 1;
        let ask = Ask::nearer_than(-1.0);
        let error = engine
            .batch(&model, &model, poses, &mut memory, &ask, &Control::NONE, &mut each)
            .expect_err("no distance");
        assert!(error.index == 0 && matches!(error.source, QueryError::BadDistance { .. }));
        assert_eq!(came, 0);
    }
}

#[test]
fn batches_are_the_same_over_threads_and_in_order() {
    let poses: Vec<Pose> = (0..300).map(|k| at(f64::from(k % 23) * 0.1 - 1.0, 0.1)).collect();
    let [threads, order] =
        [distances(&AllPairs::<true>, &poses), distances(&AllPairs::<false>, &poses)];
    assert_eq!(threads, order);
    let hits = threads.iter().filter(|known| known.0.is_hit()).count();
    assert!((90..290).contains(&hits), "{hits} of 300");
}

/// A memory can be sent to another thread and shared between threads.
#[test]
fn memories_are_send_and_sync() {
    fn check<T: Send + Sync>(_: &T) {}
    check(&Engine::memory(&AllPairs::<true>));
}

/// The pair that was nearest last bounds the next search, at any scale. The bound is valid, so the
/// search is never repeated without it.
#[test]
fn the_nearest_triangles_bound_the_next_search() {
    let engine = AllPairs::<true>;
    for exponent in [0, -500, -1000, -1040, 500] {
        // In two steps, since one power of two would be 1 over infinity.
        let scale = 2f64.powi(exponent / 2).powi(2);
        let prepare = |size: f64| {
            let mesh = tetrahedron(size).scaled(scale).expect("in range");
            Engine::prepare(&engine, &mesh, &Control::NONE).expect("any")
        };
        let (a, b, mut memory) = (prepare(1.0), prepare(0.5), Engine::memory(&engine));
        let mut bounded = 0;
        // Decreasing gaps, down to the resolution of f64.
        for gap in [1.0, 0.999, 1e-3, 1e-9, 1e-15, 1e-15, 0.5, 0.501] {
            let place = Vector::new((1.0 + gap) * scale, 0.0, 0.0);
            let pose = Pose::translation_by(place).expect("in range");
            let ask = Ask::distance().counted();
            let answer = query(&engine, (&a, &b, &pose), &mut memory, &ask);
            let fresh = query(&engine, (&a, &b, &pose), &mut Engine::memory(&engine), &ask);
            assert_eq!(known(&answer), known(&fresh), "2^{exponent}, {gap:e}");
            let counted = |answer: Answer| answer.statistics.expect("asked for");
            let (answer, fresh) = (counted(answer), counted(fresh));
            assert!(answer.volume_tests <= 1, "searched twice, 2^{exponent}, {gap:e}");
            let tests = fresh.primitive_tests + answer.volume_tests;
            assert_eq!(answer.primitive_tests, tests, "2^{exponent}, {gap:e}");
            bounded += answer.volume_tests;
        }
        assert!(bounded >= 5, "{bounded} bounds, 2^{exponent}");
    }
}

/// With and without a memory that bounds the search.
#[test]
fn nearer_than_is_what_the_distance_says() {
    let engine = AllPairs::<true>;
    let prepare = |size: f64| Engine::prepare(&engine, &tetrahedron(size), &Control::NONE);
    let (a, b) = (prepare(1.0).expect("any"), prepare(0.5).expect("any"));
    let mut memory = Engine::memory(&engine);
    for gap in [1.0, 0.5, 1e-3, 0.2] {
        let pose = Pose::translation_by(Vector::new(1.0 + gap, 0.0, 0.0)).expect("in range");
        for (d, nearer) in [(1.01 * gap, true), (0.99 * gap, false), (0.0, false)] {
            for memory in [&mut memory, &mut Engine::memory(&engine)] {
                let ask = Ask::nearer_than(d);
                let answer = query(&engine, (&a, &b, &pose), memory, &ask);
                assert_eq!(answer.nearer, Some(nearer), "{gap} apart, {d}");
            }
        }
    }
    let answer = query(&engine, (&a, &b, &at(0.4, 0.1)), &mut memory, &Ask::nearer_than(0.0));
    assert_eq!(answer.nearer, Some(true), "they meet");
}

/// Polls before the first triangle and then every 256 triangles.
#[test]
fn a_ray_looks_whether_the_caller_is_there() {
    let parts: Vec<Mesh> = (0..150).map(|_| tetrahedron(1.0)).collect();
    let mesh = Mesh::union(parts.iter()).expect("in range");
    let cancel = Cancel::at_look(u64::MAX);
    let control = Control::NONE.cancelled_by(&cancel);
    let p = Point::new(0.1, 0.1, 0.1);
    let found = driver::winding(&mesh, &Pose::identity(), &p, &mut (), &control);
    assert_eq!(found, Ok(150));
    assert_eq!(cancel.looks().map(|looks| looks.number), Some(600_u64.div_ceil(256)));
}

#[test]
fn what_is_boxed_tells_of_itself_and_is_of_one_engine() {
    let detector: &dyn impinge_query::Detector = &AllPairs::<true>;
    let model = detector.prepare(&tetrahedron(1.0), &Control::NONE).expect("any");
    let bytes = 4 * 24 + 4 * 12;
    assert_eq!((model.triangles(), model.mesh_bytes(), model.bytes()), (4, bytes, bytes + 8));
    assert!(format!("{model:?}").contains("all-pairs"));
    let mut memory = detector.memory();
    assert!(format!("{memory:?}").contains("all-pairs"));
    let (ask, still, mut answer) = (Ask::first_contact(), Pose::identity(), Answer::default());
    detector
        .query(&model, &model, &still, &mut memory, &ask, &Control::NONE, &mut answer)
        .expect("its own");
    assert_eq!(answer.verdict, Verdict::Intersecting);
}

/// Contacts that were skipped, or found between two meshes, are not remembered for
/// self-intersection.
#[test]
fn a_mesh_against_itself_is_no_pair() {
    let engine = AllPairs::<true>;
    let crossing = Mesh::union([&tetrahedron(1.0), &tetrahedron(0.5)]).expect("in range");
    for (mesh, meets) in [(&tetrahedron(1.0), false), (&crossing, true)] {
        let model = Engine::prepare(&engine, mesh, &Control::NONE).expect("any");
        let mut memory = Engine::memory(&engine);
        for ask in [Ask::first_contact(), Ask::all_contacts().detailed().counted()] {
            let pair = query(&engine, (&model, &model, &Pose::identity()), &mut memory, &ask);
            assert_eq!(pair.verdict, Verdict::Intersecting);
            let mut answer = Answer::default();
            engine
                .query_self(&model, &mut memory, &ask, &Control::NONE, &mut answer)
                .expect("any mesh");
            assert_eq!(answer.verdict.is_hit(), meets, "{ask:?}");
            assert!(answer.contacts.iter().all(|contact| contact.a < contact.b));
            assert_eq!(answer.statistics.is_some(), ask.count);
            assert_eq!(answer.details.len(), if ask.details { answer.contacts.len() } else { 0 });
        }
    }
    let unanswered = Ask::distance();
    let model = Engine::prepare(&engine, &crossing, &Control::NONE).expect("any");
    let (mut memory, mut answer) = (Engine::memory(&engine), Answer::default());
    let error = engine.query_self(&model, &mut memory, &unanswered, &Control::NONE, &mut answer);
    assert!(matches!(error, Err(QueryError::Unanswered { .. })));
}
