//! Moments of a surface, and its principal axes.

/// Area-weighted moments of triangles (xie eq. 6): area, centroid, and second moments about the
/// centroid, which avoids differences of larger numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moments {
    pub(super) area: f64,
    pub(super) mean: [f64; 3],
    /// xx, yy, zz, xy, yz, zx; not divided by the area.
    pub(super) second: [f64; 6],
}

/// The two coordinates of each second moment.
pub(super) const PAIRS: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)];

impl Moments {
    /// Adds the moments of another surface (Chan, Golub and `LeVeque` 1979).
    #[inline(always)]
    pub(super) fn join(&mut self, other: &Self) {
        let area = self.area + other.area;
        if !(other.area > 0.0) {
            return;
        }
        let share = other.area / area;
        let between = self.area * share;
        let way = [0, 1, 2].map(|k: usize| other.mean[k] - self.mean[k]);
        for (i, (j, k)) in PAIRS.into_iter().enumerate() {
            self.second[i] += other.second[i] + between * way[j] * way[k];
        }
        for k in 0..3 {
            self.mean[k] += share * way[k];
        }
        self.area = area;
    }

    /// Principal axes; `None` without area.
    pub(super) fn axes(&self) -> Option<[[f64; 3]; 3]> {
        let largest = self.second.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        if !(largest > 0.0 && largest.is_finite()) {
            return None;
        }
        let mut matrix = self.second.map(|x| [(x / largest) as f32]);
        let mut axes = identity();
        for _ in 0..SWEEPS {
            sweep(&mut matrix, &mut axes);
        }
        Some(axes.map(|a| a.map(|x| f64::from(x[0]))))
    }
}

/// Sweeps after which the largest off-diagonal element is below rounding.
pub(super) const SWEEPS: usize = 4;

/// `N` frames of unit axes: `axes[j][k]` is component `k` of axis `j`.
#[inline(always)]
pub(super) fn identity<const N: usize>() -> [[[f32; N]; 3]; 3] {
    let mut axes = [[[0.0; N]; 3]; 3];
    for k in 0..3 {
        axes[k][k] = [1.0; N];
    }
    axes
}

/// One sweep of Jacobi's method over `N` symmetric matrices (Golub and Van Loan, algorithm 8.4.1).
#[inline(always)]
pub(super) fn sweep<const N: usize>(m: &mut [[f32; N]; 6], axes: &mut [[[f32; N]; 3]; 3]) {
    // (p, q), and indices of pq, pr, qr.
    for (p, q, pq, pr, qr) in [(0, 1, 3, 5, 4), (1, 2, 4, 3, 5), (2, 0, 5, 4, 3)] {
        for l in 0..N {
            let off = m[pq][l];
            let theta = (m[q][l] - m[p][l]) / (2.0 * off);
            let root = theta.abs() + (theta * theta + 1.0).sqrt();
            let t = if off == 0.0 { 0.0 } else { 1.0f32.copysign(theta) / root };
            let c = 1.0 / (t * t + 1.0).sqrt();
            let s = t * c;
            m[p][l] -= t * off;
            m[q][l] += t * off;
            m[pq][l] = 0.0;
            let (x, y) = (m[pr][l], m[qr][l]);
            m[pr][l] = c * x - s * y;
            m[qr][l] = s * x + c * y;
            for k in 0..3 {
                let (x, y) = (axes[p][k][l], axes[q][k][l]);
                axes[p][k][l] = c * x - s * y;
                axes[q][k][l] = s * x + c * y;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_diagonalise() {
        let second = [3.0, 2.0, 1.0, 0.5, -0.3, 0.2];
        let axes = Moments { area: 1.0, mean: [0.0; 3], second }.axes().expect("area");
        let entry = |i: usize, j: usize| match (i.min(j), i.max(j)) {
            (0, 1) => second[3],
            (1, 2) => second[4],
            (0, 2) => second[5],
            (i, _) => second[i],
        };
        for i in 0..3 {
            for j in 0..3 {
                let mut product = 0.0;
                for k in 0..3 {
                    for l in 0..3 {
                        product += axes[i][k] * entry(k, l) * axes[j][l];
                    }
                }
                assert_eq!(i == j, product.abs() > 1e-5, "{i} {j}: {product}");
            }
        }
        assert!(Moments::default().axes().is_none());
    }

    #[test]
    fn moments_add_up() {
        let point = |x: f64| Moments { area: 1.0, mean: [x, 0.0, 0.0], second: [0.0; 6] };
        let mut sum = point(1e3);
        sum.join(&point(1e3 + 2.0));
        sum.join(&Moments::default());
        assert_eq!((sum.area, sum.mean[0], sum.second[0]), (2.0, 1e3 + 1.0, 2.0));
        let mut nothing = Moments::default();
        nothing.join(&sum);
        assert_eq!((nothing.mean[0], nothing.second[0]), (1e3 + 1.0, 2.0));
    }
}
