//! Products of linear polynomials whose coefficients have at most 62 bits, without big integers: what differences
//! of coordinates have if their exponents are near each other.

use num_bigint::BigInt;

/// The values at 0 and at 1, each below 2⁶² in magnitude.
pub(crate) type Linear = [i64; 2];

/// The polynomial with these values, if they are small.
pub(crate) fn linear(start: &BigInt, end: &BigInt) -> Option<Linear> {
    let small = |x| i64::try_from(x).ok().filter(|x| x.unsigned_abs() < 1 << 62);
    Some([small(start)?, small(end)?])
}

/// The product of two polynomials, less that of two others. Each coefficient is of at most four products
/// below 2¹²⁴.
pub(crate) fn minor(a: [Linear; 2], b: [Linear; 2]) -> [i128; 3] {
    let times = |[[a, b], [c, d]]: [Linear; 2]| {
        let of = |x: i64, y: i64| i128::from(x) * i128::from(y);
        [of(a, c), of(a, d) + of(b, c), of(b, d)]
    };
    let (p, q) = (times(a), times(b));
    [p[0] - q[0], p[1] - q[1], p[2] - q[2]]
}

/// The determinant of three vectors.
pub(crate) fn determinant([u, v, w]: [[Linear; 3]; 3]) -> [BigInt; 4] {
    let mut sums = [Sum::default(); 4];
    for k in 0..3 {
        let (x, y) = ((k + 1) % 3, (k + 2) % 3);
        for (i, m) in minor([v[x], w[y]], [v[y], w[x]]).into_iter().enumerate() {
            sums[i].add(m, u[k][0]);
            sums[i + 1].add(m, u[k][1]);
        }
    }
    sums.map(Sum::value)
}

/// A sum of at most six products, `2⁶⁴ high + low`.
#[derive(Clone, Copy, Default)]
struct Sum {
    high: i128,
    low: u128,
}

impl Sum {
    /// Adds the product of a number below 2¹²⁶ and one below 2⁶²: six times at most 2¹²⁴ + 2⁶² in the high part.
    fn add(&mut self, x: i128, factor: i64) {
        let factor = i128::from(factor);
        let low = (x & i128::from(u64::MAX)) * factor;
        self.high += (x >> 64) * factor + (low >> 64);
        self.low += u128::from(low as u64);
    }

    fn value(self) -> BigInt {
        let high = self.high + (self.low >> 64) as i128;
        (BigInt::from(high) << 64) + self.low as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::polynomial::Polynomial;
    use impinge_models::Random;

    /// Of numbers of all sizes, and of the largest of both signs.
    #[test]
    fn products_are_those_of_big_integers() {
        let mut random = Random::new(0x5a11);
        for _ in 0..4_000 {
            let mut number = || {
                let most = (1_i64 << 62) - 1;
                match random.below(4) {
                    0 => most,
                    1 => -most,
                    _ => {
                        (random.below(1 << 62) as i64 >> random.below(62))
                            * [1, -1][random.below(2) as usize]
                    }
                }
            };
            let v: [[Linear; 3]; 3] =
                [(); 3].map(|()| [(); 3].map(|()| [(); 2].map(|()| number())));
            let big = v.map(|v| v.map(|[a, b]| Polynomial::linear(a.into(), b.into())));
            let cross = |k: usize| {
                let (x, y) = ((k + 1) % 3, (k + 2) % 3);
                let [p, q] = [&big[1], &big[2]];
                p[x].times(&q[y]).minus(&p[y].times(&q[x]))
            };
            let products = [0, 1, 2].map(|k| big[0][k].times(&cross(k)));
            let [p, q, r] = products;
            assert_eq!(Polynomial::from(determinant(v)), p.plus(&q).plus(&r), "{v:?}");
            let found = minor([v[1][1], v[2][2]], [v[1][2], v[2][1]]);
            assert_eq!(Polynomial::from(found.map(BigInt::from)), cross(0), "{v:?}");
        }
    }

    #[test]
    fn larger_numbers_are_not_small() {
        let most = BigInt::from((1_i64 << 62) - 1);
        let more: BigInt = &most + 1;
        assert_eq!(linear(&most, &-&most), Some([(1 << 62) - 1, 1 - (1 << 62)]));
        for large in [more.clone(), -more, BigInt::from(1) << 64] {
            assert_eq!((linear(&large, &most), linear(&most, &large)), (None, None));
        }
    }
}
