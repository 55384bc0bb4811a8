//! Fractions of big integers: exact ends of intervals of translations.

use std::cmp::Ordering;

use impinge_geometry::exact;
use impinge_query::continuous::Interval;
use num_bigint::{BigInt, BigUint, Sign};

/// A fraction with a positive denominator, not reduced.
#[derive(Clone, Debug)]
pub(crate) struct Fraction {
    above: BigInt,
    below: BigInt,
}

impl Fraction {
    /// `above / below`; `below` is not zero.
    pub(crate) fn new(above: BigInt, below: BigInt) -> Self {
        match below.sign() {
            Sign::Minus => Self { above: -above, below: -below },
            _ => Self { above, below },
        }
    }

    /// A finite number.
    pub(crate) fn of(x: f64) -> Self {
        let [above, below] = exact::integers([x, 1.0]);
        Self { above, below }
    }

    /// The same times `2^power`.
    pub(crate) fn scaled(self, power: i32) -> Self {
        let Self { above, below } = self;
        match power {
            0.. => Self { above: above << power.unsigned_abs(), below },
            _ => Self { above, below: below << power.unsigned_abs() },
        }
    }

    /// The nearest numbers at both sides; equal if it is a number of f64.
    pub(crate) fn interval(&self) -> Interval {
        let (near, exact) = truncated(self.above.magnitude(), self.below.magnitude());
        let far = if exact { near } else { near.next_up() };
        match self.above.sign() {
            Sign::Minus => Interval { low: -far, high: -near },
            _ => Interval { low: near, high: far },
        }
    }
}

impl PartialEq for Fraction {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Fraction {}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Self) -> Ordering {
        (&self.above * &other.below).cmp(&(&other.above * &self.below))
    }
}

/// The largest number of f64 that is at most `above / below`, and whether it is equal.
fn truncated(above: &BigUint, below: &BigUint) -> (f64, bool) {
    // The quotient is in 2^(e − 1) … 2^(e + 1).
    let e = above.bits() as i64 - below.bits() as i64;
    if e > 1025 {
        return (f64::MAX, false);
    }
    // At least 54 bits of it, unless those are below the least positive number.
    let mut places = (55 - e).min(1074);
    let shift = places.unsigned_abs();
    let (above, below) =
        if places >= 0 { (above << shift, below.clone()) } else { (above.clone(), below << shift) };
    let quotient = &above / &below;
    let mut exact = &quotient * &below == above;
    let mut bits = u64::try_from(&quotient).unwrap_or(u64::MAX);
    let more = (64 - bits.leading_zeros()).saturating_sub(53);
    exact &= bits.trailing_zeros() >= more;
    bits >>= more;
    places -= i64::from(more);
    if 64 - i64::from(bits.leading_zeros()) - places > 1024 {
        return (f64::MAX, false);
    }
    // In three exact steps, as 2^places may be out of range.
    let mut x = bits as f64;
    let mut left = places;
    while left != 0 {
        let step = left.clamp(-900, 900);
        x *= 2f64.powi(-(step as i32));
        left -= step;
    }
    (x, exact)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(above: i64, below: i64) -> Interval {
        Fraction::new(BigInt::from(above), BigInt::from(below)).interval()
    }

    #[test]
    fn numbers_are_themselves() {
        let least = f64::from_bits(1);
        for x in [0.0, 1.0, -0.75, 1e300, -1e-300, least, -3.0 * least, f64::MAX, 0.1] {
            let found = Fraction::of(x).interval();
            assert_eq!((found.low, found.high), (x, x));
        }
    }

    #[test]
    fn others_are_between_neighbours() {
        for (above, below) in [(1, 3), (-2, 3), (1_000_000_007, 998_244_353), (7, -10)] {
            let found = interval(above, below);
            let near = above as f64 / below as f64;
            assert_eq!(found.low.next_up(), found.high);
            assert!(found.low == near || found.high == near);
            let of = |x: f64| Fraction::of(x);
            let exact = Fraction::new(BigInt::from(above), BigInt::from(below));
            assert!(of(found.low) < exact && exact < of(found.high));
        }
    }

    #[test]
    fn what_is_out_of_range_is_held() {
        let large = Fraction::of(f64::MAX).scaled(3).interval();
        assert_eq!((large.low, large.high), (f64::MAX, f64::INFINITY));
        let small = Fraction::of(f64::from_bits(1)).scaled(-1).interval();
        assert_eq!((small.low, small.high), (0.0, f64::from_bits(1)));
        let third = Fraction::new(BigInt::from(-1), BigInt::from(3)).scaled(-1070).interval();
        assert!(third.low < third.high && third.high < 0.0);
        assert_eq!(third.low.next_up(), third.high);
        let back = Fraction::of(2f64.powi(-1000)).scaled(2000).interval();
        assert_eq!((back.low, back.high), (2f64.powi(1000), 2f64.powi(1000)));
    }
}
