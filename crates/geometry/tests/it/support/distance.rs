//! The distance of two triangles in rational arithmetic.

use dashu_ratio::RBig;
use impinge_geometry::Triangle;

use super::{Exact, cross, dot, exact, minus, plus, times};

fn clamp(x: RBig) -> RBig {
    if x < RBig::ZERO {
        RBig::ZERO
    } else if x > RBig::ONE {
        RBig::ONE
    } else {
        x
    }
}

fn squared(a: &Exact) -> RBig {
    dot(a, a)
}

fn point_segment(x: &Exact, a: &Exact, b: &Exact) -> RBig {
    let d = minus(b, a);
    let dd = squared(&d);
    let s = if dd == RBig::ZERO { RBig::ZERO } else { clamp(dot(&d, &minus(x, a)) / dd) };
    squared(&minus(x, &plus(a, &times(&d, &s))))
}

/// The candidates are endpoints against the other segment, and the common perpendicular if it falls
/// inside both.
fn segment_segment(a: &Exact, b: &Exact, c: &Exact, d: &Exact) -> RBig {
    let mut least = point_segment(a, c, d)
        .min(point_segment(b, c, d))
        .min(point_segment(c, a, b))
        .min(point_segment(d, a, b));
    let (e, f, w) = (minus(b, a), minus(d, c), minus(c, a));
    let n = cross(&e, &f);
    let nn = squared(&n);
    if nn != RBig::ZERO {
        let s = dot(&cross(&w, &f), &n) / &nn;
        let t = dot(&cross(&w, &e), &n) / &nn;
        if [&s, &t].iter().all(|x| **x >= RBig::ZERO && **x <= RBig::ONE) {
            let h = dot(&w, &n);
            least = least.min(&h * &h / nn);
        }
    }
    least
}

fn point_face(x: &Exact, t: &[Exact; 3]) -> Option<RBig> {
    let n = cross(&minus(&t[1], &t[0]), &minus(&t[2], &t[0]));
    let nn = squared(&n);
    let inside = nn != RBig::ZERO
        && (0..3).all(|i| {
            let side = minus(&t[(i + 1) % 3], &t[i]);
            dot(&cross(&side, &minus(x, &t[i])), &n) >= RBig::ZERO
        });
    let h = dot(&n, &minus(x, &t[0]));
    inside.then(|| &h * &h / nn)
}

/// The exact squared distance of two closed triangles.
pub(crate) fn true_squared(p: &Triangle, q: &Triangle) -> RBig {
    if impinge_geometry::exact::triangles_meet(p, q) {
        return RBig::ZERO;
    }
    let (a, b) = (p.map(|x| exact(&x)), q.map(|x| exact(&x)));
    let mut least = squared(&minus(&a[0], &b[0]));
    for i in 0..3 {
        for j in 0..3 {
            least = least.min(segment_segment(&a[i], &a[(i + 1) % 3], &b[j], &b[(j + 1) % 3]));
        }
        for found in [point_face(&a[i], &b), point_face(&b[i], &a)].into_iter().flatten() {
            least = least.min(found);
        }
    }
    least
}
