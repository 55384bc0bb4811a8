//! Balls: the cheapest test and the loosest wrap (fan §1.3.3.2).
//!
//! Two balls are apart if `|c_B − c_A| > r_A + r_B`. Both sides are squared, so that no root is
//! taken; the right side is enlarged by the query's pad first, which covers the rounding of squares
//! too. A right side that overflows compares as "not apart", and what underflows is covered by the
//! smallest normal number.

use impinge_geometry::Triangle;
use impinge_geometry::volume::Sphere;

use super::{Merge, Volume};
use crate::Placement;
use crate::placement::SLACK;

/// A ball: middle and radius. 32 bytes.
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

/// Is `d` longer than `reach`, which includes the query's pad? Never said of what is not longer by
/// more than the pad is there for.
#[inline(always)]
pub(super) fn certainly_longer(d: [f64; 3], reach: f64) -> bool {
    let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    square > reach * reach + f64::MIN_POSITIVE
}

/// At most the length of `d`, whose components are rounded differences: of them the result is a lower
/// bound too. Where squares would leave the range it is that of the largest component. Differences
/// below the normal range are exact, and there the factor may be lost.
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
