//! Oriented boxes for trees: with the link, two cache lines. The three columns of a rotation are
//! computed side by side in lanes.
//!
//! The fifteen axes are in [`separation`](super::separation).
//!
//! Tried and rejected (2026-11-21, torus of 100k triangles 0.1 % apart, 46 ns per test): both
//! siblings up to their face axes before the first branch, 81 ns; B's boxes relative to A's box
//! with one product fewer, 45 ns; 256-bit registers, 42 ns. Less arithmetic hardly helps, which
//! suggests branches and loads as the bottleneck; no hardware counters were available to confirm
//! it.

use impinge_geometry::volume::Obb;

use super::Volume;
use super::lanes::Lanes;
use super::separation::Relative;
use crate::Placement;
use crate::placement::SLACK;

/// An oriented box: `rows[k] = [a_0k, a_1k, a_2k, c_k]` holds coordinate `k` of the three unit
/// axes and of the centre; `half` the half-lengths. 120 bytes.
///
/// Invariant: in exact arithmetic `|a_i · (v − c)| ≤ half_i` for every vertex inside.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct ObbRows {
    pub(super) rows: [[f64; 4]; 3],
    pub(super) half: [f64; 3],
}

/// An oriented box of B in A's frame.
#[derive(Clone, Copy, Debug)]
pub struct PlacedObb {
    pub(super) rows: [Lanes; 3],
    pub(super) half: Lanes,
}

impl From<&Obb> for ObbRows {
    fn from(obb: &Obb) -> Self {
        let row = |k: usize| [obb.axes[(k, 0)], obb.axes[(k, 1)], obb.axes[(k, 2)], obb.center[k]];
        Self { rows: [row(0), row(1), row(2)], half: obb.half.into() }
    }
}

impl From<&ObbRows> for PlacedObb {
    /// A box that is in A's frame already.
    fn from(b: &ObbRows) -> Self {
        let [x, y, z] = b.half;
        Self { rows: b.rows.map(Lanes), half: Lanes([x, y, z, 0.0]) }
    }
}

impl ObbRows {
    /// A box without extent at the origin, as a placeholder.
    pub(crate) const POINT: Self = Self {
        rows: [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]],
        half: [0.0; 3],
    };

    /// Coordinate `k` of the three axes and of the centre, for each `k`.
    pub const fn rows(&self) -> &[[f64; 4]; 3] {
        &self.rows
    }

    /// The half-lengths along the three axes.
    pub const fn half(&self) -> [f64; 3] {
        self.half
    }

    #[inline(always)]
    pub(super) fn relative(&self, other: &PlacedObb, pad: f64) -> Relative {
        let (a, b) = (&self.rows, &other.rows);
        let row = |i: usize| {
            Lanes::splat(a[0][i]) * b[0]
                + Lanes::splat(a[1][i]) * b[1]
                + Lanes::splat(a[2][i]) * b[2]
        };
        let d = [0, 1, 2].map(|k| Lanes::splat(b[k].0[3] - a[k][3]));
        let t = Lanes(a[0]) * d[0] + Lanes(a[1]) * d[1] + Lanes(a[2]) * d[2];
        let sum = (self.half[0] + self.half[1] + self.half[2])
            + (other.half.0[0] + other.half.0[1] + other.half.0[2]);
        Relative { r: [row(0), row(1), row(2)], t, slack: pad + SLACK * sum }
    }
}

impl Volume for ObbRows {
    type Frame = Placement;
    type Placed = PlacedObb;

    fn frame(placement: &Placement) -> Placement {
        *placement
    }

    #[inline(always)]
    fn place(&self, placement: &Placement) -> PlacedObb {
        let b = self.rows.map(Lanes);
        let row = |i: usize| {
            let p = &placement.rows[i];
            let mut row =
                Lanes::splat(p[0]) * b[0] + Lanes::splat(p[1]) * b[1] + Lanes::splat(p[2]) * b[2];
            row.0[3] += p[3];
            row
        };
        let h = self.half;
        PlacedObb { rows: [row(0), row(1), row(2)], half: Lanes([h[0], h[1], h[2], 0.0]) }
    }

    #[inline(always)]
    fn meets(&self, other: &PlacedObb, placement: &Placement) -> bool {
        self.relative(other, placement.pad).meets(&self.half, &other.half)
    }

    #[inline]
    fn gap(&self, other: &PlacedObb, placement: &Placement, enough: f64) -> f64 {
        self.relative(other, placement.pad).gap(&self.half, &other.half, enough)
    }

    #[inline(always)]
    fn size(&self) -> f64 {
        let h = &self.half;
        h[0].max(h[1]).max(h[2])
    }

    fn center(&self) -> [f64; 3] {
        self.rows.map(|row| row[3])
    }

    fn bounds(placed: &PlacedObb) -> [[f64; 2]; 3] {
        [0, 1, 2].map(|k| {
            let row = &placed.rows[k].0;
            let h = &placed.half.0;
            let reach = row[0].abs() * h[0] + row[1].abs() * h[1] + row[2].abs() * h[2];
            let reach = reach + SLACK * (h[0] + h[1] + h[2] + row[3].abs()) + f64::MIN_POSITIVE;
            [row[3] - reach, row[3] + reach]
        })
    }
}
