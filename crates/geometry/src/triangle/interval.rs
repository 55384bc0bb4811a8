//! The test by intervals on the planes' common line (anthology 2 §2.5.1; T. Möller, A fast
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
//! whatever `L` is. An overlap beyond them is a hit: were `L` zero in this coordinate, all four
//! ends would be equal.

use super::planes::{Planes, alone};
use super::{Outcome, UNIT};
use crate::{Point, Triangle};

/// Interval overlap on the line where the planes cross. A third of the cost of the exact test.
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
    let bound = span_p.ratio_error * planes.size_p
        + span_q.ratio_error * planes.size_q
        + 32.0 * UNIT * planes.reach;
    let overlap = span_p.high.min(span_q.high) - span_p.low.max(span_q.low);
    if overlap > bound {
        Outcome::Hit
    } else if overlap < -bound {
        Outcome::Miss
    } else {
        Outcome::Undecided
    }
}

/// What a triangle covers of the line.
struct Span {
    low: f64,
    high: f64,
    /// Bound on the error of both ratios together.
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
