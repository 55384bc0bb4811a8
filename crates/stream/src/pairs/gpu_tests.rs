//! The kernels against the processor's tests, and lists that are too short. These tests need an
//! adapter; `IMPINGE_GPU=software` keeps them to software drivers.

use impinge_geometry::{Mesh, Pose};
use impinge_models::{Random, Shape};
use impinge_query::{Answer, Ask, Backend, Control, Engine, Query};

use super::model::{PairsModel, PlacedBox};
use super::placed::Placing;
use super::ready::Left;
use super::{PairsEngine, stream_pairs};
use crate::compute::{Adapter, Family, Kept, Sizes, adapter_for_tests};
use crate::kernel::Class;
use crate::model::Below;

fn adapter(sizes: Sizes) -> Adapter {
    adapter_for_tests(Family::Trees, sizes)
}

fn models(meshes: &[Mesh; 2]) -> [PairsModel; 2] {
    meshes.each_ref().map(|mesh| PairsModel::new(mesh, &Control::NONE).expect("any mesh"))
}

fn poses(stream: u64, reach: f64, count: u64) -> Vec<Pose> {
    (0..count).map(|index| Random::stream(stream, index).pose(reach)).collect()
}

/// The box of each triangle.
fn leaves(model: &PairsModel) -> Vec<PlacedBox> {
    let of = |node: &PlacedBox| match node.below {
        Below::Triangle(t) => Some((t, *node)),
        Below::Nodes(_) => None,
    };
    let mut leaves: Vec<(u32, PlacedBox)> = model.boxes().iter().filter_map(of).collect();
    leaves.sort_unstable_by_key(|(t, _)| *t);
    leaves.into_iter().map(|(_, node)| node).collect()
}

/// What the processor's tests leave, with the bound on places times `share`.
fn expected([a, b]: &[PairsModel; 2], pose: &Pose, share: f32) -> Vec<Left> {
    let Placing::Near(mut placed) = Placing::of(a, b, pose) else { return Vec::new() };
    placed.grid *= share;
    let [boxes_a, boxes_b] = [leaves(a), leaves(b)];
    let mut left = Vec::new();
    for (s, box_a) in (0..).zip(&boxes_a) {
        for (t, box_b) in (0..).zip(&boxes_b) {
            if !placed.boxes_meet(box_a, box_b) {
                continue;
            }
            let class = placed.class(&a.corners()[s as usize], &b.corners()[t as usize]);
            if class != Class::Miss {
                left.push(Left { a: s, b: t, open: class == Class::Unknown });
            }
        }
    }
    left
}

fn differences(p: &[Left], q: &[Left]) -> usize {
    let only = |p: &[Left], q: &[Left]| p.iter().filter(|x| q.binary_search(x).is_err()).count();
    only(p, q) + only(q, p)
}

/// Bodies near their own copies, so that many pairs are near each border. Other adapters may round
/// the other way; then a few classes differ, and both are certain.
#[test]
#[ignore = "gpu: needs an adapter"]
fn classes_are_those_of_the_processor_and_another_bound_shows() {
    let (mut pairs, mut open, mut different, mut broken) = (0, 0, 0, 0);
    for (index, shape) in [Shape::Torus, Shape::Gear, Shape::Sphere].into_iter().enumerate() {
        let mesh = shape.mesh(300, 3);
        // The second is a little smaller, so that its unit may be another one.
        let other = mesh.scaled(0.47).expect("in range");
        let models = models(&[mesh, other]);
        let poses: Vec<Pose> = [0.0, 1e-8, 1e-3, 0.3]
            .into_iter()
            .flat_map(|reach| poses(680 + index as u64, reach, 3))
            .collect();
        let ask = Ask::all_contacts();
        let [a, b] = &models;
        let query = Query { a, b, pose: &poses[0], ask: &ask, control: &Control::NONE };
        let found = adapter(Sizes::default())
            .fly(&query, &poses, false, &mut Kept::default())
            .expect("it runs");
        for (pose, mut landing) in poses.iter().zip(found) {
            let outcome = landing.outcome().expect("the adapter answers");
            let expected = [1.0, 1e4].map(|share| expected(&models, pose, share));
            pairs += expected[0].len();
            open += outcome.left.iter().filter(|left| left.open).count();
            different += differences(&expected[0], &outcome.left);
            broken += differences(&expected[1], &outcome.left);
        }
    }
    println!("{pairs} left, {open} of them open; {different} differ, broken: {broken}");
    assert!(pairs > 1_000 && different * 1000 <= pairs, "{different} of {pairs}");
    assert!(broken > 100 && broken > 20 * different, "{broken}: nothing is compared");
}

