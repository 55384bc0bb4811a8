//! One long query is shared among threads, and answers what one thread answers.

use std::sync::atomic::{AtomicU32, Ordering};

use impinge_geometry::{Mesh, Pose, Vector};
use impinge_models::Shape;
use impinge_query::{Answer, Ask, Cancel, Control, Engine, QueryError};
use impinge_wide::{Memory, WideModel, wide};

/// Two tori about nearly the same axis, one almost in the place of the other: thousands of contacts.
fn deep() -> ([WideModel; 2], Pose) {
    let models = [Shape::Torus.mesh(200_000, 0), Shape::Torus.mesh(150_000, 1)]
        .map(|mesh| wide().prepare(&mesh, &Control::NONE).expect("any mesh"));
    let turn = [0.0, 0.0, 0.1f64.sqrt(), 0.9f64.sqrt()];
    (models, Pose::from_quaternion([0.02, 0.01, 0.005], turn).expect("unit"))
}

fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")
}

fn ask(
    [a, b]: [&WideModel; 2],
    pose: &Pose,
    ask: &Ask,
    control: &Control<'_>,
) -> Result<Answer, QueryError> {
    let (mut answer, mut memory) = (Answer::default(), Memory::default());
    Engine::query(&wide(), a, b, pose, &mut memory, ask, control, &mut answer)?;
    Ok(answer)
}

#[test]
fn any_number_of_threads_finds_the_same() {
    let (models, pose) = deep();
    let asks = [Ask::all_contacts(), Ask { cap: Some(50), details: true, ..Ask::all_contacts() }]
        .map(|ask| Ask { count: true, ..ask });
    for question in asks {
        let answers = [1, 2, 3, 8].map(|threads| {
            let shared =
                || ask(models.each_ref(), &pose, &question, &Control::NONE).expect("any pose");
            pool(threads).install(shared)
        });
        let tests = |answer: &Answer| {
            let counted = answer.statistics.as_ref().expect("counted");
            (counted.volume_tests, counted.primitive_tests)
        };
        assert!(tests(&answers[0]).0 > 60_000, "too small to be shared: {:?}", tests(&answers[0]));
        assert!(answers[0].contacts_found > 2_000, "{}", answers[0].contacts_found);
        for answer in &answers[1..] {
            assert_eq!(answer.contacts, answers[0].contacts);
            assert_eq!(answer.details, answers[0].details);
            assert_eq!(answer.contacts_found, answers[0].contacts_found);
            assert_eq!(tests(answer), tests(&answers[0]));
        }
    }
}

/// Tori above each other, and faces in two parallel planes, of which all pairs above each other are equally
/// near.
#[test]
fn any_number_of_threads_finds_the_same_nearest_pair() {
    let shapes = [(Shape::Torus, 0.6), (Shape::Cube, 1.2)];
    for (shape, height) in shapes {
        let mesh = shape.mesh(60_000, 0);
        let model = wide().prepare(&mesh, &Control::NONE).expect("any mesh");
        let pose = Pose::translation_by(Vector::new(1e-3, 2e-3, height)).expect("finite");
        let question = Ask::distance().counted();
        let answers = [1, 2, 3, 8].map(|threads| {
            let shared = || ask([&model; 2], &pose, &question, &Control::NONE).expect("any pose");
            pool(threads).install(shared)
        });
        let tests = |answer: &Answer| {
            let counted = answer.statistics.as_ref().expect("counted");
            (counted.volume_tests, counted.primitive_tests)
        };
        assert!(tests(&answers[0]).0 > 50_000, "too small: {:?}", tests(&answers[0]));
        for answer in &answers[1..] {
            assert_eq!(answer.nearest, answers[0].nearest);
            assert_eq!(tests(answer), tests(&answers[0]));
        }
    }
}

