//! How far a mesh reaches along any direction, bounded in constant time: the tight box of an object
//! at any pose, whatever the number of its vertices.
//!
//! The height of a set along `d` is the largest `d · p` of its points. It is convex in `d` and
//! proportional to it, so the height along a combination of directions with positive weights is at
//! most that combination of their heights. Heights are taken beforehand along the nodes of a grid on
//! the faces of a cube of directions, `(1, s, t)` and its permutations with `s, t` in steps of ¼
//! from −1 to 1. A direction, divided by its largest component, lies in a triangle of three nodes.
//!
//! For a ball the bound is at most 1.6 % of its radius too large, 0.7 % on average; along the axes of
//! the grid it is exact.

use impinge_geometry::volume::Aabb;
use impinge_geometry::{Mesh, Point, Pose, Vector};
use nalgebra::Matrix3;

/// Cells along a side of a face of the cube of directions.
const CELLS: usize = 8;
/// Nodes along a side.
const NODES: usize = CELLS + 1;

/// Times the sum of magnitudes: how much a box is enlarged.
///
/// Rounding. Let `u = 2⁻⁵³` and `M` the largest coordinate of the mesh, `T` of the translation.
/// Heights are off by at most `4 u · 3 M`, the weights and their sum by as much again, and the
/// place in the grid, off by `4 u`, moves a height by `8 u M`.
///
/// The pose of B in A's frame. A query asks about B posed by `a⁻¹ · b`, rounded. Rotations are
/// orthonormal to within `16 u` an entry (the check of 4 ulps is itself rounded; 10 u were found),
/// that is `48 u` in norm, and making their product orthonormal moves it by at most `48 u`. So B's
/// points, seen from the world, are off by at most `√3 · 96 u · M_B` by the rotation,
/// `(48 √3 + 12) u (T_A + T_B)` by the translation, and `4 u (3 M_B + T_A + T_B)` by posing vertices.
///
/// All is below `256 u (M_A + M_B + T_A + T_B)`. Each box gets twice its share, `512 u (M + T)`.
pub(crate) const PAD: f64 = 512.0 / (1u64 << 53) as f64;

/// The heights of a set of points along the nodes, and along their opposites.
#[derive(Clone, Debug)]
pub(crate) struct Heights {
    /// For the axis with component 1, and the node `(s, t)` of the next two: least and largest.
    nodes: [[[[f64; 2]; NODES]; NODES]; 3],
    /// The largest coordinate magnitude.
    most: f64,
    /// The largest distance of a point from the origin, rounded up.
    radius: f64,
}

/// Three nodes around a direction.
pub(crate) struct Around<'h> {
    /// The largest component of the direction, and its value.
    axis: usize,
    main: f64,
    near: &'h [f64; 2],
    side: &'h [f64; 2],
    far: &'h [f64; 2],
    weights: [f64; 3],
    /// Whether `side` is beside `near` along the first of the other two components.
    is_first: bool,
}

impl Around<'_> {
    /// The least or the `largest` height along the direction, as a bound, without room for rounding.
    #[inline(always)]
    pub(crate) fn height(&self, largest: bool) -> f64 {
        let (k, w) = (self.end(largest), self.weights);
        self.main * ((w[0] * self.near[k] + w[1] * self.side[k]) + w[2] * self.far[k])
    }

    /// A point of about this height: the gradient of the bound.
    #[inline(always)]
    pub(crate) fn point(&self, row: [f64; 3], largest: bool) -> [f64; 3] {
        let k = self.end(largest);
        let slopes = [self.side[k] - self.near[k], self.far[k] - self.side[k]]
            .map(|rise| rise * (CELLS as f64 / 2.0));
        let [y, z] = if self.is_first { slopes } else { [slopes[1], slopes[0]] };
        let [u, v, w] = [0, 1, 2].map(|i| (self.axis + i) % 3);
        let mut point = [0.0; 3];
        point[u] = (self.height(largest) - row[v] * y - row[w] * z) / self.main;
        (point[v], point[w]) = (y, z);
        point
    }

    /// Heights are those along the node's direction, which may be opposite.
    #[inline(always)]
    const fn end(&self, largest: bool) -> usize {
        (largest == (self.main > 0.0)) as usize
    }
}

