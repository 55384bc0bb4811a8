//! Building and refitting the tree of `wide` over a torus of a million triangles, on one thread and
//! two, beside a copy of the model's bytes.

use criterion::{Criterion, criterion_group, criterion_main};
use impinge::query::{Control, Engine, Model};
use impinge::wide::{Quality, WideParams, wide_with};
use impinge_models::Shape;
use rayon::ThreadPoolBuilder;

fn build(criterion: &mut Criterion) {
    let mesh = Shape::Torus.mesh(1_000_000, 0);
    for quality in [Quality::SurfaceArea, Quality::Morton] {
        let engine = wide_with(WideParams { quality, ..WideParams::default() });
        let mut group = criterion.benchmark_group(format!("wide, torus1M, {quality:?}"));
        group.sample_size(10);
        let prepare = || engine.prepare(&mesh, &Control::NONE).expect("a torus is legal");
        let mut model = prepare();
        for threads in [1, 2] {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            group.bench_function(format!("build, {threads} threads"), |bencher| {
                bencher.iter_with_large_drop(|| pool.install(prepare));
            });
            group.bench_function(format!("refit, {threads} threads"), |bencher| {
                bencher.iter(|| {
                    let refit = || engine.refit(&mut model, mesh.vertices(), &Control::NONE);
                    pool.install(refit).expect("as many vertices");
                });
            });
        }
        let (from, mut to) = (vec![1_u8; model.bytes()], vec![0_u8; model.bytes()]);
        group.bench_function(format!("copy of {} MB", from.len() / 1_000_000), |bencher| {
            bencher.iter(|| to.copy_from_slice(std::hint::black_box(&from)));
        });
        group.finish();
    }
}

criterion_group!(benches, build);
criterion_main!(benches);
