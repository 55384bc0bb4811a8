//! Orientation signs by integers of a fixed size: exact, and faster than expansions.
//!
//! A sign does not change if all values of one coordinate are multiplied by a power of two. So each
//! coordinate is scaled such that its values are below 2⁶⁰ in magnitude, and cut into `N` limbs:
//! `x = l₀ + l₁ 2⁻⁶⁰ + …`, each limb an integer below 2⁶⁰ in magnitude. Numbers that have lower bits
//! than that are refused. A determinant is linear in each coordinate, hence a sum over the limbs of
//! determinants of integers below 2⁶¹, which 192 bits hold:
//!
//! - a product of two differences is below 2¹²², a minor below 2¹²³;
//! - a minor times a difference is below 2¹⁸⁴, a determinant below 2¹⁸⁶, and at most seven of them
//!   have the same weight.

use crate::predicates::Sign;

/// Bits of a limb.
const BITS: u32 = 60;
/// 2 to this power.
const LIMB: f64 = (1u64 << BITS) as f64;

/// Limbs, the one of the highest weight first.
type Limbs<const N: usize> = [i64; N];

/// `x − y` for the first `K` values `x` and the last one, `y`, in limbs below 2⁶¹; `None` if that
/// needs more limbs or a power of two that f64 does not have.
#[inline(always)]
fn differences<const N: usize, const M: usize, const K: usize>(
    values: [f64; M],
) -> Option<[Limbs<N>; K]> {
    let largest = values.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    // The largest value is below 2^(exponent − 1022).
    let exponent = (largest.to_bits() >> 52) as i64;
    let power = 1023 + 1022 + i64::from(BITS) - exponent;
    if exponent == 0 || power > 2046 {
        return (largest == 0.0).then_some([[0; N]; K]);
    }
    let scale = f64::from_bits((power as u64) << 52);
    let mut limbs = [[0; N]; M];
    for (limbs, x) in limbs.iter_mut().zip(values) {
        let mut rest = x * scale;
        if rest == 0.0 && x != 0.0 {
            return None;
        }
        // Every step is exact: the whole part of a number, what is left of it, a power of two.
        for (k, limb) in limbs.iter_mut().enumerate() {
            if k > 0 {
                rest *= LIMB;
            }
            *limb = rest as i64;
            rest -= *limb as f64;
        }
        if rest != 0.0 {
            return None;
        }
    }
    let last = limbs[M - 1];
    Some(std::array::from_fn(|i| std::array::from_fn(|k| limbs[i][k] - last[k])))
}

/// The integer `high · 2⁶⁴ + low`.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    high: i128,
    low: u64,
}

impl Sum {
    /// `high · 2⁶⁴ + low` for any `low`.
    #[inline(always)]
    fn new(high: i128, low: i128) -> Self {
        Self { high: high + (low >> 64), low: low as u64 }
    }

    #[inline(always)]
    fn add(&mut self, other: Self) {
        let (low, over) = self.low.overflowing_add(other.low);
        *self = Self { high: self.high + other.high + i128::from(over), low };
    }

    /// Divides by 2⁶⁰ and rounds down; also whether that was not exact.
    #[inline(always)]
    fn divided(self) -> (Self, bool) {
        let below = self.high & ((1 << BITS) - 1);
        let low = (below as u64) << (64 - BITS) | self.low >> BITS;
        (Self { high: self.high >> BITS, low }, self.low & ((1 << BITS) - 1) != 0)
    }
}

/// The sign of `Σ sums[k] · 2^(−60 k)`.
#[inline(always)]
fn sign(sums: &[Sum]) -> Sign {
    let (mut total, mut more) = (Sum::default(), false);
    for (k, sum) in sums.iter().enumerate().rev() {
        total.add(*sum);
        if k > 0 {
            let (down, rest) = total.divided();
            (total, more) = (down, more | rest);
        }
    }
    // What was rounded down is not negative and less than one.
    if total.high < 0 {
        Sign::Negative
    } else if total.high > 0 || total.low > 0 || more {
        Sign::Positive
    } else {
        Sign::Zero
    }
}

/// The product of a minor below 2¹²³ and a difference below 2⁶¹, as multiples of 2⁶⁴ and of 1, both
/// below 2¹²⁵.
#[inline(always)]
fn times(minor: i128, z: i64) -> [i128; 2] {
    [(minor >> 64) * i128::from(z), i128::from(minor as u64) * i128::from(z)]
}

#[inline(always)]
fn minor(ax: i64, by: i64, bx: i64, ay: i64) -> i128 {
    i128::from(ax) * i128::from(by) - i128::from(bx) * i128::from(ay)
}

