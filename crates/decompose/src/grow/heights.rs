//! Heights over planes in f64 with error bounds: every positive answer is certain.
//!
//! A height `n · x` is a sum of three products, off by at most 4 u of the sum of their absolute
//! values (u = 2⁻⁵³) and by underflow of less than [`f64::MIN_POSITIVE`]. If overflow makes a slack
//! infinite or NaN, nothing is certain.

use impinge_geometry::volume::Aabb;
use impinge_geometry::{Point, Triangle, Vector};

const UNIT: f64 = f64::EPSILON / 2.0;

/// A plane that can prove points of the surface to be above it.
pub(super) struct Plane {
    normal: [f64; 3],
    offset: f64,
    /// The least computed height that is certainly positive.
    slack: f64,
}

impl Plane {
    /// `size` bounds the coordinates' absolute values. Each component of the normal is a difference
    /// of two products of two differences: off by at most 4 u of their absolute sum, enlarged to 8
    /// u. A height is a difference of two sums of three products of the normal and a point, each
    /// off by at most 4 u of the absolute sum, and the subtraction: enlarged to 16 u, and by 2 %
    /// for the rounding of the slack.
    pub(super) fn of(t: &[Point; 3], size: &[f64; 3]) -> Self {
        let (u, v) = (t[1] - t[0], t[2] - t[0]);
        let pair = |i: usize, j: usize| {
            (u[i] * v[j] - u[j] * v[i], (u[i] * v[j]).abs() + (u[j] * v[i]).abs())
        };
        let parts = [pair(1, 2), pair(2, 0), pair(0, 1)];
        let normal = parts.map(|p| p.0);
        // One sum first: where it overflows, so may a height.
        let sum: f64 = (0..3).map(|k| normal[k].abs() * size[k]).sum();
        let mut slack = f64::MIN_POSITIVE + 16.0 * UNIT * sum;
        for k in 0..3 {
            let error = 8.0 * UNIT * parts[k].1 + f64::MIN_POSITIVE;
            // A difference of two points is at most twice as large as they are.
            slack += 2.0 * error * size[k];
        }
        Self { normal, offset: height(&normal, &t[0]), slack: slack * 1.02 }
    }

    #[inline]
    pub(super) fn is_below_point(&self, x: &Point) -> bool {
        height(&self.normal, x) - self.offset > self.slack
    }

    /// Whether the plane is certainly strictly below every point of the surface in the box.
    #[inline]
    pub(super) fn is_below(&self, node: &Aabb) -> bool {
        let end = |k: usize| if self.normal[k] > 0.0 { node.min[k] } else { node.max[k] };
        self.is_below_point(&Point::new(end(0), end(1), end(2)))
    }
}

/// The space between two parallel planes that certainly contains some points of the surface.
pub(super) struct Slab {
    normal: [f64; 3],
    low: f64,
    high: f64,
}

impl Slab {
    /// Any normal is valid; its rounding does not matter. Heights of these points and of those
    /// compared are off by 4 u each, and low and high are rounded: enlarged to 16 u.
    pub(super) fn around(
        normal: [f64; 3],
        points: impl Iterator<Item = Point>,
        size: &[f64; 3],
    ) -> Self {
        let sum: f64 = (0..3).map(|k| normal[k].abs() * size[k]).sum();
        let slack = 16.0 * UNIT * sum + f64::MIN_POSITIVE;
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for x in points {
            let h = height(&normal, &x);
            low = low.min(h);
            high = high.max(h);
        }
        if slack.is_finite() {
            Self { normal, low: low - slack, high: high + slack }
        } else {
            Self { normal, low: f64::NEG_INFINITY, high: f64::INFINITY }
        }
    }

    /// Whether certainly no point of the surface in the box is in the slab.
    #[inline]
    pub(super) fn misses(&self, node: &Aabb) -> bool {
        let [a, b, c] = self.normal;
        let ends = |k: usize| {
            let (min, max) = (node.min[k], node.max[k]);
            if self.normal[k] > 0.0 { (min, max) } else { (max, min) }
        };
        let (x, y, z) = (ends(0), ends(1), ends(2));
        a * x.0 + b * y.0 + c * z.0 > self.high || a * x.1 + b * y.1 + c * z.1 < self.low
    }
}

