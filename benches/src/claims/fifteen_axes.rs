//! The fifteen-axis test of two oriented boxes over any number type, in any order of axes. It
//! repeats the formulation of `geometry::volume` (fan eq. 2-7 to 2-9) so that operations can be
//! counted. A test checks that both give the same verdicts.

use std::ops::{Add, Mul, Sub};

use impinge::geometry::volume::Obb;

/// The numbers that the test calculates with.
pub(crate) trait Scalar:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
    /// Absolute value.
    fn magnitude(self) -> Self;
    /// `self > other`.
    fn exceeds(self, other: Self) -> bool;
}

impl Scalar for f64 {
    #[inline(always)]
    fn magnitude(self) -> Self {
        self.abs()
    }

    #[inline(always)]
    fn exceeds(self, other: Self) -> bool {
        self > other
    }
}

/// An oriented box with coordinates of type `S`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OrientedBox<S> {
    /// Unit axes.
    pub(crate) axes: [[S; 3]; 3],
    /// Centre.
    pub(crate) center: [S; 3],
    /// Half-lengths.
    pub(crate) half: [S; 3],
}

impl<S> OrientedBox<S> {
    /// Converts every number of the box to `S`.
    pub(crate) fn of(obb: &Obb, number: impl Fn(f64) -> S) -> Self {
        let triple = |f: &dyn Fn(usize) -> f64| [0, 1, 2].map(|k| number(f(k)));
        Self {
            axes: [0, 1, 2].map(|i| triple(&|k| obb.axes[(k, i)])),
            center: triple(&|k| obb.center[k]),
            half: triple(&|k| obb.half[k]),
        }
    }
}

/// One of the fifteen axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Axis {
    /// Face axis `i` of A.
    FaceA(usize),
    /// Face axis `j` of B.
    FaceB(usize),
    /// Cross product of face axis `i` of A and `j` of B.
    Edges(usize, usize),
}

/// All fifteen axes in testing order.
pub(crate) type Order = [Axis; 15];

/// A's faces, B's faces, cross products, with the axes of each box in the given order.
pub(crate) fn boxwise(a: [usize; 3], b: [usize; 3]) -> Order {
    std::array::from_fn(|k| match k {
        0..3 => Axis::FaceA(a[k]),
        3..6 => Axis::FaceB(b[k - 3]),
        _ => Axis::Edges(a[(k - 6) / 3], b[(k - 6) % 3]),
    })
}

/// One axis of A and one of B first, then the other faces, then cross products, beginning with
/// those of A's first axis (anthology 5 §2 with the longest axis first).
pub(crate) fn interleaved(a: [usize; 3], b: [usize; 3]) -> Order {
    let mut order = boxwise(a, b);
    order[1] = Axis::FaceB(b[0]);
    order[2] = Axis::FaceA(a[1]);
    order[3] = Axis::FaceA(a[2]);
    order
}

/// Indices of a box's axes by half-length, longest first.
pub(crate) fn by_length(obb: &Obb) -> [usize; 3] {
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| obb.half[j].total_cmp(&obb.half[i]));
    order
}

/// A pair of boxes in the frame of the first: the terms of the fifteen inequalities.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relative<S> {
    /// `R = Aᵀ B`.
    pub(crate) r: [[S; 3]; 3],
    /// `T = Aᵀ (c_B − c_A)`.
    pub(crate) t: [S; 3],
    /// Half-lengths of A and B.
    pub(crate) half: [[S; 3]; 2],
}

impl<S: Scalar> Relative<S> {
    /// Computes `R` and `T` from two boxes in one frame.
    #[inline(always)]
    pub(crate) fn between(a: &OrientedBox<S>, b: &OrientedBox<S>) -> Self {
        let e = &a.axes;
        // All three axes of A side by side, which the compiler vectorises.
        let project = |v: &[S; 3]| {
            [
                e[0][0] * v[0] + e[0][1] * v[1] + e[0][2] * v[2],
                e[1][0] * v[0] + e[1][1] * v[1] + e[1][2] * v[2],
                e[2][0] * v[0] + e[2][1] * v[1] + e[2][2] * v[2],
            ]
        };
        let [c0, c1, c2] = [project(&b.axes[0]), project(&b.axes[1]), project(&b.axes[2])];
        let (c, d) = (&a.center, &b.center);
        Self {
            r: [[c0[0], c1[0], c2[0]], [c0[1], c1[1], c2[1]], [c0[2], c1[2], c2[2]]],
            t: project(&[d[0] - c[0], d[1] - c[1], d[2] - c[2]]),
            half: [a.half, b.half],
        }
    }

    /// Sum of all six half-lengths. The slack against rounding is a small fraction of it.
    #[inline(always)]
    pub(crate) fn size(&self) -> S {
        let [a, b] = self.half;
        (a[0] + a[1] + a[2]) + (b[0] + b[1] + b[2])
    }

    /// Tests axes in this order until one separates. Returns whether none did, and how many were
    /// tested. `slack` is added to the right side of every inequality.
    pub(crate) fn test(&self, order: &Order, slack: Option<S>) -> (bool, usize) {
        let q = self.magnitudes();
        match order.iter().position(|&axis| self.apart(&q, axis, slack)) {
            Some(before) => (false, before + 1),
            None => (true, order.len()),
        }
    }

