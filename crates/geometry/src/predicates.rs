//! Exact orientation signs: a floating-point filter, then integers of a fixed size, then big
//! integers.
//!
//! Stage 1 is a determinant in f64 with a static bound: J. R. Shewchuk, Adaptive Precision
//! Floating-Point Arithmetic and Fast Robust Geometric Predicates, Discrete & Computational Geometry
//! 18 (1997). Stage 2 decides coordinates whose bits are at most 60, 120 or 180 places apart
//! (`fixed`). Stage 3 takes any finite numbers.

use num_bigint::BigInt;

use crate::integers::{determinant, integers, sign_of};
use crate::triangle::{above, largest};
use crate::{Point, fixed};

/// The sign of an exact value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sign {
    /// Below zero.
    Negative,
    /// Exactly zero.
    Zero,
    /// Above zero.
    Positive,
}

impl Sign {
    /// The sign of a number; zero for NaN.
    #[inline]
    pub fn of(x: f64) -> Self {
        if x > 0.0 {
            Self::Positive
        } else if x < 0.0 {
            Self::Negative
        } else {
            Self::Zero
        }
    }

    /// Whether the sign is zero.
    #[inline]
    pub fn is_zero(self) -> bool {
        self == Self::Zero
    }

    /// The opposite sign.
    #[inline]
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::Negative => Self::Positive,
            Self::Zero => Self::Zero,
            Self::Positive => Self::Negative,
        }
    }

    /// Whether one is positive and the other negative.
    #[inline]
    pub fn is_opposite(self, other: Self) -> bool {
        !self.is_zero() && other == self.opposite()
    }
}

/// Which coordinate a projection to a plane drops. The kept ones stay in cyclic order, so the
/// projection seen from the positive axis keeps its orientation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Drop {
    /// Keeps (y, z).
    X,
    /// Keeps (z, x).
    Y,
    /// Keeps (x, y).
    Z,
}

impl Drop {
    /// All three projections.
    pub const ALL: [Self; 3] = [Self::Z, Self::X, Self::Y];

    /// The two kept coordinates.
    #[inline]
    pub fn keep(self, p: &Point) -> [f64; 2] {
        match self {
            Self::X => [p.y, p.z],
            Self::Y => [p.z, p.x],
            Self::Z => [p.x, p.y],
        }
    }
}

/// Error of the 3×3 determinant in units of its permanent: (7 + 56 u) u with u = 2⁻⁵³.
const BOUND_3D: f64 = (7.0 + 56.0 * UNIT) * UNIT;
/// Error of the 2×2 determinant in units of its permanent: (3 + 16 u) u.
const BOUND_2D: f64 = (3.0 + 16.0 * UNIT) * UNIT;
const UNIT: f64 = f64::EPSILON / 2.0;
/// Below this size of differences, every product of stage 1 is finite.
const FILTER_MAX: f64 = 1e100;
/// Bounds what underflow takes from a determinant of differences below `FILTER_MAX`: six products,
/// each off by 2⁻¹⁰⁷⁵, times a difference.
const FILTER_TINY: f64 = 4.0 * f64::from_bits(1) * FILTER_MAX;

/// The side of the plane through `a, b, c` on which `d` lies. Positive: the side from which
/// `a, b, c` run counter-clockwise, where the normal `(b − a) × (c − a)` points. Zero: coplanar,
/// exactly.
///
/// Cost: a determinant in f64 if the filter decides; near the plane one of integers of 192 bits, eight
/// or 27 of them if bits of a coordinate are more than 60 or 120 places apart; big integers beyond 180.
#[inline]
pub fn orient3d(a: &Point, b: &Point, c: &Point, d: &Point) -> Sign {
    match certain_3d(a, b, c, d) {
        Sign::Zero => orient3d_hard(a, b, c, d),
        sign => sign,
    }
}

