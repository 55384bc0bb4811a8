//! Converts f64 to integers on a common power-of-two scale; vectors of big integers.

use dashu_int::IBig;
use impinge_geometry::Point;

/// `x = mantissa · 2^exponent` with an odd mantissa; `(0, 0)` for zero.
fn decompose(x: f64) -> (i64, i32) {
    assert!(x.is_finite(), "the oracle takes finite coordinates, not {x}");
    let bits = x.to_bits();
    let biased = (bits >> 52 & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    let (magnitude, exponent) =
        if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
    if magnitude == 0 {
        return (0, 0);
    }
    let zeros = magnitude.trailing_zeros();
    let magnitude = (magnitude >> zeros) as i64;
    (if x < 0.0 { -magnitude } else { magnitude }, exponent + zeros as i32)
}

/// Integers `n` and one exponent `e` such that every value is `n · 2^e`, with the largest possible
/// `e`. Exact.
pub(super) fn common_scale(values: &[f64]) -> (Vec<IBig>, i32) {
    let parts: Vec<(i64, i32)> = values.iter().copied().map(decompose).collect();
    let least = parts.iter().filter(|p| p.0 != 0).map(|p| p.1).min().unwrap_or(0);
    let scaled = |&(mantissa, exponent): &(i64, i32)| {
        if mantissa == 0 { IBig::ZERO } else { IBig::from(mantissa) << (exponent - least) as usize }
    };
    (parts.iter().map(scaled).collect(), least)
}

/// A vector of big integers, in units of a power of two known to the caller.
#[derive(Clone, Debug)]
pub(super) struct Vector(pub(super) [IBig; 3]);

impl Vector {
    pub(super) fn minus(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|k| &self.0[k] - &other.0[k]))
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|k| &self.0[k] + &other.0[k]))
    }

    pub(super) fn times(&self, factor: &IBig) -> Self {
        Self(std::array::from_fn(|k| &self.0[k] * factor))
    }

    pub(super) fn dot(&self, other: &Self) -> IBig {
        let [a, b, c] = &self.0;
        let [x, y, z] = &other.0;
        a * x + b * y + c * z
    }

    pub(super) fn cross(&self, other: &Self) -> Self {
        let [a, b, c] = &self.0;
        let [x, y, z] = &other.0;
        Self([b * z - c * y, c * x - a * z, a * y - b * x])
    }

    pub(super) fn squared(&self) -> IBig {
        self.dot(self)
    }
}

/// Converts points to one common scale.
pub(super) fn vectors<const N: usize>(points: [Point; N]) -> ([Vector; N], i32) {
    let flat: Vec<f64> = points.iter().flat_map(|p| [p.x, p.y, p.z]).collect();
    let (n, exponent) = common_scale(&flat);
    let made = std::array::from_fn(|i| Vector(std::array::from_fn(|k| n[3 * i + k].clone())));
    (made, exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_float_comes_back() {
        for x in [0.0, -0.0, 1.0, -1.5, 0.1, 1e300, -1e-300, 5e-324, f64::MIN_POSITIVE] {
            let (mantissa, exponent) = decompose(x);
            assert!(mantissa == 0 || mantissa % 2 != 0);
            let half = exponent / 2;
            assert_eq!(mantissa as f64 * 2f64.powi(half) * 2f64.powi(exponent - half), x);
        }
    }

    #[test]
    fn the_common_scale_is_the_coarsest() {
        let (n, e) = common_scale(&[0.75, 0.0, -4.0]);
        assert_eq!((n, e), (vec![IBig::from(3), IBig::ZERO, IBig::from(-16)], -2));
        let (v, e) = vectors([Point::new(8.0, 0.0, 0.5), Point::new(-2.0, 0.0, 0.0)]);
        assert_eq!((v[0].0.clone(), e), ([16, 0, 1].map(IBig::from), -1));
        assert_eq!(v[1].0, [-4, 0, 0].map(IBig::from));
    }
}
