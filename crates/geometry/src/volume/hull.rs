//! The convex hull of points by exact signs: a solid, or of lower dimension if all points are
//! coplanar, collinear or equal.

use std::convert::Infallible;

use super::hull_build::solid_faces;
use super::{Aabb, SLACK, power_below_inverse};
use crate::predicates::{Drop, Sign, collinear, orient2d, orient3d};
use crate::{MAX_COORDINATE, Point, Pose, Triangle, exact, triangle};

/// Why a hull does not exist.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HullError {
    /// There are no points.
    #[error("a convex hull needs at least one point")]
    Empty,
    /// A coordinate is NaN, infinite or beyond [`MAX_COORDINATE`].
    #[error("point {point} of a convex hull is not finite or exceeds 1e300 in magnitude")]
    NotFinite {
        /// Index of the first such point.
        point: usize,
    },
}

/// The shape of the hull, by the dimension of the points.
#[derive(Clone, Debug, PartialEq)]
pub enum HullShape {
    /// All points are equal.
    Point(Point),
    /// All points are collinear: the two ends.
    Segment([Point; 2]),
    /// All points are coplanar: the corners in cyclic order, none in line with its neighbours.
    Polygon(Vec<Point>),
    /// Corners, and triangles counter-clockwise seen from outside. Flat sides are triangulated; a
    /// corner may lie inside one.
    Solid {
        /// Corners, in the order of the input points.
        vertices: Vec<Point>,
        /// Triangles as indices into `vertices`.
        faces: Vec<[u32; 3]>,
    },
}

/// The convex hull of points: exact, without rounding, until it is posed.
///
/// The volume is the set of points within `slack` of the shape in every coordinate. `slack` is zero
/// after a fit; posing adds its rounding.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexHull {
    shape: HullShape,
    slack: f64,
}

impl ConvexHull {
    /// The hull of the points, which may be in any order and repeated. Exact.
    ///
    /// # Errors
    /// [`HullError`] without points, or if a coordinate is not finite or beyond [`MAX_COORDINATE`].
    pub fn fit_points(points: &[Point]) -> Result<Self, HullError> {
        let Ok(fitted) = Self::watched(points, &mut || Ok::<(), Infallible>(()));
        fitted
    }

