//! Oriented boxes tested on five axes instead of fifteen (xie §3.2).
//!
//! With the half-lengths of each box in ascending order, the axes that separate most often are the
//! normals of the largest faces, `e₁` and `f₁`, and the products of the long edges, `e₂ × f₃`,
//! `e₃ × f₂` and `e₃ × f₃`: the Minkowski sum is thinnest along these. The test may keep a pair
//! that is apart, but never drops one that meets.
//!
//! The axes of a box are stored in that order, so that the five are always the same lanes. Two
//! leaves are tested on all fifteen, because the pair of triangles that follows costs more than ten
//! axes.

use impinge_geometry::volume::Obb;

use super::lanes::Lanes;
use super::{ObbRows, PlacedObb, Volume};
use crate::Placement;

/// An oriented box whose axes are sorted by half-length, shortest first. A negative longest
/// half-length marks a leaf's box. 120 bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct ReducedObb(ObbRows);

impl ReducedObb {
    /// A box with sorted axes; `leaf` tells whether it is a leaf's.
    pub fn new(obb: &Obb, leaf: bool) -> Self {
        let box_ = ObbRows::from(obb);
        let mut order = [0, 1, 2];
        order.sort_by(|&i, &j| box_.half[i].total_cmp(&box_.half[j]));
        let [i, j, k] = order;
        let rows = box_.rows.map(|row| [row[i], row[j], row[k], row[3]]);
        let [x, y, z] = order.map(|i| box_.half[i]);
        Self(ObbRows { rows, half: [x, y, if leaf { -z } else { z }] })
    }

    /// The box without the leaf mark.
    #[inline(always)]
    fn plain(&self) -> ObbRows {
        let [x, y, z] = self.0.half;
        ObbRows { rows: self.0.rows, half: [x, y, z.abs()] }
    }
}

/// An oriented box of B in A's frame, and whether it is a leaf's.
#[derive(Clone, Copy, Debug)]
pub struct PlacedReduced {
    placed: PlacedObb,
    leaf: bool,
}

impl Volume for ReducedObb {
    type Frame = Placement;
    type Placed = PlacedReduced;

    fn frame(placement: &Placement) -> Placement {
        *placement
    }

    #[inline(always)]
    fn place(&self, placement: &Placement) -> PlacedReduced {
        let leaf = self.0.half[2].is_sign_negative();
        PlacedReduced { placed: self.plain().place(placement), leaf }
    }

    /// The axes, in this order: `e₁`, `f₁`, then `e₂ × f₃`, `e₃ × f₂`, `e₃ × f₃`.
    #[inline(always)]
    fn meets(&self, other: &PlacedReduced, placement: &Placement) -> bool {
        let own = self.plain();
        let relative = own.relative(&other.placed, placement.pad);
        let (r, t, slack) = (&relative.r, &relative.t.0, relative.slack);
        let (alpha, beta) = (&own.half, &other.placed.half);
        if other.leaf && self.0.half[2].is_sign_negative() {
            return relative.meets(alpha, beta);
        }
        let b = &beta.0;
        let q0 = r[0].abs();
        if t[0].abs() > alpha[0] + (q0 * *beta).sum() + slack {
            return false;
        }
        let along = t[0] * r[0].0[0] + t[1] * r[1].0[0] + t[2] * r[2].0[0];
        let q = |i: usize, j: usize| r[i].0[j].abs();
        let reach = alpha[0] * q(0, 0) + alpha[1] * q(1, 0) + alpha[2] * q(2, 0);
        if along.abs() > b[0] + reach + slack {
            return false;
        }
        // `a_i × b_j` with (i, l, k) and (j, m, n) cyclic, as in `separation`.
        let edge = |i: usize, j: usize| {
            let (l, k, m, n) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
            let distance = t[k] * r[l].0[j] - t[l] * r[k].0[j];
            let reach = alpha[l] * q(k, j) + alpha[k] * q(l, j) + b[m] * q(i, n) + b[n] * q(i, m);
            distance.abs() > reach + slack
        };
        !(edge(1, 2) || edge(2, 1) || edge(2, 2))
    }

    /// The fifteen-axis bound: more axes make it tighter.
    #[inline]
    fn gap(&self, other: &PlacedReduced, placement: &Placement, enough: f64) -> f64 {
        self.plain().gap(&other.placed, placement, enough)
    }

    #[inline(always)]
    fn size(&self) -> f64 {
        self.0.half[2].abs()
    }

    fn center(&self) -> [f64; 3] {
        self.0.center()
    }

    fn bounds(placed: &PlacedReduced) -> [[f64; 2]; 3] {
        ObbRows::bounds(&placed.placed)
    }
}

impl Lanes {
    /// The sum of the first three lanes.
    #[inline(always)]
    fn sum(self) -> f64 {
        self.0[0] + self.0[1] + self.0[2]
    }
}
