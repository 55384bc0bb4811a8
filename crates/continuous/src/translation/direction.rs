//! The direction of a translation, and points projected along it.

use impinge_geometry::{MAX_COORDINATE, Vector};

use super::fraction::Fraction;

/// A direction that is refused: a component is not finite or beyond the range of coordinates, or all
/// are zero.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the direction is {0:?}; it must be finite, at most 1e300 in magnitude and not zero")]
pub struct BadDirection(pub [f64; 3]);

/// A direction `d = unit · 2^power`. The largest magnitude among the components of `unit` is in
/// [1, 2). In the search, translations are multiples of `unit`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Direction {
    given: Vector,
    /// Exact, but for what a component loses below the range of f64.
    pub(crate) unit: Vector,
    power: i32,
    /// The index of the largest component.
    pub(crate) axis: usize,
    /// The other two components, in cyclic order, over the largest: rounded once.
    pub(crate) slope: [f64; 2],
}

impl Direction {
    pub(crate) fn new(given: &Vector) -> Result<Self, BadDirection> {
        let largest = given.amax();
        // Written so that NaN fails too; `amax` may pass over one.
        let good = given.iter().all(|x| x.abs() <= MAX_COORDINATE) && largest > 0.0;
        if !good {
            return Err(BadDirection((*given).into()));
        }
        let power = exponent(largest);
        let unit = given.map(|x| scaled(x, -power));
        let axis = given.iamax();
        let slope = [1, 2].map(|k| given[(axis + k) % 3] / given[axis]);
        Ok(Self { given: *given, unit, power, axis, slope })
    }

    /// The direction as it was given.
    pub(crate) const fn given(&self) -> &Vector {
        &self.given
    }

    /// A multiple of `d` as one of `unit`.
    pub(crate) fn of_given(&self, s: Fraction) -> Fraction {
        s.scaled(self.power)
    }

    /// A multiple of `unit` as one of `d`, rounded down.
    pub(crate) fn down(&self, s: f64) -> f64 {
        let x = scaled(s, -self.power);
        // Exact, unless it leaves the range.
        if x.is_infinite() && s.is_finite() {
            if s > 0.0 { f64::MAX } else { f64::NEG_INFINITY }
        } else if s.is_finite() && scaled(x, self.power) > s {
            x.next_down()
        } else {
            x
        }
    }

    /// A multiple of `unit` as one of `d`, rounded up.
    pub(crate) fn up(&self, s: f64) -> f64 {
        -self.down(-s)
    }

    /// A multiple of `d` as one of `unit`: the nearest numbers at both sides.
    pub(crate) fn scale(&self, s: f64) -> [f64; 2] {
        if s.is_infinite() {
            return [s; 2];
        }
        let interval = self.of_given(Fraction::of(s)).interval();
        [interval.low, interval.high]
    }
}

/// The power of two at or below `x`, for a positive number.
fn exponent(x: f64) -> i32 {
    let biased = (x.to_bits() >> 52) as i32;
    // Subnormal numbers: by their leading bit.
    if biased == 0 { -1011 - x.to_bits().leading_zeros() as i32 } else { biased - 1023 }
}

/// `x · 2^power`, rounded once if it leaves the normal range.
fn scaled(x: f64, power: i32) -> f64 {
    let (mut x, mut left) = (x, power);
    // Steps that move towards the range first lose nothing.
    while left != 0 {
        let step = left.clamp(-1000, 1000);
        x *= 2f64.powi(step);
        left -= step;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_component_is_between_one_and_two() {
        for x in [1.0, 0.3, -1e300, 1e-300, f64::from_bits(1), f64::from_bits(12_345), 1.999] {
            let given = Vector::new(x / 4.0, x, -x / 2.0);
            let d = Direction::new(&given).expect("good");
            assert!((1.0..2.0).contains(&d.unit.amax()), "{x}: {}", d.unit);
            assert_eq!((d.axis, scaled(d.unit.y, d.power)), (1, x));
            let there = d.scale(3.5);
            assert!(d.down(there[0]) <= 3.5 && d.up(there[1]) >= 3.5);
        }
    }

    #[test]
    fn other_directions_are_refused() {
        for x in [f64::NAN, f64::INFINITY, 1e301] {
            for k in 0..3 {
                let mut given = Vector::repeat(1.0);
                given[k] = x;
                assert!(Direction::new(&given).is_err(), "{x}");
            }
        }
        assert!(Direction::new(&Vector::zeros()).is_err());
    }

    #[test]
    fn rounding_is_outward() {
        let d = Direction::new(&Vector::new(0.0, 0.0, 2f64.powi(990))).expect("good");
        let s = 2f64.powi(-900);
        assert!(d.down(s) == 0.0 && d.up(s) == f64::from_bits(1));
        assert!(d.down(-s) == -f64::from_bits(1) && d.up(-s) == 0.0);
        let d = Direction::new(&Vector::new(0.0, 0.0, 2f64.powi(-990))).expect("good");
        let s = 2f64.powi(900);
        assert_eq!((d.down(s), d.up(s)), (f64::MAX, f64::INFINITY));
        assert_eq!((d.down(-s), d.up(-s)), (f64::NEG_INFINITY, -f64::MAX));
    }
}
