//! From a pixel to a proof: a point that lies in both hulls.
//!
//! 1. The ray through a screen point intersects a convex hull in an interval: the intersection of
//!    the half-lines bounded by its faces. The intersection with two hulls is an interval too; its
//!    length as a function of the screen point is concave, and negative if it is empty.
//! 2. From the pixel that the image reports, climb over the pixels to where that length is largest.
//! 3. The midpoint of that interval, rounded to f64, is the *witness*.
//! 4. It is certified if exact signs show it strictly behind every face of both hulls. Rounding in
//!    steps 1 to 3 does not matter.
//!
//! **Proof.** The faces of a hull are a closed surface, counter-clockwise from outside. Seen from a
//! point strictly behind each of them, every face covers a positive solid angle. These add up to 4π
//! times the winding number, which is therefore at least 1. This also holds for B's hull, whose
//! vertices were rounded when posed, so that it need not be exactly convex.

use impinge_geometry::predicates::{Sign, orient3d};
use impinge_geometry::{Point, Vector};
use impinge_shaders::image::View;

use crate::viewport::up;

/// The half-spaces of both hulls in a view's own coordinates: screen −1 … 1, depth 0 … 1.
struct Clip {
    /// `n · x ≤ d`.
    planes: Vec<(Vector, f64)>,
}

/// The interval on a ray inside both hulls; empty if `far < near`.
#[derive(Clone, Copy, Debug)]
struct Interval {
    near: f64,
    far: f64,
}

impl Interval {
    fn length(self) -> f64 {
        self.far - self.near
    }
}

impl Clip {
    fn new(view: &View, hulls: &[Vec<[Point; 3]>; 2]) -> Self {
        let (centre, up) = (Point::from(view.centre), up(view));
        let (right, forward) = (Vector::from(view.right), Vector::from(view.forward));
        let deep = view.far - view.near;
        let seen = |p: &Point| {
            let d = p - centre;
            Vector::new(
                right.dot(&d) / view.half_width,
                up.dot(&d) / view.half_height,
                (forward.dot(&d) - view.near) / deep,
            )
        };
        let plane = |t: &[Point; 3]| {
            let [a, b, c] = [seen(&t[0]), seen(&t[1]), seen(&t[2])];
            // The view mirrors, so the outside sees the corners clockwise.
            let n = (c - a).cross(&(b - a));
            (n, n.dot(&a))
        };
        Self { planes: hulls.iter().flatten().map(plane).collect() }
    }

    /// The interval inside both hulls on the ray through a screen point.
    fn along(&self, x: f64, y: f64) -> Interval {
        let mut found = Interval { near: f64::NEG_INFINITY, far: f64::INFINITY };
        for (n, d) in &self.planes {
            let left = d - (n.x * x + n.y * y);
            if n.z > 0.0 {
                found.far = found.far.min(left / n.z);
            } else if n.z < 0.0 {
                found.near = found.near.max(left / n.z);
            } else if left < 0.0 {
                return Interval { near: f64::INFINITY, far: f64::NEG_INFINITY };
            }
        }
        found
    }

    /// Screen coordinates of a pixel's centre, y up.
    fn screen(pixel: [i64; 2], size: [u32; 2]) -> [f64; 2] {
        let at = |axis: usize| (2 * pixel[axis] + 1) as f64 / f64::from(size[axis]) - 1.0;
        [at(0), -at(1)]
    }

    /// Climbs from a pixel to a local maximum of the interval's length.
    fn deepest(&self, first: u32, size: [u32; 2]) -> ([i64; 2], Interval) {
        let look = |pixel: [i64; 2]| {
            let [x, y] = Self::screen(pixel, size);
            self.along(x, y)
        };
        let [width, height] = size.map(i64::from);
        let mut at = [i64::from(first) % width, i64::from(first) / width];
        let mut best = look(at);
        let mut step = (width.max(height) / 4).max(1);
        while step > 0 {
            let mut moved = false;
            for (dx, dy) in AROUND {
                let (x, y) = (at[0] + dx * step, at[1] + dy * step);
                let next = [x.clamp(0, width - 1), y.clamp(0, height - 1)];
                let found = look(next);
                if found.length() > best.length() {
                    (at, best, moved) = (next, found, true);
                }
            }
            if !moved {
                step /= 2;
            }
        }
        (at, best)
    }
}

/// The eight neighbours of a pixel.
const AROUND: [(i64, i64); 8] =
    [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)];

