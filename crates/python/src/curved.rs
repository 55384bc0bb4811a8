//! Cylinders, cones and ellipsoids beside points, triangles and each other: what is proved of them.

use impinge::geometry::curved;
use impinge::geometry::gjk::{
    Cloud, Extreme, Overlap, Proved, Proximity, Solid, Support, Until, between, meet, overlap,
};
use impinge::geometry::volume::Aabb;
use impinge::geometry::{Point, Vector};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;

use crate::{arrays, errors, poses};

/// A solid with a curved surface, in its own frame: what `impinge.fcl` is made of.
///
/// kind: "cylinder" or "cone", with sizes (radius, half of the height) and the z axis as theirs, or
/// "ellipsoid", with those along the axes.
#[pyclass(frozen, module = "impinge")]
pub(crate) struct Curved {
    body: curved::Curved,
}

/// The other solid of a question, in the frame of the first.
enum Other<'p> {
    Hull(Cloud<'p>),
    Curved(curved::Posed),
}

impl Support for Other<'_> {
    fn farthest(&mut self, d: &Vector) -> Extreme {
        match self {
            Self::Hull(cloud) => cloud.farthest(d),
            Self::Curved(body) => body.farthest(d),
        }
    }

    fn excess(&self) -> f64 {
        match self {
            Self::Hull(cloud) => cloud.excess(),
            Self::Curved(body) => body.excess(),
        }
    }
}

impl Solid for Other<'_> {
    fn off(&self) -> f64 {
        match self {
            Self::Hull(cloud) => cloud.off(),
            Self::Curved(body) => body.off(),
        }
    }
}

impl Other<'_> {
    /// A direction to begin a search in.
    fn toward(&mut self) -> Vector {
        self.farthest(&Vector::x()).point.coords
    }
}

type Triple<'py> = Bound<'py, PyArray1<f64>>;

/// What is proved; the depth and its direction; and the deepest points of both.
type Depth<'py> = (i8, f64, Triple<'py>, Triple<'py>, Triple<'py>);

/// Bounds on a distance, and the nearest points.
type Near<'py> = (f64, f64, Triple<'py>, Triple<'py>);

impl Curved {
    /// The other solid: points, or a solid at a pose.
    fn beside<R>(
        &self,
        other: &Bound<'_, PyAny>,
        pose: Option<&Bound<'_, PyAny>>,
        ask: impl FnOnce(&mut curved::AtRest, &mut Other<'_>) -> R,
    ) -> PyResult<R> {
        let mut at_rest = self.body.at_rest();
        if let Ok(other) = other.cast::<Self>() {
            let pose = poses::or_identity(pose)?;
            return Ok(ask(&mut at_rest, &mut Other::Curved(other.get().body.posed(&pose))));
        }
        let points = arrays::vertices(other)?;
        Ok(ask(&mut at_rest, &mut Other::Hull(cloud(&points)?)))
    }

    /// The triangles whose boxes come within a distance of its own, and how far they are at least.
    fn close(&self, triangles: &Triangles, distance: f64) -> Vec<(f64, u32)> {
        let reach = self.body.reach();
        let gap = |corners: [Point; 3]| {
            let bounds = Aabb::of_triangle(&corners);
            let over =
                |k: usize| (bounds.min[k] - reach[k]).max(-reach[k] - bounds.max[k]).max(0.0);
            Vector::new(over(0), over(1), over(2)).norm()
        };
        let all = (0u32..).zip(&triangles.faces).map(|(k, _)| (gap(triangles.corners(k)), k));
        all.filter(|(gap, _)| *gap <= distance).collect()
    }
}

/// Whether two solids share a point.
fn judge(a: &mut curved::AtRest, b: &mut Other<'_>) -> Proved {
    let start = b.toward();
    if between(a, b, &start, Until::Apart).apart() { Proved::Apart } else { meet(a, b) }
}

fn number(proved: Proved) -> i8 {
    match proved {
        Proved::Meet => 1,
        Proved::Nothing => 0,
        Proved::Apart => -1,
    }
}

/// The hull of points.
fn cloud(points: &[Point]) -> PyResult<Cloud<'_>> {
    Cloud::new(points).ok_or_else(|| errors::argument("no points, or one that is out of range"))
}

fn depth<'py>(py: Python<'py>, found: &Overlap) -> Depth<'py> {
    let [way, on_a, on_b] = [found.direction, found.on_a.coords, found.on_b.coords]
        .map(|numbers| arrays::triple(py, numbers.as_slice()));
    (number(found.proved), found.depth, way, on_a, on_b)
}

/// Triangles in the frame of a solid.
struct Triangles {
    points: Vec<Point>,
    faces: Vec<[u32; 3]>,
}

impl Triangles {
    fn read(points: &Bound<'_, PyAny>, faces: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (points, faces) = (arrays::vertices(points)?, arrays::faces(faces)?);
        if faces.iter().flatten().all(|k| (*k as usize) < points.len()) {
            Ok(Self { points, faces })
        } else {
            Err(errors::argument("a triangle has a corner that there is not"))
        }
    }

    fn corners(&self, face: u32) -> [Point; 3] {
        self.faces[face as usize].map(|k| self.points[k as usize])
    }
}

#[pymethods]
impl Curved {
    #[new]
    fn new(kind: &str, sizes: Vec<f64>) -> PyResult<Self> {
        let body = match (kind, sizes.as_slice()) {
            ("cylinder", &[radius, half]) => curved::Curved::Cylinder { radius, half },
            ("cone", &[radius, half]) => curved::Curved::Cone { radius, half },
            ("ellipsoid", &[x, y, z]) => curved::Curved::Ellipsoid { radii: [x, y, z] },
            _ => return Err(errors::argument(format!("no {kind} has {} sizes", sizes.len()))),
        };
        if sizes.iter().all(|size| (f64::MIN_POSITIVE..=1e300).contains(size)) {
            Ok(Self { body })
        } else {
            Err(errors::argument("a size must be above 0 and at most 1e300"))
        }
    }