/// The sign of the determinant of the rows `a − d`, `b − d`, `c − d`, if `N` limbs hold all
/// coordinates.
#[inline(always)]
fn determinant_3d<const N: usize>(points: [[f64; 3]; 4]) -> Option<Sign> {
    let of = |k: usize| points.map(|p| p[k]);
    let x: [Limbs<N>; 3] = differences(of(0))?;
    let y: [Limbs<N>; 3] = differences(of(1))?;
    let z: [Limbs<N>; 3] = differences(of(2))?;
    // Weights 2^(−60 k) for k up to 3 (N − 1).
    let mut sums = [Sum::default(); 3 * 3 - 2];
    for i in 0..N {
        for j in 0..N {
            let minors = [
                minor(x[1][i], y[2][j], x[2][i], y[1][j]),
                minor(x[2][i], y[0][j], x[0][i], y[2][j]),
                minor(x[0][i], y[1][j], x[1][i], y[0][j]),
            ];
            for k in 0..N {
                let [p, q, r] = [0, 1, 2].map(|row| times(minors[row], z[row][k]));
                sums[i + j + k].add(Sum::new(p[0] + q[0] + r[0], p[1] + q[1] + r[1]));
            }
        }
    }
    Some(sign(&sums[..3 * N - 2]))
}

/// As [`determinant_3d`], of the rows `a − c`, `b − c`.
#[inline(always)]
fn determinant_2d<const N: usize>(points: [[f64; 2]; 3]) -> Option<Sign> {
    let of = |k: usize| points.map(|p| p[k]);
    let x: [Limbs<N>; 2] = differences(of(0))?;
    let y: [Limbs<N>; 2] = differences(of(1))?;
    if N == 1 {
        return Some(match minor(x[0][0], y[1][0], x[1][0], y[0][0]) {
            0 => Sign::Zero,
            1.. => Sign::Positive,
            _ => Sign::Negative,
        });
    }
    let mut sums = [Sum::default(); 2 * 3 - 1];
    for i in 0..N {
        for j in 0..N {
            sums[i + j].add(Sum::new(0, minor(x[0][i], y[1][j], x[1][i], y[0][j])));
        }
    }
    Some(sign(&sums[..2 * N - 1]))
}

/// The sign of the determinant of `a − d`, `b − d`, `c − d`; `None` if a coordinate's values have
/// bits further apart than 180 places, or the largest is below 2⁻⁹⁶⁴.
pub(crate) fn orient3d(points: [[f64; 3]; 4]) -> Option<Sign> {
    // Faces in one plane across an axis are frequent.
    for k in 0..3 {
        if points.iter().all(|p| p[k] == points[3][k]) {
            return Some(Sign::Zero);
        }
    }
    determinant_3d::<1>(points)
        .or_else(|| determinant_3d::<2>(points))
        .or_else(|| determinant_3d::<3>(points))
}

