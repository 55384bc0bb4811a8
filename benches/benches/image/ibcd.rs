//! `ibcd`: decomposing a mesh into patches, images by resolution and by renderer, and the time that
//! images save in a first contact. With the feature `gpu` also on a graphics adapter.

use criterion::{Criterion, criterion_group, criterion_main};
use impinge::image::{Drawing, Ibcd, Params, ibcd_with};
use impinge::query::{Answer, Ask, Backend, Control, Engine};
use impinge::{Pose, image::ImageModel};
use impinge_models::{Random, Shape};

fn model(shape: Shape, triangles: usize) -> ImageModel {
    // Some shapes have a few triangles more than are asked for.
    let mesh = shape.mesh(triangles, 1);
    let engine = ibcd_with(Params { largest: mesh.triangles().len(), ..Params::default() });
    engine.prepare(&mesh, &Control::NONE).expect("a closed mesh")
}

fn poses(seed: u64) -> Vec<Pose> {
    (0..16).map(|index| Random::stream(seed, index).pose(0.7)).collect()
}

fn prepare(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("ibcd, prepare");
    group.sample_size(10);
    for (shape, triangles) in [
        (Shape::Torus, 1_000),
        (Shape::Torus, 3_000),
        (Shape::Torus, 10_000),
        (Shape::Sphere, 1_000),
        (Shape::Gear, 1_000),
        (Shape::Hand, 1_000),
    ] {
        group.bench_function(format!("{shape}, {triangles} triangles"), |bencher| {
            bencher.iter_with_large_drop(|| model(shape, triangles));
        });
    }
    group.finish();
}

/// Whether the engine draws on an adapter. Without one it draws in software.
fn has_adapter(engine: &Ibcd, model: &ImageModel) -> bool {
    let (mut memory, mut answer) = (engine.memory(), Answer::default());
    let (ask, control, here) = (Ask::first_contact(), &Control::NONE, Pose::identity());
    let asked = engine.query(model, model, &here, &mut memory, &ask, control, &mut answer);
    asked.is_ok() && matches!(answer.backend, Backend::Gpu(_))
}

/// Draws every pair of patches whose boxes meet.
fn pictures(criterion: &mut Criterion) {
    let (model, poses) = (model(Shape::Gear, 96), poses(91));
    let mut group = criterion.benchmark_group("ibcd, all pictures, gear of 96 triangles, 16 poses");
    let survey = |engine: &Ibcd| {
        let seen = poses.iter().map(|pose| {
            engine.survey(&model, &model, pose, &Control::NONE).map_or(0, |pairs| pairs.len())
        });
        seen.sum::<usize>()
    };
    for resolution in [8, 32, 64, 256] {
        let engine = ibcd_with(Params { resolution, ..Params::default() });
        group.bench_function(format!("{resolution} pixels, software"), |bencher| {
            bencher.iter(|| survey(&engine));
        });
        let drawing = Drawing::Adapter;
        let engine = ibcd_with(Params { resolution, drawing, ..Params::default() });
        if has_adapter(&engine, &model) {
            group.bench_function(format!("{resolution} pixels, adapter"), |bencher| {
                bencher.iter(|| survey(&engine));
            });
        }
    }
    group.finish();
}

fn first_contact(criterion: &mut Criterion) {
    let (model, poses) = (model(Shape::Torus, 2_000), poses(93));
    let mut group = criterion.benchmark_group("ibcd, first contact, torus of 2000, 16 poses");
    for drawn in [0, 8, 32] {
        let engine = ibcd_with(Params { drawn, ..Params::default() });
        let (mut memory, mut answer) = (engine.memory(), Answer::default());
        group.bench_function(format!("{drawn} pictures at most"), |bencher| {
            bencher.iter(|| {
                for pose in &poses {
                    let (ask, control) = (Ask::first_contact(), &Control::NONE);
                    engine
                        .query(&model, &model, pose, &mut memory, &ask, control, &mut answer)
                        .expect("software draws");
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, prepare, pictures, first_contact);
criterion_main!(benches);
