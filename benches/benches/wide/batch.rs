//! A batch of `wide` on one thread and on all, beside single queries in sequence and a rayon
//! parallel map that collects every answer: a torus of 10,000 triangles against itself.

use criterion::{Criterion, criterion_group, criterion_main};
use impinge::query::{Answer, Ask, Control, Engine};
use impinge::wide::{Memory, WideModel, wide};
use impinge::{Pose, Vector};
use impinge_models::{Random, Shape};
use rayon::prelude::*;

fn query(model: &WideModel, pose: &Pose, memory: &mut Memory, ask: &Ask, answer: &mut Answer) {
    let control = &Control::NONE;
    Engine::query(&wide(), model, model, pose, memory, ask, control, answer).expect("in range");
}

fn in_order(model: &WideModel, poses: &[Pose], ask: &Ask) {
    let (mut memory, mut answer) = (Memory::default(), Answer::default());
    for pose in poses {
        query(model, pose, &mut memory, ask, &mut answer);
    }
}

fn batch(model: &WideModel, poses: &[Pose], ask: &Ask) {
    let (mut memory, control) = (Memory::default(), &Control::NONE);
    let done = wide().batch(model, model, poses, &mut memory, ask, control, &mut |_, _| ());
    done.expect("in range");
}

fn map(model: &WideModel, poses: &[Pose], ask: &Ask) -> Vec<Answer> {
    let each = |memory: &mut Memory, pose: &Pose| {
        let mut answer = Answer::default();
        query(model, pose, memory, ask, &mut answer);
        answer
    };
    poses.par_iter().map_init(Memory::default, each).collect()
}

fn batches(criterion: &mut Criterion) {
    let mesh = Shape::Torus.mesh(10_000, 0);
    let model = wide().prepare(&mesh, &Control::NONE).expect("a torus is legal");
    let near = |i: usize| Random::stream(1, i as u64).pose(0.5 * mesh.diagonal());
    let far = |_| Pose::translation_by(Vector::new(9.0, 0.0, 0.0)).expect("finite");
    let poses = |n: usize, pose: &dyn Fn(usize) -> Pose| (0..n).map(pose).collect::<Vec<_>>();
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    for (name, poses, ask) in [
        ("first contact, 10,000 poses", poses(10_000, &near), Ask::first_contact()),
        ("first contact, 1,000 poses", poses(1_000, &near), Ask::first_contact()),
        ("all contacts, 100 poses", poses(100, &near), Ask::all_contacts()),
        ("distance, 100 poses", poses(100, &near), Ask::distance()),
        ("far apart, 10,000 poses", poses(10_000, &far), Ask::first_contact()),
    ] {
        let mut group = criterion.benchmark_group(format!("wide batch, {name}"));
        group.bench_function("in order", |bencher| {
            bencher.iter(|| one.install(|| in_order(&model, &poses, &ask)));
        });
        group.bench_function("batch, one thread", |bencher| {
            bencher.iter(|| one.install(|| batch(&model, &poses, &ask)));
        });
        group.bench_function("batch", |bencher| bencher.iter(|| batch(&model, &poses, &ask)));
        group.bench_function("map", |bencher| bencher.iter(|| map(&model, &poses, &ask)));
        group.finish();
    }
}

criterion_group!(benches, batches);
criterion_main!(benches);
