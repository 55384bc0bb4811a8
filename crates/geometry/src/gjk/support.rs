//! The support function of a point set, as GJK needs it.

use nalgebra::Point3;

use crate::volume::UNIT;
use crate::{Point, Vector};

/// A point of a set that is farthest in some direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extreme {
    /// Its index in the set; equal indices mean equal points.
    pub index: u32,
    /// Its coordinates, in the frame of the query.
    pub point: Point,
}

/// A set of points given by its support function. GJK treats it as its convex hull.
pub trait Support {
    /// A point of the set farthest in the direction `d`, whose largest component has a magnitude in
    /// [½, 1]. May fall short of the true maximum by [`Support::excess`].
    fn farthest(&mut self, d: &Vector) -> Extreme;

    /// A length `e ≥ 0`, the same for every direction: no point `x` of the set has
    /// `d · x > d · farthest(d).point + e · |d|₁`. It is subtracted in every proof.
    fn excess(&self) -> f64;
}

/// A convex set whose support points are points of it, up to rounding.
pub trait Solid: Support {
    /// What each coordinate of [`Support::farthest`] is off at most, from a point of the set.
    fn off(&self) -> f64;
}

/// A list of points in one frame, searched linearly.
#[derive(Clone, Copy, Debug)]
pub struct Cloud<'p> {
    points: &'p [Point],
    excess: f64,
}

impl<'p> Cloud<'p> {
    /// The set of these points; `None` if it is empty or a coordinate is not finite or beyond
    /// [`MAX_COORDINATE`](crate::MAX_COORDINATE).
    pub fn new(points: &'p [Point]) -> Option<Self> {
        let mut largest = 0.0f64;
        for c in points.iter().flat_map(Point3::iter) {
            if !(c.abs() <= crate::MAX_COORDINATE) {
                return None;
            }
            largest = largest.max(c.abs());
        }
        // Two products d · x are compared, each off by at most 3 u |d|₁ m.
        let excess = 8.0 * UNIT * largest + f64::MIN_POSITIVE;
        (!points.is_empty()).then_some(Self { points, excess })
    }
}

impl Support for Cloud<'_> {
    /// The first of equally far points.
    fn farthest(&mut self, d: &Vector) -> Extreme {
        let mut best = Extreme { index: 0, point: self.points[0] };
        let mut height = d.dot(&best.point.coords);
        for (index, &point) in (0u32..).zip(self.points).skip(1) {
            let h = d.dot(&point.coords);
            if h > height {
                (best, height) = (Extreme { index, point }, h);
            }
        }
        best
    }

    fn excess(&self) -> f64 {
        self.excess
    }
}

impl Solid for Cloud<'_> {
    /// The hull has the points as they are.
    fn off(&self) -> f64 {
        0.0
    }
}
