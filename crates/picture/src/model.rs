//! What is drawn: bodies in one frame, with normals for smooth shading.

use impinge_geometry::{Mesh, Point, Pose, Triangle, Vector};

use crate::camera::Sphere;

/// A corner keeps the mean normal of its triangles if the cosine between that and the triangle's
/// own normal is at least this.
const CREASE: f64 = 0.75;

/// A posed body. Vertices of equal coordinates are one vertex.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    /// Number of the body's colour.
    pub(crate) color: usize,
    /// In the frame and the unit of the model.
    pub(crate) vertices: Vec<Point>,
    pub(crate) triangles: Vec<[u32; 3]>,
    /// One per triangle: whether it is marked.
    pub(crate) marked: Vec<bool>,
    /// One per vertex: the mean normal of its triangles, of length 1 or 0. Empty in a body that is
    /// never shaded.
    normals: Vec<Vector>,
    /// Index in the model of the body's first triangle.
    pub(crate) first: u32,
}

impl Body {
    pub(crate) fn corners(&self, triangle: usize) -> Triangle {
        self.triangles[triangle].map(|v| self.vertices[v as usize])
    }

    /// The normals at a triangle's corners, of length 1 or 0: smooth, except at creases.
    pub(crate) fn normals(&self, triangle: usize) -> [Vector; 3] {
        let own = flat(&self.corners(triangle)).try_normalize(0.0).unwrap_or_else(Vector::zeros);
        self.triangles[triangle].map(|v| {
            let mean = self.normals[v as usize];
            if mean.dot(&own) > CREASE { mean } else { own }
        })
    }
}

/// The normal of a triangle, as long as twice its area.
fn flat([a, b, c]: &Triangle) -> Vector {
    (b - a).cross(&(c - a))
}

fn mean_normals(vertices: &[Point], triangles: &[[u32; 3]]) -> Vec<Vector> {
    let mut sums = vec![Vector::zeros(); vertices.len()];
    for triangle in triangles {
        let normal = flat(&triangle.map(|v| vertices[v as usize]));
        for &v in triangle {
            sums[v as usize] += normal;
        }
    }
    sums.iter().map(|sum| sum.try_normalize(0.0).unwrap_or_else(Vector::zeros)).collect()
}

/// Posed bodies to draw. Each body has a colour; marked triangles are red.
///
/// Coordinates are multiplied by a power of two which brings the first body to a size of about 1,
/// so that meshes of any unit can be drawn.
#[derive(Clone, Debug, Default)]
pub struct Model {
    pub(crate) bodies: Vec<Body>,
    /// The power of two; set by the first body.
    unit: Option<f64>,
}

impl Model {
    /// Adds a posed mesh. `color` selects its colour; `marked` tells, by index, which triangles are
    /// marked.
    pub fn add(&mut self, mesh: &Mesh, pose: &Pose, color: usize, marked: &dyn Fn(u32) -> bool) {
        let welded = mesh.welded();
        let used = welded.corners().flatten().map(|p| pose.apply(&p));
        let unit = *self.unit.get_or_insert_with(|| unit_of(used));
        let vertices: Vec<Point> = welded.vertices().iter().map(|p| pose.apply(p) * unit).collect();
        let triangles = welded.triangles().to_vec();
        let normals = mean_normals(&vertices, &triangles);
        let marked = (0..triangles.len() as u32).map(marked).collect();
        self.push(Body { color, vertices, triangles, marked, normals, first: 0 });
    }

    pub(crate) fn push(&mut self, mut body: Body) {
        body.first = self.triangles() as u32;
        self.bodies.push(body);
    }

    /// The number of triangles of all bodies.
    pub(crate) fn triangles(&self) -> usize {
        self.bodies.last().map_or(0, |body| body.first as usize + body.triangles.len())
    }

    /// The body of a triangle, and the triangle's index in the body.
    pub(crate) fn find(&self, triangle: u32) -> Option<(&Body, usize)> {
        let after = self.bodies.partition_point(|body| body.first <= triangle);
        let body = self.bodies.get(after.checked_sub(1)?)?;
        let index = (triangle - body.first) as usize;
        (index < body.triangles.len()).then_some((body, index))
    }

    /// A sphere in the frame and unit of the bodies, as a sphere to look at.
    pub fn sphere(&self, center: Point, radius: f64) -> Sphere {
        let unit = self.unit.unwrap_or(1.0);
        Sphere { center: center * unit, radius: (radius * unit).max(f64::MIN_POSITIVE) }
    }

    /// The spheres to look at: around everything, and around the marked triangles with a margin.
    /// The second is `None` if it would show the same.
    pub fn spheres(&self) -> (Sphere, Option<Sphere>) {
        let corners = |body: &'_ Body| -> Vec<Point> {
            body.triangles.iter().flatten().map(|&v| body.vertices[v as usize]).collect()
        };
        let used: Vec<Point> = self.bodies.iter().flat_map(corners).collect();
        let whole = Sphere::around(used.iter().copied());
        let near = self.marked_corners().next().map(|_| {
            let around = Sphere::around(self.marked_corners());
            let radius = (around.radius * 1.25).clamp(whole.radius * 0.07, whole.radius);
            Sphere { radius, ..around }
        });
        (whole, near.filter(|near| near.radius < 0.8 * whole.radius))
    }

    fn marked_corners(&self) -> impl Iterator<Item = Point> + Clone + '_ {
        self.bodies.iter().flat_map(|body| {
            let marked = body.marked.iter().enumerate().filter(|&(_, &marked)| marked);
            marked.flat_map(|(triangle, _)| body.corners(triangle))
        })
    }
}

impl Body {
    /// A body that is rasterised but never shaded.
    pub(crate) fn unshaded(
        color: usize,
        vertices: Vec<Point>,
        triangles: Vec<[u32; 3]>,
        marked: Vec<bool>,
    ) -> Self {
        Self { color, vertices, triangles, marked, normals: Vec::new(), first: 0 }
    }
}

/// A power of two that brings the largest coordinate near 1. 1 if all coordinates are zero.
fn unit_of(points: impl Iterator<Item = Point>) -> f64 {
    let largest = points.flat_map(|p| [p.x, p.y, p.z]).fold(0.0, |most: f64, x| most.max(x.abs()));
    if largest == 0.0 {
        return 1.0;
    }
    // The limits keep the power of two a normal number.
    2.0_f64.powi(-(largest.log2().floor().clamp(-1000.0, 1000.0) as i32))
}