/// The answers of a batch, and how many submissions it took.
fn batch(
    engine: &PairsEngine,
    models: &[PairsModel; 2],
    poses: &[Pose],
    ask: &Ask,
) -> (Vec<Answer>, u64) {
    let [a, b] = models;
    let (mut answers, mut memory) = (Vec::new(), engine.memory());
    let mut each = |_: usize, answer: &Answer| answers.push(answer.clone());
    engine.batch(a, b, poses, &mut memory, ask, &Control::NONE, &mut each).expect("answers");
    let counted = answers.iter().filter_map(|answer| answer.statistics.as_ref());
    let submissions = counted.map(|counted| counted.submissions).sum();
    (answers, submissions)
}

/// With a first length of 1 every list is too short; with 64 places at most, poses are answered by
/// themselves, or by the processor; with 3 poses at once there are several passes.
#[test]
#[ignore = "gpu: needs an adapter"]
fn short_lists_and_few_poses_at_once_lose_nothing() {
    let models = models(&[Shape::Torus.mesh(800, 1), Shape::Torus.mesh(600, 2)]);
    let poses = poses(684, 0.5, 10);
    let usual = stream_pairs().on_adapter(Ok(adapter(Sizes::default())));
    let default = Sizes::default();
    let others = [
        Sizes { room: 1, ..default },
        Sizes { room: 1, most: 64, ..default },
        Sizes { poses: 3, ..default },
        Sizes { in_time: 3, ..default },
    ];
    for ask in [Ask::all_contacts().counted(), Ask::first_contact().counted()] {
        let (whole, once) = batch(&usual, &models, &poses, &ask);
        let many = whole.iter().filter(|answer| answer.contacts_found > 64).count();
        assert!(many >= 3 || ask == Ask::first_contact().counted(), "{many}");
        for sizes in others {
            let engine = stream_pairs().on_adapter(Ok(adapter(sizes)));
            let (found, submissions) = batch(&engine, &models, &poses, &ask);
            for (found, whole) in found.iter().zip(&whole) {
                assert_eq!(found.verdict, whole.verdict, "{sizes:?}");
                if ask.question == Ask::all_contacts().question {
                    assert_eq!(found.contacts, whole.contacts, "{sizes:?}");
                    assert_eq!(found.certainty, whole.certainty, "{sizes:?}");
                }
            }
            assert!(submissions > once, "{submissions} of {sizes:?}, else {once}");
        }
    }
}

/// The larger body has 1,599 boxes of 32 bytes.
#[test]
#[ignore = "gpu: needs an adapter"]
fn bodies_that_no_buffer_holds_are_left_to_the_processor() {
    let models = models(&[Shape::Torus.mesh(800, 1), Shape::Torus.mesh(200, 2)]);
    let poses = poses(685, 0.5, 4);
    let ask = Ask::all_contacts().counted();
    let [fits, short] = [1_599, 1_598].map(|boxes| {
        let sizes = Sizes { bytes: 32 * boxes, ..Sizes::default() };
        batch(&stream_pairs().on_adapter(Ok(adapter(sizes))), &models, &poses, &ask)
    });
    assert!(fits.1 > 0 && short.1 == 0, "{} and {} submissions", fits.1, short.1);
    for (fits, short) in fits.0.iter().zip(&short.0) {
        assert!(matches!(fits.backend, Backend::Gpu(_)), "{:?}", fits.backend);
        let told = matches!(&short.backend, Backend::Software(why) if why.contains("buffers"));
        assert!(told, "{:?}", short.backend);
        assert_eq!((&fits.contacts, fits.certainty), (&short.contacts, short.certainty));
    }
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn a_single_pose_that_does_not_end_in_time_is_an_error() {
    let meshes = [Shape::Torus.mesh(200, 1), Shape::Gear.mesh(150, 2)];
    let models = models(&meshes);
    let engine = stream_pairs().on_adapter(Ok(adapter(Sizes { in_time: 0, ..Sizes::default() })));
    let mut memory = engine.memory();
    let first = Ask::first_contact();
    let [a, b] = &models;
    let error = engine
        .batch(a, b, &poses(664, 0.3, 20), &mut memory, &first, &Control::NONE, &mut |_, _| {})
        .expect_err("too slow")
        .to_string();
    assert!(error.contains("a submission of 1 did not end within"), "{error}");
}
