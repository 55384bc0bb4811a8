//! The depth of the convex hulls of both bodies in each other.
//!
//! The translations for which two convex bodies overlap are the differences of their points, a convex
//! polytope. Its distance from the origin to its boundary is the depth. As in S. Cameron, R. Culley,
//! Determining the minimum translational distance between two convex polyhedra, ICRA 1986, and
//! G. van den Bergen, Proximity queries and penetration depth computation on 3D game objects, GDC
//! 2001: a polytope inside it, whose corners are differences of vertices, grows where it is nearest to
//! the origin. It is the exact hull of its corners, so that no facet is lost to rounding.

use impinge_geometry::predicates::{Sign, orient3d};
use impinge_geometry::volume::{ConvexHull, HullShape};
use impinge_geometry::{Point, Triangle, Vector, triangle};
use impinge_query::Cancelled;

use super::body::PenetrationBody;
use super::field::clearance;
use super::scene::Scene;

/// Facets at which the polytope grows in a round.
const AT_ONCE: usize = 16;
/// Corners of the polytope at most.
const CORNERS: usize = 4_000;

/// Bounds of the depth of two convex hulls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HullDepth {
    /// The hulls overlap after every shorter translation, but for rounding.
    pub(crate) lower: f64,
    /// The hulls are apart after the translation by this vector and a little more, but for rounding.
    pub(crate) way: Vector,
}

/// The vertices of the hulls of both bodies, in the frame of the question.
pub(crate) struct Hulls {
    a: Vec<Point>,
    b: Vec<Point>,
}

/// A facet of the polytope that the search grows from.
struct Facet {
    normal: Vector,
    /// The height of its plane above the origin.
    height: f64,
}

impl Hulls {
    pub(crate) fn new(scene: &Scene<'_>) -> Self {
        let [a, b] = scene.bodies.map(PenetrationBody::hull);
        let scale = scene.scale;
        Self {
            a: a.iter().map(|p| p * scale).collect(),
            b: b.iter().map(|p| scene.pose.apply(p) * scale).collect(),
        }
    }

    /// The largest component of `a − b` along a direction, and where it is attained.
    fn support(&self, n: &Vector) -> (f64, Point) {
        let farthest = |all: &[Point], n: &Vector| {
            let start = (f64::NEG_INFINITY, Point::origin());
            all.iter().fold(start, |best, p| {
                let height = n.dot(&p.coords);
                if height > best.0 { (height, *p) } else { best }
            })
        };
        let ((h, p), (k, q)) = (farthest(&self.a, n), farthest(&self.b, &-n));
        (h + k, Point::from(p - q))
    }

    /// Bounds of the depth that differ by at most `width` of the upper, if the corners suffice. Ends
    /// early once the lower bound is above `enough`.
    pub(crate) fn depth(
        &self,
        scene: &Scene<'_>,
        width: f64,
        enough: f64,
    ) -> Result<HullDepth, Cancelled> {
        let mut best = HullDepth { lower: 0.0, way: Vector::zeros() };
        let mut upper = f64::INFINITY;
        let mut corners: Vec<Point> = Vec::new();
        let mut next: Vec<Vector> = spread().collect();
        loop {
            scene.control.check()?;
            let known = corners.len();
            for n in &next {
                let (height, corner) = self.support(n);
                if height < upper {
                    (upper, best.way) = (height, n * height);
                }
                if !corners.contains(&corner) {
                    corners.push(corner);
                }
            }
            if corners.len() == known {
                return Ok(best);
            }
            let Some((lower, mut facets)) = facets(&corners) else { return Ok(best) };
            best.lower = lower.min(upper);
            let done = best.lower >= upper * (1.0 - width) || best.lower > enough;
            if done || corners.len() > CORNERS {
                return Ok(best);
            }
            facets.retain(|f| f.height < upper * (1.0 - 0.5 * width));
            facets.sort_by(|x, y| x.height.total_cmp(&y.height));
            next = facets.iter().take(AT_ONCE).map(|f| f.normal).collect();
        }
    }
}

/// The facets of the hull of some points, and how far its boundary is from the origin, 0 if that is not
/// inside; `None` if the points are coplanar.
fn facets(corners: &[Point]) -> Option<(f64, Vec<Facet>)> {
    let hull = ConvexHull::fit_points(corners).ok()?;
    let HullShape::Solid { vertices, faces } = hull.shape() else { return None };
    let origin = Point::origin();
    let mut lower = f64::INFINITY;
    let mut facets = Vec::with_capacity(faces.len());
    for face in faces {
        let t: Triangle = face.map(|k| vertices[k as usize]);
        let inside = orient3d(&t[0], &t[1], &t[2], &origin) != Sign::Positive;
        lower = lower.min(if inside { clearance(&origin, &t).0 } else { 0.0 });
        if let Some(normal) = triangle::unit_normal(&t) {
            facets.push(Facet { normal, height: normal.dot(&t[0].coords) });
        }
    }
    Some((lower, facets))
}

/// Directions in which the polytope begins.
fn spread() -> impl Iterator<Item = Vector> {
    let axes = (0..3).flat_map(|k| [Vector::ith(k, 1.0), Vector::ith(k, -1.0)]);
    let corners = (0..8).map(|k| {
        let side = |bit: u32| if k >> bit & 1 == 0 { -1.0 } else { 1.0 };
        Vector::new(side(0), side(1), side(2)).normalize()
    });
    axes.chain(corners)
}
