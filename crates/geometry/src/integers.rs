//! Coordinates as big integers on one scale, and vectors of them, for decisions that f64 cannot
//! make.

use num_bigint::BigInt;

use crate::predicates::Sign;

pub(crate) fn sign_of(x: &BigInt) -> Sign {
    match x.sign() {
        num_bigint::Sign::Minus => Sign::Negative,
        num_bigint::Sign::NoSign => Sign::Zero,
        num_bigint::Sign::Plus => Sign::Positive,
    }
}

/// Finite numbers as integers, all multiplied by the same power of two.
pub fn integers<const N: usize>(x: [f64; N]) -> [BigInt; N] {
    let parts = x.map(mantissa_exponent);
    let lowest = parts.iter().filter(|p| p.0 != 0).map(|p| p.1).min().unwrap_or(0);
    parts.map(
        |(m, e)| {
            if m == 0 { BigInt::from(0) } else { BigInt::from(m) << (e - lowest).unsigned_abs() }
        },
    )
}

/// Differences of finite numbers, `x[i] − x[k]` for each pair `[i, k]`, all multiplied by the same power of two.
pub fn differences<const N: usize>(
    x: [f64; N],
    pairs: impl Iterator<Item = [usize; 2]>,
) -> Vec<BigInt> {
    let parts = x.map(mantissa_exponent);
    let exponents = || parts.iter().filter(|p| p.0 != 0).map(|p| p.1);
    let (lowest, highest) = (exponents().min().unwrap_or(0), exponents().max().unwrap_or(0));
    if highest - lowest > SHIFT {
        let x = integers(x);
        return pairs.map(|[i, k]| &x[i] - &x[k]).collect();
    }
    let mut x = parts.map(|(m, e)| if m == 0 { 0 } else { i128::from(m) << (e - lowest) });
    let zeros = x.iter().fold(0, |all, x| all | x).trailing_zeros() % i128::BITS;
    x = x.map(|x| x >> zeros);
    pairs.map(|[i, k]| BigInt::from(x[i] - x[k])).collect()
}

/// Mantissas of 53 bits and their differences, shifted by so much, have 127 bits at most, with their sign.
const SHIFT: i32 = 72;

/// `x = m · 2^e` with an integer `m`, for finite `x`.
fn mantissa_exponent(x: f64) -> (i64, i32) {
    let bits = x.to_bits();
    let (fraction, biased) = ((bits & ((1 << 52) - 1)) as i64, ((bits >> 52) & 0x7ff) as i32);
    let (m, e) =
        if biased == 0 { (fraction, -1074) } else { (fraction + (1 << 52), biased - 1075) };
    (if x.is_sign_negative() { -m } else { m }, e)
}

pub(crate) type Integers = [BigInt; 3];

/// The determinant of `a − d, b − d, c − d`.
pub(crate) fn determinant(
    a: [&BigInt; 3],
    b: [&BigInt; 3],
    c: [&BigInt; 3],
    d: [&BigInt; 3],
) -> BigInt {
    let minus = |p: [&BigInt; 3]| -> Integers { std::array::from_fn(|k| p[k] - d[k]) };
    dot(&cross(&minus(a), &minus(b)), &minus(c))
}

pub(crate) fn minus(a: &Integers, b: &Integers) -> Integers {
    std::array::from_fn(|k| &a[k] - &b[k])
}

pub(crate) fn dot(a: &Integers, b: &Integers) -> BigInt {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

pub(crate) fn squared(a: &Integers) -> BigInt {
    dot(a, a)
}

pub(crate) fn cross(a: &Integers, b: &Integers) -> Integers {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        &a[j] * &b[k] - &a[k] * &b[j]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adversarial::Random;

    #[test]
    fn integers_are_the_numbers_over_the_least_of_their_powers_of_two() {
        let least = f64::from_bits(1);
        let of = |x: [f64; 4]| integers(x).map(|n| i64::try_from(n).expect("small"));
        // A mantissa has 53 bits.
        let one = 1 << 52;
        assert_eq!(of([1.0, -2.0, 0.0, 1.5]), [one, -2 * one, 0, one + one / 2]);
        assert_eq!(of([0.0, -0.0, 0.0, 0.0]), [0; 4]);
        assert_eq!(of([least, -3.0 * least, f64::MIN_POSITIVE, 0.0]), [1, -3, one, 0]);
        assert_eq!(mantissa_exponent(1.0 + f64::EPSILON), (one + 1, -52));
        assert_eq!(mantissa_exponent(-f64::MAX), (-(2 * one - 1), 971));
        let [large, small] = integers([f64::MAX, least]);
        assert_eq!((large, small), (BigInt::from(2 * one - 1) << 2045u32, BigInt::from(1)));
    }

    /// Of numbers whose exponents are near each other, and of others.
    #[test]
    fn differences_are_those_of_the_integers() {
        let mut random = Random(0xd1f);
        let (mut near, mut smaller) = (0, 0);
        for round in 0..4_000 {
            let spread: f64 = [3.0, 40.0, 72.0, 73.0, 74.0, 600.0][round % 6];
            let x: [f64; 5] = std::array::from_fn(|k| match (k, random.below(8)) {
                (_, 0) => 0.0,
                (_, 1) => random.below(9) as f64 - 4.0,
                // The extremes of the spread, with full mantissas.
                (0, _) => (2.0 - f64::EPSILON) * spread.exp2(),
                (1, _) => -(2.0 - f64::EPSILON),
                _ => 2.0 * random.unit() * (random.unit().abs() * spread).floor().exp2(),
            });
            let pairs = [[0, 1], [1, 0], [2, 3], [4, 4], [3, 0]];
            let (found, all) = (differences(x, pairs.into_iter()), integers(x));
            let expected = pairs.map(|[i, k]| &all[i] - &all[k]);
            let Some(at) = expected.iter().position(|d| *d != BigInt::ZERO) else {
                assert!(found.iter().all(|d| *d == BigInt::ZERO), "{x:?}");
                continue;
            };
            // The same factor, a power of two.
            let zeros = |d: &BigInt| d.trailing_zeros().expect("not zero");
            let factor = zeros(&expected[at]) - zeros(&found[at]);
            let found: Vec<_> = found.into_iter().map(|d| d << factor).collect();
            assert_eq!(found, expected, "{x:?}");
            near += u32::from(spread < 73.0);
            smaller += u32::from(factor > 0);
        }
        assert!(near > 1_000 && smaller > 100, "{near} {smaller}");
    }

    #[test]
    fn products_are_those_of_vectors() {
        let of = |x: [i64; 3]| x.map(BigInt::from);
        let (a, b) = (of([2, -3, 5]), of([7, 11, -13]));
        assert_eq!(minus(&a, &b), of([-5, -14, 18]));
        assert_eq!((dot(&a, &b), squared(&a)), (BigInt::from(-84), BigInt::from(38)));
        assert_eq!(cross(&a, &b), of([-16, 61, 43]));
        let (p, q, r, o) = (of([3, 1, 4]), of([1, 5, 9]), of([2, 6, 5]), of([3, 5, 8]));
        let (u, v, w) = (minus(&p, &o), minus(&q, &o), minus(&r, &o));
        let found = determinant(
            [&p[0], &p[1], &p[2]],
            [&q[0], &q[1], &q[2]],
            [&r[0], &r[1], &r[2]],
            [&o[0], &o[1], &o[2]],
        );
        assert_eq!(found, dot(&u, &cross(&v, &w)));
    }
}