impl Heights {
    /// The heights of the corners of a mesh's triangles: O(n), 243 products a vertex.
    pub(crate) fn of(mesh: &Mesh) -> Self {
        let mut used = vec![false; mesh.vertices().len()];
        for &v in mesh.triangles().iter().flatten() {
            used[v as usize] = true;
        }
        if used.iter().all(|used| *used) {
            return Self::new(mesh.vertices());
        }
        let corners = mesh.vertices().iter().zip(used).filter(|(_, used)| *used);
        Self::new(&corners.map(|(p, _)| *p).collect::<Vec<Point>>())
    }

    /// The heights of some points, at least one.
    fn new(points: &[Point]) -> Self {
        let mut nodes = [[[[f64::INFINITY, f64::NEG_INFINITY]; NODES]; NODES]; 3];
        let most = points.iter().map(|p| p.coords.amax()).fold(0.0, f64::max);
        for chunk in points.chunks(CHUNK) {
            let lanes = Lanes::new(chunk);
            for (axis, face) in nodes.iter_mut().enumerate() {
                lanes.extend(axis, face);
            }
        }
        // In parts of the largest coordinate, since squares may leave the range of numbers.
        let far = points.iter().map(|p| (p.coords / most).norm()).fold(0.0, f64::max);
        let radius = most * far * (1.0 + 8.0 * f64::EPSILON) + f64::MIN_POSITIVE;
        Self { nodes, most, radius }
    }

    /// The nodes around a row, divided by its largest component.
    #[inline(always)]
    pub(crate) fn around(&self, row: [f64; 3]) -> Around<'_> {
        let size = row.map(f64::abs);
        let axis = if size[0] >= size[1] && size[0] >= size[2] {
            0
        } else if size[1] >= size[2] {
            1
        } else {
            2
        };
        let main = row[axis];
        let cell = |x: f64| {
            let place = (x / main + 1.0) * (CELLS as f64 / 2.0);
            // A quotient of at most 1 in magnitude is not rounded beyond it.
            let index = (place as usize).min(CELLS - 1);
            (index, place - index as f64)
        };
        let (i, s) = cell(row[(axis + 1) % 3]);
        let (j, t) = cell(row[(axis + 2) % 3]);
        let face = &self.nodes[axis];
        let (near, far) = (&face[i][j], &face[i + 1][j + 1]);
        let is_first = s >= t;
        let (side, weights) = if is_first {
            (&face[i + 1][j], [1.0 - s, s - t, t])
        } else {
            (&face[i][j + 1], [1.0 - t, t - s, s])
        };
        Around { axis, main, near, side, far, weights, is_first }
    }

    /// Room for rounding along a direction no longer than 1, of a mesh whose pose moves it by up to
    /// `far` along each axis, and of a comparison with `room`.
    #[inline]
    pub(crate) fn pad(&self, far: f64, room: f64) -> f64 {
        PAD * (self.most + far + room) + f64::MIN_POSITIVE
    }

    /// The largest distance of a point from the origin, rounded up.
    pub(crate) const fn radius(&self) -> f64 {
        self.radius
    }

    /// The middle of the box of the points, rounded.
    pub(crate) fn center(&self) -> Vector {
        Vector::from_fn(|k, _| {
            let [least, largest] = self.nodes[k][CELLS / 2][CELLS / 2];
            0.5 * least + 0.5 * largest
        })
    }

    /// The least and the largest height of the turned points along each axis, as bounds, without room
    /// for rounding.
    pub(crate) fn extents(&self, rotation: &Matrix3<f64>) -> [[f64; 2]; 3] {
        [0, 1, 2].map(|k| {
            let around = self.around([rotation[(k, 0)], rotation[(k, 1)], rotation[(k, 2)]]);
            [around.height(false), around.height(true)]
        })
    }

    /// The box of points of these extents, moved by `t`: see [`Heights::posed`].
    pub(crate) fn boxed(&self, extents: &[[f64; 2]; 3], t: &Vector, room: f64) -> Aabb {
        let room = room + self.pad(t.amax(), room);
        let mut out = Aabb { min: Point::origin(), max: Point::origin() };
        for k in 0..3 {
            out.min[k] = (extents[k][0] + t[k]) - room;
            out.max[k] = (extents[k][1] + t[k]) + room;
        }
        out
    }

    /// A box in the world that contains the points at `pose`, enlarged by `room` on all sides.
    /// Boxes of two objects overlap if a query about the pose of one in the frame of the other can
    /// find the posed meshes at most `2 room` apart.
    pub(crate) fn posed(&self, pose: &Pose, room: f64) -> Aabb {
        self.boxed(&self.extents(pose.rotation()), pose.translation(), room)
    }
}

