//! `stream-pairs` on an adapter: batches against the processor.

use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_models::{Random, Shape};
use impinge_query::{Answer, Ask, Backend, Control, Engine, QueryError};
use impinge_stream::{PairsEngine, PairsModel, stream_pairs};
use impinge_testkit::battery;

use super::gpu::{answering, bodies, mesh, open};

fn on_adapter() -> PairsEngine {
    answering(stream_pairs().on(Ok(open())))
}

/// The answers of a batch.
fn batch(engine: &PairsEngine, [a, b]: &[PairsModel; 2], poses: &[Pose], ask: &Ask) -> Vec<Answer> {
    let mut answers = Vec::new();
    let mut each = |index: usize, answer: &Answer| {
        assert_eq!(index, answers.len());
        answers.push(answer.clone());
    };
    let mut memory = engine.memory();
    engine.batch(a, b, poses, &mut memory, ask, &Control::NONE, &mut each).expect("answers");
    answers
}

fn prepared(engine: &PairsEngine, meshes: &[Mesh; 2]) -> [PairsModel; 2] {
    meshes.each_ref().map(|mesh| engine.prepare(mesh, &Control::NONE).expect("any mesh"))
}

/// What differs between two batches, and how many poses hit.
fn compare(cpu: &[Answer], gpu: &[Answer], all: bool) -> Result<usize, String> {
    assert_eq!(cpu.len(), gpu.len());
    let mut hits = 0;
    for (index, (cpu, gpu)) in cpu.iter().zip(gpu).enumerate() {
        if !matches!(gpu.backend, Backend::Gpu(_)) {
            return Err(format!("{:?} answered", gpu.backend));
        }
        if cpu.verdict != gpu.verdict || (all && cpu.contacts != gpu.contacts) {
            return Err(format!("{index}: {:?}, on the adapter {:?}", cpu.verdict, gpu.verdict));
        }
        hits += usize::from(cpu.verdict.is_hit());
    }
    Ok(hits)
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn batches_are_answered_as_on_the_processor() {
    let engines = [stream_pairs(), on_adapter()];
    let (mut hits, mut all) = (0, 0);
    for (meshes, reach) in bodies() {
        let models = engines.each_ref().map(|engine| prepared(engine, &meshes));
        let poses: Vec<Pose> = (0..40).map(|i| Random::stream(661, i).pose(reach)).collect();
        for (ask, lists) in [
            (Ask::all_contacts(), true),
            (Ask::first_contact(), false),
            (Ask::first_contact().solids(), false),
            (Ask::contained_in(), false),
        ] {
            let [cpu, gpu] = [0, 1].map(|k| batch(&engines[k], &models[k], &poses, &ask));
            let found = compare(&cpu, &gpu, lists).unwrap_or_else(|why| panic!("{ask:?}: {why}"));
            hits += found;
            all += poses.len();
            // Single queries are the batch.
            for (pose, answer) in poses.iter().zip(&gpu).take(4) {
                let [a, b] = &models[1];
                let single = engines[1].ask(a, b, pose, &ask).expect("an answer");
                assert_eq!((single.verdict, &single.contacts), (answer.verdict, &answer.contacts));
                assert_eq!(single.certainty, answer.certainty);
            }
        }
    }
    println!("{hits} of {all} hit");
    assert!((all * 3..=all * 7).contains(&(10 * hits)), "{hits} of {all}");
}

/// The bar: 1,000 poses of two meshes of 10,000 triangles in at most 30 submissions.
#[test]
#[ignore = "gpu: needs an adapter"]
fn a_thousand_poses_take_few_submissions() {
    let gpu = open();
    let engine = answering(stream_pairs().on(Ok(gpu.clone())));
    let meshes = [Shape::Torus.mesh(10_000, 1), Shape::Trefoil.mesh(10_000, 2)];
    let models = prepared(&engine, &meshes);
    let poses: Vec<Pose> = (0..1_000).map(|i| Random::stream(662, i).pose(0.9)).collect();
    let before = gpu.statistics().submissions;
    let answers = batch(&engine, &models, &poses, &Ask::first_contact().counted());
    let submissions = gpu.statistics().submissions - before;
    let hits = answers.iter().filter(|answer| answer.verdict.is_hit()).count();
    println!("{submissions} submissions, {hits} hits");
    assert!((1..=30).contains(&submissions), "{submissions}");
    let told = answers.iter().filter_map(|answer| answer.statistics.as_ref());
    assert_eq!(told.map(|counted| counted.submissions).sum::<u64>(), submissions);
    let cpu = stream_pairs();
    let [a, b] = &models;
    for (pose, answer) in poses.iter().zip(&answers).step_by(50) {
        let expected = cpu.ask(a, b, pose, &Ask::first_contact()).expect("an answer");
        assert_eq!(expected.verdict, answer.verdict);
    }
    assert!((300..=700).contains(&hits), "{hits}");
}

/// Poses of bodies that touch, lie in one plane, differ in size by 1e12, or are far from the origin.
#[test]
#[ignore = "gpu: needs an adapter"]
fn hard_pairs_are_answered_as_on_the_processor() {
    let cube = Shape::Cube.mesh(12, 1);
    let (torus, hull) = (Shape::Torus.mesh(60, 1), Shape::Hull.mesh(40, 2));
    let tiny = |mesh: &Mesh| mesh.scaled(1e-12).expect("in range");
    let plate = mesh(&[[-9.0, -9.0, 0.0], [9.0, -9.0, 0.0], [0.0, 9.0, 0.0]], &[[0, 1, 2]]);
    let shift = |x: f64| Pose::translation_by(Vector::new(x, 0.0, 0.0)).expect("in range");
    let width = {
        let (min, max) = cube.bounds();
        max[0] - min[0]
    };
    let far: Vec<Point> = cube.vertices().iter().map(|p| p + Vector::repeat(1e9)).collect();
    let far = cube.with_vertices(far).expect("in range");
    let there = Pose::translation_by(Vector::repeat(1e9)).expect("in range");
    let pairs = [
        ("cubes", [&cube, &cube], vec![shift(width), shift(width * (1.0 + 1e-15)), shift(0.0)]),
        ("a plate and itself", [&plate, &plate], vec![shift(0.0), shift(3.0), shift(30.0)]),
        ("a small hull", [&torus, &tiny(&hull)], {
            let at = torus.vertices()[7].coords;
            vec![Pose::translation_by(at).expect("in range"), shift(0.0), shift(7.0)]
        }),
        ("cubes far off", [&far, &cube], vec![there, shift(1.0)]),
    ];
    let engines = [stream_pairs(), on_adapter()];
    let (mut hits, mut all) = (0, 0);
    for (name, [a, b], poses) in pairs {
        let meshes = [a.clone(), b.clone()];
        let models = engines.each_ref().map(|engine| prepared(engine, &meshes));
        let ask = Ask::all_contacts();
        let [cpu, gpu] = [0, 1].map(|k| batch(&engines[k], &models[k], &poses, &ask));
        hits += compare(&cpu, &gpu, true).unwrap_or_else(|why| panic!("{name}: {why}"));
        all += poses.len();
    }
    println!("{hits} of {all} hit");
    assert!(10 * hits > 3 * all && hits < all, "{hits} of {all}");
}

/// Against the rational oracle.
#[test]
#[ignore = "gpu: needs an adapter"]
fn the_battery_holds_on_an_adapter() {
    let engine = on_adapter();
    for (name, check) in [
        ("traps", battery::traps as fn(&dyn impinge_query::Detector) -> _),
        ("batch_is_the_loop", battery::batch_is_the_loop),
        ("inverted_solids", battery::inverted_solids),
        ("smallest_scales", battery::smallest_scales),
        ("shared_corners", battery::shared_corners),
        ("cancelled_is_an_error", battery::cancelled_is_an_error),
    ] {
        let tally: Result<battery::Tally, String> = check(&engine);
        let tally = tally.unwrap_or_else(|why| panic!("{name}: {why}"));
        println!("{name}: {} cases, {} hits", tally.cases, tally.hits);
    }
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn a_lost_device_is_an_error_of_the_next_pose() {
    let gpu = open();
    let engine = stream_pairs().on(Ok(gpu.clone()));
    let (meshes, reach) = &bodies()[0];
    let models = prepared(&engine, meshes);
    let poses: Vec<Pose> = (0..5).map(|i| Random::stream(663, i).pose(*reach)).collect();
    let whole = batch(&engine, &models, &poses, &Ask::all_contacts());
    gpu.device().destroy();
    let [a, b] = &models;
    let (mut memory, mut given) = (engine.memory(), 0);
    let mut each = |_: usize, _: &Answer| given += 1;
    let ask = Ask::all_contacts();
    let error = engine
        .batch(a, b, &poses, &mut memory, &ask, &Control::NONE, &mut each)
        .expect_err("the device is lost");
    let QueryError::Backend { word, .. } = error.source else { panic!("{error}") };
    assert_eq!((word, error.index, given), ("stream-pairs", 0, 0));
    let again = batch(&on_adapter(), &models, &poses, &ask);
    assert_eq!(compare(&whole, &again, true).map(|hits| hits > 0), Ok(true));
}
