//! Lists of poses and of pairs: the same answers as single questions, in order.

use impinge::query::{BatchError, QueryError, Question};
use impinge::{Ask, Body, Error, Mesh, Method, Pair, Pose, Vector, ask_pairs};
use impinge_models::{Random, Shape};

fn poses(n: u64) -> Vec<Pose> {
    (0..n).map(|i| Random::stream(8, i).pose(1.0)).collect()
}

fn meshes() -> [Mesh; 2] {
    [Shape::Torus.mesh(400, 0), Shape::Gear.mesh(300, 0).scaled(0.1).expect("in range")]
}

#[test]
fn lists_answer_as_single_questions() {
    let ([a, b], poses) = (meshes(), poses(200));
    for method in [Method::Wide, Method::ObbTree, Method::EdgeSteal] {
        let mut pair = Pair::with(method, &a, &b).expect("closed meshes");
        macro_rules! same {
            ($list:expr, $single:expr) => {{
                let list = $list.expect("in range");
                let mut single = $single;
                let singles: Vec<_> = poses.iter().map(|pose| single(pose)).collect();
                assert_eq!(list, singles, "{method}");
                assert!(singles.iter().any(|one| *one != singles[0]));
            }};
        }
        same!(pair.intersects_at(&poses), |p| pair.intersects(p).expect("in range"));
        same!(pair.contacts_at(&poses), |p| pair.contacts(p).expect("in range").to_vec());
        same!(pair.collide_solids_at(&poses), |p| pair.collide_solids(p).expect("closed"));
        if method == Method::EdgeSteal {
            let error = pair.distance_at(&poses).expect_err("no distances");
            assert!(matches!(error, Error::Batch(BatchError { index: 0, .. })), "{error}");
            continue;
        }
        same!(pair.distance_at(&poses), |p| pair.distance(p).expect("in range"));
        same!(pair.nearer_than_at(&poses, 0.1), |p| pair.nearer_than(p, 0.1).expect("in range"));
        if method == Method::Wide {
            same!(pair.contains_at(&poses), |p| pair.contains(p).expect("closed"));
        }
        assert_eq!(pair.intersects_at(&[]), Ok(Vec::new()));
    }
}

#[test]
fn a_pose_without_an_answer_is_named() {
    let [a, b] = meshes();
    let b = b.scaled(1e300).expect("in range");
    let mut pair = Pair::new(&a, &b).expect("closed meshes");
    let mut poses = vec![Pose::identity(); 300];
    let far = Vector::new(1e300, 0.0, 0.0);
    poses[280] = Pose::translation_by(far).expect("in range");
    let ends = [
        pair.intersects_at(&poses).map(drop),
        pair.contacts_at(&poses).map(drop),
        pair.distance_at(&poses).map(drop),
        pair.nearer_than_at(&poses, 1.0).map(drop),
        pair.collide_solids_at(&poses).map(drop),
        pair.contains_at(&poses).map(drop),
    ];
    for end in ends {
        let error = end.expect_err("out of range");
        let Error::Batch(BatchError { index, source }) = &error else { panic!("{error}") };
        assert_eq!(*index, 280);
        assert!(matches!(source, QueryError::OutOfRange(_)), "{error}");
    }
    let error = pair.nearer_than_at(&[Pose::identity()], -1.0).expect_err("negative");
    assert!(matches!(error, Error::Batch(BatchError { index: 0, .. })), "{error}");
}

#[test]
fn many_pairs_answer_as_pairs() {
    for method in [Method::Wide, Method::ObbTree] {
        let body = |mesh: &Mesh| Body::with(method, mesh, &impinge::query::Control::NONE);
        let [torus, gear] = meshes().map(|mesh| body(&mesh).expect("closed meshes"));
        let poses = poses(300);
        let pairs: Vec<(&Body, &Body, Pose)> = (poses.iter().enumerate())
            .map(
                |(i, pose)| {
                    if i % 3 == 0 { (&torus, &torus, *pose) } else { (&gear, &torus, *pose) }
                },
            )
            .collect();
        for ask in [Ask::all_contacts(), Ask::distance(), Ask::first_contact().solids()] {
            let answers = ask_pairs(&pairs, &ask).expect("closed meshes");
            assert_eq!(answers.len(), pairs.len());
            for ((a, b, pose), answer) in pairs.iter().zip(&answers) {
                let mut pair = Pair::of(a, b).expect("one method");
                let mut single = pair.ask(pose, &ask).expect("closed").clone();
                if ask.question == Question::FirstContact {
                    // Which contact is found first is unspecified.
                    single.contacts.clone_from(&answer.contacts);
                }
                assert_eq!(single, *answer, "{method} {ask:?}");
            }
            assert!(answers.iter().any(|answer| answer.verdict.is_hit()));
            assert!(!answers.iter().all(|answer| answer.verdict.is_hit()));
        }
    }
    assert_eq!(ask_pairs(&[], &Ask::distance()), Ok(Vec::new()));
}

#[test]
fn a_pair_of_another_method_is_named() {
    let [a, _] = meshes();
    let body = |method| Body::with(method, &a, &impinge::query::Control::NONE).expect("closed");
    let (wide, obb) = (body(Method::Wide), body(Method::ObbTree));
    let here = Pose::identity();
    let pairs = [(&wide, &wide, here), (&wide, &obb, here)];
    let error = ask_pairs(&pairs, &Ask::first_contact()).expect_err("two methods");
    assert_eq!(error.to_string(), "pose 1: model B was prepared by obbtree, not by wide");
}
