//! Triangle test by intervals on the planes' common line (anthology 2 §2.5.1; T. Möller, A fast
//! triangle-triangle intersection test, Journal of Graphics Tools 2(2), 1997).
//!
//! 1. Signed distances `t_i` of p's corners from q's plane and `s_j` of q's from p's; all on one
//!    side is a miss.
//! 2. The planes meet in a line along `L = n × m`. Each triangle covers an interval of it: with
//!    corner `a` alone on its side, between the crossings of the sides `a b` and `a c`, at
//!    `v_a + (v_b − v_a) t_a / (t_a − t_b)` in the coordinate `v` in which `L` is largest.
//! 3. The triangles meet if and only if the intervals do.
//!
//! # Error bound
//! With `|δ| ≤ τ` on `t_a` and `t_b`, which have certain and opposite signs, the ratio is off by
//! `|δ_a t_b − δ_b t_a| / (|t_a − t_b| |t̂_a − t̂_b|) ≤ τ / |t̂_a − t̂_b|` exactly; the remaining
//! operations add at most `8 u` of the largest difference. A gap beyond the four bounds is a miss
//! whatever `L` is. An overlap beyond them is a hit: if `L` were zero in this coordinate, all four
//! ends would be equal.

use super::planes::{Planes, alone};
use super::{Outcome, UNIT, above, below};
use crate::{Point, Triangle};

/// Filtered test by interval overlap on the planes' common line. A third of the cost of the exact
/// test.
#[inline]
pub fn interval(p: &Triangle, q: &Triangle) -> Outcome {
    let planes = match Planes::new(p, q) {
        Ok(planes) => planes,
        Err(outcome) => return outcome,
    };
    let (s, t) = (&planes.s, &planes.t);
    let Some((i, _)) = alone(*t, planes.bound_t) else { return Outcome::Undecided };
    let Some((j, _)) = alone(*s, planes.bound_s) else { return Outcome::Undecided };
    let k = planes.n.cross(&planes.m).iamax();
    let origin = p[0][k];
    let span_p = Span::new(p, t, i, k, origin, planes.bound_t);
    let span_q = Span::new(q, s, j, k, origin, planes.bound_s);
    let bound = bound(&planes, &span_p, &span_q);
    let overlap = span_p.high.min(span_q.high) - span_p.low.max(span_q.low);
    if above(overlap, bound) {
        Outcome::Hit
    } else if below(overlap, bound) {
        Outcome::Miss
    } else {
        Outcome::Undecided
    }
}

/// Bound on the error of an overlap: of the four ratios, each times its triangle's size, and of the
/// rest.
#[inline(always)]
fn bound(planes: &Planes, p: &Span, q: &Span) -> f64 {
    p.ratio_error * planes.size_p + q.ratio_error * planes.size_q + 32.0 * UNIT * planes.reach
}

/// The interval of the line that a triangle covers.
struct Span {
    low: f64,
    high: f64,
    /// Bound on the sum of the errors of both ratios.
    ratio_error: f64,
}

