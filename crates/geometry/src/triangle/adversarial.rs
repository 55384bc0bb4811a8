//! Tests the bounds of the float filters: searches for roundings that use up much of each.

use super::planes::Planes;
use super::{RANGE, TINY, TrianglePlane, UNIT, largest, permutation, sat, sides};
use crate::adversarial::{Random, between, climb, points, share, triple};
use crate::integers::{cross, dot};
use crate::{Point, Triangle, Vector};

/// Two triangles whose corners are all about 2⁵² from the origin.
fn two(x: &[f64; 18]) -> (Triangle, Triangle) {
    (points(&x[..9]), points(&x[9..]))
}

fn reach(p: &Triangle, q: &Triangle) -> f64 {
    largest(&(q[0] - p[0])) + sides(p).1 + sides(q).1
}

/// The point of the plane of `p` with coordinates `at`, and a point on either side of it.
fn across(p: &Triangle, at: [f64; 2]) -> Triangle {
    let (e, f) = (p[1] - p[0], p[2] - p[0]);
    let on = p[0] + e * at[0] + f * at[1];
    let on = on.map(f64::round);
    let up = (e.cross(&f).normalize() * 2f64.powi(30)).map(f64::round);
    [on, on + up, on - up]
}

#[test]
fn heights_over_a_plane() {
    let found = climb(
        61,
        20000,
        |r| {
            std::array::from_fn(|i| {
                if i < 9 { r.about(2f64.powi(52)) } else { (r.unit() * 2f64.powi(48)).round() }
            })
        },
        |x: &[f64; 11]| {
            let p: Triangle = points(&x[..9]);
            let q = across(&p, [x[9], x[10]].map(|a| a * 2f64.powi(-42)));
            let Ok(planes) = Planes::new(&p, &q) else { return 0.0 };
            let truth =
                triple(&between(&p[0], &p[1]), &between(&p[1], &p[2]), &between(&p[0], &q[0]));
            share(planes.s[0], &truth, planes.bound_s)
        },
    );
    assert!(found > 0.3, "{found}");
}

#[test]
fn products_of_permuted_corners() {
    let found = climb(
        62,
        20000,
        |r| std::array::from_fn(|i| r.about(2f64.powi(if i < 9 { 52 } else { 58 }))),
        |x| {
            let (p, q) = two(x);
            let found = permutation::product(&(p[1] - p[0]), &(q[1] - q[0]), &(q[0] - p[0]));
            let truth =
                triple(&between(&p[0], &p[1]), &between(&q[0], &q[1]), &between(&p[0], &q[0]));
            share(found, &truth, permutation::bound(sides(&p).1, sides(&q).1, reach(&p, &q)))
        },
    );
    assert!(found > 0.3, "{found}");
}

#[test]
fn gaps_on_the_cross_products_of_sides() {
    let found = climb(
        63,
        80_000,
        |r| {
            let mut x: [f64; 18] = std::array::from_fn(|_| r.about(2f64.powi(52)));
            (0..3).for_each(|k| x[9 + k] = x[k] + (r.unit() * 2f64.powi(40)).round());
            x
        },
        |x| {
            let (p, q) = two(x);
            let ((e, size_p), (f, size_q)) = (sides(&p), sides(&q));
            let (n, m) = (e[0].cross(&e[1]), f[0].cross(&f[1]));
            let high = e[1].cross(&f[1]).dot(&(q[1] - p[1])) + m.dot(&e[1]);
            let (gap, last) = (high + n.dot(&f[1]), UNIT * (high + n.dot(&f[1])).abs());
            let (g, h) = (between(&p[0], &p[1]), between(&q[0], &q[1]));
            let (i, j) = (between(&p[1], &p[2]), between(&q[1], &q[2]));
            let truth =
                triple(&i, &j, &between(&p[1], &q[1])) + triple(&h, &j, &i) + triple(&g, &i, &j);
            share(gap, &truth, sat::edges_bound(size_p, size_q, reach(&p, &q)) + last)
        },
    );
    assert!(found > 0.25, "{found}");
}

#[test]
fn heights_over_a_side_in_the_plane_of_a_triangle() {
    let found = climb(
        64,
        40_000,
        |r| std::array::from_fn(|i| r.about(2f64.powi(if i < 9 { 52 } else { 58 }))),
        |x: &[f64; 12]| {
            let [a, b, c, w] = points(x);
            let p = [a, b, c];
            let (e, size) = sides(&p);
            let n = e[0].cross(&e[1]);
            let found = sat::along_axis(&n, &e[0], &(w - a));
            let (g, i) = (between(&a, &b), between(&b, &c));
            let truth = dot(&cross(&cross(&g, &i), &g), &between(&a, &w));
            share(found, &truth, sat::in_plane_bound(size, reach(&p, &[w; 3])))
        },
    );
    assert!(found > 0.3, "{found}");
}

#[test]
fn heights_and_coordinates_over_a_prepared_plane() {
    let start =
        |r: &mut Random| std::array::from_fn(|i| r.about(2f64.powi(if i < 9 { 52 } else { 58 })));
    let planes = |x: &[f64; 15]| {
        let t: Triangle = points(&x[..9]);
        let [u, v]: [Point; 2] = points(&x[9..]);
        let bounds = |f: fn(f64, f64) -> f64| [0, 1, 2].map(|k| f(u[k], v[k]));
        let plane = TrianglePlane::new(&t, &bounds(f64::min), &bounds(f64::max));
        (t, u, v, plane.expect("in range"))
    };
    let heights = climb(65, 20_000, start, |x| {
        let (t, u, _, plane) = planes(x);
        let truth = triple(&between(&t[0], &t[1]), &between(&t[0], &t[2]), &between(&t[0], &u));
        let (height, bound) = plane.height(&u);
        share(height, &truth, bound)
    });
    let edges = climb(66, 60_000, start, |x| {
        let (t, u, v, plane) = planes(x);
        let ([_, _, c], bound) = plane.coordinates(&u, &v);
        let (e, f) = (between(&t[0], &t[1]), between(&t[0], &t[2]));
        let (d, w) = (between(&u, &v), between(&t[0], &u));
        let truth = triple(&e, &d, &f) - triple(&w, &d, &f) + triple(&w, &d, &e);
        share(c, &truth, bound)
    });
    assert!(heights > 0.4 && edges > 0.25, "{heights} {edges}");
}

#[test]
fn what_underflow_takes_is_held_and_needed() {
    let mut r = Random(67);
    let (small, large, least) = (2f64.powi(-537), 2f64.powi(199), f64::from_bits(1));
    assert!(large < RANGE && large * 2.0 > RANGE);
    let mut worst = 0.0f64;
    for _ in 0..40_000 {
        // 20 bits each, so that nothing is rounded at ordinary magnitudes.
        let mut some = || {
            let mut c = || (r.unit() * 2f64.powi(20)).round() * 2f64.powi(-20);
            Vector::new(c(), c(), c())
        };
        let (e, f) = (some() * 1.5, some() * 1.5);
        let w = some().map(f64::signum);
        let truth = permutation::product(&e, &f, &w) * least * large;
        let found = permutation::product(&(e * small), &(f * small), &(w * large));
        worst = worst.max((found - truth).abs());
    }
    // The relative part of the bound is negligible here.
    let bound = permutation::bound(2.0 * small, 2.0 * small, large);
    assert!(worst <= bound && bound < 1.01 * TINY, "{worst:e} {bound:e}");
    assert!(worst > TINY / 4.0, "{worst:e}");
}
