//! Meshes that bound a convex body: the exact check, and the support function for GJK.
//!
//! | file | what it does |
//! | --- | --- |
//! | `surface` | which triangle is across each side; the walk to the triangle that holds a point |
//! | `check` | is it convex: the theorem and its proof |
//! | `climb` | the farthest point in a direction, exactly |
//! | `placed` | the body as a support function, at rest or posed |
//!
//! **Rounded bodies.** Vertices in f64 are rounded. The quadrilaterals of a sphere or a cylinder
//! are therefore not quite planar, and half of their diagonals are reflex by a few units of
//! rounding. Such a surface is accepted if no notch at an edge is deeper than 2⁻⁴⁴ of the largest
//! coordinate. Support points are then those of the exact convex hull of the vertices, so every
//! proof of separation stays valid. Only notches are looked at then: many in a row, each as shallow, make a
//! deeper hollow, and whether the surface winds around the body once is not tested. What needs the
//! shape of the surface itself, such as a distance, must look at its triangles.
//! [`ConvexBody::exactly_convex`] distinguishes the two cases.

mod check;
mod climb;
mod error;
mod placed;
mod surface;

pub use error::NotConvex;
pub use placed::{AtRest, Posed};

use std::convert::Infallible;

use crate::volume::{ConvexHull, HullShape};
use crate::{Mesh, Point, Triangle, Vector};
use check::Edges;
use climb::Graph;
use error::End;
use surface::Surface;

/// The boundary of a convex body, with the support function for GJK by climbing, and the triangles
/// around a point.
#[derive(Clone, Debug)]
pub struct ConvexBody {
    surface: Surface,
    graph: Graph,
    /// Maps points of the graph to points of the surface; `None` if they are the same.
    on_surface: Option<Vec<u32>>,
    max_abs: f64,
    center: Point,
    extent: f64,
}