impl Span {
    #[inline(always)]
    fn new(t: &Triangle, d: &[f64; 3], a: usize, k: usize, origin: f64, bound: f64) -> Self {
        let (b, c) = ((a + 1) % 3, (a + 2) % 3);
        let v = |x: &Point| x[k] - origin;
        let (va, vb, vc) = (v(&t[a]), v(&t[b]), v(&t[c]));
        let (wide_b, wide_c) = (d[a] - d[b], d[a] - d[c]);
        let x = va + (vb - va) * (d[a] / wide_b);
        let y = va + (vc - va) * (d[a] / wide_c);
        let ratio_error = bound / wide_b.abs() + bound / wide_c.abs();
        Self { low: x.min(y), high: x.max(y), ratio_error: ratio_error * (1.0 + 8.0 * UNIT) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vector;
    use crate::adversarial::Random;

    /// Where the side from `a` to `b` crosses the plane through `o` with normal `n`.
    fn crossing(a: &Point, b: &Point, o: &Point, n: &Vector) -> Point {
        let (x, y) = (n.dot(&(a - o)), n.dot(&(b - o)));
        b + (a - b) * (y / (y - x))
    }

    #[test]
    fn spans_are_what_the_triangles_cover_and_bounds_are_those_of_their_ratios() {
        let (mut r, mut seen) = (Random(151), 0);
        for k in 0..3000 {
            let scale = [1.0, 8.0, 1.0 / 64.0][k % 3];
            let mut point = |s: f64| Point::new(r.unit(), r.unit(), r.unit()) * s;
            let p: Triangle = [point(1.0), point(1.0), point(1.0)];
            let q: Triangle = [point(scale), point(scale), point(scale)];
            let Ok(planes) = Planes::new(&p, &q) else { continue };
            let (Some((i, _)), Some((j, _))) =
                (alone(planes.t, planes.bound_t), alone(planes.s, planes.bound_s))
            else {
                continue;
            };
            // Skip planes that cross at a small angle.
            if planes.n.cross(&planes.m).amax() < 0.05 * planes.n.amax() * planes.m.amax() {
                continue;
            }
            seen += 1;
            let span = |t: &Triangle, d: &[f64; 3], a: usize, o: &Point, n: &Vector, bound: f64| {
                let (b, c) = ((a + 1) % 3, (a + 2) % 3);
                let found = Span::new(t, d, a, 1, p[0].y, bound);
                let ends = [b, c].map(|b| crossing(&t[a], &t[b], o, n).y - p[0].y);
                let near = |x: f64, y: f64| (x - y).abs() < 1e-9;
                assert!(near(found.low, ends[0].min(ends[1])), "{t:?}");
                assert!(near(found.high, ends[0].max(ends[1])), "{t:?}");
                let ratios = bound / (d[a] - d[b]).abs() + bound / (d[a] - d[c]).abs();
                let share = found.ratio_error / ratios;
                assert!((1.0 + 2.0 * UNIT..1.0 + 16.0 * UNIT).contains(&share), "{share}");
                (found, ratios)
            };
            let (n, m) = (planes.n, planes.m);
            let (on_p, ratios_p) = span(&p, &planes.t, i, &q[0], &m, planes.bound_t);
            let (on_q, ratios_q) = span(&q, &planes.s, j, &p[0], &n, planes.bound_s);
            let expected = ratios_p * planes.size_p + ratios_q * planes.size_q;
            let rest = bound(&planes, &on_p, &on_q) - expected;
            let all = 1e-14 * expected;
            assert!((rest - 32.0 * UNIT * planes.reach).abs() <= all + 1e-20, "{rest:e}");
        }
        assert!(seen > 300, "{seen}");
    }

    /// Intervals with exact ends, in crossing planes: the common line is the x axis, p is in the
    /// plane y = 0 and q in z = 0.
    #[test]
    fn intervals_are_told_apart_beyond_the_bound_only() {
        for (unit, wide) in [(1.0, 1.0), (2f64.powi(100), 0.25), (2f64.powi(-100), 8.0)] {
            let at = |x: f64, y: f64, z: f64| Point::new(x, y, z) * unit;
            let w = wide;
            let p = [at(0.0, 0.0, w), at(0.0, 0.0, -w), at(-2.0, 0.0, -w)];
            let told = |gap: f64| {
                let q = [at(gap, w, 0.0), at(gap, -w, 0.0), at(gap + 2.0, -w, 0.0)];
                let turned = |t: &Triangle| [t[1], t[2], t[0]];
                let found = interval(&p, &q);
                assert_eq!(interval(&q, &p), found);
                assert_eq!(interval(&turned(&p), &turned(&q)), found);
                found
            };
            // Ratios of 36 u · size² · reach over 2 w · 2 w, two of them a triangle.
            let size = (2.0 * w).max(2.0);
            let reach = 2.0 * size + w;
            let far = 8.0 * 64.0 * UNIT * size * size * size * reach / (w * w);
            assert_eq!(told(far), Outcome::Miss);
            assert_eq!(told(-far), Outcome::Hit);
            for near in [0.0, 16.0 * UNIT * reach, -16.0 * UNIT * reach] {
                assert_eq!(told(near), Outcome::Undecided);
            }
        }
    }
}
