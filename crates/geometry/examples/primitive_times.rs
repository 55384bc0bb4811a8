//! Prints the time of one call of each primitive test: `cargo run --release -p impinge-geometry
//! --example primitive_times`.

use std::hint::black_box;
use std::time::Instant;

use impinge_geometry::triangle::{distance, interval, permutation, sat17};
use impinge_geometry::volume::{Obb, ObbFit};
use impinge_geometry::{Point, Triangle, exact};

const PAIRS: usize = 4096;

/// Nanoseconds per call over all pairs, the best of some runs.
fn time<T>(name: &str, pairs: &[(T, T)], mut call: impl FnMut(&T, &T)) {
    let mut best = f64::INFINITY;
    for _ in 0..20 {
        let start = Instant::now();
        for (p, q) in pairs {
            call(black_box(p), black_box(q));
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{name:12} {:7.1} ns", best * 1e9 / pairs.len() as f64);
}

/// Makes the optimiser believe that the result is used.
fn keep<T>(x: T) {
    let _ = black_box(x);
}

fn main() {
    let mut state = 7u64;
    let mut unit = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    let mut triangle =
        || -> Triangle { std::array::from_fn(|_| Point::new(unit(), unit(), unit())) };
    let pairs: Vec<(Triangle, Triangle)> = (0..PAIRS).map(|_| (triangle(), triangle())).collect();
    time("sat17", &pairs, |p, q| keep(sat17(p, q)));
    time("interval", &pairs, |p, q| keep(interval(p, q)));
    time("permutation", &pairs, |p, q| keep(permutation(p, q)));
    time("exact", &pairs, |p, q| keep(exact::triangles_meet(p, q)));
    time("distance", &pairs, |p, q| keep(distance(p, q)));
    let boxes: Vec<(Obb, Obb)> =
        pairs.iter().map(|(p, q)| (Obb::of_triangle(p), Obb::of_triangle(q))).collect();
    time("obb-obb", &boxes, |a, b| keep(a.overlaps(b)));
    time("obb ordered", &boxes, |a, b| keep(a.overlaps_ordered(b)));
    time("fit one", &pairs, |p, _| keep(Obb::of_triangle(p)));
    time("fit by sums", &pairs, |p, q| {
        keep(Obb::fit(ObbFit::AreaWeighted, [*p, *q].into_iter()));
    });
}
