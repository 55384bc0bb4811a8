//! The fifteen separating axes of two boxes in relative form, shared by every volume that is a box.
//!
//! With `R = Aᵀ B` and `T = Aᵀ (c_B − c_A)`, two boxes are apart if and only if for one of
//!
//! 1. `a_i`:        `|T_i| > α_i + Σ_j |R_ij| β_j`
//! 2. `b_j`:        `|Σ_i T_i R_ij| > β_j + Σ_i |R_ij| α_i`
//! 3. `a_i × b_j`:  `|T_k R_lj − T_l R_kj| > α_l |R_kj| + α_k |R_lj| + β_m |R_in| + β_n |R_im|`
//!
//! with `(i, l, k)` and `(j, m, n)` cyclic (Gottschalk, Lin and Manocha 1996; fan eq. 2-7 … 2-9).
//! Every right side is enlarged by the slack of `docs/methods/obbtree.md`, so that rounding never
//! separates boxes that meet. The slack also covers near-parallel edges, whose cross product almost
//! vanishes.

use super::lanes::Lanes;

/// `R`, `|R|`, `T` and the slack of one pair.
pub(super) struct Relative {
    pub(super) r: [Lanes; 3],
    pub(super) t: Lanes,
    pub(super) slack: f64,
}

impl Relative {
    /// Distances `|T_i|` on A's face axes, and the radii plus slack there: a distance above its
    /// radius separates.
    #[inline(always)]
    pub(super) fn face_a(&self, q: &[Lanes; 3], alpha: &[f64; 3], beta: &Lanes) -> (Lanes, Lanes) {
        let reach = |i: usize| {
            let p = q[i] * *beta;
            p.0[0] + p.0[1] + p.0[2] + alpha[i] + self.slack
        };
        (self.t.abs(), Lanes([reach(0), reach(1), reach(2), 0.0]))
    }