impl ConvexBody {
    /// Checks that `mesh` bounds a convex body: closed, wound outward, connected, no edge reflex by
    /// more than rounding; if some are, the body is the hull, and no more is tested (see the
    /// [module](self)). Facets and edges may be subdivided; degenerate
    /// triangles are refused. Exact; O(n log n), about 1 µs a triangle.
    ///
    /// # Errors
    /// [`NotConvex`] names the edge, vertex or triangle that shows it.
    ///
    /// ```
    /// use impinge_geometry::convex::ConvexBody;
    /// # use impinge_geometry::{Mesh, Point, Vector};
    /// # let tetrahedron = Mesh::new(
    /// #     vec![Point::origin(), Point::new(1., 0., 0.), Point::new(0., 1., 0.), Point::new(0., 0., 1.)],
    /// #     vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    /// # )?;
    /// let body = ConvexBody::new(&tetrahedron)?;
    /// let top = body.farthest(&Vector::z(), 0);
    /// assert_eq!(body.extreme(top), Point::new(0.0, 0.0, 1.0));
    /// assert!(ConvexBody::new(&tetrahedron.flipped()).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(mesh: &Mesh) -> Result<Self, NotConvex> {
        let Ok(examined) = Self::watched(mesh, &mut || Ok::<(), Infallible>(()));
        examined
    }

    /// The same, for a caller who may want it no more: `look` is called every some 16,384 triangles,
    /// and in the hull of a surface with notches every some 4,096 points that are assigned to a face.
    ///
    /// # Errors
    /// The first error of `look`.
    pub fn watched<E>(
        mesh: &Mesh,
        look: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<Result<Self, NotConvex>, E> {
        match Self::examined(mesh, &mut || look().map_err(End::Stopped)) {
            Ok(body) => Ok(Ok(body)),
            Err(End::NotConvex(why)) => Ok(Err(why)),
            Err(End::Stopped(error)) => Err(error),
        }
    }

    fn examined<E>(
        mesh: &Mesh,
        look: &mut impl FnMut() -> Result<(), End<E>>,
    ) -> Result<Self, End<E>> {
        let surface = Surface::of(mesh, look)?;
        let (graph, on_surface) = match check::edges(&surface, look)? {
            Edges::Convex => {
                let four = check::tetrahedron(&surface.points, surface.triangles[0])?;
                check::whole(&surface, four, look)?;
                (Graph::new(surface.points.clone(), &surface.triangles, four), None)
            }
            Edges::Notched => {
                let (graph, map) = hull(&surface, look)?;
                (graph, Some(map))
            }
        };
        look()?;
        let first = surface.points[0];
        let bounds = |(lo, hi): (Point, Point), p: &Point| (lo.inf(p), hi.sup(p));
        let (lo, hi) = surface.points.iter().fold((first, first), bounds);
        let (center, extent) = (nalgebra::center(&lo, &hi), (hi - lo).amax());
        let max_abs = check::largest(&surface.points);
        Ok(Self { surface, graph, on_surface, max_abs, center, extent })
    }

    /// Whether the mesh is exactly convex, without notches within rounding.
    pub fn exactly_convex(&self) -> bool {
        self.on_surface.is_none()
    }

    /// The number of points of the support function; their indices are below it.
    pub fn extremes(&self) -> u32 {
        self.graph.points.len() as u32
    }

    /// The point with this index, in the mesh's frame.
    ///
    /// # Panics
    /// If the index is not below [`ConvexBody::extremes`].
    #[inline]
    pub fn extreme(&self, index: u32) -> Point {
        self.graph.points[index as usize]
    }

    /// Index of a vertex farthest in the direction `d`: no vertex has a larger `d · x`, exactly.
    /// The climb starts at `from`. Near the answer it takes one or two steps, else about as many as
    /// there are edges on the way. Components of `d` must be at most 2 in magnitude.
    ///
    /// # Panics
    /// If `from` is not below [`ConvexBody::extremes`].
    #[inline]
    pub fn farthest(&self, d: &Vector, from: u32) -> u32 {
        self.graph.climb(d, from)
    }

    /// The largest coordinate magnitude of the vertices in use.
    pub fn max_abs(&self) -> f64 {
        self.max_abs
    }

    /// The centre of the bounding box.
    pub fn center(&self) -> Point {
        self.center
    }

    /// The longest side of the bounding box.
    pub fn extent(&self) -> f64 {
        self.extent
    }

    /// The corners of triangle `t`, by its index in the mesh.
    ///
    /// # Panics
    /// If there is no such triangle.
    #[inline]
    pub fn triangle(&self, t: u32) -> Triangle {
        self.surface.corners(t)
    }

    /// A triangle on or next to the point `x`, which must be on the surface up to rounding. The
    /// search starts at the vertex with index `near`. It is a heuristic: the caller must measure
    /// the result.
    ///
    /// # Panics
    /// If `near` is not below [`ConvexBody::extremes`].
    pub fn triangle_at(&self, x: &Point, near: u32) -> u32 {
        let near = self.on_surface.as_ref().map_or(near, |map| map[near as usize]);
        self.surface.walk_to(x, near)
    }

    /// Calls `visit` once for each triangle that shares a corner with `t`, `t` included.
    ///
    /// # Panics
    /// If there is no such triangle.
    #[inline]
    pub fn around(&self, t: u32, mut visit: impl FnMut(u32)) {
        let triangles = &self.surface.triangles;
        let corners = triangles[t as usize];
        for (k, &point) in corners.iter().enumerate() {
            self.surface.fan(point, |other| {
                let seen = triangles[other as usize].iter().any(|p| corners[..k].contains(p));
                if !seen {
                    visit(other);
                }
            });
        }
    }

    /// The bytes held.
    pub fn bytes(&self) -> usize {
        let s = &self.surface;
        size_of_val(s.points.as_slice())
            + 2 * size_of_val(s.triangles.as_slice())
            + 8 * s.points.len()
            + self.graph.bytes()
            + self.on_surface.as_ref().map_or(0, |map| 4 * map.len())
    }
}

/// Calls `work` with every number below `count`, and `look` every 16,384 of them.
fn looking<E>(
    count: usize,
    look: &mut impl FnMut() -> Result<(), E>,
    mut work: impl FnMut(u32) -> Result<(), E>,
) -> Result<(), E> {
    for k in 0..count as u32 {
        if k % (1 << 14) == 0 {
            look()?;
        }
        work(k)?;
    }
    Ok(())
}