    /// (2, 3): the points farthest against a direction (3,), which is not zero, and along it.
    fn ends<'py>(
        &self,
        py: Python<'py>,
        direction: [f64; 3],
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let d = Vector::from(direction);
        arrays::rows(py, [-d, d].map(|d| self.body.farthest(&d).coords.into()).to_vec())
    }

    /// 1 if it shares a point with the hull of points (n, 3), or with a solid at a pose in its frame, -1
    /// if not, 0 if rounding hides it.
    #[pyo3(signature = (other, pose=None))]
    fn state(&self, other: &Bound<'_, PyAny>, pose: Option<&Bound<'_, PyAny>>) -> PyResult<i8> {
        self.beside(other, pose, |a, b| number(judge(a, b)))
    }

    /// What `state` tells; how far the other has to go until they touch; the direction (3,) in which;
    /// and the points (3,) of both that are deepest.
    #[pyo3(signature = (other, pose=None))]
    fn depth<'py>(
        &self,
        other: &Bound<'py, PyAny>,
        pose: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Depth<'py>> {
        let found = self.beside(other, pose, |a, b| overlap(a, b))?;
        Ok(depth(other.py(), &found))
    }

    /// Two bounds on the distance of what `state` takes, and the nearest points (3,).
    #[pyo3(signature = (other, pose=None))]
    fn near<'py>(
        &self,
        other: &Bound<'py, PyAny>,
        pose: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Near<'py>> {
        let py = other.py();
        let (found, most) = self.beside(other, pose, |a, b| {
            let start = b.toward();
            let found = between(a, b, &start, Until::Nearest);
            (found, found.at_most(a, b))
        })?;
        let [on_a, on_b] =
            [found.on_a, found.on_b].map(|p| arrays::triple(py, p.coords.as_slice()));
        Ok((found.lower, most, on_a, on_b))
    }

    /// Of triangles: whether one is proved to share a point, and if not, the indices (k,) of those of
    /// which rounding hides it. O(m).
    fn meets<'py>(
        &self,
        points: &Bound<'py, PyAny>,
        faces: &Bound<'py, PyAny>,
    ) -> PyResult<(bool, Bound<'py, PyArray1<u32>>)> {
        let (py, triangles) = (points.py(), Triangles::read(points, faces)?);
        let mut open = Vec::new();
        for (_, face) in self.close(&triangles, 0.0) {
            let corners = triangles.corners(face);
            match judge(&mut self.body.at_rest(), &mut Other::Hull(cloud(&corners)?)) {
                Proved::Meet => return Ok((true, PyArray1::from_vec(py, Vec::new()))),
                Proved::Nothing => open.push(face),
                Proved::Apart => {}
            }
        }
        Ok((false, PyArray1::from_vec(py, open)))
    }

    /// The deepest of the triangles that are not proved to be apart from it: its index, and what `depth`
    /// tells of it; `None` if there is none. O(m).
    fn deepest<'py>(
        &self,
        points: &Bound<'py, PyAny>,
        faces: &Bound<'py, PyAny>,
    ) -> PyResult<Option<(u32, Depth<'py>)>> {
        let (py, triangles) = (points.py(), Triangles::read(points, faces)?);
        let mut best: Option<(u32, Overlap)> = None;
        for (_, face) in self.close(&triangles, 0.0) {
            let corners = triangles.corners(face);
            let (mut body, mut other) = (self.body.at_rest(), Other::Hull(cloud(&corners)?));
            let start = other.toward();
            if between(&mut body, &mut other, &start, Until::Apart).apart() {
                continue;
            }
            let found = overlap(&mut body, &mut other);
            let is_deeper = best.is_none_or(|(_, deepest)| found.depth > deepest.depth);
            if found.proved != Proved::Apart && is_deeper {
                best = Some((face, found));
            }
        }
        Ok(best.map(|(face, found)| (face, depth(py, &found))))
    }

    /// The nearest triangle: its index, a lower bound on the distance, the distance, and the nearest
    /// points (3,). O(m log m).
    fn nearest<'py>(
        &self,
        points: &Bound<'py, PyAny>,
        faces: &Bound<'py, PyAny>,
    ) -> PyResult<(u32, f64, f64, Triple<'py>, Triple<'py>)> {
        let (py, triangles) = (points.py(), Triangles::read(points, faces)?);
        let mut all = self.close(&triangles, f64::INFINITY);
        all.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let (mut best, mut lower): (Option<(u32, Proximity)>, _) = (None, f64::INFINITY);
        for (gap, face) in all {
            let most = best.map_or(f64::INFINITY, |(_, found)| found.upper);
            if gap > most {
                // And so are the others, but for the rounding of gaps.
                lower = lower.min(gap * (1.0 - 8.0 * f64::EPSILON));
                break;
            }
            let corners = triangles.corners(face);
            let mut other = Other::Hull(cloud(&corners)?);
            let (start, until) = (other.toward(), Until::Outside { near: 0.0, far: most });
            let found = between(&mut self.body.at_rest(), &mut other, &start, until);
            lower = lower.min(found.lower);
            if found.upper < most {
                best = Some((face, found));
            }
        }
        let (face, found) = best.ok_or_else(|| errors::argument("there is no triangle"))?;
        let [on_a, on_b] =
            [found.on_a, found.on_b].map(|p| arrays::triple(py, p.coords.as_slice()));
        // The corners of a thin simplex may be off by more than the bound.
        Ok((face, lower, found.upper.max(lower), on_a, on_b))
    }
}
