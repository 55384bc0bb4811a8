//! The bounding sphere, rounded outward.

use std::f64::consts::PI;

use super::{Aabb, Obb, SLACK, UNIT, power_below_inverse};
use crate::volume::obb::project;
use crate::{Point, Pose, Triangle, Vector};

/// A ball: the points `x` with `|x − center|₂ ≤ radius` in exact arithmetic.
///
/// Invariant: centre and radius are finite, the radius is not negative.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sphere {
    /// Centre, in the frame of the mesh.
    pub center: Point,
    /// Radius, in the unit of the mesh.
    pub radius: f64,
}

/// Steps towards the farthest point; the radius is then within some 10 % of the least.
const STEPS: u32 = 8;

impl Sphere {
    /// A small ball around the points; `None` without points. The best of the centre of their box
    /// and eight steps towards the farthest point (Bădoiu and Clarkson 2003). The radius is the
    /// distance of the farthest point, rounded up. O(n), ten passes.
    #[expect(clippy::needless_pass_by_value, reason = "an iterator is its own handle, as in std")]
    pub fn fit_points<I>(points: I) -> Option<Self>
    where
        I: Iterator<Item = Point> + Clone,
    {
        let mut center = Aabb::fit_points(points.clone())?.center();
        let mut best = Self { center, radius: f64::INFINITY };
        for step in 0..=STEPS {
            let (radius, farthest) = farthest(&center, points.clone());
            if radius < best.radius {
                best = Self { center, radius };
            }
            center += (farthest - center) / f64::from(step + 2);
        }
        Some(best)
    }

    /// A small ball around the triangles; `None` without triangles.
    pub fn fit<I>(triangles: I) -> Option<Self>
    where
        I: Iterator<Item = Triangle> + Clone,
    {
        Self::fit_points(triangles.flatten())
    }

    /// The smallest ball with this centre that contains all points, rounded outward.
    pub fn around(center: Point, points: impl Iterator<Item = Point>) -> Self {
        Self { center, radius: farthest(&center, points).0 }
    }

    /// Whether the point is in the ball. `false` is certain; `true` may be wrong within 16 u of the
    /// radius.
    pub fn contains(&self, p: &Point) -> bool {
        length_down(&(p - self.center)) <= self.radius
    }

    /// Whether the balls share a point. `false` is certain; `true` may be wrong within 32 u.
    pub fn overlaps(&self, other: &Self) -> bool {
        length_down(&(other.center - self.center)) <= up(self.radius + other.radius)
    }

    /// Whether ball and box may share a point. `false` is certain.
    pub fn overlaps_aabb(&self, b: &Aabb) -> bool {
        let outside = (b.min - self.center).sup(&(self.center - b.max)).sup(&Vector::zeros());
        length_down(&outside) <= self.radius
    }

    /// Whether ball and box may share a point. `false` is certain: if they share one, the distances
    /// from the three slabs are accurate to 256 u of the sizes involved.
    pub fn overlaps_obb(&self, b: &Obb) -> bool {
        let slack = SLACK * (self.radius + b.half.sum()) + f64::MIN_POSITIVE;
        let at = project(&b.axes, &(self.center - b.center));
        let outside = (at.abs() - b.half).sup(&Vector::zeros());
        length_down(&outside) <= up(self.radius + slack)
    }

    /// A ball that contains both, the smallest up to rounding.
    #[must_use]
    pub fn merged(&self, other: &Self) -> Self {
        let between = other.center - self.center;
        let d = length(&between);
        if up(up(d) + other.radius) <= self.radius {
            return *self;
        }
        if up(up(d) + self.radius) <= other.radius {
            return *other;
        }
        let radius = (d + self.radius + other.radius) * 0.5;
        let part = if d > 0.0 { ((radius - self.radius) / d).clamp(0.0, 1.0) } else { 0.0 };
        let center = self.center + between * part;
        let to = |s: &Self| up(length_up(&(s.center - center)) + s.radius);
        Self { center, radius: to(self).max(to(other)) }
    }

    /// The posed ball. Contains, in exact arithmetic, the exact image of every point and its image
    /// rounded by [`Pose::apply`]: both and the centre are off by at most `16 u (|c|₁ + |t|₁ + r)`,
    /// and 256 u are added.
    #[must_use]
    pub fn posed(&self, pose: &Pose) -> Self {
        let size = self.center.coords.abs().sum() + pose.translation().abs().sum();
        let pad = SLACK * (size + self.radius) + f64::MIN_POSITIVE;
        Self { center: pose.apply(&self.center), radius: self.radius + pad }
    }

    /// The volume `4/3 π r³`; infinite or zero where that leaves the range of f64.
    pub fn volume(&self) -> f64 {
        4.0 / 3.0 * PI * self.radius * self.radius * self.radius
    }
}

/// The largest distance from `center`, rounded up, and the first point at that distance.
fn farthest(center: &Point, points: impl Iterator<Item = Point>) -> (f64, Point) {
    let mut worst = (0.0, *center);
    for p in points {
        let d = length_up(&(p - center));
        if d > worst.0 {
            worst = (d, p);
        }
    }
    worst
}

/// `|v|₂` to 4 u of itself, at any scale: scaled exactly before squaring where squares would leave
/// the range.
fn length(v: &Vector) -> f64 {
    let largest = v.amax();
    if (1e-140..1e140).contains(&largest) {
        return v.norm_squared().sqrt();
    }
    if largest == 0.0 {
        return 0.0;
    }
    let scale = power_below_inverse(largest);
    (v * scale).norm_squared().sqrt() / scale
}

/// An upper bound on `|v|₂`, also for the exact difference that `v` was rounded from.
fn length_up(v: &Vector) -> f64 {
    up(length(v))
}

/// A lower bound on `|v|₂`, also for the exact difference that `v` was rounded from.
fn length_down(v: &Vector) -> f64 {
    (length(v) * (1.0 - 8.0 * UNIT) - f64::from_bits(1)).max(0.0)
}

/// Rounds up by more than eight roundings; zero stays zero.
fn up(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x * (1.0 + 16.0 * UNIT) + f64::from_bits(1) }
}