/// The graph of the hull of the surface's points, and the map from its points to the surface's.
fn hull<E>(
    surface: &Surface,
    look: &mut impl FnMut() -> Result<(), End<E>>,
) -> Result<(Graph, Vec<u32>), End<E>> {
    let euler = surface.points.len() as i64 - surface.triangles.len() as i64 / 2;
    if euler != 2 {
        return Err(NotConvex::NotASphere { euler }.into());
    }
    // A hull exists: there are points, and their coordinates were checked with the mesh.
    let hull = ConvexHull::watched(&surface.points, look)?.map_err(|_| NotConvex::Flat)?;
    let HullShape::Solid { vertices, faces } = hull.shape() else {
        return Err(NotConvex::Flat.into());
    };
    // Hull vertices are points of the surface in the same order.
    let mut all = (0u32..).zip(&surface.points);
    let map = vertices.iter().filter_map(|v| all.find(|(_, p)| *p == v)).map(|(i, _)| i).collect();
    let four = check::tetrahedron(vertices, faces[0])?;
    Ok((Graph::new(vertices.clone(), faces, four), map))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cube with a notch within rounding along a diagonal of its top, and a point inside a face,
    /// which is not on the hull.
    #[test]
    fn points_of_a_hull_are_named_by_those_of_the_surface() {
        let corner = |k: u32| [k & 1, k >> 1 & 1, k >> 2].map(|c| f64::from(c) - 0.5);
        let mut vertices = vec![Point::new(0.0, 0.0, -0.5)];
        vertices.extend((0..8).map(|k| Point::from(corner(k))));
        // Raise two opposite corners of the top.
        vertices[6].z += 2f64.powi(-46);
        vertices[7].z += 2f64.powi(-46);
        let mut triangles = vec![[0, 1, 3], [0, 3, 4], [0, 4, 2], [0, 2, 1]];
        for [a, b, c, d] in [[1, 2, 6, 5], [2, 4, 8, 6], [4, 3, 7, 8], [3, 1, 5, 7]] {
            triangles.extend([[a, b, c], [a, c, d]]);
        }
        triangles.extend([[5, 6, 8], [5, 8, 7]]);
        let mesh = Mesh::new(vertices, triangles).expect("indices are in range");
        let body = ConvexBody::new(&mesh).expect("convex but for rounding");
        let map = body.on_surface.as_ref().expect("it has a notch");
        assert_eq!(map.len(), body.extremes() as usize);
        for (i, &point) in (0..).zip(map) {
            assert_eq!(body.surface.points[point as usize], body.extreme(i));
        }
        let graph = body.graph.bytes();
        let (n, m) = (body.surface.points.len(), body.surface.triangles.len());
        assert_eq!(body.bytes(), 24 * n + 24 * m + 8 * n + graph + 4 * map.len());
    }

    /// The hull of a turned prism, whose caps have notches within rounding, looks while it grows.
    #[test]
    fn the_hull_of_a_surface_with_notches_looks() {
        const N: u32 = 3000;
        let ring = |z: f64| {
            (0..N).map(move |k| {
                let (sine, cosine) =
                    (f64::from(k) * std::f64::consts::TAU / f64::from(N)).sin_cos();
                Point::new(cosine, sine, z)
            })
        };
        let mut triangles = Vec::new();
        for a in 0..N {
            let b = (a + 1) % N;
            triangles.extend([[a, b, b + N], [a, b + N, a + N]]);
            if a > 1 {
                triangles.extend([[0, a, a - 1], [N, N + a - 1, N + a]]);
            }
        }
        let upright = Mesh::new(ring(0.0).chain(ring(1.0)).collect(), triangles).expect("a prism");
        let turn = nalgebra::Rotation3::from_euler_angles(0.3, 0.5, 0.7);
        let turned = upright.vertices().iter().map(|p| turn * p).collect();
        let turned = upright.with_vertices(turned).expect("finite");
        let looks = |mesh: &Mesh, most: usize| {
            let mut looks = 0;
            let body = ConvexBody::watched(mesh, &mut || {
                looks += 1;
                if looks > most { Err(()) } else { Ok(()) }
            });
            (looks, body.map(|body| body.expect("convex but for rounding").exactly_convex()))
        };
        let (without, convex) = looks(&upright, usize::MAX);
        assert_eq!(convex, Ok(true));
        let (with, convex) = looks(&turned, usize::MAX);
        assert_eq!(convex, Ok(false));
        assert!(with > without, "{with} looks, {without} without a hull");
        for most in [0, without, with - 1] {
            assert_eq!(looks(&turned, most), (most + 1, Err(())));
        }
    }
}
