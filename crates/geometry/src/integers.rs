//! Coordinates as big integers on one scale, and vectors of them: what decides where f64 cannot.

use num_bigint::BigInt;

use crate::predicates::Sign;

pub(crate) fn sign_of(x: &BigInt) -> Sign {
    match x.sign() {
        num_bigint::Sign::Minus => Sign::Negative,
        num_bigint::Sign::NoSign => Sign::Zero,
        num_bigint::Sign::Plus => Sign::Positive,
    }
}

/// The numbers as integers, all multiplied by one power of two.
pub(crate) fn integers<const N: usize>(x: [f64; N]) -> [BigInt; N] {
    let parts = x.map(mantissa_exponent);
    let lowest = parts.iter().filter(|p| p.0 != 0).map(|p| p.1).min().unwrap_or(0);
    parts.map(
        |(m, e)| {
            if m == 0 { BigInt::from(0) } else { BigInt::from(m) << (e - lowest).unsigned_abs() }
        },
    )
}

/// `x = m · 2^e` with an integer `m`, for finite `x`.
fn mantissa_exponent(x: f64) -> (i64, i32) {
    let bits = x.to_bits();
    let (fraction, biased) = ((bits & ((1 << 52) - 1)) as i64, ((bits >> 52) & 0x7ff) as i32);
    let (m, e) =
        if biased == 0 { (fraction, -1074) } else { (fraction | (1 << 52), biased - 1075) };
    (if x < 0.0 { -m } else { m }, e)
}

/// A vector of big integers.
pub(crate) type Integers = [BigInt; 3];

/// The determinant of `a − d, b − d, c − d`.
pub(crate) fn determinant(
    a: [&BigInt; 3],
    b: [&BigInt; 3],
    c: [&BigInt; 3],
    d: [&BigInt; 3],
) -> BigInt {
    let minus = |p: [&BigInt; 3]| [p[0] - d[0], p[1] - d[1], p[2] - d[2]];
    let (u, v, w) = (minus(a), minus(b), minus(c));
    &u[2] * (&v[0] * &w[1] - &v[1] * &w[0])
        + &v[2] * (&w[0] * &u[1] - &w[1] * &u[0])
        + &w[2] * (&u[0] * &v[1] - &u[1] * &v[0])
}

/// Component by component.
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
