//! Oriented boxes for trees: two cache lines with their link, tested with the three columns of a
//! rotation side by side in lanes.
//!
//! Fifteen axes after Gottschalk, Lin and Manocha 1996 (fan eq. 2-7 … 2-9): with `R = Aᵀ B` and
//! `T = Aᵀ (c_B − c_A)`, two boxes are apart if and only if for one of
//!
//! 1. `a_i`:        `|T_i| > α_i + Σ_j |R_ij| β_j`
//! 2. `b_j`:        `|Σ_i T_i R_ij| > β_j + Σ_i |R_ij| α_i`
//! 3. `a_i × b_j`:  `|T_k R_lj − T_l R_kj| > α_l |R_kj| + α_k |R_lj| + β_m |R_in| + β_n |R_im|`
//!
//! with `(i, l, k)` and `(j, m, n)` cyclic. Every right side is enlarged by the slack of
//! `docs/methods/obbtree.md`, so that rounding never separates; near-parallel edges, whose cross
//! product almost vanishes, are covered by the same term.
//!
//! Tried and left out (2026-11-21, torus of 100k triangles 0.1 % apart, 46 ns per test): both
//! siblings up to their face axes before the first branch, 81 ns; B's boxes seen from A's box with
//! one product fewer, 45 ns; 256-bit registers, 42 ns. Less arithmetic hardly helps, which points to
//! branches and loads; no counters were at hand to show it.

use impinge_geometry::volume::Obb;

use super::Volume;
use super::lanes::Lanes;
use crate::Placement;
use crate::placement::SLACK;

/// An oriented box: `rows[k] = [a_0k, a_1k, a_2k, c_k]` holds coordinate `k` of the three unit
/// axes and of the centre; `half` the half-lengths. 120 bytes.
///
/// Invariant: in exact arithmetic `|a_i · (v − c)| ≤ half_i` for every vertex inside.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct ObbRows {
    rows: [[f64; 4]; 3],
    half: [f64; 3],
}

/// An oriented box of B in A's frame.
#[derive(Clone, Copy, Debug)]
pub struct PlacedObb {
    rows: [Lanes; 3],
    half: Lanes,
}

impl From<&Obb> for ObbRows {
    fn from(obb: &Obb) -> Self {
        let row = |k: usize| [obb.axes[(k, 0)], obb.axes[(k, 1)], obb.axes[(k, 2)], obb.center[k]];
        Self { rows: [row(0), row(1), row(2)], half: obb.half.into() }
    }
}

/// `R`, `|R|`, `T` and the slack of one pair.
struct Relative {
    r: [Lanes; 3],
    t: Lanes,
    slack: f64,
}

