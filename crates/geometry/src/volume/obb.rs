//! The oriented box, and its fit to points in given axes.

use nalgebra::Matrix3;

use super::{UNIT, longest};
use crate::{Point, Vector};

/// An oriented box: the points `x` with `|a_i · (x − center)| ≤ half_i` in exact arithmetic, where
/// `a_i` is column `i` of `axes`.
///
/// Invariant: the axes are orthonormal up to rounding, `|AᵀA − I| ≤ 8 u` per entry, and
/// right-handed; the half-lengths are not negative. Every constructor here ensures it;
/// [`Obb::validate`] checks it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Obb {
    /// Centre of the box, in the frame of the mesh.
    pub center: Point,
    /// Unit axes as columns.
    pub axes: Matrix3<f64>,
    /// Half-lengths along the axes, in the unit of the mesh.
    pub half: Vector,
}

/// Bound on the error of two projections and their difference, in units of the largest
/// projection. See [`Obb::from_frame`].
const FIT_PAD: f64 = 20.0 * UNIT;

impl Obb {
    /// The smallest box with these axes that contains all points, rounded outward; `None` without
    /// points. `axes` must be orthonormal up to rounding. One pass.
    ///
    /// Every point `v` is projected as `a · (v − o)` with the first point as origin `o`. Each
    /// difference, product and sum of the computed value is off by a factor within `1 ± u`, so the
    /// whole by at most `4 u Σ_k |a_k| |v_k − o_k| ≤ 4 u · |v − o|₂` (Cauchy-Schwarz), and
    /// `|v − o|₂ ≤ √3 P (1 + small)` for the largest projection `P` over points, centre and axes: 7
    /// u P. The centre is projected the same way *after* it was rounded, so its rounding enters the
    /// half-lengths and does not invalidate the box. Two projections, their difference and the
    /// addition of the pad: under 18.1 u P; 20 u P are added, and the smallest normal number for
    /// underflow.
    pub fn from_frame(
        axes: &Matrix3<f64>,
        mut points: impl Iterator<Item = Point>,
    ) -> Option<Self> {
        let origin = points.next()?;
        Some(Self::hull(axes, origin, points))
    }

    /// [`Obb::from_frame`] with one point, `origin`, passed separately; the centre is the middle of
    /// the extents.
    pub(super) fn hull(
        axes: &Matrix3<f64>,
        origin: Point,
        points: impl Iterator<Item = Point>,
    ) -> Self {
        let (low, high) = extents(axes, &origin, points);
        let middle = low * 0.5 + high * 0.5;
        let center = origin + axes * middle;
        Self::around(axes, center, &origin, &low, &high)
    }

    /// The smallest box with these axes *and this centre* that contains all points, rounded
    /// outward; `None` without points.
    pub fn from_frame_at(
        axes: &Matrix3<f64>,
        center: Point,
        mut points: impl Iterator<Item = Point>,
    ) -> Option<Self> {
        let origin = points.next()?;
        let (low, high) = extents(axes, &origin, points);
        Some(Self::around(axes, center, &origin, &low, &high))
    }

    fn around(
        axes: &Matrix3<f64>,
        center: Point,
        origin: &Point,
        low: &Vector,
        high: &Vector,
    ) -> Self {
        let (half, largest) = Self::unpadded(axes, &center, origin, low, high);
        let pad = FIT_PAD * largest + f64::MIN_POSITIVE;
        Self { center, axes: *axes, half: half.map(|h| h + pad) }
    }

    /// Half-lengths without padding, and the largest projection.
    fn unpadded(
        axes: &Matrix3<f64>,
        center: &Point,
        origin: &Point,
        low: &Vector,
        high: &Vector,
    ) -> (Vector, f64) {
        let c = project(axes, &(center - origin));
        let largest = low.amax().max(high.amax()).max(c.amax());
        ((high - c).sup(&(c - low)), largest)
    }

    /// Axis `i` as a unit vector.
    ///
    /// # Panics
    /// If `i > 2`.
    #[inline]
    pub fn axis(&self, i: usize) -> Vector {
        self.axes.column(i).into_owned()
    }

    /// The index of the largest half-length; the first of equals.
    pub fn longest(&self) -> usize {
        longest(&self.half.into())
    }

    /// The volume, `8 h_0 h_1 h_2`; infinite or zero where that leaves the range of f64.
    pub fn volume(&self) -> f64 {
        8.0 * self.half[0] * self.half[1] * self.half[2]
    }

    /// Whether the invariant holds, with the axes tested to 16 u. For tests and debug assertions.
    pub fn validate(&self) -> bool {
        let off = (self.axes.transpose() * self.axes - Matrix3::identity()).amax();
        off <= 8.0 * f64::EPSILON
            && self.axes.determinant() > 0.0
            && self.half.iter().all(|h| *h >= 0.0 && h.is_finite())
            && self.center.iter().all(|c| c.is_finite())
    }
}

/// The projections `Aᵀ d`, each as `(a_x d_x + a_y d_y) + a_z d_z`.
#[inline(always)]
pub(crate) fn project(axes: &Matrix3<f64>, d: &Vector) -> Vector {
    let on = |i: usize| (axes[(0, i)] * d.x + axes[(1, i)] * d.y) + axes[(2, i)] * d.z;
    Vector::new(on(0), on(1), on(2))
}

/// Least and largest projection relative to `origin`, which itself counts as a point.
fn extents(
    axes: &Matrix3<f64>,
    origin: &Point,
    points: impl Iterator<Item = Point>,
) -> (Vector, Vector) {
    let zero = Vector::zeros();
    points.fold((zero, zero), |(low, high), p| {
        let at = project(axes, &(p - origin));
        let less = |a: f64, b: f64| if a < b { a } else { b };
        let more = |a: f64, b: f64| if a > b { a } else { b };
        (low.zip_map(&at, less), high.zip_map(&at, more))
    })
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;

    use super::*;
    use crate::adversarial::{between, climb, integer, points, share};
    use crate::volume::eigen::frame;

    /// An axis in units of 2⁻⁸⁰.
    fn exact_axis(axes: &Matrix3<f64>, i: usize) -> [BigInt; 3] {
        std::array::from_fn(|k| integer(axes[(k, i)] * 2f64.powi(80)))
    }

    #[test]
    fn the_pad_of_a_fit_is_enough_and_needed() {
        let found = climb(
            81,
            20_000,
            |r| std::array::from_fn(|_| r.about(2f64.powi(52))),
            |x: &[f64; 15]| {
                let [a, b, origin, center, v] = points(x);
                let axes = frame(&a.coords, &b.coords);
                let (low, high) = extents(&axes, &origin, std::iter::once(v));
                let (half, largest) = Obb::unpadded(&axes, &center, &origin, &low, &high);
                let from = between(&center, &v);
                let rates = [0, 1, 2].map(|i| {
                    let out = crate::integers::dot(&exact_axis(&axes, i), &from);
                    let out = if out < BigInt::from(0) { -out } else { out };
                    let scale = 2f64.powi(80);
                    let missing = out.clone() > integer(half[i] * scale);
                    let rate = share(half[i] * scale, &out, FIT_PAD * largest * scale);
                    if missing { rate } else { 0.0 }
                });
                rates[0].max(rates[1]).max(rates[2])
            },
        );
        assert!(found > 0.25, "{found}");
    }
}