/// Points at a time.
const CHUNK: usize = 64;

/// Points in lanes, so that the compiler can use vector instructions.
struct Lanes {
    xyz: [[f64; CHUNK]; 3],
}

impl Lanes {
    /// Places beyond the end repeat the first point.
    fn new(points: &[Point]) -> Self {
        let mut xyz = [[0.0; CHUNK]; 3];
        for (lane, p) in points.iter().chain(std::iter::repeat(&points[0])).take(CHUNK).enumerate()
        {
            for k in 0..3 {
                xyz[k][lane] = p[k];
            }
        }
        Self { xyz }
    }

    fn extend(&self, axis: usize, face: &mut [[[f64; 2]; NODES]; NODES]) {
        let [x, y, z] = [0, 1, 2].map(|k| &self.xyz[(axis + k) % 3]);
        for (i, row) in face.iter_mut().enumerate() {
            let s = node(i);
            let mut sums = [0.0; CHUNK];
            for (sum, (x, y)) in sums.iter_mut().zip(x.iter().zip(y)) {
                *sum = x + s * y;
            }
            for (j, [least, largest]) in row.iter_mut().enumerate() {
                let t = node(j);
                let (mut low, mut high) = ([f64::INFINITY; 4], [f64::NEG_INFINITY; 4]);
                for (sums, z) in sums.chunks_exact(4).zip(z.chunks_exact(4)) {
                    for lane in 0..4 {
                        let height = sums[lane] + t * z[lane];
                        low[lane] = if height < low[lane] { height } else { low[lane] };
                        high[lane] = if height > high[lane] { height } else { high[lane] };
                    }
                }
                *least = low.into_iter().fold(*least, f64::min);
                *largest = high.into_iter().fold(*largest, f64::max);
            }
        }
    }
}

/// The second or third component of a node.
fn node(i: usize) -> f64 {
    i as f64 * (2.0 / CELLS as f64) - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_models::{Random, Shape};

    /// The exact box of the posed vertices, but for rounding.
    fn exact(points: &[Point], pose: &Pose) -> Aabb {
        Aabb::fit_points(points.iter().map(|p| pose.apply(p))).expect("points")
    }

    #[test]
    fn every_posed_point_is_in_a_box_that_is_not_much_larger() {
        let mut random = Random::stream(0x5ca1e, 0);
        let ball = Shape::Sphere.mesh(2_000, 0);
        let (mut excess, mut worst, mut count) = (0.0, 0.0f64, 0.0);
        for shape in [Shape::Sphere, Shape::Cube, Shape::Gear, Shape::Hand, Shape::Teapot] {
            let mesh = shape.mesh(700, 0);
            let heights = Heights::new(mesh.vertices());
            let still = heights.posed(&Pose::identity(), 0.0);
            let own = exact(mesh.vertices(), &Pose::identity());
            assert!((0..3).all(|k| own.min[k] - still.min[k] <= 2e-13), "exact along axes");
            assert!((heights.center() - own.center().coords).amax() < 1e-15);
            for _ in 0..200 {
                let pose = random.pose(3.0);
                let (loose, tight) = (heights.posed(&pose, 0.0), exact(mesh.vertices(), &pose));
                assert_eq!(loose.merged(&tight), loose, "{shape:?}");
            }
        }
        let heights = Heights::new(ball.vertices());
        for _ in 0..1_000 {
            let pose = random.pose(0.0);
            let (loose, tight) = (heights.posed(&pose, 0.0), exact(ball.vertices(), &pose));
            for k in 0..3 {
                let over = (loose.max[k] - tight.max[k]) / 0.5; // its radius
                (excess, worst, count) = (excess + over, worst.max(over), count + 1.0);
            }
        }
        let mean: f64 = excess / count;
        assert!(worst < 0.016 && mean < 0.007 && mean > 0.003, "{mean} {worst}");
    }
}
