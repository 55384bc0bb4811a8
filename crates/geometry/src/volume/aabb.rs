//! The axis-aligned box. Comparisons only, so fit, merge, containment and overlap are exact.

use super::{Obb, UNIT, longest};
use crate::{Point, Pose, Triangle, Vector};

/// An axis-aligned box: the points `x` with `min ≤ x ≤ max` in every coordinate.
///
/// Invariant: `min ≤ max` and both finite, except of [`Aabb::EMPTY`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Aabb {
    /// Least coordinates.
    pub min: Point,
    /// Largest coordinates.
    pub max: Point,
}

impl Aabb {
    /// No point is in it, no box meets it, and merged with a box it gives that box.
    /// For merging only: it has no centre, and cannot be posed or stored as JSON.
    pub const EMPTY: Self = Self {
        min: Point::new(f64::INFINITY, f64::INFINITY, f64::INFINITY),
        max: Point::new(f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY),
    };

    /// The smallest box of the points; `None` without points. Exact.
    pub fn fit_points(mut points: impl Iterator<Item = Point>) -> Option<Self> {
        let first = points.next()?;
        let (min, max) = points.fold((first, first), |(lo, hi), p| (lo.inf(&p), hi.sup(&p)));
        Some(Self { min, max })
    }

    /// The smallest box of the triangles; `None` without triangles. Exact.
    pub fn fit(triangles: impl Iterator<Item = Triangle>) -> Option<Self> {
        Self::fit_points(triangles.flatten())
    }

    /// The smallest box of one triangle. Exact.
    #[inline]
    pub fn of_triangle(t: &Triangle) -> Self {
        Self { min: t[0].inf(&t[1]).inf(&t[2]), max: t[0].sup(&t[1]).sup(&t[2]) }
    }

    /// The smallest box that contains both. Exact.
    #[inline]
    #[must_use]
    pub fn merged(&self, other: &Self) -> Self {
        Self { min: self.min.inf(&other.min), max: self.max.sup(&other.max) }
    }

    /// Whether the point is in the box. Exact.
    #[inline]
    pub fn contains(&self, p: &Point) -> bool {
        (0..3).all(|k| self.min[k] <= p[k] && p[k] <= self.max[k])
    }

    /// Whether the boxes share a point. Exact.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        (0..3).all(|k| self.min[k] <= other.max[k] && other.min[k] <= self.max[k])
    }

    /// Whether the boxes may share a point. See [`Obb::overlaps_aabb`].
    pub fn overlaps_obb(&self, other: &Obb) -> bool {
        other.overlaps_aabb(self)
    }

    /// The intersection of the boxes, if they share a point. Exact.
    pub fn intersection(&self, other: &Self) -> Option<Self> {
        let common = Self { min: self.min.sup(&other.min), max: self.max.inf(&other.max) };
        self.overlaps(other).then_some(common)
    }

    /// The axis-aligned box of the posed box. Contains, in exact arithmetic, the exact image of
    /// every point and its image rounded by [`Pose::apply`]. Rounding is monotone, so the latter
    /// lies between the rounded images of the two corners that a row of the rotation selects; the
    /// former is off by at most 4 u of the row's terms, and 16 u are added.
    #[must_use]
    pub fn posed(&self, pose: &Pose) -> Self {
        let (r, t) = (pose.rotation(), pose.translation());
        let mut out = Self { min: self.min, max: self.max };
        for i in 0..3 {
            let ends = |j: usize| (r[(i, j)] * self.min[j], r[(i, j)] * self.max[j]);
            let sum = |pick: fn(f64, f64) -> f64| {
                let at = |j: usize| pick(ends(j).0, ends(j).1);
                ((at(0) + at(1)) + at(2)) + t[i]
            };
            let term = |j: usize| r[(i, j)].abs() * self.min[j].abs().max(self.max[j].abs());
            let pad = 16.0 * UNIT * (term(0) + term(1) + term(2) + t[i].abs()) + f64::MIN_POSITIVE;
            (out.min[i], out.max[i]) = (sum(f64::min) - pad, sum(f64::max) + pad);
        }
        out
    }

    /// The centre, rounded.
    #[inline]
    pub fn center(&self) -> Point {
        Point::from(self.min.coords * 0.5 + self.max.coords * 0.5)
    }

    /// The edge lengths, rounded.
    #[inline]
    pub fn extent(&self) -> Vector {
        self.max - self.min
    }

    /// The index of the longest edge; the first of equals.
    pub fn longest(&self) -> usize {
        longest(&self.extent().into())
    }

    /// Product of the edge lengths; infinite or zero where that leaves the range of f64.
    pub fn volume(&self) -> f64 {
        let e = self.extent();
        e[0] * e[1] * e[2]
    }
}
