//! Oriented box against oriented box on 15 axes, in two orders and with one reduced set; against
//! planes, and on the world's axes.
//!
//! # Rounding
//! Let the boxes share a point `x`. Their axes are within 4 u per entry of orthonormal frames, and
//! in those frames the boxes are contained in exact boxes whose half-lengths are larger by at most
//! `8 u Σh`. Then `|D|₂ ≤ S = Σα + Σβ`, so `T = Aᵀ D` is computed to `14 u S` and `R = Aᵀ B` to 18
//! u per entry, and both sides of the fifteen inequalities to at most `116 u S` together, whatever
//! the axis: a nearly vanishing cross product gives two numbers below that. Each right side is
//! enlarged by `256 u S` and the smallest normal number, so rounding never separates.

use nalgebra::Matrix3;

use super::obb::{Obb, project};
use super::{Aabb, SLACK};
use crate::Vector;
use crate::triangle::above;

/// The result of the ordered test and its cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AxisCount {
    /// Whether no axis separated.
    pub overlap: bool,
    /// The number of axes tested, 1 to 15.
    pub tested: u32,
}

/// The intersection of two boxes' intervals on a face axis, as coordinates along that axis from the
/// centre of the box the axis belongs to; rounded outward.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisOverlap {
    /// Start of the intersection.
    pub low: f64,
    /// End of the intersection.
    pub high: f64,
}

impl AxisOverlap {
    /// Length of the intersection.
    pub fn length(&self) -> f64 {
        self.high - self.low
    }
}

/// A pair in the frame of its first box.
struct Relative {
    /// `Aᵀ B`, and its entrywise magnitudes.
    r: Matrix3<f64>,
    q: Matrix3<f64>,
    /// `Aᵀ (c_B − c_A)`.
    t: Vector,
    alpha: Vector,
    beta: Vector,
    slack: f64,
}

impl Relative {
    #[inline(always)]
    fn new(a: &Obb, b: &Obb) -> Self {
        let r = Matrix3::from_columns(&[0, 1, 2].map(|j| project(&a.axes, &b.axis(j))));
        let t = project(&a.axes, &(b.center - a.center));
        let slack = SLACK * (a.half.sum() + b.half.sum()) + f64::MIN_POSITIVE;
        Self { r, q: r.abs(), t, alpha: a.half, beta: b.half, slack }
    }

    /// `|D · s|`, `ρ_A`, `ρ_B` on axis `a_i` (fan eq. 2-9).
    #[inline(always)]
    fn face_a(&self, i: usize) -> [f64; 3] {
        let (q, b) = (&self.q, &self.beta);
        let reach = q[(i, 0)] * b[0] + q[(i, 1)] * b[1] + q[(i, 2)] * b[2];
        [self.t[i], self.alpha[i], reach]
    }

    #[inline(always)]
    fn face_b(&self, j: usize) -> [f64; 3] {
        let (q, a, r, t) = (&self.q, &self.alpha, &self.r, &self.t);
        let reach = q[(0, j)] * a[0] + q[(1, j)] * a[1] + q[(2, j)] * a[2];
        let along = t[0] * r[(0, j)] + t[1] * r[(1, j)] + t[2] * r[(2, j)];
        [along, reach, self.beta[j]]
    }

    #[inline(always)]
    fn edges(&self, i: usize, j: usize) -> [f64; 3] {
        let (q, r, t) = (&self.q, &self.r, &self.t);
        let ((i1, i2), (j1, j2)) = (after(i), after(j));
        let along = t[i2] * r[(i1, j)] - t[i1] * r[(i2, j)];
        let reach_a = self.alpha[i1] * q[(i2, j)] + self.alpha[i2] * q[(i1, j)];
        let reach_b = self.beta[j1] * q[(i, j2)] + self.beta[j2] * q[(i, j1)];
        [along, reach_a, reach_b]
    }

    /// Whether the axis separates beyond rounding: `φ = |D · s| − (ρ_A + ρ_B) > 0` (fan eq. 2-7,
    /// 2-8).
    #[inline(always)]
    fn apart(&self, [along, reach_a, reach_b]: [f64; 3]) -> bool {
        along.abs() > reach_a + reach_b + self.slack
    }

    #[inline(always)]
    fn apart_on_faces(&self) -> bool {
        (0..3).any(|i| self.apart(self.face_a(i))) || (0..3).any(|j| self.apart(self.face_b(j)))
    }
}

#[inline(always)]
fn after(i: usize) -> (usize, usize) {
    ((i + 1) % 3, (i + 2) % 3)
}

/// Indices by ascending half-length; equals keep their order.
fn ascending(half: &Vector) -> [usize; 3] {
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| half[i].total_cmp(&half[j]));
    order
}