/// A normal of length twice the area.
pub(super) fn area([a, b, c]: &Triangle) -> Vector {
    (b - a).cross(&(c - a))
}

/// The normal of the largest triangle: a direction in which slivers are thin.
pub(super) fn thin(triangles: impl Iterator<Item = Triangle>) -> [f64; 3] {
    let larger = |n: Vector, m: Vector| if m.norm_squared() > n.norm_squared() { m } else { n };
    triangles.map(|t| area(&t)).fold(Vector::zeros(), larger).into()
}

#[inline]
fn height(n: &[f64; 3], x: &Point) -> f64 {
    n[0] * x.x + n[1] * x.y + n[2] * x.z
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_geometry::predicates::{Sign, orient3d};

    /// A point one ulp above a plane may be undecided; whatever is decided must be true.
    #[test]
    fn what_is_certain_is_true() {
        let mut told = 0;
        for k in 0..2000u32 {
            let x = |i: u32| f64::from((k * 7919 + i * 104_729) % 1000) / 997.0 + 1e3;
            let p = |i: u32| Point::new(x(3 * i), x(3 * i + 1), x(3 * i + 2));
            let (t, d) = ([p(0), p(1), p(2)], p(3));
            let size = [1002.0; 3];
            // On the plane up to rounding, or anywhere.
            let near = t[0] + (t[1] - t[0]) * 0.3 + (t[2] - t[0]) * 0.4;
            for y in [d, near] {
                let above = orient3d(&t[0], &t[1], &t[2], &y) == Sign::Positive;
                let plane = Plane::of(&t, &size);
                assert!(!plane.is_below_point(&y) || above);
                told += u32::from(plane.is_below_point(&y));
            }
        }
        assert!(told > 500, "{told}");
    }

    /// Each product of a height is finite here, and their sum is not.
    #[test]
    fn a_plane_whose_heights_overflow_says_nothing() {
        let t = [
            [-3.840_821_365_710_84e102, -2.789_501_492_083_314_7e102, -3.801_766_523_744_428e102],
            [-3.753_055_535_099_573e102, 3.227_616_831_348_93e102, 1.258_761_153_945_304_1e102],
            [1.821_091_199_617_809_8e102, -3.716_359_543_609_095e102, 2.153_381_950_144_430_6e102],
        ];
        let x = Point::new(
            6.365_389_713_105_736e101,
            -3.752_454_481_969_497_4e102,
            8.712_064_731_681_941e101,
        );
        let scale = |p: &[f64; 3]| Point::from(p.map(|x| x * 2f64.powi(-340)));
        let [a, b, c, d] = [&t[0], &t[1], &t[2], &[x.x, x.y, x.z]].map(scale);
        assert_ne!(orient3d(&a, &b, &c, &d), Sign::Positive);
        let plane = Plane::of(&t.map(Point::from), &[4e102; 3]);
        assert!(!plane.is_below_point(&x));
    }

    /// The squared areas of all parts may underflow to 0.
    #[test]
    fn a_slab_without_a_normal_says_nothing() {
        let tiny = [[0.0; 3], [1e-90, 0.0, 0.0], [0.0, 1e-90, 0.0]].map(Point::from);
        let slab = Slab::around(thin([tiny].into_iter()), tiny.into_iter(), &[1.0; 3]);
        assert!(!slab.misses(&Aabb::of_triangle(&tiny)));
    }

    #[test]
    fn slabs_that_overflow_say_nothing() {
        let far = Point::new(1e300, -1e300, 1e300);
        let slab = Slab::around([1e100, 1.0, 1e100], [Point::origin()].into_iter(), &[1e300; 3]);
        assert!(!slab.misses(&Aabb { min: far, max: far }));
        let slab = Slab::around([1.0, 0.0, 0.0], [Point::origin()].into_iter(), &[1e300; 3]);
        assert!(slab.misses(&Aabb { min: far, max: far }));
    }
}