    /// The same, for a caller who may want it no more: `look` is called every some 4,096 points
    /// that are assigned to a face.
    ///
    /// # Errors
    /// The first error of `look`; inside it, those of [`ConvexHull::fit_points`].
    pub fn watched<E>(
        points: &[Point],
        look: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<Result<Self, HullError>, E> {
        if points.is_empty() {
            return Ok(Err(HullError::Empty));
        }
        let bad = |p: &Point| !p.iter().all(|c| c.abs() <= MAX_COORDINATE);
        if let Some(point) = points.iter().position(bad) {
            return Ok(Err(HullError::NotFinite { point }));
        }
        Ok(Ok(Self { shape: watched_shape(points, look)?, slack: 0.0 }))
    }

    /// The hull of the triangles' corners.
    ///
    /// # Errors
    /// As [`ConvexHull::fit_points`].
    pub fn fit(triangles: impl Iterator<Item = Triangle>) -> Result<Self, HullError> {
        Self::fit_points(&triangles.flatten().collect::<Vec<_>>())
    }

    /// The shape of the hull, without slack.
    pub fn shape(&self) -> &HullShape {
        &self.shape
    }

    /// How far the volume extends beyond the shape in every coordinate.
    pub fn slack(&self) -> f64 {
        self.slack
    }

    /// The corners of the shape.
    pub fn vertices(&self) -> &[Point] {
        match &self.shape {
            HullShape::Point(p) => std::slice::from_ref(p),
            HullShape::Segment(s) => s,
            HullShape::Polygon(v) | HullShape::Solid { vertices: v, .. } => v,
        }
    }

    /// Triangles whose union is the shape's surface; degenerate ones for a point or a segment.
    pub fn triangles(&self) -> Vec<Triangle> {
        match &self.shape {
            HullShape::Point(p) => vec![[*p; 3]],
            HullShape::Segment([a, b]) => vec![[*a, *b, *b]],
            HullShape::Polygon(v) => v[1..].windows(2).map(|w| [v[0], w[0], w[1]]).collect(),
            HullShape::Solid { vertices, faces } => {
                faces.iter().map(|f| f.map(|i| vertices[i as usize])).collect()
            }
        }
    }

    /// Whether the point is in the hull. Exact after a fit; after posing, `false` is certain.
    /// O(faces).
    pub fn contains(&self, p: &Point) -> bool {
        self.shape_contains(p) || (self.slack > 0.0 && self.near(&[*p; 3], self.slack))
    }

    fn shape_contains(&self, p: &Point) -> bool {
        let triangles = self.triangles();
        match &self.shape {
            HullShape::Solid { .. } => {
                triangles.iter().all(|[a, b, c]| orient3d(a, b, c, p) != Sign::Positive)
            }
            _ => triangles.iter().any(|t| exact::point_on_triangle(p, t)),
        }
    }

    /// Whether the hulls share a point. Exact after fits; after posing, `false` is certain. Tests
    /// triangle pairs, O(n m), and a corner of each in the other.
    pub fn overlaps(&self, other: &Self) -> bool {
        if self.shape_contains(&other.vertices()[0]) || other.shape_contains(&self.vertices()[0]) {
            return true;
        }
        let (mine, theirs) = (self.triangles(), other.triangles());
        if mine.iter().any(|p| theirs.iter().any(|q| exact::triangles_meet(p, q))) {
            return true;
        }
        let slack = self.slack + other.slack;
        slack > 0.0 && mine.iter().any(|p| other.near(p, slack))
    }

    /// Whether the surface is within `slack` per coordinate of the triangle; may err towards yes.
    /// The factor 2 covers the diagonal √3; `SLACK` covers the error of the distance, 32 u of the
    /// size.
    fn near(&self, p: &Triangle, slack: f64) -> bool {
        self.triangles().iter().any(|q| {
            let size = p.iter().chain(q).fold(0.0f64, |m, x| m.max((x - p[0]).amax()));
            triangle::distance(p, q).0 <= 2.0 * slack + SLACK * size
        })
    }

    /// The hull of both, with the larger slack.
    #[must_use]
    pub fn merged(&self, other: &Self) -> Self {
        let points: Vec<Point> = self.vertices().iter().chain(other.vertices()).copied().collect();
        Self { shape: shape_of(&points), slack: self.slack.max(other.slack) }
    }

    /// The hull of the posed corners. The slack bounds how far posing may move any point of the
    /// volume: the exact image of a point and its image rounded by [`Pose::apply`] are within
    /// `16 u (|p|₁ + |t|₁)` of the hull of the rounded corners, and 256 u are added. The previous
    /// slack is rotated with the hull, which enlarges it by at most √3.
    #[must_use]
    pub fn posed(&self, pose: &Pose) -> Self {
        let points: Vec<Point> = self.vertices().iter().map(|p| pose.apply(p)).collect();
        let largest = self.vertices().iter().map(|p| p.coords.abs().sum()).fold(0.0, f64::max);
        let size = largest + pose.translation().abs().sum() + self.slack;
        let slack = SLACK * size + 2.0 * self.slack + f64::MIN_POSITIVE;
        Self { shape: shape_of(&points), slack }
    }

    /// Volume of the shape, rounded; 0 for a flat one; infinite or zero where it leaves the range
    /// of f64.
    pub fn volume(&self) -> f64 {
        let HullShape::Solid { vertices, faces } = &self.shape else { return 0.0 };
        let Some(bounds) = Aabb::fit_points(vertices.iter().copied()) else { return 0.0 };
        let scale = power_below_inverse(bounds.extent().amax());
        let local = |i: u32| (vertices[i as usize] - vertices[0]) * scale;
        let six: f64 =
            faces.iter().map(|&[a, b, c]| local(a).cross(&local(b)).dot(&local(c))).sum();
        six / 6.0 / scale / scale / scale
    }
}

/// The hull of a non-empty list of finite points.
fn shape_of(points: &[Point]) -> HullShape {
    let Ok(shape) = watched_shape(points, &mut || Ok::<(), Infallible>(()));
    shape
}

/// The same, with looks.
fn watched_shape<E>(
    points: &[Point],
    look: &mut impl FnMut() -> Result<(), E>,
) -> Result<HullShape, E> {
    let first = points[0];
    // Far points make a good start; the choice does not affect the result.
    let farthest = |measure: &dyn Fn(&Point) -> f64| {
        (0..points.len()).max_by(|&i, &j| measure(&points[i]).total_cmp(&measure(&points[j])))
    };
    let distant = farthest(&|p| (p - first).amax());
    let Some(b) = distant.filter(|&i| points[i] != first) else {
        return Ok(HullShape::Point(first));
    };
    look()?;
    let second = points[b];
    let off_line = |p: &Point| !collinear(&first, &second, p);
    let direction = (second - first) / (second - first).amax();
    let area = |p: &Point| if off_line(p) { direction.cross(&(p - first)).amax() } else { -1.0 };
    let Some(c) = farthest(&area).filter(|&i| off_line(&points[i])) else {
        return Ok(HullShape::Segment(ends(points)));
    };
    look()?;
    let third = points[c];
    let off_plane = |p: &Point| !orient3d(&first, &second, &third, p).is_zero();
    let Some(d) = points.iter().position(off_plane) else {
        return Ok(HullShape::Polygon(polygon(points, &[first, second, third])));
    };
    let faces = solid_faces(points, [0, b as u32, c as u32, d as u32], look)?;
    Ok(compact(points, &faces))
}

/// Keeps the points that are corners of faces, in order.
fn compact(points: &[Point], faces: &[[u32; 3]]) -> HullShape {
    let mut index = vec![u32::MAX; points.len()];
    faces.iter().flatten().for_each(|&v| index[v as usize] = 0);
    let mut vertices = Vec::new();
    for (v, slot) in index.iter_mut().enumerate().filter(|(_, slot)| **slot == 0) {
        *slot = vertices.len() as u32;
        vertices.push(points[v]);
    }
    let faces = faces.iter().map(|f| f.map(|v| index[v as usize])).collect();
    HullShape::Solid { vertices, faces }
}

fn lexicographic(a: &Point, b: &Point) -> std::cmp::Ordering {
    let by = |k: usize| (a[k] + 0.0).total_cmp(&(b[k] + 0.0));
    by(0).then_with(|| by(1)).then_with(|| by(2))
}

/// The two ends of collinear points.
fn ends(points: &[Point]) -> [Point; 2] {
    points.iter().fold([points[0]; 2], |[lo, hi], p| {
        let lo = if lexicographic(p, &lo).is_lt() { *p } else { lo };
        [lo, if lexicographic(p, &hi).is_gt() { *p } else { hi }]
    })
}

/// Corners of the hull of coplanar points by Andrew's monotone chain, in a projection in which
/// `plane` has area; that projection is one-to-one on the plane.
fn polygon(points: &[Point], plane: &Triangle) -> Vec<Point> {
    let flat = |d: &Drop| orient2d(&plane[0], &plane[1], &plane[2], *d).is_zero();
    let drop = Drop::ALL.into_iter().find(|d| !flat(d)).unwrap_or(Drop::Z);
    let mut sorted = points.to_vec();
    let key = |p: &Point| drop.keep(p).map(|c| c + 0.0);
    sorted.sort_by(|a, b| {
        let (a, b) = (key(a), key(b));
        a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1]))
    });
    sorted.dedup();
    let mut chain = half_chain(sorted.iter(), drop);
    let upper = half_chain(sorted.iter().rev(), drop);
    chain.pop();
    chain.extend(&upper[..upper.len() - 1]);
    chain
}

fn half_chain<'p>(points: impl Iterator<Item = &'p Point>, drop: Drop) -> Vec<Point> {
    let mut chain: Vec<Point> = Vec::new();
    for p in points {
        while let [.., a, b] = chain.as_slice() {
            if orient2d(a, b, p, drop) == Sign::Positive {
                break;
            }
            chain.pop();
        }
        chain.push(*p);
    }
    chain
}
