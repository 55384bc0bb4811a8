//! Balls: the cheapest test and the loosest fit (fan §1.3.3.2).
//!
//! Two balls are apart if `|c_B − c_A| > r_A + r_B`. Both sides are squared to avoid the root. The
//! right side is enlarged first by the query's pad, which also covers the rounding of the squares.
//! A right side that overflows compares as "not apart", and the smallest normal number covers
//! underflow.

use impinge_geometry::Triangle;
use impinge_geometry::volume::Sphere;

use super::{Merge, Volume};
use crate::Placement;
use crate::placement::SLACK;

/// A ball: centre and radius. 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Ball {
    center: [f64; 3],
    radius: f64,
}

/// A ball of B in A's frame.
#[derive(Clone, Copy, Debug)]
pub struct PlacedBall(Ball);

impl From<&Sphere> for Ball {
    fn from(s: &Sphere) -> Self {
        Self { center: s.center.into(), radius: s.radius }
    }
}

/// Whether `d` is longer than `reach`, which includes the query's pad. `true` only if it is longer
/// by more than the rounding that the pad covers.
#[inline(always)]
pub(super) fn certainly_longer(d: [f64; 3], reach: f64) -> bool {
    let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    square > reach * reach + f64::MIN_POSITIVE
}

/// A lower bound on the length of `d`, also of the exact differences if the components of `d` are
/// rounded ones. If squares would overflow or underflow, the bound is that of the largest
/// component. Differences below the normal range are exact; there the factor may be lost.
pub(crate) fn length_below(d: [f64; 3]) -> f64 {
    let largest = d[0].abs().max(d[1].abs()).max(d[2].abs());
    let length = if (1e-140..1e140).contains(&largest) {
        (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt()
    } else {
        largest
    };
    length * (1.0 - SLACK)
}

impl Volume for Ball {
    const MERGES: bool = true;
    type Frame = Placement;
    type Placed = PlacedBall;

    fn frame(placement: &Placement) -> Placement {
        *placement
    }

    #[inline(always)]
    fn place(&self, placement: &Placement) -> PlacedBall {
        PlacedBall(Self { center: placement.apply(&self.center), radius: self.radius })
    }

    #[inline(always)]
    fn meets(&self, other: &PlacedBall, placement: &Placement) -> bool {
        let d = [0, 1, 2].map(|k| other.0.center[k] - self.center[k]);
        !certainly_longer(d, self.radius + other.0.radius + placement.pad)
    }

    #[inline]
    fn gap(&self, other: &PlacedBall, placement: &Placement, _enough: f64) -> f64 {
        let d = [0, 1, 2].map(|k| other.0.center[k] - self.center[k]);
        let reach = (self.radius + other.0.radius) * (1.0 + SLACK) + placement.pad;
        (length_below(d) - reach).max(0.0) * (1.0 - SLACK)
    }

    #[inline(always)]
    fn size(&self) -> f64 {
        self.radius
    }

    fn center(&self) -> [f64; 3] {
        self.center
    }

    fn bounds(placed: &PlacedBall) -> [[f64; 2]; 3] {
        placed.0.center.map(|c| {
            let reach = placed.0.radius + SLACK * (placed.0.radius + c.abs()) + f64::MIN_POSITIVE;
            [c - reach, c + reach]
        })
    }
}

impl Merge for Ball {
    fn of_triangle(t: &Triangle) -> Self {
        let third = |k: usize| t[0][k] / 3.0 + t[1][k] / 3.0 + t[2][k] / 3.0;
        let center = impinge_geometry::Point::new(third(0), third(1), third(2));
        Self::from(&Sphere::around(center, t.iter().copied()))
    }

    fn merged(&self, other: &Self) -> Self {
        let sphere = |b: &Self| Sphere { center: b.center.into(), radius: b.radius };
        Self::from(&sphere(self).merged(&sphere(other)))
    }

    fn area(&self) -> f64 {
        self.radius * self.radius
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three squares just above half of the least number are rounded up to it, the square of the
    /// reach down, although it is larger than their sum.
    #[test]
    fn squares_that_underflow_prove_nothing() {
        let (side, reach) = (1.58e-162, 2.75e-162_f64);
        let (sum, square) = (side * side + side * side + side * side, reach * reach);
        assert!(sum > square, "as rounded: {sum:e} and {square:e}");
        let scaled = [side, reach].map(|x| x * 2f64.powi(500));
        assert!(3.0 * scaled[0] * scaled[0] < scaled[1] * scaled[1], "without underflow");
        assert!(!certainly_longer([side; 3], reach));
        assert!(certainly_longer([2.0 * side; 3].map(|x| x * 1e10), reach * 1e10));
    }
}