impl Obb {
    /// Whether the boxes may share a point, on 15 axes: the faces of `self`, of `other`, then the
    /// cross products (fan eq. 2-7 … 2-9). `false` is certain; `true` may be wrong by rounding, if
    /// they are nearer than `256 u` of the sum of their half-lengths.
    pub fn overlaps(&self, other: &Self) -> bool {
        let pair = Relative::new(self, other);
        if pair.apart_on_faces() {
            return false;
        }
        !(0..3).any(|i| (0..3).any(|j| pair.apart(pair.edges(i, j))))
    }

    /// As [`Obb::overlaps`], with the common intervals on the six face axes if the boxes overlap:
    /// the three of `self`, then the three of `other`. Each is the intersection of the two
    /// intervals, which is shorter than `−φ` if one contains the other.
    pub fn overlap_intervals(&self, other: &Self) -> Option<[AxisOverlap; 6]> {
        if !self.overlaps(other) {
            return None;
        }
        let pair = Relative::new(self, other);
        let common = |at: f64, own: f64, theirs: f64| AxisOverlap {
            low: (-own).max(at - theirs) - pair.slack,
            high: own.min(at + theirs) + pair.slack,
        };
        Some(std::array::from_fn(|k| {
            if k < 3 {
                let [t, a, b] = pair.face_a(k);
                common(t, a, b)
            } else {
                let [t, a, b] = pair.face_b(k - 3);
                common(-t, b, a)
            }
        }))
    }

    /// Whether the boxes may share a point, on the five axes of xie §3.2: with half-lengths
    /// ascending, `e_1, f_1, e_2 × f_3, e_3 × f_2, e_3 × f_3`. Each is one of the fifteen with the
    /// same slack. So this keeps every pair that [`Obb::overlaps`] keeps, and some separated pairs.
    pub fn overlaps_reduced(&self, other: &Self) -> bool {
        let pair = Relative::new(self, other);
        let (e, f) = (ascending(&self.half), ascending(&other.half));
        !(pair.apart(pair.face_a(e[0]))
            || pair.apart(pair.face_b(f[0]))
            || pair.apart(pair.edges(e[1], f[2]))
            || pair.apart(pair.edges(e[2], f[1]))
            || pair.apart(pair.edges(e[2], f[2])))
    }

    /// The fifteen axes in the order of anthology 5 §2: the longest axis of each box, the other
    /// face axes, the cross products with the longest axis of `self`, the rest. The verdict is that
    /// of [`Obb::overlaps`]; the count shows what the order saves.
    pub fn overlaps_ordered(&self, other: &Self) -> AxisCount {
        let pair = Relative::new(self, other);
        let (a, b) = (self.longest(), other.longest());
        let ((a1, a2), (b1, b2)) = (after(a), after(b));
        let faces = [(a, true), (b, false), (a1, true), (a2, true), (b1, false), (b2, false)];
        let mut tested = 0;
        for (k, own) in faces {
            tested += 1;
            if pair.apart(if own { pair.face_a(k) } else { pair.face_b(k) }) {
                return AxisCount { overlap: false, tested };
            }
        }
        for i in [a, a1, a2] {
            for j in [b, b1, b2] {
                tested += 1;
                if pair.apart(pair.edges(i, j)) {
                    return AxisCount { overlap: false, tested };
                }
            }
        }
        AxisCount { overlap: true, tested }
    }

    /// Whether the boxes may share a point, on the world's three axes only (anthology 6, eq. 3-4).
    /// The weakest test; `false` is still certain.
    pub fn overlaps_on_world_axes(&self, other: &Self) -> bool {
        let slack = SLACK * (self.half.sum() + other.half.sum()) + f64::MIN_POSITIVE;
        let reach = |o: &Self, k: usize| {
            let a = &o.axes;
            a[(k, 0)].abs() * o.half[0] + a[(k, 1)].abs() * o.half[1] + a[(k, 2)].abs() * o.half[2]
        };
        (0..3).all(|k| {
            let gap = (other.center[k] - self.center[k]).abs();
            gap <= reach(self, k) + reach(other, k) + slack
        })
    }

    /// Whether the boxes may share a point, with the axis-aligned box as an oriented one (li §3.2).
    pub fn overlaps_aabb(&self, other: &Aabb) -> bool {
        self.overlaps(&Self::from(*other))
    }

    /// Whether the plane `n · x = d` may touch the box. `n` need not be a unit vector; a zero or
    /// not finite `n` gives `true`. With `s = n · c − d` and `r = Σ h_i |a_i · n|`: `|s| ≤ r` (li
    /// §2.3.2, eq. 2-6), enlarged by 256 u of all terms, far more than the four roundings of each.
    /// `false` is certain.
    pub fn overlaps_plane(&self, n: &Vector, d: f64) -> bool {
        let scale = super::power_below_inverse(n.amax());
        let (n, d) = (n * scale, d * scale);
        let s = n.dot(&self.center.coords) - d;
        let on = project(&self.axes, &n).abs();
        let r = on.dot(&self.half);
        let terms = n.abs().dot(&self.center.coords.abs()) + d.abs() + self.half.sum();
        !above(s.abs(), r + (SLACK * terms + f64::MIN_POSITIVE))
    }
}
