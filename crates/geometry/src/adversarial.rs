//! For tests: searches for inputs on which a rounding error comes near its bound, and computes the
//! exact values to compare with. A bound counts as tested if the search exceeds a quarter of it.
//!
//! Coordinates are integers of up to some 54 bits, so all exact values are integers.

use num_bigint::BigInt;

use crate::Point;
use crate::integers::{Integers, cross, dot, integers};

/// The generator `SplitMix64` of Steele, Lea and Flood 2014.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// Uniform in [−1, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// An integer of magnitude about `size`, of either sign.
    pub(crate) fn about(&mut self, size: f64) -> f64 {
        let x = (size * (1.0 + 0.01 * self.unit().abs())).round();
        if self.below(2) == 0 { x } else { -x }
    }
}

/// A finite f64 with an integer value, exactly.
pub(crate) fn integer(x: f64) -> BigInt {
    let [n, one] = integers([x, 1.0]);
    assert!(x == x.trunc(), "{x} is no integer");
    n / one
}

/// The exact vector from `a` to `b`.
pub(crate) fn between(a: &Point, b: &Point) -> Integers {
    std::array::from_fn(|k| integer(b[k]) - integer(a[k]))
}

/// The exact `(u × v) · w`.
pub(crate) fn triple(u: &Integers, v: &Integers, w: &Integers) -> BigInt {
    dot(&cross(u, v), w)
}

pub(crate) fn points<const N: usize>(x: &[f64]) -> [Point; N] {
    std::array::from_fn(|i| Point::new(x[3 * i], x[3 * i + 1], x[3 * i + 2]))
}

/// The error of `computed` as a fraction of its bound: `|computed − truth| / bound`.
pub(crate) fn share(computed: f64, truth: &BigInt, bound: f64) -> f64 {
    let off = integer(computed) - truth;
    let (digits, shift) = (off.bits().min(64), off.bits().saturating_sub(64));
    let top = u64::try_from((if off < BigInt::from(0) { -off } else { off }) >> shift);
    let top = top.expect("64 bits at most");
    debug_assert!(digits <= 64);
    top as f64 * 2f64.powi(shift as i32) / bound
}

/// Hill-climbs from many random starts towards inputs with a larger `rate`; keeps ever fewer of
/// them for ever more steps. Returns the largest rate found. Takes about `steps` evaluations.
///
/// # Panics
/// If any rate exceeds 1.
pub(crate) fn climb<const N: usize>(
    seed: u64,
    steps: usize,
    start: impl Fn(&mut Random) -> [f64; N],
    rate: impl Fn(&[f64; N]) -> f64,
) -> f64 {
    let mut random = Random(seed);
    let rated = |x: [f64; N]| {
        let rate = rate(&x);
        assert!(rate <= 1.0, "{rate} of the bound at {x:?}");
        (rate, x)
    };
    let mut field: Vec<_> = (0..steps / 5).map(|_| rated(start(&mut random))).collect();
    while field.len() > 1 {
        field.sort_by(|a, b| b.0.total_cmp(&a.0));
        field.truncate(field.len().min(1 + steps / 40) / 4 + 1);
        let each = steps / 5 / field.len();
        for at in &mut field {
            for _ in 0..each {
                let mut y = at.1;
                for _ in 0..=random.below(2) {
                    let k = random.below(N);
                    y[k] += (random.unit() * 2f64.powi(random.below(48) as i32)).round();
                }
                let other = rated(y);
                if other.0 >= at.0 {
                    *at = other;
                }
            }
        }
        if field.len() == 2 {
            field.truncate(1);
        }
    }
    field[0].0
}
