//! A batch gives what single queries give, bit for bit, on any number of threads; and each first contact
//! is one.

use impinge_geometry::exact::triangles_meet;
use impinge_geometry::{Pose, Vector};
use impinge_models::{Random, Shape};
use impinge_query::batch::{PairAt, pairs};
use impinge_query::{
    Answer, Ask, BatchError, Cancel, Control, Detector, Engine, Prepared, QueryError, Question,
    Statistics, Verdict,
};
use impinge_wide::{Memory, WideModel, wide};
use rayon::prelude::*;

fn model(shape: Shape, triangles: usize) -> WideModel {
    let mesh = shape.mesh(triangles, 0);
    Engine::prepare(&wide(), &mesh, &Control::NONE).expect("a mesh")
}

fn models() -> [WideModel; 2] {
    [model(Shape::Torus, 300), model(Shape::Gear, 200)]
}

fn poses(n: u64) -> Vec<Pose> {
    (0..n).map(|i| Random::stream(21, i).pose(1.1)).collect()
}

fn asks() -> [Ask; 7] {
    [
        Ask::first_contact(),
        Ask::first_contact().solids().detailed(),
        Ask::all_contacts(),
        Ask::all_contacts().capped(5).detailed().counted(),
        Ask::distance(),
        Ask::distance().solids(),
        Ask::nearer_than(0.05).counted(),
    ]
}

/// What a question promises: not how long it took, nor which contact was found first, nor how much
/// work that was, which may depend on what a memory saw before.
fn promised(ask: &Ask, answer: &Answer) -> Answer {
    let mut answer = answer.clone();
    for stage in answer.statistics.iter_mut().flat_map(|statistics| &mut statistics.stages) {
        stage.nanoseconds = 0;
    }
    if ask.question == Question::FirstContact {
        assert_eq!(answer.contacts.len(), usize::from(answer.verdict == Verdict::Intersecting));
        answer.contacts.clear();
        answer.details.clear();
    }
    if ask.question != Question::AllContacts {
        answer.statistics = answer.statistics.map(|_| Statistics::default());
    }
    answer
}

fn one_by_one([a, b]: &[WideModel; 2], poses: &[Pose], ask: &Ask) -> Vec<Answer> {
    let (engine, mut answer) = (wide(), Answer::default());
    let mut memory = Memory::default();
    let mut query = |pose: &Pose| {
        Engine::query(&engine, a, b, pose, &mut memory, ask, &Control::NONE, &mut answer)
            .expect("in range");
        promised(ask, &answer)
    };
    poses.iter().map(&mut query).collect()
}

/// What came before the end, and the end.
fn batch(
    [a, b]: &[WideModel; 2],
    poses: &[Pose],
    ask: &Ask,
    control: &Control<'_>,
    mut then: impl FnMut(usize),
) -> (Vec<Answer>, Result<(), BatchError>) {
    let (engine, mut answers) = (wide(), Vec::new());
    let mut memory = Memory::default();
    let mut each = |index: usize, answer: &Answer| {
        assert_eq!(index, answers.len(), "out of order");
        for contact in answer.contacts.iter().take(1) {
            let q = b.mesh().triangle(contact.b).map(|x| poses[index].apply(&x));
            assert!(triangles_meet(&a.mesh().triangle(contact.a), &q), "no contact, at {index}");
        }
        answers.push(promised(ask, answer));
        then(index);
    };
    let end = Engine::batch(&engine, a, b, poses, &mut memory, ask, control, &mut each);
    (answers, end)
}

fn inside<R: Send>(threads: usize, run: impl FnOnce() -> R + Send) -> R {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("threads").install(run)
}

/// The first answer that differs, if any.
fn difference(found: &[Answer], wanted: &[Answer]) -> Option<usize> {
    assert_eq!(found.len(), wanted.len());
    found.iter().zip(wanted).position(|(found, wanted)| found != wanted)
}

#[test]
fn every_question_is_answered_as_one_by_one() {
    let (models, poses) = (models(), poses(400));
    for ask in asks() {
        let singles = one_by_one(&models, &poses, &ask);
        let hits = singles.iter().filter(|answer| answer.verdict.is_hit()).count();
        assert!((40..360).contains(&hits), "{hits} of 400 hit");
        for threads in [1, 2, 3, 8] {
            let run = || batch(&models, &poses, &ask, &Control::NONE, |_| ());
            let (found, end) = inside(threads, run);
            assert_eq!(end, Ok(()));
            assert_eq!(difference(&found, &singles), None, "{ask:?} on {threads} threads");
        }
        // The twin: a batch that swaps two answers.
        let (mut swapped, _) = batch(&models, &poses, &ask, &Control::NONE, |_| ());
        assert_eq!(difference(&swapped, &singles), None, "{ask:?}, global pool");
        let other = (1..400).find(|&i| singles[i] != singles[0]).expect("they differ");
        swapped.swap(0, other);
        assert_eq!(difference(&swapped, &singles), Some(0));
    }
}

#[test]
fn batches_share_a_callers_pool() {
    let (models, poses, ask) = (models(), poses(300), Ask::all_contacts());
    let singles = one_by_one(&models, &poses, &ask);
    for threads in [1, 2, 3] {
        let all: Vec<_> = inside(threads, || {
            let run = |_| batch(&models, &poses, &ask, &Control::NONE, |_| ());
            (0..6).into_par_iter().map(run).collect()
        });
        for (found, end) in all {
            assert_eq!((end, difference(&found, &singles)), (Ok(()), None), "{threads} threads");
        }
    }
}

