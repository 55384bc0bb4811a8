//! Sums from which boxes are fitted: weight, first and second moments of triangles. They are
//! additive, so a tree builder can sum them bottom-up or over ranges.

use nalgebra::Matrix3;

use super::eigen::eigen_axes;
use crate::{Point, Triangle, Vector};

/// The frame of moments: relative to `origin`, times a power of two, so that squares neither
/// overflow nor underflow. All moments of one sum must use the same frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocalFrame {
    /// The point mapped to the zero vector.
    pub origin: Point,
    /// A power of two; local coordinates are at most 1 in magnitude.
    pub scale: f64,
}

impl LocalFrame {
    /// The frame at the centre of an axis-aligned box with these corners, scaled by its size.
    pub fn new(min: &Point, max: &Point) -> Self {
        let origin = Point::from(min.coords * 0.5 + max.coords * 0.5);
        let size = (max - min).amax();
        Self { origin, scale: power_below_inverse(size) }
    }

    /// The frame of the bounding box of these points; `None` without points.
    pub fn of_points(mut points: impl Iterator<Item = Point>) -> Option<Self> {
        let first = points.next()?;
        let (min, max) = points.fold((first, first), |(lo, hi), p| (lo.inf(&p), hi.sup(&p)));
        Some(Self::new(&min, &max))
    }

    /// The local vector of a point: `(p − origin) · scale`.
    #[inline]
    pub fn local(&self, p: &Point) -> Vector {
        (p - self.origin) * self.scale
    }

    /// The point whose local vector is `v`, rounded.
    #[inline]
    pub fn world(&self, v: &Vector) -> Point {
        self.origin + v / self.scale
    }
}

/// A power of two of about `1 / x`, kept away from the ends of the range of f64; 1 for zero.
pub(crate) fn power_below_inverse(x: f64) -> f64 {
    if !(x > 0.0 && x < f64::INFINITY) {
        return 1.0;
    }
    let exponent = ((x.to_bits() >> 52) as i32 - 1023).clamp(-1000, 1000);
    f64::from_bits(((1023 - exponent - 1) as u64) << 52)
}

/// Weight, weighted first moment and weighted second moments of triangles in a [`LocalFrame`].
///
/// Additive. The two kinds, by corners ([`Moments::of_corners`]) and by area
/// ([`Moments::of_area`]), must not be mixed in one sum. Sums over a part `k` times smaller than
/// the frame lose about `2 log₂ k` of the 53 bits; boxes stay valid whatever the sums, but become
/// looser.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    /// Number of triangles, or their area.
    pub weight: f64,
    /// `Σ w m` with the centroids `m`.
    pub first: Vector,
    /// `Σ w ⟨x xᵀ⟩` in the order xx, xy, xz, yy, yz, zz.
    pub second: [f64; 6],
}

impl Moments {
    /// The moments of one triangle by its corners, each with weight ⅓ (fan eq. 2-5, 2-6).
    #[inline]
    pub fn of_corners(frame: &LocalFrame, t: &Triangle) -> Self {
        let [p, q, r] = t.map(|x| frame.local(&x));
        let third = 1.0 / 3.0;
        let second = products(|j, k| (p[j] * p[k] + q[j] * q[k] + r[j] * r[k]) * third);
        Self { weight: 1.0, first: (p + q + r) * third, second }
    }

    /// The moments of one triangle by its area: `A`, `A m`, `A/12 (9 m mᵀ + p pᵀ + q qᵀ + r rᵀ)`
    /// (xie eq. 6).
    #[inline]
    pub fn of_area(frame: &LocalFrame, t: &Triangle) -> Self {
        let [p, q, r] = t.map(|x| frame.local(&x));
        let area = 0.5 * (q - p).cross(&(r - p)).norm();
        let m = (p + q + r) / 3.0;
        let w = area / 12.0;
        let second =
            products(|j, k| w * (9.0 * m[j] * m[k] + p[j] * p[k] + q[j] * q[k] + r[j] * r[k]));
        Self { weight: area, first: m * area, second }
    }

    /// The moments of one point with weight 1.
    #[inline]
    pub fn of_point(frame: &LocalFrame, p: &Point) -> Self {
        let p = frame.local(p);
        Self { weight: 1.0, first: p, second: products(|j, k| p[j] * p[k]) }
    }

    /// The mean `first / weight` in local coordinates; `None` for zero weight.
    pub fn mean(&self) -> Option<Vector> {
        (self.weight > 0.0).then(|| self.first / self.weight)
    }

    /// The covariance `second / weight − mean meanᵀ`; `None` for zero weight.
    pub fn covariance(&self) -> Option<Matrix3<f64>> {
        let m = self.mean()?;
        let s = self.second.map(|x| x / self.weight);
        let [xx, xy, xz, yy, yz, zz] = s;
        Some(Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz) - m * m.transpose())
    }

    /// Principal directions as columns: unit vectors, right-handed, largest variance first. The
    /// identity for zero weight or zero variance.
    pub fn axes(&self) -> Matrix3<f64> {
        self.covariance().map_or_else(Matrix3::identity, |c| eigen_axes(&c))
    }
}

#[inline]
fn products(f: impl Fn(usize, usize) -> f64) -> [f64; 6] {
    [f(0, 0), f(0, 1), f(0, 2), f(1, 1), f(1, 2), f(2, 2)]
}

impl std::ops::AddAssign for Moments {
    #[inline]
    fn add_assign(&mut self, o: Self) {
        self.weight += o.weight;
        self.first += o.first;
        for (a, b) in self.second.iter_mut().zip(o.second) {
            *a += b;
        }
    }
}

impl std::ops::Add for Moments {
    type Output = Self;
    #[inline]
    fn add(mut self, o: Self) -> Self {
        self += o;
        self
    }
}

impl std::iter::Sum for Moments {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), |a, b| a + b)
    }
}
