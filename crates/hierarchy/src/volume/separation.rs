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
        let distance = self.on_b();
        let reach = Lanes::splat(alpha[0]) * q[0]
            + Lanes::splat(alpha[1]) * q[1]
            + Lanes::splat(alpha[2]) * q[2]
            + *beta
            + Lanes::splat(self.slack);
        (distance.abs(), reach)
    }

    /// The vector between the centres on B's axes.
    #[inline(always)]
    fn on_b(&self) -> Lanes {
        let t = &self.t.0;
        Lanes::splat(t[0]) * self.r[0]
            + Lanes::splat(t[1]) * self.r[1]
            + Lanes::splat(t[2]) * self.r[2]
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

    /// A lower bound on the distance of the boxes: the largest of the gap [`along`] the vector of the gaps
    /// on A's face axes, that for B's, and the gap on each edge axis divided by its length. Each is one
    /// because it is that of a projection. Stops as soon as the bound is above `enough`.
    #[inline]
    pub(super) fn gap(&self, alpha: &[f64; 3], beta: &Lanes, enough: f64) -> f64 {
        let mut gap = self.over_faces(alpha, beta, enough);
        if gap * DOWN > enough {
            return gap * DOWN;
        }
        let q = self.r.map(Lanes::abs);
        for i in 0..3 {
            if gap * DOWN > enough {
                break;
            }
            let (x, y) = self.edges(i, &q, alpha, beta);
            gap = gap.max(self.edge_excess(i, x - y, gap));
        }
        gap * DOWN
    }

    /// The larger of the first two of [`Relative::gap`].
    #[inline(always)]
    pub(super) fn gap_by_faces(&self, alpha: &[f64; 3], beta: &Lanes, enough: f64) -> f64 {
        self.over_faces(alpha, beta, enough) * DOWN
    }

    /// The same, before it is rounded down.
    #[inline(always)]
    fn over_faces(&self, alpha: &[f64; 3], beta: &Lanes, enough: f64) -> f64 {
        let q = self.r.map(Lanes::abs);
        let (x, y) = self.face_a(&q, alpha, beta);
        let gap = along(&Gaps::new(&self.t, &(x - y)), &self.r, &q, beta);
        if gap * DOWN > enough {
            return gap;
        }
        let (x, y) = self.face_b(&q, alpha, beta);
        let t = self.on_b();
        let back = [transposed(&self.r), transposed(&q)];
        let alpha = Lanes([alpha[0], alpha[1], alpha[2], 0.0]);
        gap.max(along(&Gaps::new(&t, &(x - y)), &back[0], &back[1], &alpha))
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

/// The positive gaps over the face axes of one box.
struct Gaps {
    /// With the signs of the other box's centre on these axes.
    signed: [f64; 3],
    /// Their magnitudes.
    each: [f64; 3],
    length: f64,
    /// Whether the length is that of the vector. Otherwise squares would overflow or underflow, and it is the
    /// largest gap.
    is_exact: bool,
}

impl Gaps {
    /// `over` is by how much the distances `|x|` exceed the radii.
    #[inline(always)]
    fn new(x: &Lanes, over: &Lanes) -> Self {
        let each = [0, 1, 2].map(|i| if over.0[i] > 0.0 { over.0[i] } else { 0.0 });
        let signed = [0, 1, 2].map(|i| if x.0[i] < 0.0 { -each[i] } else { each[i] });
        let largest = each[0].max(each[1]).max(each[2]);
        let is_exact = (1e-140..1e140).contains(&largest);
        let square = each[0] * each[0] + each[1] * each[1] + each[2] * each[2];
        let length = if is_exact { square.sqrt() } else { largest };
        Self { signed, each, length, is_exact }
    }
}

/// The gap along the vector `g` of the gaps over the axes of one box. `r[j]` are the coordinates of the other's
/// axes on axis `j`, `q` their magnitudes, and `half` its half-lengths.
///
/// Over each axis by itself the other box reaches `Σ_i |R_ji| half_i`. Along the vector it reaches less than
/// these add up to, by `m / |g|`, with `m = Σ_i half_i (Σ_j g_j |R_ji| − |Σ_j ± g_j R_ji|)` and the signs of its
/// centre: so the gap is `|g| + m / |g|`.
#[inline(always)]
fn along(gaps: &Gaps, r: &[Lanes; 3], q: &[Lanes; 3], half: &Lanes) -> f64 {
    if !gaps.is_exact {
        return gaps.length;
    }
    // Of unit length, so that no product is too large.
    let part = |g: f64| Lanes::splat(g / gaps.length);
    let [s, g] = [gaps.signed.map(part), gaps.each.map(part)];
    let one = (s[0] * r[0] + s[1] * r[1] + s[2] * r[2]).abs();
    let each = g[0] * q[0] + g[1] * q[1] + g[2] * q[2];
    let less = (each - one) * *half;
    gaps.length + (less.0[0] + less.0[1] + less.0[2])
}

#[inline(always)]
fn transposed(m: &[Lanes; 3]) -> [Lanes; 3] {
    [0, 1, 2].map(|j| Lanes([m[0].0[j], m[1].0[j], m[2].0[j], 0.0]))
}

#[cfg(test)]
mod tests {
    use impinge_geometry::Vector;
    use impinge_models::Random;

    use super::*;

    /// In and out of the range of squares: all components count within, and the largest beyond.
    #[test]
    fn gaps_are_never_longer_than_their_vector() {
        for exponent in [-1000, -650, -470, -460, 0, 460, 470, 650, 900] {
            let unit = 2f64.powi(exponent);
            let length = |over: [f64; 4]| Gaps::new(&Lanes([1.0; 4]), &Lanes(over)).length;
            let found = length([unit; 4]) / unit;
            assert!(found <= 3f64.sqrt() && found > 0.999, "2^{exponent}: {found:e}");
            assert!(found > 1.7 || exponent.abs() >= 466, "2^{exponent}: {found:e}");
        }
        let gaps = Gaps::new(&Lanes([1.0, -1.0, -1.0, 1.0]), &Lanes([-4.0, -3.0, 4.0, 9.0]));
        assert_eq!((gaps.signed, gaps.length), ([0.0, -0.0, -4.0], 4.0));
    }

    /// Two boxes whose nearest points are corners, one from the other along the vector of the gaps over A's axes:
    /// their relative form, half-lengths, and distance.
    fn corner_to_corner(random: &mut Random) -> Option<(Relative, [Vector; 2], f64)> {
        let r = *random.turned_to(Vector::zeros()).rotation();
        let (alpha, beta) = (random.vector(0.1, 1.0), random.vector(0.1, 1.0));
        let way = random.vector(0.1, 1.0);
        let to_center = (r.transpose() * way).map(f64::signum).component_mul(&beta);
        // By how much B's box around it, along A's axes, is nearer than its corner.
        let nearer = r.abs() * beta - r * to_center;
        let between = nearer * random.range(1.1, 5.0);
        let same_corner = (r.transpose() * between).component_mul(&to_center).min() > 0.0;
        let t = alpha + between + r * to_center;
        let row = |i: usize| Lanes([r[(i, 0)], r[(i, 1)], r[(i, 2)], 0.0]);
        let relative =
            Relative { r: [row(0), row(1), row(2)], t: Lanes([t.x, t.y, t.z, 0.0]), slack: 0.0 };
        same_corner.then(|| (relative, [alpha, beta], between.norm()))
    }

    /// The same boxes with their roles exchanged.
    fn exchanged(relative: &Relative) -> Relative {
        let t = Lanes(relative.on_b().0.map(|x| -x));
        Relative { r: transposed(&relative.r), t, slack: 0.0 }
    }

    /// The bound is the distance there, and no more; the length of the vector is often much less.
    #[test]
    fn the_gap_along_the_vector_of_gaps_is_that_of_corners() {
        let mut random = Random::stream(153, 0);
        let (mut cases, mut shorter) = (0, 0);
        for _ in 0..20_000 {
            let Some((relative, half, distance)) = corner_to_corner(&mut random) else { continue };
            cases += 1;
            for (relative, [alpha, beta]) in
                [(exchanged(&relative), [half[1], half[0]]), (relative, half)]
            {
                let beta = Lanes([beta.x, beta.y, beta.z, 0.0]);
                let gap = relative.gap(&alpha.into(), &beta, f64::INFINITY) / DOWN;
                assert!((gap / distance - 1.0).abs() < 1e-12, "{gap} of {distance}");
                let q = relative.r.map(Lanes::abs);
                let (x, y) = relative.face_a(&q, &alpha.into(), &beta);
                let gaps = Gaps::new(&relative.t, &(x - y));
                shorter += u32::from(gaps.length < 0.8 * distance);
            }
        }
        assert!(cases > 1_000 && shorter > cases / 2, "{shorter} of {cases}");
    }
}
