//! Refit of the AABB tree over a torus of a million triangles, beside a copy of the bytes that a
//! refit touches: all nodes, vertices and triangle indices.

use criterion::{Criterion, criterion_group, criterion_main};
use impinge::geometry::Point;
use impinge::hierarchy::build::Update;
use impinge::hierarchy::methods::{AabbRefitParams, aabb_refit, aabb_refit_with};
use impinge::query::{Control, Engine, Model};
use impinge_models::Shape;

fn refit(criterion: &mut Criterion) {
    let mesh = Shape::Torus.mesh(1_000_000, 0);
    let engine = aabb_refit();
    let mut model = engine.prepare(&mesh, &Control::NONE).expect("a torus is legal");
    // Two alternating shapes: the tree's cost never grows, so it is never rebuilt.
    let bent: Vec<Point> =
        mesh.vertices().iter().map(|p| p + p.coords.yzx() * 0.05 * p.z).collect();
    let mut group = criterion.benchmark_group("aabb-refit, torus1M");
    group.sample_size(20);
    let mut step = 0;
    group.bench_function("refit", |bencher| {
        bencher.iter(|| {
            step += 1;
            let vertices = if step % 2 == 0 { &bent[..] } else { mesh.vertices() };
            engine.refit(&mut model, vertices, &Control::NONE).expect("as many vertices");
        });
    });
    let lazy =
        aabb_refit_with(AabbRefitParams { update: Update::Hybrid, ..AabbRefitParams::default() });
    let mut late = lazy.prepare(&mesh, &Control::NONE).expect("a torus is legal");
    group.bench_function("refit, lower nodes left to queries", |bencher| {
        bencher.iter(|| {
            step += 1;
            let vertices = if step % 2 == 0 { &bent[..] } else { mesh.vertices() };
            lazy.refit(&mut late, vertices, &Control::NONE).expect("as many vertices");
        });
    });
    let touched = model.bytes();
    let (from, mut to) = (vec![1_u8; touched], vec![0_u8; touched]);
    group.bench_function(format!("copy of {} MB", touched / 1_000_000), |bencher| {
        bencher.iter(|| {
            to.copy_from_slice(std::hint::black_box(&from));
            std::hint::black_box(&mut to);
        });
    });
    group.finish();
}

criterion_group!(benches, refit);
criterion_main!(benches);
