//! Axis-aligned boxes: 48 bytes, and one rotation for all pairs of a query.
//!
//! B's boxes are moved, not refitted: in A's frame they are boxes along B's axes, so the rotation
//! of any pair of boxes is the query's own. `R`, `|R|` and their transposes are computed once per
//! query; a test is then the fifteen axes of [`separation`](super::separation) without computing
//! `R` (van den Bergen 1997; fan §1.3.3.1). If B is not rotated, three axes are all there are.

use impinge_geometry::{Triangle, volume::Aabb};

use super::lanes::Lanes;
use super::separation::Relative;
use super::{Merge, Volume};
use crate::Placement;
use crate::placement::SLACK;

/// A box along the axes of its mesh, given by its lower and upper corner.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct AxisBox {
    low: [f64; 3],
    high: [f64; 3],
}

/// The rotation and translation of B, by rows and columns, and the query's pad.
#[derive(Clone, Copy, Debug)]
pub struct AxisBoxFrame {
    rows: [Lanes; 3],
    columns: [Lanes; 3],
    translation: Lanes,
    pad: f64,
    /// Whether the axes of B are those of A.
    straight: bool,
}

/// A box of B in A's frame: its centre there, its half-lengths along B's axes.
#[derive(Clone, Copy, Debug)]
pub struct PlacedAxisBox {
    center: Lanes,
    half: Lanes,
    /// The half-lengths of its bounds along A's axes.
    reach: Lanes,
    sum: f64,
}

impl From<&Aabb> for AxisBox {
    fn from(b: &Aabb) -> Self {
        Self { low: b.min.into(), high: b.max.into() }
    }
}

impl From<[[f64; 2]; 3]> for AxisBox {
    /// The box of a lower and an upper bound along each axis.
    fn from(bounds: [[f64; 2]; 3]) -> Self {
        Self { low: bounds.map(|b| b[0]), high: bounds.map(|b| b[1]) }
    }
}

impl AxisBox {
    /// The box between a lower and an upper corner.
    pub const fn new(low: [f64; 3], high: [f64; 3]) -> Self {
        Self { low, high }
    }

    /// The lower corner.
    pub const fn low(&self) -> [f64; 3] {
        self.low
    }

    /// The upper corner.
    pub const fn high(&self) -> [f64; 3] {
        self.high
    }

    /// Centre and half-lengths; they describe the box up to rounding that the query's pad covers.
    /// Halves are summed, so that nothing overflows.
    #[inline(always)]
    fn middle(&self) -> ([f64; 3], [f64; 3]) {
        let (l, h) = (&self.low, &self.high);
        let center = [0, 1, 2].map(|k| 0.5 * l[k] + 0.5 * h[k]);
        (center, [0, 1, 2].map(|k| 0.5 * h[k] - 0.5 * l[k]))
    }

    #[inline(always)]
    fn relative(&self, other: &PlacedAxisBox, frame: &AxisBoxFrame) -> (Relative, [f64; 3]) {
        let (c, half) = self.middle();
        let t = other.center - Lanes([c[0], c[1], c[2], 0.0]);
        let slack = frame.pad + SLACK * (half[0] + half[1] + half[2] + other.sum);
        (Relative { r: frame.rows, t, slack }, half)
    }
}

impl Volume for AxisBox {
    const MERGES: bool = true;
    type Frame = AxisBoxFrame;
    type Placed = PlacedAxisBox;

    fn frame(placement: &Placement) -> AxisBoxFrame {
        let r = &placement.rows;
        let row = |i: usize| Lanes([r[i][0], r[i][1], r[i][2], 0.0]);
        let column = |j: usize| Lanes([r[0][j], r[1][j], r[2][j], 0.0]);
        AxisBoxFrame {
            rows: [row(0), row(1), row(2)],
            columns: [column(0), column(1), column(2)],
            translation: column(3),
            pad: placement.pad,
            straight: (0..3).all(|i| (0..3).all(|j| r[i][j] == if i == j { 1.0 } else { 0.0 })),
        }
    }

    #[inline(always)]
    fn place(&self, frame: &AxisBoxFrame) -> PlacedAxisBox {
        let (c, h) = self.middle();
        let [x, y, z] = frame.columns;
        let center = x * Lanes::splat(c[0]) + y * Lanes::splat(c[1]) + z * Lanes::splat(c[2]);
        let reach = x.abs() * Lanes::splat(h[0])
            + y.abs() * Lanes::splat(h[1])
            + z.abs() * Lanes::splat(h[2]);
        PlacedAxisBox {
            center: center + frame.translation,
            half: Lanes([h[0], h[1], h[2], 0.0]),
            reach,
            sum: h[0] + h[1] + h[2],
        }
    }

    #[inline(always)]
    fn meets(&self, other: &PlacedAxisBox, frame: &AxisBoxFrame) -> bool {
        let (relative, half) = self.relative(other, frame);
        let reach =
            other.reach + Lanes([half[0], half[1], half[2], 0.0]) + Lanes::splat(relative.slack);
        if relative.t.abs().any_above(reach) {
            return false;
        }
        frame.straight || relative.meets_after_face_a(&half, &other.half)
    }

    #[inline]
    fn gap(&self, other: &PlacedAxisBox, frame: &AxisBoxFrame, enough: f64) -> f64 {
        let (relative, half) = self.relative(other, frame);
        relative.gap(&half, &other.half, enough)
    }

    #[inline(always)]
    fn size(&self) -> f64 {
        let extent = |k: usize| self.high[k] - self.low[k];
        extent(0).max(extent(1)).max(extent(2))
    }

    fn center(&self) -> [f64; 3] {
        self.middle().0
    }

    fn bounds(placed: &PlacedAxisBox) -> [[f64; 2]; 3] {
        [0, 1, 2].map(|k| {
            let c = placed.center.0[k];
            let reach = placed.reach.0[k] + SLACK * (placed.sum + c.abs()) + f64::MIN_POSITIVE;
            [c - reach, c + reach]
        })
    }
}

/// The lesser of two numbers, neither NaN: one instruction, where `f64::min` takes three.
#[inline(always)]
fn least(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The greater of two numbers, neither NaN.
#[inline(always)]
fn greatest(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

impl Merge for AxisBox {
    #[inline(always)]
    fn of_triangle(t: &Triangle) -> Self {
        let [p, q, r] = t;
        Self {
            low: [0, 1, 2].map(|k| least(least(p[k], q[k]), r[k])),
            high: [0, 1, 2].map(|k| greatest(greatest(p[k], q[k]), r[k])),
        }
    }

    #[inline(always)]
    fn merged(&self, other: &Self) -> Self {
        Self {
            low: [0, 1, 2].map(|k| least(self.low[k], other.low[k])),
            high: [0, 1, 2].map(|k| greatest(self.high[k], other.high[k])),
        }
    }

    #[inline(always)]
    fn area(&self) -> f64 {
        let [x, y, z] = [0, 1, 2].map(|k| self.high[k] - self.low[k]);
        x * y + y * z + z * x
    }
}