#[test]
fn a_pose_out_of_range_ends_the_batch_there() {
    let ask = Ask::distance();
    // Far out, where only some poses keep B in range.
    let far = 0.9 * impinge_geometry::MAX_COORDINATE;
    let at = |x: f64| Pose::translation_by(Vector::new(x, 0.0, 0.0)).expect("finite");
    let large = Shape::Torus.mesh(60, 0).scaled(0.4 * impinge_geometry::MAX_COORDINATE);
    let large = large.expect("in range");
    let large = Engine::prepare(&wide(), &large, &Control::NONE).expect("a mesh");
    let models = [large.clone(), large];
    let good: Vec<Pose> = (0..500).map(|i| at(-far * f64::from(i % 7) / 20.0)).collect();
    let singles = one_by_one(&models, &good, &ask);
    for bad in [0, 1, 250, 499] {
        let mut poses = good.clone();
        // Later ones are bad too.
        poses[bad..].iter_mut().step_by(7).for_each(|pose| *pose = at(far));
        for threads in [1, 2, 8] {
            let (found, end) =
                inside(threads, || batch(&models, &poses, &ask, &Control::NONE, |_| ()));
            let error = end.expect_err("out of range");
            assert_eq!((error.index, found.len()), (bad, bad), "{threads} threads");
            assert!(matches!(error.source, QueryError::OutOfRange(_)), "{error}");
            assert_eq!(difference(&found, &singles[..bad]), None, "{threads} threads");
        }
    }
}

#[test]
fn a_cancelled_batch_ends_at_the_next_pose() {
    let (models, poses, ask) = (models(), poses(500), Ask::distance());
    let singles = one_by_one(&models, &poses, &ask);
    for (threads, last) in [(1, 200), (2, 0), (2, 200), (8, 333)] {
        let cancel = Cancel::new();
        let control = Control::NONE.cancelled_by(&cancel);
        let raise = |index| {
            if index == last {
                cancel.cancel();
            }
        };
        let (found, end) = inside(threads, || batch(&models, &poses, &ask, &control, raise));
        assert_eq!(difference(&found, &singles[..=last]), None);
        let error = end.expect_err("cancelled");
        assert_eq!(error.index, last + 1);
        assert!(matches!(error.source, QueryError::Cancelled(_)), "{error}");
    }
}

#[test]
fn a_panic_of_the_caller_reaches_him() {
    let (models, poses) = (models(), poses(500));
    for threads in [1, 2, 8] {
        let run = || {
            let panic = |index| assert_ne!(index, 300, "the caller's");
            batch(&models, &poses, &Ask::distance(), &Control::NONE, panic)
        };
        let caught = || std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err();
        assert!(inside(threads, caught), "{threads} threads");
    }
}

#[test]
fn many_pairs_are_answered_as_one_by_one() {
    let engine: &dyn Detector = &wide();
    let prepare = |shape: Shape, triangles| -> Prepared {
        engine.prepare(&shape.mesh(triangles, 0), &Control::NONE).expect("a mesh")
    };
    let bodies = [
        prepare(Shape::Cube, 12),
        prepare(Shape::Torus, 800),
        prepare(Shape::Gear, 300),
        prepare(Shape::Sphere, 400),
    ];
    let mut random = Random::new(5);
    let mut pair = || {
        let mut one = || &bodies[random.below(4) as usize];
        let (a, b) = (one(), one());
        PairAt { a, b, b_in_a: random.pose(1.0) }
    };
    let questions: Vec<PairAt<'_>> = (0..400).map(|_| pair()).collect();
    for ask in asks() {
        let single = |of: &PairAt<'_>| {
            let (mut memory, mut answer) = (engine.memory(), Answer::default());
            engine
                .query(of.a, of.b, &of.b_in_a, &mut memory, &ask, &Control::NONE, &mut answer)
                .expect("in range");
            promised(&ask, &answer)
        };
        let singles: Vec<Answer> = questions.iter().map(single).collect();
        assert!(singles.iter().any(|answer| answer.verdict == Verdict::Intersecting));
        for threads in [1, 2, 3, 8] {
            let mut found = Vec::new();
            let mut each = |_: usize, answer: &Answer| found.push(promised(&ask, answer));
            inside(threads, || pairs(engine, &questions, &ask, &Control::NONE, &mut each))
                .expect("in range");
            assert_eq!(difference(&found, &singles), None, "{ask:?} on {threads} threads");
        }
    }
}

#[test]
fn a_pair_without_an_answer_is_named_by_its_place() {
    let engine: &dyn Detector = &wide();
    let cube = Shape::Cube.mesh(12, 0);
    let own = engine.prepare(&cube, &Control::NONE).expect("a cube");
    let mut questions = vec![PairAt { a: &own, b: &own, b_in_a: Pose::identity() }; 400];
    let open = impinge_geometry::Mesh::new(cube.vertices().to_vec(), vec![[0, 1, 2]]);
    let open = engine.prepare(&open.expect("a mesh"), &Control::NONE).expect("any mesh");
    questions[390].b = &open;
    let mut came = 0;
    let mut each = |_: usize, _: &Answer| came += 1;
    let ask = Ask::first_contact().solids();
    let error =
        inside(2, || pairs(engine, &questions, &ask, &Control::NONE, &mut each)).expect_err("open");
    assert_eq!((came, error.index), (390, 390));
    assert!(error.to_string().starts_with("pose 390: mesh B has no inside"), "{error}");
}