/// One model twice in one place is tested in one order only. It has the contacts of two models all the
/// same, also of repeated triangles, of three leaves, and up to a cap; elsewhere nothing is left out.
#[test]
fn one_model_twice_in_one_place_has_the_contacts_of_two() {
    let repeated = {
        let torus = Shape::Torus.mesh(3_000, 0);
        let triangles = torus.triangles().iter().flat_map(|&[a, b, c]| [[a, b, c], [c, a, b]]);
        Mesh::new(torus.vertices().to_vec(), triangles.collect()).expect("legal")
    };
    let shapes = [(Shape::Torus, 200_000), (Shape::Gear, 5_000), (Shape::Cube, 12)];
    let meshes = shapes.map(|(shape, triangles)| shape.mesh(triangles, 0));
    for mesh in meshes.into_iter().chain([repeated]) {
        let prepare = || wide().prepare(&mesh, &Control::NONE).expect("any mesh");
        let (two, one) = ([prepare(), prepare()], prepare());
        let away = Pose::translation_by(Vector::new(0.0, 0.0, 1e-3)).expect("near");
        for (pose, is_in_place) in [(Pose::identity(), true), (away, false)] {
            let counted = Ask { count: true, ..Ask::all_contacts() };
            for question in [counted, Ask { cap: Some(50), details: true, ..counted }] {
                let ask = |pair: [&WideModel; 2], threads: usize| {
                    let query = || ask(pair, &pose, &question, &Control::NONE).expect("any pose");
                    pool(threads).install(query)
                };
                let truth = ask([&two[0], &two[1]], 1);
                for threads in [1, 3] {
                    let found = ask([&one, &one], threads);
                    assert_eq!(found.contacts, truth.contacts);
                    assert_eq!(found.details, truth.details);
                    assert_eq!(found.contacts_found, truth.contacts_found);
                    let [found, truth] = [&found, &truth]
                        .map(|answer| answer.statistics.as_ref().expect("counted").primitive_tests);
                    let share = found as f64 / truth as f64;
                    let saved = mesh.triangles().len() < 1_000 || share < 0.7;
                    assert_eq!(found < truth && saved, is_in_place, "{share} {found} of {truth}");
                }
            }
        }
    }
}

/// Whoever is asked inside a parallel loop shares that loop's threads.
#[test]
fn long_queries_may_be_asked_from_the_pool_itself() {
    let (models, pose) = deep();
    let alone =
        ask(models.each_ref(), &pose, &Ask::all_contacts(), &Control::NONE).expect("any pose");
    let right = AtomicU32::new(0);
    pool(2).scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|_| {
                let found = ask(models.each_ref(), &pose, &Ask::all_contacts(), &Control::NONE);
                let same = found.expect("any pose").contacts == alone.contacts;
                right.fetch_add(u32::from(same), Ordering::Relaxed);
            });
        }
    });
    assert_eq!(right.into_inner(), 6);
}

/// A query that is cancelled while threads share it is an error, and the next one is whole.
#[test]
fn cancelling_a_shared_query_is_an_error() {
    let (models, pose) = deep();
    let whole =
        ask(models.each_ref(), &pose, &Ask::all_contacts(), &Control::NONE).expect("any pose");
    let pool = pool(3);
    let mut cancelled = 0;
    for round in 0..40_u64 {
        let cancel = Cancel::new();
        let control = Control::NONE.cancelled_by(&cancel);
        let answer = std::thread::scope(|threads| {
            threads.spawn(|| {
                std::thread::sleep(std::time::Duration::from_micros(20 * round));
                cancel.cancel();
            });
            pool.install(|| ask(models.each_ref(), &pose, &Ask::all_contacts(), &control))
        });
        match answer {
            Ok(answer) => assert_eq!(answer.contacts, whole.contacts),
            Err(QueryError::Cancelled(_)) => cancelled += 1,
            Err(other) => panic!("{other}"),
        }
    }
    assert!(cancelled > 0, "none was in time");
}
