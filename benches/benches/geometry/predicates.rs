//! Orientation predicates on points in general position and on nearly coplanar points.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use impinge::Point;
use impinge::geometry::predicates::orient3d;
use impinge_models::Random;

/// Queries per iteration: enough to average out branch prediction.
const QUERIES: usize = 1024;

/// Sets of four points. The fourth is up to `off` away from the plane of the others.
fn points(off: f64) -> Vec<[Point; 4]> {
    let mut random = Random::new(1);
    let mut point = || Point::from(random.vector(-1.0, 1.0));
    (0..QUERIES)
        .map(|_| {
            let [a, b, c, d] = [point(), point(), point(), point()];
            let on_plane = a + (b - a) * 0.3 + (c - a) * 0.4;
            [a, b, c, on_plane + (d - on_plane) * off]
        })
        .collect()
}

fn predicates(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("orient3d, 1024 signs");
    for (name, off) in [("general position", 1.0), ("nearly coplanar", 1e-17)] {
        let points = points(off);
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for [a, b, c, d] in &points {
                    black_box(orient3d(a, b, c, d));
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, predicates);
criterion_main!(benches);