impl ObbRows {
    /// A box without extent at the origin, to be replaced.
    pub(crate) const POINT: Self = Self {
        rows: [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]],
        half: [0.0; 3],
    };

    /// The half-lengths along the three axes.
    pub const fn half(&self) -> [f64; 3] {
        self.half
    }

    #[inline(always)]
    fn relative(&self, other: &PlacedObb, pad: f64) -> Relative {
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

impl Relative {
    /// Excess of `|T_i|` over the radii on A's face axes, minus the slack: positive separates.
    #[inline(always)]
    fn face_a(&self, q: &[Lanes; 3], alpha: &[f64; 3], beta: &Lanes) -> (Lanes, Lanes) {
        let reach = |i: usize| {
            let p = q[i] * *beta;
            p.0[0] + p.0[1] + p.0[2] + alpha[i] + self.slack
        };
        (self.t.abs(), Lanes([reach(0), reach(1), reach(2), 0.0]))
    }

    #[inline(always)]
    fn face_b(&self, q: &[Lanes; 3], alpha: &[f64; 3], beta: &Lanes) -> (Lanes, Lanes) {
        let t = &self.t.0;
        let distance = Lanes::splat(t[0]) * self.r[0]
            + Lanes::splat(t[1]) * self.r[1]
            + Lanes::splat(t[2]) * self.r[2];
        let reach = Lanes::splat(alpha[0]) * q[0]
            + Lanes::splat(alpha[1]) * q[1]
            + Lanes::splat(alpha[2]) * q[2]
            + *beta
            + Lanes::splat(self.slack);
        (distance.abs(), reach)
    }

    /// The axes `a_i × b_j` for one `i` and all `j`.
    #[inline(always)]
    fn edges(&self, i: usize, q: &[Lanes; 3], alpha: &[f64; 3], beta: &Lanes) -> (Lanes, Lanes) {
        let (l, k) = ((i + 1) % 3, (i + 2) % 3);
        let t = &self.t.0;
        let distance = Lanes::splat(t[k]) * self.r[l] - Lanes::splat(t[l]) * self.r[k];
        let reach = Lanes::splat(alpha[l]) * q[k]
            + Lanes::splat(alpha[k]) * q[l]
            + beta.next() * q[i].after_next()
            + beta.after_next() * q[i].next()
            + Lanes::splat(self.slack);
        (distance.abs(), reach)
    }
}

/// Covers the error of `1 − R_ij²`, 10 units of rounding over at least 1e-3, and the rest.
const DOWN: f64 = 1.0 - 1e-11;

impl Relative {
    /// The largest excess over the axes `a_i × b_j` of one `i`, divided by the axis' length
    /// `√(1 − R_ij²)`, if it is more than `gap`. Short axes gain nothing and are left out.
    #[inline(always)]
    fn edge_excess(&self, i: usize, over: Lanes, gap: f64) -> f64 {
        let square = Lanes::splat(1.0) - self.r[i] * self.r[i];
        // over / √square > gap, without roots; overflow and underflow only lose the gain.
        if !(over * over.abs()).any_above(square * Lanes::splat(gap * gap)) {
            return gap;
        }
        (0..3)
            .filter(|&j| square.0[j] > 1e-3)
            .map(|j| over.0[j] / square.0[j].sqrt())
            .fold(gap, f64::max)
    }
}

impl Volume for ObbRows {
    type Placed = PlacedObb;

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
    fn meets(&self, other: &PlacedObb, pad: f64) -> bool {
        let relative = self.relative(other, pad);
        let q = relative.r.map(Lanes::abs);
        let (alpha, beta) = (&self.half, &other.half);
        let (x, y) = relative.face_a(&q, alpha, beta);
        if x.any_above(y) {
            return false;
        }
        let (x, y) = relative.face_b(&q, alpha, beta);
        if x.any_above(y) {
            return false;
        }
        for i in 0..3 {
            let (x, y) = relative.edges(i, &q, alpha, beta);
            if x.any_above(y) {
                return false;
            }
        }
        true
    }

    /// The largest of: the excess vector on A's face axes, that on B's, and the excess over each
    /// edge axis divided by its length. Each is a true lower bound: the first two because the boxes
    /// lie in orthogonal slabs, the third because it is a projection.
    #[inline]
    fn gap(&self, other: &PlacedObb, pad: f64, enough: f64) -> f64 {
        let relative = self.relative(other, pad);
        let q = relative.r.map(Lanes::abs);
        let (alpha, beta) = (&self.half, &other.half);
        let (x, y) = relative.face_a(&q, alpha, beta);
        let mut gap = excess(x, y);
        if gap * DOWN > enough {
            return gap * DOWN;
        }
        let (x, y) = relative.face_b(&q, alpha, beta);
        gap = gap.max(excess(x, y));
        for i in 0..3 {
            if gap * DOWN > enough {
                break;
            }
            let (x, y) = relative.edges(i, &q, alpha, beta);
            gap = gap.max(relative.edge_excess(i, x - y, gap));
        }
        gap * DOWN
    }

    #[inline(always)]
    fn size(&self) -> f64 {
        let h = &self.half;
        h[0].max(h[1]).max(h[2])
    }

    fn bounds(placed: &PlacedObb) -> [[f64; 2]; 3] {
        [0, 1, 2].map(|k| {
            let row = &placed.rows[k].0;
            let h = &placed.half.0;
            let reach = row[0].abs() * h[0] + row[1].abs() * h[1] + row[2].abs() * h[2];
            let reach = reach + SLACK * (h[0] + h[1] + h[2] + row[3].abs());
            [row[3] - reach, row[3] + reach]
        })
    }
}

/// Length of the vector of positive excesses; the largest one where squares would leave the range.
fn excess(x: Lanes, y: Lanes) -> f64 {
    let e = [0, 1, 2].map(|i| (x.0[i] - y.0[i]).max(0.0));
    let largest = e[0].max(e[1]).max(e[2]);
    if (1e-140..1e140).contains(&largest) {
        (e[0] * e[0] + e[1] * e[1] + e[2] * e[2]).sqrt()
    } else {
        largest
    }
}