/// A point that is certainly in both hulls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Witness {
    pub(crate) point: Point,
    /// Length of the overlap along the view there, in the meshes' unit.
    pub(crate) depth: f64,
}

impl Witness {
    /// A certified point, starting from the pixel with an overlap in the image; `None` if the
    /// overlap is too shallow to be proved, or absent.
    pub(crate) fn find(
        view: &View,
        size: [u32; 2],
        pixel: u32,
        hulls: &[Vec<[Point; 3]>; 2],
    ) -> Option<Self> {
        let (at, interval) = Clip::new(view, hulls).deepest(pixel, size);
        if !(interval.length() > 0.0 && interval.length() < f64::INFINITY) {
            return None;
        }
        let [x, y] = Clip::screen(at, size);
        let deep = view.far - view.near;
        let z = view.near + (interval.near * 0.5 + interval.far * 0.5) * deep;
        let point = Point::from(view.centre)
            + Vector::from(view.right) * (x * view.half_width)
            + up(view) * (y * view.half_height)
            + Vector::from(view.forward) * z;
        let certain = hulls.iter().flatten().all(|face| is_behind(face, &point));
        certain.then_some(Self { point, depth: interval.length() * deep })
    }
}

/// Whether the point is strictly behind the face. Exact: a floating-point filter, then exact integers.
fn is_behind([a, b, c]: &[Point; 3], p: &Point) -> bool {
    p.iter().all(|x| x.is_finite()) && orient3d(a, b, c, p) == Sign::Negative
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_geometry::Pose;

    /// A cube of edge 2 around a centre.
    fn cube(centre: [f64; 3]) -> Vec<[Point; 3]> {
        let corner = |k: usize| {
            let at = |axis: usize| if k >> axis & 1 == 1 { 1.0 } else { -1.0 };
            Point::new(at(0), at(1), at(2)) + Vector::from(centre)
        };
        let sides =
            [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let fan = |[a, b, c, d]: [usize; 4]| [[a, b, c], [a, c, d]].map(|t| t.map(corner));
        sides.into_iter().flat_map(fan).collect()
    }

    fn view() -> View {
        View {
            centre: [0.0; 3],
            right: [0.0, 1.0, 0.0],
            forward: [1.0, 0.0, 0.0],
            half_width: 2.0,
            half_height: 2.0,
            near: -4.0,
            far: 4.0,
        }
    }

    #[test]
    fn the_climb_ends_where_the_overlap_is_deepest() {
        // Along x they overlap by 0.5 wherever both are seen.
        let hulls = [cube([0.0; 3]), cube([1.5, 0.25, 0.25])];
        let pixel = 32 * 16 + 16;
        let found = Witness::find(&view(), [32; 2], pixel, &hulls).expect("they overlap");
        assert!((found.depth - 0.5).abs() < 1e-12);
        assert!((found.point.x - 0.75).abs() < 1e-12, "{:?}", found.point);
    }

    #[test]
    fn no_point_is_certified_between_hulls_that_only_touch_or_are_apart() {
        for x in [2.0, 2.5] {
            let hulls = [cube([0.0; 3]), cube([x, 0.25, 0.25])];
            assert!(
                (0..32 * 32).all(|pixel| Witness::find(&view(), [32; 2], pixel, &hulls).is_none())
            );
        }
    }

    #[test]
    fn from_the_first_pixel_of_an_overlap_the_climb_leads_to_its_deepest() {
        let turned = Pose::from_quaternion([0.9, 0.7, 0.5], [0.3, -0.4, 0.5, 0.5_f64.sqrt()]);
        let turned = turned.expect("a unit quaternion");
        let second = cube([0.0; 3]).iter().map(|t| t.map(|p| turned.apply(&p))).collect();
        let hulls = [cube([0.0; 3]), second];
        let clip = Clip::new(&view(), &hulls);
        let length = |pixel: u32| {
            let [x, y] = Clip::screen([i64::from(pixel % 64), i64::from(pixel / 64)], [64; 2]);
            clip.along(x, y).length()
        };
        let first = (0..64 * 64).find(|&pixel| length(pixel) > 0.0).expect("they overlap");
        let deepest = (0..64 * 64).map(length).fold(f64::NEG_INFINITY, f64::max) * 8.0;
        let found = Witness::find(&view(), [64; 2], first, &hulls).expect("they overlap");
        assert!(length(first) * 8.0 < 0.5 * deepest && found.depth > 0.95 * deepest, "{found:?}");
    }
}
