//! Oriented boxes: point containment, posing and merging, each rounded outward.

use nalgebra::Matrix3;

use super::eigen::frame;
use super::obb::{Obb, project};
use super::{Aabb, SLACK, UNIT};
use crate::{Point, Pose, Vector};

impl Obb {
    /// Whether the point is in the box. `false` is certain; `true` may be wrong by rounding, within
    /// `256 u` of the sum of the half-lengths.
    pub fn contains(&self, p: &Point) -> bool {
        let slack = SLACK * self.half.sum() + f64::MIN_POSITIVE;
        let at = project(&self.axes, &(p - self.center));
        (0..3).all(|i| at[i].abs() <= self.half[i] + slack)
    }

    /// The posed box: one rotation and one translation of the basis (anthology 4 §2.2).
    ///
    /// Contains, in exact arithmetic, both the exact image of every point of the box and its image
    /// rounded by [`Pose::apply`]. A posed point is off by at most `4 u (√3 (|c|₁ + Σh) + |t|)` per
    /// coordinate, the posed centre likewise, a posed and re-normalised axis by 15 u, and the
    /// pose's rotation by 8 u: together under `110 u (|c|₁ + |t|₁ + Σh)`, and 256 u are added.
    #[must_use]
    pub fn posed(&self, pose: &Pose) -> Self {
        let turned = [0, 1].map(|i| pose.rotate(&self.axis(i)));
        let size = self.center.coords.abs().sum() + pose.translation().abs().sum();
        let pad = SLACK * (size + self.half.sum()) + f64::MIN_POSITIVE;
        Self {
            center: pose.apply(&self.center),
            axes: frame(&turned[0], &turned[1]),
            half: self.half.map(|h| h + pad),
        }
    }

    /// A box that contains both. Its axes are those of one of the two or half-way between,
    /// whichever gives the least volume.
    #[must_use]
    pub fn merged(&self, other: &Self) -> Self {
        let between = frame(
            &(self.axis(0) + nearest_axis(other, &self.axis(0))),
            &(self.axis(1) + nearest_axis(other, &self.axis(1))),
        );
        let candidates = [self.axes, other.axes, between].map(|axes| self.holding(other, &axes));
        let size = |b: &Self| {
            let h = b.half / b.half.amax().max(f64::MIN_POSITIVE);
            (b.half.amax(), h[0] * h[1] * h[2])
        };
        // Volumes are compared relative to the largest half-length, so that no cube leaves the
        // range.
        let least = |x: Self, y: Self| {
            let ((sx, vx), (sy, vy)) = (size(&x), size(&y));
            let ratio = sy / sx.max(f64::MIN_POSITIVE);
            if vy * (ratio * ratio * ratio) < vx { y } else { x }
        };
        let [x, y, z] = candidates;
        least(least(x, y), z)
    }

    /// The box with these axes that contains both. Intervals are relative to `self.center`; each is
    /// off by at most `64 u` of the sizes (see [`Obb::overlaps`]), and 256 u are added.
    fn holding(&self, other: &Self, axes: &Matrix3<f64>) -> Self {
        let reach = |b: &Self| {
            let on = Matrix3::from_columns(&[0, 1, 2].map(|j| project(axes, &b.axis(j)))).abs();
            on * b.half
        };
        let offset = other.center - self.center;
        let at = project(axes, &offset);
        let (ra, rb) = (reach(self), reach(other));
        let low = (-ra).inf(&(at - rb));
        let high = ra.sup(&(at + rb));
        let center = self.center + axes * ((low + high) * 0.5);
        let c = project(axes, &(center - self.center));
        let size = self.half.sum() + other.half.sum() + offset.abs().sum();
        let pad = SLACK * size + f64::MIN_POSITIVE;
        let half = (high - c).sup(&(c - low)).map(|h| h + pad);
        Self { center, axes: *axes, half }
    }
}

/// The axis of `b`, signed, that is closest to `x`.
fn nearest_axis(b: &Obb, x: &Vector) -> Vector {
    let on = project(&b.axes, x);
    let i = on.iamax();
    if on[i] < 0.0 { -b.axis(i) } else { b.axis(i) }
}

impl From<Aabb> for Obb {
    /// The same box with the world's axes. The centre is rounded; each half-length is the larger
    /// distance from it to a face, rounded up.
    fn from(b: Aabb) -> Self {
        let center = b.center();
        let half = (b.max - center).sup(&(center - b.min)) * (1.0 + 4.0 * UNIT);
        Self { center, axes: Matrix3::identity(), half }
    }
}