    /// `|R|`, used on every axis.
    #[inline(always)]
    pub(crate) fn magnitudes(&self) -> [[S; 3]; 3] {
        let [x, y, z] = &self.r;
        let row = |v: &[S; 3]| [v[0].magnitude(), v[1].magnitude(), v[2].magnitude()];
        [row(x), row(y), row(z)]
    }

    /// Whether this axis separates. `q` are the [`Relative::magnitudes`]; `slack` is added to the
    /// right side.
    #[inline(always)]
    pub(crate) fn apart(&self, q: &[[S; 3]; 3], axis: Axis, slack: Option<S>) -> bool {
        let [along, reach_a, reach_b] = self.sides(q, axis);
        let reach = reach_a + reach_b;
        let reach = slack.map_or(reach, |slack| reach + slack);
        along.magnitude().exceeds(reach)
    }

    /// `D · s`, `ρ_A` and `ρ_B` on one axis.
    #[inline(always)]
    fn sides(&self, q: &[[S; 3]; 3], axis: Axis) -> [S; 3] {
        let Self { r, t, half: [alpha, beta] } = self;
        let after = |i: usize| ((i + 1) % 3, (i + 2) % 3);
        match axis {
            Axis::FaceA(i) => {
                let reach = q[i][0] * beta[0] + q[i][1] * beta[1] + q[i][2] * beta[2];
                [t[i], alpha[i], reach]
            }
            Axis::FaceB(j) => {
                let reach = q[0][j] * alpha[0] + q[1][j] * alpha[1] + q[2][j] * alpha[2];
                let along = t[0] * r[0][j] + t[1] * r[1][j] + t[2] * r[2][j];
                [along, reach, beta[j]]
            }
            Axis::Edges(i, j) => {
                let ((i1, i2), (j1, j2)) = (after(i), after(j));
                let along = t[i2] * r[i1][j] - t[i1] * r[i2][j];
                let reach_a = alpha[i1] * q[i2][j] + alpha[i2] * q[i1][j];
                let reach_b = beta[j1] * q[i][j2] + beta[j2] * q[i][j1];
                [along, reach_a, reach_b]
            }
        }
    }
}

/// The slack of `geometry::volume` as a fraction of [`Relative::size`]: 256 units of rounding.
pub(crate) const SLACK: f64 = 128.0 * f64::EPSILON;

/// Tests two boxes in f64 with slack. Returns whether they overlap and the number of tested axes.
pub(crate) fn count_axes(a: &Obb, b: &Obb, order: &Order) -> (bool, usize) {
    let [a, b] = [a, b].map(|obb| OrientedBox::of(obb, |x| x));
    let pair = Relative::between(&a, &b);
    pair.test(order, Some(SLACK * pair.size() + f64::MIN_POSITIVE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::box_pairs;

    const PLAIN: [usize; 3] = [0, 1, 2];

    #[test]
    fn every_order_holds_every_axis_once() {
        let plain = boxwise(PLAIN, PLAIN);
        for order in [boxwise([2, 0, 1], [1, 2, 0]), interleaved([2, 1, 0], [0, 2, 1])] {
            assert!(plain.iter().all(|axis| order.contains(axis)), "{order:?}");
        }
        assert_eq!(interleaved([2, 1, 0], [1, 0, 2])[..2], [Axis::FaceA(2), Axis::FaceB(1)]);
    }

    #[test]
    fn verdicts_are_those_of_geometry_in_every_order() {
        let pairs = box_pairs::random(4000, 0.5, 7);
        for (a, b) in &pairs {
            let wanted = a.overlaps(b);
            let ordered = a.overlaps_ordered(b);
            assert_eq!(ordered.overlap, wanted);
            for order in [boxwise(PLAIN, PLAIN), interleaved(by_length(a), by_length(b))] {
                assert_eq!(count_axes(a, b, &order).0, wanted);
            }
        }
        // The comparison must notice a test that leaves out an axis. Few pairs have only one
        // separating axis.
        let differs = |left_out: usize| {
            let mut order = boxwise(PLAIN, PLAIN);
            order[left_out] = order[(left_out + 1) % order.len()];
            pairs.iter().filter(|(a, b)| count_axes(a, b, &order).0 != a.overlaps(b)).count()
        };
        assert!((0..15).map(differs).sum::<usize>() > 0);
    }

    #[test]
    fn the_order_of_the_paper_is_counted_as_geometry_counts_it() {
        for (a, b) in &box_pairs::random(2000, 0.3, 8) {
            // The paper names only the longest axis; the other two follow cyclically.
            let from = |obb: &Obb| [0, 1, 2].map(|k| (obb.longest() + k) % 3);
            let (overlap, tested) = count_axes(a, b, &interleaved(from(a), from(b)));
            let counted = a.overlaps_ordered(b);
            assert_eq!((overlap, tested), (counted.overlap, counted.tested as usize));
        }
    }
}
