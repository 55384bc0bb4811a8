//! A surface in the frame of a query, with a tree of boxes: how far a point is from it, and whether
//! it is inside.

use impinge_geometry::exact::{Crossing, crossing};
use impinge_geometry::{Mesh, Point, Pose, Triangle, Vector};
use impinge_hierarchy::build::{AxisBoxFit, Builder, Mean, TopDown};
use impinge_hierarchy::{Child, Node};
use impinge_query::{Cancelled, Control};

/// A box by its lower and upper corner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) low: Point,
    pub(crate) high: Point,
}

impl Bounds {
    pub(crate) fn around(points: &[Point]) -> Self {
        let start = Self { low: points[0], high: points[0] };
        points.iter().fold(start, |b, p| Self { low: b.low.inf(p), high: b.high.sup(p) })
    }

    pub(crate) fn merged(&self, other: &Self) -> Self {
        Self { low: self.low.inf(&other.low), high: self.high.sup(&other.high) }
    }

    /// The vector from the box to a point that is as short as it can be.
    #[inline(always)]
    fn away(&self, x: &Point) -> Vector {
        let off = |k: usize| (self.low[k] - x[k]).max(x[k] - self.high[k]).max(0.0);
        Vector::new(off(0), off(1), off(2))
    }

    /// The vector between this box and another one moved by `v`, as short as it can be.
    #[inline(always)]
    pub(crate) fn gap(&self, other: &Self, v: &Vector) -> Vector {
        let off = |k: usize| {
            (self.low[k] - (other.high[k] + v[k]))
                .max((other.low[k] + v[k]) - self.high[k])
                .max(0.0)
        };
        Vector::new(off(0), off(1), off(2))
    }

    pub(crate) fn extent(&self) -> Vector {
        self.high - self.low
    }
}

/// The part of a surface that is nearest to a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near {
    /// No point of the surface is nearer than this, but for rounding.
    pub(crate) clearance: f64,
    /// A point of the surface about that far.
    pub(crate) foot: Point,
    /// Its triangle.
    pub(crate) triangle: u32,
}

/// The triangles of a surface and a tree of their boxes. The tree is that of the mesh, whatever the
/// pose.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) triangles: Vec<Triangle>,
    pub(crate) children: Vec<Child>,
    pub(crate) boxes: Vec<Bounds>,
}

impl Field {
    /// O(n log n).
    pub(crate) fn new(mesh: &Mesh, control: &Control<'_>) -> Result<Self, Cancelled> {
        let tree = TopDown::new(AxisBoxFit, Mean).build(mesh, control)?;
        let children = tree.nodes().iter().map(Node::child).collect();
        Ok(Self::fitted(mesh.corners().collect(), children))
    }

    /// The same surface with each corner moved by a function. O(n).
    pub(crate) fn moved(&self, mesh: &Mesh, place: impl Fn(&Point) -> Point) -> Self {
        let vertices: Vec<Point> = mesh.vertices().iter().map(place).collect();
        let corners = |t: &[u32; 3]| t.map(|v| vertices[v as usize]);
        Self::fitted(mesh.triangles().iter().map(corners).collect(), self.children.clone())
    }

    /// The same surface at a pose, times `scale`.
    pub(crate) fn posed(&self, mesh: &Mesh, pose: &Pose, scale: f64) -> Self {
        self.moved(mesh, |p| pose.apply(p) * scale)
    }

    /// Fits the boxes, children first: they come after their parents.
    fn fitted(triangles: Vec<Triangle>, children: Vec<Child>) -> Self {
        let mut boxes = vec![Bounds::around(&triangles[0]); children.len()];
        for node in (0..children.len()).rev() {
            boxes[node] = match children[node] {
                Child::Pair(first) => boxes[first as usize].merged(&boxes[first as usize + 1]),
                Child::Leaf(t) => Bounds::around(&triangles[t as usize]),
            };
        }
        Self { triangles, children, boxes }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.triangles.capacity() * size_of::<Triangle>()
            + self.children.capacity() * size_of::<Child>()
            + self.boxes.capacity() * size_of::<Bounds>()
    }

    pub(crate) fn bounds(&self) -> &Bounds {
        &self.boxes[0]
    }

    /// The largest magnitude of a coordinate.
    pub(crate) fn reach(&self) -> f64 {
        let b = self.bounds();
        b.low.coords.amax().max(b.high.coords.amax())
    }

    /// The nearest part of the surface; `None` if it is as far as `until` or farther.
    pub(crate) fn nearest(&self, x: &Point, until: f64) -> Option<Near> {
        let mut best = Near { clearance: until, foot: *x, triangle: u32::MAX };
        let mut open = Vec::with_capacity(48);
        open.push((self.boxes[0].away(x).norm_squared(), 0u32));
        while let Some((gap, node)) = open.pop() {
            if gap >= best.clearance * best.clearance {
                continue;
            }
            match self.children[node as usize] {
                Child::Leaf(t) => {
                    let (clearance, foot) = clearance(x, &self.triangles[t as usize]);
                    if clearance < best.clearance {
                        best = Near { clearance, foot, triangle: t };
                    }
                }
                Child::Pair(first) => {
                    let gap = |k: u32| self.boxes[k as usize].away(x).norm_squared();
                    let (p, q) = ((gap(first), first), (gap(first + 1), first + 1));
                    let (near, far) = if q.0 < p.0 { (q, p) } else { (p, q) };
                    open.push(far);
                    open.push(near);
                }
            }
        }
        (best.triangle != u32::MAX).then_some(best)
    }

