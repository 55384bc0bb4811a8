//! Roots in f64: guesses, which something else proves.

use super::corners::snap;

/// Half the width of an answer, which is less than 2⁻⁴⁰ after both ends are rounded to 2⁻⁵⁰.
const HALF: f64 = 0.49 / (1_u64 << 40) as f64;

/// Steps after which a guess has to do.
const STEPS: usize = 60;

/// About where `Σ c_i (1 − x)^(3−i) x^i` vanishes between 0 and 1; it has opposite signs there.
/// Newton's steps, and halving where they leave the bracket.
pub(crate) fn root(c: [f64; 4]) -> f64 {
    let k = [c[0], c[1] - 3.0 * c[0], c[2] - 2.0 * c[1] + 3.0 * c[0], c[3] - c[2] + c[1] - c[0]];
    let (mut low, mut high) = (0.0, 1.0);
    let mut x = c[0] / (c[0] - c[3]);
    for _ in 0..STEPS {
        let value = ((k[3] * x + k[2]) * x + k[1]) * x + k[0];
        let slope = (3.0 * k[3] * x + 2.0 * k[2]) * x + k[1];
        if (value < 0.0) == (c[0] < 0.0) {
            low = x;
        } else {
            high = x;
        }
        let mut next = x - value / slope;
        // Written so that NaN fails too.
        if !(low <= next && next <= high) {
            next = 0.5 * (low + high);
        }
        let done = (next - x).abs() < 1.0 / (1_u64 << 46) as f64;
        x = next;
        if done {
            break;
        }
    }
    x.clamp(0.0, 1.0)
}

/// The ends of an answer around a time, inside a piece of time; `1 − t` is exact for both.
pub(super) fn around(near: f64, low: f64, high: f64) -> [f64; 2] {
    [snap(near - HALF).max(low), snap(near + HALF).min(high)]
}
