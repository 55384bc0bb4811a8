//! A small seeded pseudo-random generator, the only source of random numbers in models, tests and
//! benchmarks.
//!
//! xoshiro256++ (Blackman and Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS
//! 47(4), 2021, doi:10.1145/3460772), seeded by `SplitMix64` as its authors advise. Directions and
//! rotations use only `+ − × ÷ √`, which IEEE 754 rounds the same way everywhere.
//!
//! **The streams never change**: a seed gives the same bits on every machine and in every version.
//! Not for cryptography.

use impinge_geometry::{Pose, Vector};

/// A stream of pseudo-random numbers. A clone continues independently from the same state.
///
/// ```
/// use impinge_models::Random;
/// let mut random = Random::new(7);
/// let x = random.range(-1.0, 1.0);
/// assert!((-1.0..1.0).contains(&x));
/// assert_eq!(x, Random::new(7).range(-1.0, 1.0));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    state: [u64; 4],
}

impl Random {
    /// The stream of `seed`. Any seed is valid; different seeds give unrelated streams.
    pub fn new(seed: u64) -> Self {
        let mut counter = seed;
        let state = std::array::from_fn(|_| split_mix(&mut counter));
        Self { state }
    }

    /// Stream number `index` of a family of unrelated streams derived from `seed`: for example one
    /// per object of a scene or per step of a motion.
    pub fn stream(seed: u64, index: u64) -> Self {
        let (mut a, mut b) = (seed, !index);
        Self::new(split_mix(&mut a) ^ split_mix(&mut b).rotate_left(32))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        let s = &mut self.state;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// Uniform in `[0, 1)`, a multiple of 2⁻⁵³.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
    }

    /// Uniform in `[low, high)` up to rounding, for finite `low <= high` of magnitude below 1e300;
    /// rounding can give `high` itself only where the interval is a few ulps wide.
    pub fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Uniform in `0..n` without bias; 0 if `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        if n == 0 {
            return 0;
        }
        // Multiply-shift with rejection: Lemire, ACM TOMACS 29(1), 2019, doi:10.1145/3230636.
        let threshold = n.wrapping_neg() % n;
        loop {
            let wide = u128::from(self.bits()) * u128::from(n);
            if wide as u64 >= threshold {
                return (wide >> 64) as u64;
            }
        }
    }

    /// `true` with probability `p`.
    pub fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    /// Puts `items` in uniformly random order (Fisher-Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }

    /// A vector with every coordinate uniform in `[low, high)`.
    pub fn vector(&mut self, low: f64, high: f64) -> Vector {
        let x = self.range(low, high);
        let y = self.range(low, high);
        Vector::new(x, y, self.range(low, high))
    }

    /// Uniform on the unit sphere, of length 1 to a few ulps (Marsaglia, Ann. Math. Stat. 43(2),
    /// 1972, doi:10.1214/aoms/1177692644).
    pub fn unit_vector(&mut self) -> Vector {
        let (x, y, s) = self.in_disc();
        let f = 2.0 * (1.0 - s).sqrt();
        Vector::new(f * x, f * y, 1.0 - 2.0 * s)
    }

    /// Uniform in the closed unit ball.
    pub fn in_ball(&mut self) -> Vector {
        loop {
            let v = self.vector(-1.0, 1.0);
            if v.norm_squared() <= 1.0 {
                return v;
            }
        }
    }

    /// A uniformly random rotation as a unit quaternion `x, y, z, w`: uniform on the sphere in four
    /// dimensions (Marsaglia, as above), hence uniform over rotations.
    pub fn quaternion(&mut self) -> [f64; 4] {
        let (x, y, s) = self.in_disc();
        let (z, w, t) = self.in_disc();
        let f = ((1.0 - s) / t).sqrt();
        [x, y, z * f, w * f]
    }

    /// A uniformly random rotation about the origin, followed by the translation `t`.
    ///
    /// # Panics
    /// If a coordinate of `t` is not finite or beyond 1e300.
    pub fn turned_to(&mut self, t: Vector) -> Pose {
        Pose::from_quaternion(t.into(), self.quaternion())
            .expect("the quaternion has norm 1; the translation is the caller's promise")
    }

    /// A random pose: uniform rotation, every coordinate of the translation uniform in
    /// `[-reach, reach)`.
    ///
    /// # Panics
    /// If `reach` is not finite or beyond 1e300.
    pub fn pose(&mut self, reach: f64) -> Pose {
        let t = self.vector(-reach, reach);
        self.turned_to(t)
    }

    /// Uniform in the unit disc without its centre: `x`, `y`, `x² + y²`.
    fn in_disc(&mut self) -> (f64, f64, f64) {
        loop {
            let x = self.range(-1.0, 1.0);
            let y = self.range(-1.0, 1.0);
            let s = x * x + y * y;
            if s < 1.0 && s > 0.0 {
                return (x, y, s);
            }
        }
    }
}

/// One step of `SplitMix64` (Steele, Lea and Flood, OOPSLA 2014, doi:10.1145/2660193.2660195).
fn split_mix(counter: &mut u64) -> u64 {
    *counter = counter.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *counter;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_mix_gives_the_published_numbers() {
        let mut counter = 1_234_567;
        let got: [u64; 3] = std::array::from_fn(|_| split_mix(&mut counter));
        let want =
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(got, want);
    }

    #[test]
    fn xoshiro_gives_the_published_numbers() {
        let mut random = Random { state: [1, 2, 3, 4] };
        let got: [u64; 4] = std::array::from_fn(|_| random.bits());
        assert_eq!(got, [41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386]);
    }
}
