//! Triangle pair tests: the float filters and the exact test, on pairs that mostly miss narrowly,
//! as they occur at the leaves of a tree.

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main};
use impinge::Point;
use impinge::geometry::Triangle;
use impinge::geometry::exact::triangles_meet;
use impinge::geometry::triangle::{interval, permutation, sat17};
use impinge_models::Random;

/// Pairs per iteration.
const PAIRS: usize = 1024;

/// Two triangles of size about 1 whose centres are up to `reach` apart.
fn pairs(reach: f64) -> Vec<[Triangle; 2]> {
    let mut random = Random::new(2);
    let mut triangle = |center: f64| -> Triangle {
        let shift = random.vector(-center, center);
        std::array::from_fn(|_| Point::from(random.vector(-0.5, 0.5) + shift))
    };
    (0..PAIRS).map(|_| [triangle(0.0), triangle(reach)]).collect()
}

fn triangles(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("triangle pairs, 1024");
    let pairs = pairs(0.5);
    bench(&mut group, "exact", &pairs, triangles_meet);
    bench(&mut group, "17 axes", &pairs, sat17);
    bench(&mut group, "interval", &pairs, interval);
    bench(&mut group, "permutation", &pairs, permutation);
    group.finish();
}

fn bench<R>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    pairs: &[[Triangle; 2]],
    test: fn(&Triangle, &Triangle) -> R,
) {
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            for [p, q] in pairs {
                black_box(test(p, q));
            }
        });
    });
}

criterion_group!(benches, triangles);
criterion_main!(benches);
