//! Primitive tests on pairs of triangles that mostly miss narrowly, as at the leaves of a tree:
//! float filters, exact test and distance; and the boxes of these triangles.

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main};
use impinge::Point;
use impinge::geometry::Triangle;
use impinge::geometry::exact::triangles_meet;
use impinge::geometry::triangle::{distance, interval, permutation, sat17};
use impinge::geometry::volume::{Obb, ObbFit};
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
    bench(&mut group, "distance", &pairs, distance);
    bench(&mut group, "box of one", &pairs, |p, _| Obb::of_triangle(p));
    bench(&mut group, "box of both, by sums", &pairs, |p, q| {
        Obb::fit(ObbFit::AreaWeighted, [*p, *q].into_iter())
    });
    group.finish();
    let mut group = criterion.benchmark_group("box pairs, 1024");
    let boxes: Vec<[Obb; 2]> =
        pairs.iter().map(|pair| pair.each_ref().map(Obb::of_triangle)).collect();
    bench(&mut group, "15 axes", &boxes, Obb::overlaps);
    bench(&mut group, "15 axes, likely ones first", &boxes, Obb::overlaps_ordered);
    group.finish();
}

fn bench<T, R>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    pairs: &[[T; 2]],
    test: fn(&T, &T) -> R,
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