    /// Whether the winding number of the surface, which is closed, about a point is not zero. Exact;
    /// a point on the surface is not inside.
    pub(crate) fn holds(&self, x: &Point) -> bool {
        self.winding(x).is_some_and(|n| n != 0)
    }

    /// The winding number; `None` on the surface, as far as the ray in direction +z tells. Exact.
    pub(crate) fn winding(&self, x: &Point) -> Option<i32> {
        let mut winding = 0;
        let mut open = vec![0u32];
        while let Some(node) = open.pop() {
            let Bounds { low, high } = &self.boxes[node as usize];
            let beside = x.x < low.x || x.x > high.x || x.y < low.y || x.y > high.y;
            if beside || x.z > high.z {
                continue;
            }
            match self.children[node as usize] {
                Child::Pair(first) => open.extend([first, first + 1]),
                Child::Leaf(t) => match crossing(&self.triangles[t as usize], x) {
                    Crossing::On => return None,
                    Crossing::Adds(n) => winding += n,
                },
            }
        }
        Some(winding)
    }
}

/// A lower bound of the distance of a point to a triangle, but for rounding, and a point of the
/// triangle about that far.
///
/// With `w` from that point to `x`, the triangle is behind the plane across `w` through its corner
/// that is highest along `w`: so whatever the point, the height of `x` above that plane is a lower
/// bound, and it is the distance if the point is the nearest.
pub(crate) fn clearance(x: &Point, t: &Triangle) -> (f64, Point) {
    let foot = nearest_on(x, t);
    let w = x - foot;
    let length = w.norm();
    if !(length > 0.0) {
        return (0.0, foot);
    }
    let height = t.iter().map(|c| w.dot(&(x - c))).fold(f64::INFINITY, f64::min);
    ((height / length).max(0.0), foot)
}

/// About the nearest point of a triangle: the foot of the perpendicular if it is inside, else the
/// nearest on the sides.
fn nearest_on(x: &Point, [a, b, c]: &Triangle) -> Point {
    let (p, q, r) = (b - a, c - a, x - a);
    let n = p.cross(&q);
    let nn = n.norm_squared();
    if nn > 0.0 {
        let (s, t) = (r.cross(&q).dot(&n) / nn, p.cross(&r).dot(&n) / nn);
        if s >= 0.0 && t >= 0.0 && s + t <= 1.0 {
            return a + p * s + q * t;
        }
    }
    let side = |u: &Point, v: &Point| {
        let d = v - u;
        let dd = d.norm_squared();
        let s = if dd > 0.0 { ((x - u).dot(&d) / dd).clamp(0.0, 1.0) } else { 0.0 };
        u + d * s
    };
    let sides = [side(a, b), side(b, c), side(c, a)];
    let far = |y: &Point| (x - y).norm_squared();
    let nearer = |y: Point, z: Point| if far(&z) < far(&y) { z } else { y };
    nearer(nearer(sides[0], sides[1]), sides[2])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::penetration::scene::SLACK;
    use impinge_models::Random;
    use impinge_testkit::oracle;

    /// Clearances less the slack are not above the distance, and some are above it by 0.003 of the slack, one
    /// and a half units of rounding: then the slack is needed. Of points near the triangle, and of those far from a small one.
    #[test]
    fn clearances_are_bounded_from_below() {
        let (mut random, mut above) = (Random::new(0xc1ea), [0; 2]);
        for case in 0..20_000 {
            let mut point = || Point::from(random.vector(-1.0, 1.0));
            let mut t = [point(), point(), point()];
            let x = if case % 2 == 0 {
                let [u, v] = [random.unit(), random.unit()];
                let on = t[0] + (t[1] - t[0]) * u + (t[2] - t[0]) * (v * (1.0 - u));
                on + random.unit_vector() * 4f64.powi(-(random.below(12) as i32))
            } else {
                t = t.map(|p| Point::from(p.coords * 2f64.powi(-60) + Vector::repeat(-1.0)));
                Point::from(random.vector(0.5, 1.0))
            };
            let most = t.iter().chain([&x]).fold(0.0_f64, |most, p| most.max(p.coords.amax()));
            let squared = oracle::squared_distance(&[x; 3], &t);
            let found = clearance(&x, &t).0;
            for (share, above) in [1.0, 0.003].into_iter().zip(&mut above) {
                let bound = found - share * SLACK * most;
                let wrong = bound > 0.0 && oracle::at_most(&squared, bound.next_down());
                *above += usize::from(wrong);
            }
        }
        assert!(above[0] == 0 && above[1] > 10, "{above:?}");
    }
}
