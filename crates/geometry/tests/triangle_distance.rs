//! Distance of triangles against rational arithmetic.

mod support;

use dashu_ratio::RBig;
use impinge_geometry::triangle::distance;
use impinge_geometry::{Triangle, exact};
use support::distance::true_squared;
use support::{Random, big};

fn reach(p: &Triangle, q: &Triangle) -> f64 {
    let all = || p.iter().chain(q);
    all().flat_map(|x| all().map(move |y| (x - y).amax())).fold(0.0, f64::max)
}

const UNIT: f64 = f64::EPSILON / 2.0;

/// Is `|claimed − true| ≤ units · u · reach`? Compared as squares, exactly.
fn within(claimed: f64, truth: &RBig, units: f64, reach: f64) -> bool {
    let bound = big(units * UNIT) * big(reach) + big(f64::from_bits(4));
    let (low, high) = (big(claimed) - &bound, big(claimed) + &bound);
    (low <= RBig::ZERO || &low * &low <= *truth) && *truth <= &high * &high
}

fn check(p: &Triangle, q: &Triangle, worst: &mut f64) {
    let (d, x, y) = distance(p, q);
    let truth = true_squared(p, q);
    let size = reach(p, q);
    // Needles that meet come out a little apart; the caller asks the exact test about those.
    let allowed = if truth == RBig::ZERO { 8192.0 } else { 32.0 };
    assert!(within(d, &truth, allowed, size), "{d:e} {p:?} {q:?}");
    let mut units = allowed;
    while units > 0.25 && within(d, &truth, units / 2.0, size) {
        units /= 2.0;
    }
    if truth != RBig::ZERO {
        *worst = worst.max(units);
    }
    // The points are rounded in world coordinates.
    let coarse = p.iter().chain(q).fold(size, |m, c| m.max(c.coords.amax()));
    let apart = ((x - y) / coarse.max(f64::MIN_POSITIVE)).norm() * coarse;
    assert!((apart - d).abs() <= 64.0 * UNIT * coarse + 1e-320, "{apart:e} {d:e} {p:?} {q:?}");
}

#[test]
fn random_and_lattice_triangles() {
    let (mut r, mut worst) = (Random(21), 0.0);
    for _ in 0..800 {
        let shift = r.vector() * 2.0;
        check(&r.triangle(), &r.triangle().map(|x| x + shift), &mut worst);
        check(&r.lattice_triangle(2), &r.lattice_triangle(2), &mut worst);
    }
    println!("random and lattice: within {worst} u");
}

#[test]
fn nearly_parallel_sides_and_needles() {
    let (mut r, mut worst) = (Random(22), 0.0);
    for k in 0..800 {
        let thin = 10f64.powi(-(k % 13));
        let p = r.triangle();
        let needle = [p[0], p[1], p[0] + (p[1] - p[0]) * r.unit().abs() + r.vector() * thin];
        let other = r.triangle();
        check(&needle, &other, &mut worst);
        let parallel = needle.map(|x| x + r.vector() * thin);
        check(&needle, &parallel, &mut worst);
        check(&parallel, &p.map(|x| x + r.vector() * thin), &mut worst);
    }
    println!("needles: within {worst} u");
}

#[test]
fn points_and_segments_as_triangles() {
    let (mut r, mut worst) = (Random(23), 0.0);
    for _ in 0..250 {
        let (p, q) = (r.triangle(), r.triangle());
        let shapes = [[p[0]; 3], [p[0], p[1], p[1]], [p[0], p[1], p[0]], p];
        for s in &shapes {
            check(s, &q, &mut worst);
            check(&[q[0]; 3], s, &mut worst);
            check(&[q[0], q[0], q[1]], s, &mut worst);
        }
    }
    println!("degenerate: within {worst} u");
}

#[test]
fn far_from_the_origin_and_at_every_scale() {
    let (mut r, mut worst) = (Random(24), 0.0);
    for k in [-1000, -500, -200, -60, 0, 60, 200, 500, 990] {
        let s = 2f64.powi(k);
        for _ in 0..20 {
            let shift = r.vector() * 1e9;
            let (p, q) = (r.triangle(), r.triangle());
            check(&p.map(|x| x * s), &q.map(|x| x * s), &mut worst);
            check(&p.map(|x| (x + shift) * s), &q.map(|x| (x + shift) * s), &mut worst);
        }
    }
    println!("scales: within {worst} u");
}

#[test]
fn a_side_through_a_face_is_at_distance_zero() {
    let mut r = Random(25);
    let mut deep = 0;
    for _ in 0..5000 {
        let (p, q) = (r.triangle(), r.triangle());
        if exact::triangles_meet(&p, &q) {
            deep += 1;
            assert!(distance(&p, &q).0 <= 32.0 * UNIT * reach(&p, &q));
        }
    }
    assert!(deep > 500);
}

#[test]
fn the_check_notices_a_wrong_distance() {
    let mut r = Random(26);
    let (p, q) = (r.triangle(), r.triangle().map(|x| x + support_shift()));
    let (d, ..) = distance(&p, &q);
    let (truth, size) = (true_squared(&p, &q), reach(&p, &q));
    assert!(within(d, &truth, 32.0, size));
    assert!(!within(d + 64.0 * UNIT * size, &truth, 32.0, size));
    assert!(!within(d - 64.0 * UNIT * size, &truth, 32.0, size));
}

fn support_shift() -> impinge_geometry::Vector {
    impinge_geometry::Vector::new(3.0, 0.0, 0.0)
}
