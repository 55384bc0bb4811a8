//! What the algorithm asks of a set of points: which of them is farthest in a direction.

use nalgebra::Point3;

use crate::volume::UNIT;
use crate::{Point, Vector};

/// A point of a set that is farthest in some direction, with the name the set gives it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extreme {
    /// Its index in the set; equal indices are equal points.
    pub index: u32,
    /// Where it is.
    pub point: Point,
}

/// A set of points known by its support function. The algorithm treats it as its convex hull.
pub trait Support {
    /// A point of the set farthest in the direction `d`, whose largest component has a magnitude
    /// in [½, 1]. It may fall short of the true maximum by [`Support::excess`].
    fn farthest(&mut self, d: &Vector) -> Extreme;

    /// A length `e ≥ 0`, the same for every direction: no point `x` of the set has
    /// `d · x > d · farthest(d).point + e · |d|₁`. Every proof is weakened by it.
    fn excess(&self) -> f64;
}

/// Listed points in one frame, searched one by one.
#[derive(Clone, Copy, Debug)]
pub struct Cloud<'p> {
    points: &'p [Point],
    excess: f64,
}

impl<'p> Cloud<'p> {
    /// The set of these points; `None` if there is none or a coordinate is not finite or beyond
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
    /// The first of those that are equally far.
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
