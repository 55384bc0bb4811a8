//! An edge against a triangle with a proven error bound. The derivation is in
//! `docs/methods/stream-basic.md`, "Error bound".

use super::{Face, RHO, cross, dot, greater, largest, lesser, sub};

/// What 32 bits prove about an edge and a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Class {
    /// They share no point.
    Miss = 0,
    /// They share a point.
    Hit = 1,
    /// Not decided.
    Unknown = 2,
}

/// Share of the input's error in a triple product: six terms of two factors each, with an error of
/// twice δ in the third. 12 are needed, the rest covers the rounding of the bound itself. Larger:
/// more pairs left to exact arithmetic.
pub(super) const INPUT: f32 = 13.0;

/// Share of rounding in a triple product, in units of [`RHO`]: 18 for the differences, 30 for the
/// product, and 12 for the sum of three. 60 are needed. Larger: as for [`INPUT`].
pub(super) const ROUNDING: f32 = 64.0;

/// Bound on the error of a triple product of vectors whose coordinates are at most `a`, `b`, `c`,
/// errors included.
#[inline(always)]
fn bound(a: f32, b: f32, c: f32, delta: f32) -> f32 {
    INPUT * delta * (a * b + b * c + c * a) + ROUNDING * RHO * (a * b * c)
}

/// The triple products of an edge and a triangle, and bounds on their errors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    /// Heights of both ends over the plane, times the normal's length.
    pub(super) at_u: f32,
    pub(super) at_v: f32,
    /// The determinant (fan eq. 3-7).
    pub(super) det: f32,
    /// The coordinates of fan eq. 3-9 and 3-10 times the determinant, and the third.
    pub(super) a: f32,
    pub(super) b: f32,
    pub(super) c: f32,
    /// Bound for `at_u`, `at_v`.
    pub(super) side: f32,
    pub(super) of_det: f32,
    /// Bound for `a`, `b`.
    pub(super) of_ab: f32,
    pub(super) of_c: f32,
}

impl Terms {
    /// From the vectors to both ends and between them; and bounds on the coordinates of the
    /// triangle's sides, of the edge, and of the vectors to its ends.
    #[inline(always)]
    pub(super) fn new(
        [u, v, dir]: [[f32; 3]; 3],
        [size, length, reach]: [f32; 3],
        delta: f32,
        face: &Face,
    ) -> Self {
        let moment = cross(u, dir);
        let det = -dot(face.normal, dir);
        let (a, b) = (dot(face.e13, moment), -dot(face.e12, moment));
        let of_det = bound(size, size, length, delta);
        let of_ab = bound(size, length, reach, delta);
        Self {
            at_u: dot(face.normal, u),
            at_v: dot(face.normal, v),
            det,
            a,
            b,
            c: det - a - b,
            side: bound(size, size, reach, delta),
            of_det,
            of_ab,
            of_c: of_det + 2.0 * of_ab,
        }
    }

    #[inline(always)]
    fn bounds(self, share: f32) -> Self {
        let Self { side, of_det, of_ab, of_c, .. } = self;
        let [side, of_det, of_ab, of_c] = [side, of_det, of_ab, of_c].map(|x| share * x);
        Self { side, of_det, of_ab, of_c, ..self }
    }
}

/// Classifies the edge from `p` to `q`. Coordinates of edge and triangle are off by at most
/// `delta`, their rounding to 32 bits included: at least 2⁻²⁷, so that it covers products below the
/// normal range; infinite if nothing is known of the edge.
#[inline(always)]
pub(crate) fn classify(p: [f32; 3], q: [f32; 3], delta: f32, face: &Face) -> u32 {
    judge(p, q, delta, face, 1.0)
}

/// As [`classify`], with the bounds times `share`: less than 1 only in tests that must fail.
#[inline(always)]
#[allow(clippy::needless_bitwise_bool)] // no branches, so that edges are tested side by side
pub(super) fn judge(p: [f32; 3], q: [f32; 3], delta: f32, face: &Face, share: f32) -> u32 {
    let (u, v, dir) = (sub(p, face.corner), sub(q, face.corner), sub(q, p));
    let slack = 2.0 * delta;
    let size = face.size + slack;
    let reach = greater(largest(u), largest(v)) + slack;
    let length = largest(dir) + slack;

    let gap = share * (4.0 * delta + 2.0 * RHO * (reach + size));
    let aside = |k: usize| {
        (lesser(u[k], v[k]) > face.high[k] + gap) | (greater(u[k], v[k]) < face.low[k] - gap)
    };
    let aside = aside(0) | aside(1) | aside(2);

    let terms = Terms::new([u, v, dir], [size, length, reach], delta, face);
    let Terms { side, of_det, of_ab, of_c, .. } = terms.bounds(share);
    let (over_u, over_v) = (terms.at_u > side, terms.at_v > side);
    let (under_u, under_v) = (terms.at_u < -side, terms.at_v < -side);
    let sign = if terms.det < 0.0 { -1.0 } else { 1.0 };
    let (a, b, c) = (terms.a * sign, terms.b * sign, terms.c * sign);
    let steep = terms.det.abs() > of_det;
    let outside = (a < -of_ab) | (b < -of_ab) | (c < -of_c);
    let inside = (a > of_ab) & (b > of_ab) & (c > of_c);

    let through = (over_u & under_v) | (under_u & over_v);
    let miss = aside | (over_u & over_v) | (under_u & under_v) | (steep & outside);
    let hit = steep & inside & through;
    if miss {
        Class::Miss as u32
    } else if hit {
        Class::Hit as u32
    } else {
        Class::Unknown as u32
    }
}