/// The sign of the determinant of `a − c`, `b − c`; `None` as for [`orient3d`].
pub(crate) fn orient2d(points: [[f64; 2]; 3]) -> Option<Sign> {
    determinant_2d::<1>(points)
        .or_else(|| determinant_2d::<2>(points))
        .or_else(|| determinant_2d::<3>(points))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adversarial::Random;
    use crate::integers::{determinant, integers, sign_of};

    fn big_3d(points: [[f64; 3]; 4]) -> Sign {
        let n = integers::<12>(std::array::from_fn(|i| points[i / 3][i % 3]));
        let at = |i: usize| [&n[3 * i], &n[3 * i + 1], &n[3 * i + 2]];
        sign_of(&determinant(at(0), at(1), at(2), at(3)))
    }

    fn big_2d([a, b, c]: [[f64; 2]; 3]) -> Sign {
        let [ax, ay, bx, by, cx, cy] = integers([a[0], a[1], b[0], b[1], c[0], c[1]]);
        sign_of(&((&ax - &cx) * (&by - &cy) - (&ay - &cy) * (&bx - &cx)))
    }

    /// Points that are nearly, often exactly, in one plane or on one line: of small integers, each
    /// coordinate times a power of two, and some moved by a little.
    fn nearly_flat(r: &mut Random, spread: usize) -> [[f64; 3]; 4] {
        let mut small = || r.below(33) as f64 - 16.0;
        let (o, u, v) =
            ([small(), small(), small()], [small(), small(), small()], [small(), small(), small()]);
        let weights = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0 + small(), 2.0 + small()]];
        let mut points = weights.map(|[s, t]| [0, 1, 2].map(|k| o[k] + s * u[k] + t * v[k]));
        let off = 2f64.powi(-(r.below(spread) as i32));
        match r.below(4) {
            0 => points[r.below(4)][r.below(3)] += off,
            1 => points[r.below(4)][r.below(3)] = off,
            2 => points.iter_mut().flatten().for_each(|x| *x *= 1.0 + off),
            _ => {}
        }
        let powers: [f64; 3] = std::array::from_fn(|_| 2f64.powi(r.below(400) as i32 - 200));
        points.map(|p| [0, 1, 2].map(|k| p[k] * powers[k]))
    }

    #[test]
    fn signs_are_those_of_big_integers() {
        let mut r = Random(71);
        let mut seen = [[0; 3]; 3];
        let mut refused = 0;
        for round in 0..60_000 {
            let points = nearly_flat(&mut r, 1 + round % 240);
            let truth = big_3d(points);
            let of = [
                determinant_3d::<1>(points),
                determinant_3d::<2>(points),
                determinant_3d::<3>(points),
            ];
            for (n, sign) in of.into_iter().enumerate() {
                let Some(sign) = sign else { continue };
                assert_eq!(sign, truth, "{points:?}");
                seen[n][truth as usize] += 1;
            }
            refused += u32::from(of[2].is_none());
            assert_eq!(orient3d(points).unwrap_or(truth), truth, "{points:?}");
            assert!(of[2].is_none() || orient3d(points).is_some(), "{points:?}");
            let flat = [points[0], points[1], points[3]].map(|p| [p[1], p[2]]);
            let truth = big_2d(flat);
            for sign in [
                determinant_2d::<1>(flat),
                determinant_2d::<2>(flat),
                determinant_2d::<3>(flat),
                orient2d(flat),
            ]
            .into_iter()
            .flatten()
            {
                assert_eq!(sign, truth, "{flat:?}");
            }
        }
        assert!(seen.iter().flatten().all(|&n| n > 1000), "{seen:?}");
        assert!(refused > 100, "{refused}");
    }

    /// A number whose lowest bit is 60 N places below the power of two above the largest is taken,
    /// and not one that needs a bit more.
    #[test]
    fn limbs_hold_sixty_bits_each() {
        fn held<const N: usize>(low: f64) -> bool {
            differences::<N, 2, 1>([1.5, low]).is_some()
        }
        let low = |places: i32| 2f64.powi(1 - places);
        assert!(held::<1>(low(60)) && !held::<1>(low(61)) && !held::<1>(3.0 * low(61)));
        assert!(held::<2>(low(120)) && !held::<2>(low(121)) && held::<2>(-3.0 * low(120)));
        assert!(held::<3>(low(180)) && !held::<3>(low(181)));
        let [x] = differences::<2, 2, 1>([1.0, -low(120)]).expect("two limbs");
        assert_eq!(x, [1 << 59, 1]);
        let [x] = differences::<1, 2, 1>([1.0, 1.5]).expect("one limb");
        assert_eq!(x, [-(1 << 58)]);
    }

    /// The largest and the least numbers that are scaled, and what underflows.
    #[test]
    fn numbers_are_scaled_at_both_ends_of_the_range() {
        let of = |x: f64, y: f64| differences::<1, 2, 1>([x, y]);
        let least = 2f64.powi(-964);
        assert_eq!(of(least, 0.0), Some([[1 << 59]]));
        assert_eq!(of(least.next_down(), 0.0), None);
        assert_eq!(of(0.0, -0.0), Some([[0]]));
        assert_eq!(of(f64::from_bits(1), 0.0), None);
        assert_eq!(of(f64::MAX, 0.0).map(|[[x]]| x), Some(((1 << 53) - 1) << 7));
        for n in [1.0, f64::MAX] {
            let tiny = f64::from_bits(1);
            assert_eq!(differences::<3, 2, 1>([n, tiny]), None);
        }
    }

    /// All limbs are as large as they get, in every combination of signs.
    #[test]
    fn sums_do_not_overflow() {
        let most = (2f64.powi(53) - 1.0) * 2f64.powi(-53);
        for signs in 0..1u32 << 12 {
            let sign = |bit: usize| if signs >> bit & 1 == 1 { -1.0 } else { 1.0 };
            let mut points = [[0.0; 3]; 4];
            for (i, p) in points.iter_mut().enumerate() {
                for (k, x) in p.iter_mut().enumerate() {
                    let size = [most, most * 2f64.powi(-60), most * 2f64.powi(-120)];
                    *x = sign(3 * i + k) * size[if i == 0 { 0 } else { (i + k) % 3 }];
                }
            }
            assert_eq!(orient3d(points), Some(big_3d(points)), "{points:?}");
            let flat = [points[0], points[1], points[2]].map(|p| [p[0], p[1]]);
            assert_eq!(orient2d(flat), Some(big_2d(flat)), "{flat:?}");
        }
    }

    #[test]
    fn sums_are_rounded_down() {
        let of = |x: i128| Sum::new(0, x);
        let (one, limb) = (of(1), of(1 << BITS));
        assert_eq!(sign(&[one, of(-(1 << BITS))]), Sign::Zero);
        assert_eq!(sign(&[one, of(-(1 << BITS) - 1)]), Sign::Negative);
        assert_eq!(sign(&[one, of(1 - (1 << BITS))]), Sign::Positive);
        assert_eq!(sign(&[of(0), of(0), of(-1)]), Sign::Negative);
        assert_eq!(sign(&[of(0), of(0), of(1)]), Sign::Positive);
        assert_eq!(sign(&[of(0), of(1), of(1)]), Sign::Positive);
        assert_eq!(sign(&[of(-1), limb, of(1)]), Sign::Positive);
        assert_eq!(sign(&[Sum { high: 1, low: 0 }, of(i128::MIN), of(0)]), Sign::Negative);
        let (half, rest) = Sum { high: -1, low: 5 << BITS }.divided();
        assert_eq!((half.high, half.low, rest), (-1, u64::MAX - 10, false));
    }
}
