//! Axis-aligned bounds of points; comparing them is exact.

use impinge_geometry::Point;

/// Least and greatest coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) low: [f64; 3],
    pub(crate) high: [f64; 3],
}

/// The lesser of two numbers, neither NaN: one instruction, where `f64::min` takes three.
#[inline(always)]
fn least(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The greater of two numbers, neither NaN.
#[inline(always)]
fn greatest(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

impl Bounds {
    pub(crate) const EMPTY: Self = Self { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] };

    #[inline(always)]
    pub(crate) fn new(points: &[Point]) -> Self {
        points.iter().fold(Self::EMPTY, Self::with)
    }

    /// The bounds with one more point.
    #[inline(always)]
    pub(crate) fn with(self, p: &Point) -> Self {
        Self {
            low: [0, 1, 2].map(|k| least(self.low[k], p[k])),
            high: [0, 1, 2].map(|k| greatest(self.high[k], p[k])),
        }
    }

    /// Whether the closed boxes share a point.
    #[inline(always)]
    #[allow(clippy::needless_bitwise_bool)] // six comparisons and one branch
    pub(crate) fn overlap(&self, other: &Self) -> bool {
        let along = |k: usize| (self.low[k] <= other.high[k]) & (other.low[k] <= self.high[k]);
        along(0) & along(1) & along(2)
    }

    /// The intersection; if it is empty, nothing overlaps the result.
    #[inline(always)]
    pub(crate) fn common(&self, other: &Self) -> Self {
        Self {
            low: [0, 1, 2].map(|k| greatest(self.low[k], other.low[k])),
            high: [0, 1, 2].map(|k| least(self.high[k], other.high[k])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_overlap_unless_they_are_apart_along_an_axis() {
        let cube = Bounds::new(&[Point::origin(), Point::new(1.0, 1.0, 1.0)]);
        for k in 0..3 {
            let moved = |by: f64| {
                let mut other = cube;
                (other.low[k], other.high[k]) = (by, by + 1.0);
                other
            };
            for (by, overlap) in [(1.0, true), (1.25, false), (-1.0, true), (-1.25, false)] {
                assert_eq!(cube.overlap(&moved(by)), overlap, "axis {k}, {by}");
                assert_eq!(moved(by).overlap(&cube), overlap, "axis {k}, {by}");
            }
            let common = cube.common(&moved(0.25));
            assert_eq!((common.low[k], common.high[k]), (0.25, 1.0));
            assert_eq!(common, moved(0.25).common(&cube));
        }
    }
}