/// As [`orient3d`] by the filter alone; zero if it is not certain.
#[inline(always)]
pub(crate) fn certain_3d(a: &Point, b: &Point, c: &Point, d: &Point) -> Sign {
    let (det, error) = orient3d_estimate(a, b, c, d);
    if above(det.abs(), error) { Sign::of(det) } else { Sign::Zero }
}

/// The determinant behind [`orient3d`] in f64, six times the signed volume of the tetrahedron, and
/// a bound on its error without the last rounding (infinite where no bound holds). The exact value
/// is within `bound + u |determinant|`; a determinant beyond its bound has the right sign.
#[inline]
pub fn orient3d_estimate(a: &Point, b: &Point, c: &Point, d: &Point) -> (f64, f64) {
    let (u, v, w) = (a - d, b - d, c - d);
    let (vxwy, vywx) = (v.x * w.y, v.y * w.x);
    let (wxuy, wyux) = (w.x * u.y, w.y * u.x);
    let (uxvy, uyvx) = (u.x * v.y, u.y * v.x);
    let det = u.z * (vxwy - vywx) + v.z * (wxuy - wyux) + w.z * (uxvy - uyvx);
    let permanent = (vxwy.abs() + vywx.abs()) * u.z.abs()
        + (wxuy.abs() + wyux.abs()) * v.z.abs()
        + (uxvy.abs() + uyvx.abs()) * w.z.abs();
    let largest = u.amax().max(v.amax()).max(w.amax());
    let bound = BOUND_3D * permanent + FILTER_TINY;
    (-det, if largest < FILTER_MAX { bound } else { f64::INFINITY })
}

/// As [`certain_3d`], also after each coordinate has moved by up to `room`.
///
/// With differences below `L`, each of the six products of three moves by at most
/// `6 L² room + 12 L room² + 8 room³`: together by less than `40 L² room` if `room < L / 64`.
#[inline(always)]
pub(crate) fn settled_3d(a: &Point, b: &Point, c: &Point, d: &Point, room: f64) -> Sign {
    let (det, error) = orient3d_estimate(a, b, c, d);
    let most = largest(&(a - d)).max(largest(&(b - d))).max(largest(&(c - d)));
    let moved = if room * 64.0 < most { 40.0 * (most * most * room) } else { f64::INFINITY };
    if above(det.abs(), error + moved) { Sign::of(det) } else { Sign::Zero }
}

/// As [`orient3d`] without the filter.
#[cold]
pub(crate) fn orient3d_hard(a: &Point, b: &Point, c: &Point, d: &Point) -> Sign {
    match fixed::orient3d([a, b, c, d].map(|p| [p.x, p.y, p.z])) {
        Some(sign) => sign.opposite(),
        None => sign_of(&big_orient3d(a, b, c, d)),
    }
}

/// The turn `a → b → c` after dropping one coordinate: positive to the left, negative to the right,
/// zero if straight. Exact.
#[inline]
pub fn orient2d(a: &Point, b: &Point, c: &Point, drop: Drop) -> Sign {
    match certain_2d(a, b, c, drop) {
        Sign::Zero => orient2d_hard(drop.keep(a), drop.keep(b), drop.keep(c)),
        sign => sign,
    }
}

/// As [`orient2d`] by the filter alone; zero if it is not certain.
#[inline(always)]
pub(crate) fn certain_2d(a: &Point, b: &Point, c: &Point, drop: Drop) -> Sign {
    let (det, error) = estimate_2d(drop.keep(a), drop.keep(b), drop.keep(c));
    if above(det.abs(), error) { Sign::of(det) } else { Sign::Zero }
}

/// As [`certain_2d`], also after each coordinate has moved by up to `room`.
///
/// The two products of differences below `L` move by at most `8 L room + 8 room²` together.
#[inline(always)]
pub(crate) fn settled_2d(a: &Point, b: &Point, c: &Point, drop: Drop, room: f64) -> Sign {
    let (det, error) = estimate_2d(drop.keep(a), drop.keep(b), drop.keep(c));
    let most = largest(&(a - c)).max(largest(&(b - c))) + room;
    if above(det.abs(), error + 10.0 * (most * room)) { Sign::of(det) } else { Sign::Zero }
}

