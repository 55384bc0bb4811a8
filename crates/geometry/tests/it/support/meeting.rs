//! The intersection of two triangles, constructed in rational arithmetic rather than decided by
//! signs.

use dashu_ratio::RBig;
use impinge_geometry::Triangle;

use super::{Exact, cross, dot, exact, minus, plus, times};

fn is_zero(a: &Exact) -> bool {
    a.iter().all(|x| *x == RBig::ZERO)
}

fn normal(t: &[Exact; 3]) -> Exact {
    cross(&minus(&t[1], &t[0]), &minus(&t[2], &t[0]))
}

fn in_unit(x: &RBig) -> bool {
    *x >= RBig::ZERO && *x <= RBig::ONE
}

fn on_segment(x: &Exact, a: &Exact, b: &Exact) -> bool {
    let (d, w) = (minus(b, a), minus(x, a));
    let at = dot(&w, &d);
    is_zero(&cross(&d, &w)) && at >= RBig::ZERO && at <= dot(&d, &d) && (!is_zero(&d) || x == a)
}

fn on_triangle(x: &Exact, t: &[Exact; 3]) -> bool {
    let n = normal(t);
    if is_zero(&n) {
        return (0..3).any(|i| on_segment(x, &t[i], &t[(i + 1) % 3]));
    }
    dot(&n, &minus(x, &t[0])) == RBig::ZERO
        && (0..3).all(|i| {
            let side = minus(&t[(i + 1) % 3], &t[i]);
            dot(&cross(&side, &minus(x, &t[i])), &n) >= RBig::ZERO
        })
}

/// The point where two segments cross; `None` if their lines are parallel.
fn crossing([a, b]: [&Exact; 2], [c, d]: [&Exact; 2]) -> Option<Exact> {
    let (e, f, w) = (minus(b, a), minus(d, c), minus(c, a));
    let n = cross(&e, &f);
    let nn = dot(&n, &n);
    if nn == RBig::ZERO || dot(&w, &n) != RBig::ZERO {
        return None;
    }
    let s = dot(&cross(&w, &f), &n) / &nn;
    let t = dot(&cross(&w, &e), &n) / &nn;
    (in_unit(&s) && in_unit(&t)).then(|| plus(a, &times(&e, &s)))
}

/// The point where a segment crosses the triangle's plane; `None` if it is not on the triangle.
fn piercing([a, b]: [&Exact; 2], t: &[Exact; 3]) -> Option<Exact> {
    let n = normal(t);
    let (start, end) = (dot(&n, &minus(a, &t[0])), dot(&n, &minus(b, &t[0])));
    if start == end {
        return None;
    }
    let s = &start / (&start - &end);
    let x = plus(a, &times(&minus(b, a), &s));
    (in_unit(&s) && on_triangle(&x, t)).then_some(x)
}

/// The extreme points of the intersection of two closed triangles, in no order.
pub(crate) fn corners(p: &Triangle, q: &Triangle) -> Vec<Exact> {
    let (p, q) = (p.map(|x| exact(&x)), q.map(|x| exact(&x)));
    let mut found: Vec<Exact> = Vec::new();
    found.extend(p.iter().filter(|x| on_triangle(x, &q)).cloned());
    found.extend(q.iter().filter(|x| on_triangle(x, &p)).cloned());
    for i in 0..3 {
        let e = [&p[i], &p[(i + 1) % 3]];
        found.extend(piercing(e, &q));
        found.extend((0..3).filter_map(|j| crossing(e, [&q[j], &q[(j + 1) % 3]])));
        found.extend(piercing([&q[i], &q[(i + 1) % 3]], &p));
    }
    let mut points: Vec<Exact> = Vec::new();
    for x in found {
        if !points.contains(&x) {
            points.push(x);
        }
    }
    (0..points.len()).filter(|&k| is_extreme(&points, k)).map(|k| points[k].clone()).collect()
}

/// Whether point `k` lies in no triangle of other points.
fn is_extreme(points: &[Exact], k: usize) -> bool {
    let others: Vec<&Exact> = (0..points.len()).filter(|&l| l != k).map(|l| &points[l]).collect();
    !others.iter().any(|a| {
        others.iter().any(|b| {
            others.iter().any(|c| on_triangle(&points[k], &[*a, *b, *c].map(Clone::clone)))
        })
    })
}