    #[inline(always)]
    pub(super) fn face_b(&self, q: &[Lanes; 3], alpha: &[f64; 3], beta: &Lanes) -> (Lanes, Lanes) {
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

    /// The axes `a_i × b_j` for one `i` and all `j`, in the same form.
    #[inline(always)]
    pub(super) fn edges(
        &self,
        i: usize,
        q: &[Lanes; 3],
        alpha: &[f64; 3],
        beta: &Lanes,
    ) -> (Lanes, Lanes) {
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

impl Relative {
    /// Whether the boxes with half-lengths `alpha` and `beta` may share a point.
    #[inline(always)]
    pub(super) fn meets(&self, alpha: &[f64; 3], beta: &Lanes) -> bool {
        let q = self.r.map(Lanes::abs);
        let (x, y) = self.face_a(&q, alpha, beta);
        !x.any_above(y) && self.meets_after_face_a(alpha, beta)
    }

    /// The same after A's face axes were tested.
    #[inline(always)]
    pub(super) fn meets_after_face_a(&self, alpha: &[f64; 3], beta: &Lanes) -> bool {
        let q = self.r.map(Lanes::abs);
        let (x, y) = self.face_b(&q, alpha, beta);
        if x.any_above(y) {
            return false;
        }
        for i in 0..3 {
            let (x, y) = self.edges(i, &q, alpha, beta);
            if x.any_above(y) {
                return false;
            }
        }
        true
    }

    /// The axes one by one in the order of anthology 5 §2: the number of the first that separates,
    /// from 1, or `None`. Decides as [`Relative::meets`] does.
    #[inline]
    pub(super) fn meets_ordered(&self, alpha: &[f64; 3], beta: &Lanes) -> Option<u32> {
        let b = &beta.0;
        let (i, j) = (longest(alpha), longest(&[b[0], b[1], b[2]]));
        let ((i1, i2), (j1, j2)) = (others(i), others(j));
        let q = self.r.map(Lanes::abs);
        let of_a = |i: usize| {
            let p = q[i] * *beta;
            self.t.0[i].abs() > p.0[0] + p.0[1] + p.0[2] + alpha[i] + self.slack
        };
        if of_a(i) {
            return Some(1);
        }
        let (x, y) = self.face_b(&q, alpha, beta);
        let of_b = |j: usize| x.0[j] > y.0[j];
        let faces = [of_b(j), of_a(i1), of_a(i2), of_b(j1), of_b(j2)];
        if let Some(first) = faces.iter().position(|&apart| apart) {
            return Some(first as u32 + 2);
        }
        let mut tested = 6;
        for i in [i, i1, i2] {
            let (x, y) = self.edges(i, &q, alpha, beta);
            if let Some(first) = [j, j1, j2].iter().position(|&j| x.0[j] > y.0[j]) {
                return Some(tested + first as u32 + 1);
            }
            tested += 3;
        }
        None
    }

    /// A lower bound on the distance of the boxes: the largest of the length of the excess vector
    /// on A's face axes, that on B's, and the excess over each edge axis divided by its length.
    /// Each is a lower bound: the first two because the boxes lie in orthogonal slabs, the third
    /// because it is a projection. Stops as soon as the bound is above `enough`.
    #[inline]
    pub(super) fn gap(&self, alpha: &[f64; 3], beta: &Lanes, enough: f64) -> f64 {
        let q = self.r.map(Lanes::abs);
        let (x, y) = self.face_a(&q, alpha, beta);
        let mut gap = excess(x, y);
        if gap * DOWN > enough {
            return gap * DOWN;
        }
        let (x, y) = self.face_b(&q, alpha, beta);
        gap = gap.max(excess(x, y));
        for i in 0..3 {
            if gap * DOWN > enough {
                break;
            }
            let (x, y) = self.edges(i, &q, alpha, beta);
            gap = gap.max(self.edge_excess(i, x - y, gap));
        }
        gap * DOWN
    }
}

/// The two other axes, cyclically.
#[inline(always)]
const fn others(k: usize) -> (usize, usize) {
    ((k + 1) % 3, (k + 2) % 3)
}

/// The index of the longest half-length.
#[inline(always)]
fn longest(half: &[f64; 3]) -> usize {
    let first = usize::from(half[1] > half[0]);
    if half[2] > half[first] { 2 } else { first }
}

/// Covers the error of `1 − R_ij²`, 10 units of rounding relative to at least 1e-3, and all other
/// rounding: together 2.5e-12.
pub(super) const DOWN: f64 = 1.0 - 2.6e-12;

impl Relative {
    /// The largest excess over the axes `a_i × b_j` of one `i`, divided by the axis' length
    /// `√(1 − R_ij²)`, or `gap` if that is larger. Short axes would gain nothing and are skipped.
    #[inline(always)]
    pub(super) fn edge_excess(&self, i: usize, over: Lanes, gap: f64) -> f64 {
        let square = Lanes::splat(1.0) - self.r[i] * self.r[i];
        // Tests over / √square > gap without roots; overflow and underflow only lose the gain.
        if !(over * over.abs()).any_above(square * Lanes::splat(gap * gap)) {
            return gap;
        }
        (0..3)
            .filter(|&j| square.0[j] > 1e-3)
            .map(|j| over.0[j] / square.0[j].sqrt())
            .fold(gap, f64::max)
    }
}

/// Length of the vector of positive excesses `x − y`; the largest one if squares would overflow or
/// underflow.
pub(super) fn excess(x: Lanes, y: Lanes) -> f64 {
    let e = [0, 1, 2].map(|i| (x.0[i] - y.0[i]).max(0.0));
    let largest = e[0].max(e[1]).max(e[2]);
    if (1e-140..1e140).contains(&largest) {
        (e[0] * e[0] + e[1] * e[1] + e[2] * e[2]).sqrt()
    } else {
        largest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In and out of the range of squares: all components count within, and the largest beyond.
    #[test]
    fn an_excess_is_never_more_than_its_length() {
        for exponent in [-1000, -650, -470, -460, 0, 460, 470, 650, 900] {
            let unit = 2f64.powi(exponent);
            let found = excess(Lanes([3.0 * unit; 4]), Lanes([2.0 * unit; 4])) / unit;
            assert!(found <= 3f64.sqrt() && found > 0.999, "2^{exponent}: {found:e}");
            assert!(found > 1.7 || exponent.abs() >= 466, "2^{exponent}: {found:e}");
        }
        assert_eq!(excess(Lanes([1.0, 2.0, 7.0, 9.0]), Lanes([5.0, 5.0, 3.0, 0.0])), 4.0);
    }
}