/// The determinant behind [`orient2d`] in f64, and a bound as in [`orient3d_estimate`].
#[inline(always)]
fn estimate_2d([ax, ay]: [f64; 2], [bx, by]: [f64; 2], [cx, cy]: [f64; 2]) -> (f64, f64) {
    let (ux, uy, vx, vy) = (ax - cx, ay - cy, bx - cx, by - cy);
    let (left, right) = (ux * vy, uy * vx);
    let largest = ux.abs().max(uy.abs()).max(vx.abs()).max(vy.abs());
    let bound = BOUND_2D * (left.abs() + right.abs()) + FILTER_TINY;
    (left - right, if largest < FILTER_MAX { bound } else { f64::INFINITY })
}

#[cold]
fn orient2d_hard(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> Sign {
    if let Some(sign) = fixed::orient2d([a, b, c]) {
        return sign;
    }
    sign_of(&big_orient2d([a, b, c]))
}

/// As [`big_orient3d`], for [`orient2d`].
fn big_orient2d([a, b, c]: [[f64; 2]; 3]) -> BigInt {
    let [ax, ay, bx, by, cx, cy]: [BigInt; 6] = integers([a[0], a[1], b[0], b[1], c[0], c[1]]);
    (&ax - &cx) * (&by - &cy) - (&ay - &cy) * (&bx - &cx)
}

/// Whether `a, b, c` are on one line (or in one point). Exact.
pub fn collinear(a: &Point, b: &Point, c: &Point) -> bool {
    Drop::ALL.iter().all(|&drop| orient2d(a, b, c, drop).is_zero())
}

/// The exact determinant of [`orient3d`] times a power of two that depends on the points'
/// exponents. Two such values are comparable only for the same set of points.
fn big_orient3d(a: &Point, b: &Point, c: &Point, d: &Point) -> BigInt {
    let coordinates = [a, b, c, d].map(|p| [p.x, p.y, p.z]);
    let n: [BigInt; 12] = integers(std::array::from_fn(|i| coordinates[i / 3][i % 3]));
    let at = |i: usize| [&n[3 * i], &n[3 * i + 1], &n[3 * i + 2]];
    -determinant(at(0), at(1), at(2), at(3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adversarial::{Random, between, climb, integer, points, share, triple};

    /// Products that underflow, with a coordinate as large as the filter allows.
    #[test]
    fn what_underflow_takes_is_held_and_needed() {
        let mut r = Random(53);
        let large = 2f64.powi(332);
        assert!(large < FILTER_MAX && large * 2.0 > FILTER_MAX);
        let mut worst = 0.0f64;
        for _ in 0..40_000 {
            let mut at = |z: f64| {
                let mut c = || (0.25 + r.unit().abs() * 1.5) * 2f64.powi(-537);
                Point::new(c(), c(), z)
            };
            let (a, b, c, d) = (at(large), at(large), at(large), Point::origin());
            let truth = sign_of(&big_orient3d(&a, &b, &c, &d));
            assert_eq!(orient3d(&a, &b, &c, &d), truth, "{a} {b} {c}");
            let (det, _) = orient3d_estimate(&a, &b, &c, &d);
            if Sign::of(det).is_opposite(truth) {
                worst = worst.max(det.abs());
            }
        }
        assert!(worst > FILTER_TINY / 4.0, "{worst:e}");
    }

    /// Differences that round, in a determinant whose terms round.
    #[test]
    fn the_bound_of_three_dimensions_holds_and_is_needed() {
        let found = climb(
            51,
            8000,
            |r| std::array::from_fn(|_| r.about(2f64.powi(52))),
            |x: &[f64; 12]| {
                let [a, b, c, d] = points(x);
                let (det, error) = orient3d_estimate(&a, &b, &c, &d);
                let truth = triple(&between(&a, &b), &between(&a, &c), &between(&a, &d));
                share(det, &truth, error + UNIT * det.abs())
            },
        );
        assert!(found > 0.9, "{found}");
    }

    #[test]
    fn the_bound_of_two_dimensions_holds_and_is_needed() {
        let found = climb(
            52,
            8000,
            |r| std::array::from_fn(|_| r.about(2f64.powi(52))),
            |x: &[f64; 6]| {
                let (det, bound) = estimate_2d([x[0], x[1]], [x[2], x[3]], [x[4], x[5]]);
                let n = x.map(integer);
                let truth = (&n[0] - &n[4]) * (&n[3] - &n[5]) - (&n[1] - &n[5]) * (&n[2] - &n[4]);
                share(det, &truth, bound + UNIT * det.abs())
            },
        );
        assert!(found > 0.9, "{found}");
    }

    #[test]
    fn orientation_follows_the_right_hand() {
        let [o, x, y, z] = [
            Point::origin(),
            Point::new(1.0, 0.0, 0.0),
            Point::new(0.0, 1.0, 0.0),
            Point::new(0.0, 0.0, 1.0),
        ];
        assert_eq!(orient3d(&o, &x, &y, &z), Sign::Positive);
        assert_eq!(orient3d(&o, &y, &x, &z), Sign::Negative);
        assert_eq!(orient2d(&o, &x, &y, Drop::Z), Sign::Positive);
        assert_eq!(orient2d(&o, &y, &z, Drop::X), Sign::Positive);
        assert_eq!(orient2d(&o, &z, &x, Drop::Y), Sign::Positive);
    }

    #[test]
    fn the_three_stages_agree_at_every_scale() {
        // One ulp off a plane, and exactly on it, from 2^-950 to 2^950.
        for k in (-950..=950).step_by(25) {
            let s = 2f64.powi(k);
            let p = |x: f64, y: f64, z: f64| Point::new(x * s, y * s, z * s);
            let (a, b, c) = (p(1.0, 0.0, 0.0), p(0.0, 1.0, 0.0), p(0.0, 0.0, 1.0));
            let third = 0.25;
            let on = p(third, third, 0.5);
            let above = p(third, third, 0.5_f64.next_up());
            let below = p(third, third, 0.5_f64.next_down());
            assert_eq!(orient3d(&a, &b, &c, &on), Sign::Zero, "2^{k}");
            assert_eq!(orient3d(&a, &b, &c, &above), Sign::Positive, "2^{k}");
            assert_eq!(orient3d(&a, &b, &c, &below), Sign::Negative, "2^{k}");
            let big = sign_of(&big_orient3d(&a, &b, &c, &above));
            assert_eq!(big, Sign::Positive, "2^{k}");
        }
    }

    #[test]
    fn huge_beside_tiny_is_exact() {
        // Stage 3.
        let (h, t) = (1e150, 1e-150);
        let far = [[h, 0.0, 0.0], [0.0, h, 0.0], [-h, -h, 0.0], [t, t, t]];
        assert_eq!(fixed::orient3d(far), None);
        let (a, b, c) = (Point::new(h, 0.0, 0.0), Point::new(0.0, h, 0.0), Point::new(-h, -h, 0.0));
        assert_eq!(orient3d(&a, &b, &c, &Point::new(t, t, t)), Sign::Positive);
        assert_eq!(orient3d(&a, &b, &c, &Point::new(t, t, -t)), Sign::Negative);
        assert_eq!(orient3d(&a, &b, &c, &Point::new(t, t, 0.0)), Sign::Zero);
    }

    #[test]
    fn subnormal_coordinates_keep_their_sign() {
        let e = f64::from_bits(1);
        let o = Point::origin();
        let (x, y, z) = (Point::new(e, 0.0, 0.0), Point::new(0.0, e, 0.0), Point::new(0.0, 0.0, e));
        assert_eq!(orient3d(&o, &x, &y, &z), Sign::Positive);
        assert_eq!(orient2d(&o, &x, &y, Drop::Z), Sign::Positive);
    }

    #[test]
    fn signs_are_opposite_only_if_neither_is_zero() {
        let of = [-2.0, -0.0, 0.0, f64::NAN, 1e-300].map(Sign::of);
        assert_eq!(of, [Sign::Negative, Sign::Zero, Sign::Zero, Sign::Zero, Sign::Positive]);
        let all = [Sign::Negative, Sign::Zero, Sign::Positive];
        for (i, s) in all.into_iter().enumerate() {
            assert_eq!(s.opposite(), all[2 - i]);
            assert_eq!(s.is_zero(), i == 1);
            for (j, t) in all.into_iter().enumerate() {
                assert_eq!(s.is_opposite(t), i != 1 && i + j == 2, "{s:?} {t:?}");
            }
        }
        let p = Point::new(1.0, 2.0, 3.0);
        assert_eq!(Drop::ALL.map(|d| d.keep(&p)), [[1.0, 2.0], [2.0, 3.0], [3.0, 1.0]]);
    }

    /// One difference at a time reaches the end of the filters' range.
    #[test]
    fn filters_have_no_bound_from_the_end_of_their_range_on() {
        for k in 0..9 {
            let finite = |x: f64| {
                let mut c = [0.0; 9];
                c[k] = x;
                let [a, b, c]: [Point; 3] = points(&c);
                orient3d_estimate(&a, &b, &c, &Point::origin()).1.is_finite()
            };
            assert!(finite(FILTER_MAX.next_down()) && finite(-FILTER_MAX.next_down()));
            assert!(!finite(FILTER_MAX) && !finite(-FILTER_MAX) && !finite(1e300), "{k}");
        }
        for k in 0..4 {
            let finite = |x: f64| {
                let mut c = [0.0; 4];
                c[k] = x;
                estimate_2d([c[0], c[1]], [c[2], c[3]], [0.0; 2]).1.is_finite()
            };
            assert!(finite(FILTER_MAX.next_down()) && finite(-FILTER_MAX.next_down()));
            assert!(!finite(FILTER_MAX) && !finite(-FILTER_MAX) && !finite(1e300), "{k}");
        }
    }

    /// Checks the bounds term by term: the constants times the sums of magnitudes.
    #[test]
    fn bounds_are_their_constants_times_the_permanent() {
        let mut r = Random(55);
        for _ in 0..500 {
            let x: [f64; 12] = std::array::from_fn(|_| r.unit() * 2f64.powi(r.below(21) as i32));
            let [a, b, c, d] = points(&x);
            let (u, v, w) = ((a - d).abs(), (b - d).abs(), (c - d).abs());
            let minor = |v: &crate::Vector, w: &crate::Vector| v.x * w.y + v.y * w.x;
            let permanent = minor(&v, &w) * u.z + minor(&w, &u) * v.z + minor(&u, &v) * w.z;
            let bound = orient3d_estimate(&a, &b, &c, &d).1;
            assert!((bound / (permanent * BOUND_3D) - 1.0).abs() < 1e-14);
            let flat = [x[0] - x[4], x[1] - x[5], x[2] - x[4], x[3] - x[5]].map(f64::abs);
            let permanent = flat[0] * flat[3] + flat[1] * flat[2];
            let bound = estimate_2d([x[0], x[1]], [x[2], x[3]], [x[4], x[5]]).1;
            assert!((bound / (permanent * BOUND_2D) - 1.0).abs() < 1e-14);
        }
        let o = Point::origin();
        assert_eq!(orient3d_estimate(&o, &o, &o, &o).1, FILTER_TINY);
        assert_eq!(estimate_2d([0.0; 2], [0.0; 2], [0.0; 2]).1, FILTER_TINY);
        assert_eq!(orient2d(&o, &o, &o, Drop::X), Sign::Zero);
    }

    /// Planar turns that a stage after the filter decides: on a line and one ulp off it, also where
    /// products leave the range.
    #[test]
    fn turns_are_exact_at_every_scale() {
        let mut r = Random(56);
        for k in (-1040..=950).step_by(10) {
            let s = 2f64.powi(k / 2) * 2f64.powi(k - k / 2);
            for _ in 0..10 {
                let mut n = || (r.below(2001) as f64 - 1000.0) * 0.5;
                let (x, y, d, e) = (n(), n(), n(), n());
                let at = |t: f64| Point::new((x + d * t) * s, (y + e * t) * s, 0.0);
                let (a, b, c) = (at(0.0), at(1.0), at(3.0));
                assert_eq!(orient2d(&a, &b, &c, Drop::Z), Sign::Zero, "2^{k}");
                let off = Point::new(c.x, c.y.next_up(), 0.0);
                let turn = orient2d(&a, &b, &off, Drop::Z);
                assert_eq!(turn, Sign::of(d), "2^{k}");
                assert_eq!(orient2d(&b, &a, &off, Drop::Z), turn.opposite());
                assert_eq!(orient2d(&a, &off, &b, Drop::Z), turn.opposite());
                let hard = |p: &Point| [p.x, p.y];
                assert_eq!(orient2d_hard(hard(&a), hard(&b), hard(&off)), turn);
                assert_eq!(collinear(&a, &b, &off), turn.is_zero());
            }
        }
    }

    /// Determinants that moving each coordinate along its derivative turns are not settled, and most
    /// that are ten times as large are.
    #[test]
    fn what_room_can_turn_is_not_settled() {
        let (mut r, room) = (Random(57), 2f64.powi(-30));
        let (mut most, mut settled) = ([0.0f64; 2], [0; 2]);
        for _ in 0..20_000 {
            let [a, b]: [Point; 2] = std::array::from_fn(|_| {
                Point::new(r.unit().round(), r.unit().round(), r.unit().round())
            });
            let (s, t, d) = (r.unit() * 0.5, r.unit() * 0.5, Point::origin());
            let c = Point::from(a.coords * s + b.coords * t);
            // The derivatives by the coordinates of a, b, c and d.
            let of =
                [b.coords.cross(&c.coords), c.coords.cross(&a.coords), a.coords.cross(&b.coords)];
            let of_d = of[0] + of[1] + of[2];
            let reach: f64 = of.iter().chain([&of_d]).map(|g| g.abs().sum()).sum();
            let lift = |share: f64| c + of[2] * (share * room * reach / of[2].norm_squared());
            if of[2].norm_squared() > 0.1 {
                most[0] = most[0].max(reach);
                assert!(settled_3d(&a, &b, &lift(0.9), &d, room).is_zero(), "{a} {b} {c}");
                settled[0] += u32::from(!settled_3d(&a, &b, &lift(30.0), &d, room).is_zero());
            }
            let (u, v) = ([a.x, a.y], [a.x * s, a.y * s]);
            let across = [-u[1], u[0]];
            let reach = u.iter().chain(&v).map(|x| x.abs()).sum::<f64>()
                + (v[0] - u[0]).abs()
                + (v[1] - u[1]).abs();
            let size = u[0] * u[0] + u[1] * u[1];
            if size > 0.0 {
                most[1] = most[1].max(reach);
                let lift = |share: f64| {
                    let by = share * room * reach / size;
                    Point::new(v[0] + across[0] * by, v[1] + across[1] * by, 0.0)
                };
                let turn =
                    |v: &Point| settled_2d(&Point::new(u[0], u[1], 0.0), v, &d, Drop::Z, room);
                assert!(turn(&lift(0.9)).is_zero(), "{u:?} {v:?}");
                settled[1] += u32::from(turn(&lift(30.0)) == Sign::Positive);
            }
        }
        assert!(most[0] > 10.0 && most[1] > 5.0, "{most:?}");
        assert!(settled.iter().all(|&n| n > 5000), "{settled:?}");
    }
}
