//! What is drawn: triangles in one frame, with normals for smooth shading.

use impinge_geometry::{Mesh, Point, Pose, Triangle, Vector};

use crate::camera::Sphere;

/// A corner keeps the mean normal of its triangles if the cosine between that and the triangle's
/// own normal is at least this.
const CREASE: f64 = 0.75;

/// A triangle in the frame of the model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Face {
    pub(crate) corners: Triangle,
    /// One normal per corner, of length 1 or 0.
    pub(crate) normals: [Vector; 3],
    pub(crate) body: usize,
    pub(crate) marked: bool,
}

/// Posed bodies to draw. Each body has a colour; marked triangles are red.
#[derive(Clone, Debug, Default)]
pub struct Model {
    pub(crate) triangles: Vec<Face>,
}

impl Model {
    /// Adds a posed mesh. `body` selects its colour; `marked` tells, by index, which triangles are
    /// marked.
    pub fn add(&mut self, mesh: &Mesh, pose: &Pose, body: usize, marked: &dyn Fn(u32) -> bool) {
        let welded = mesh.welded();
        let mut normals = vec![Vector::zeros(); welded.vertices().len()];
        let flat = |t: &Triangle| (t[1] - t[0]).cross(&(t[2] - t[0]));
        for (corners, triangle) in welded.corners().zip(welded.triangles()) {
            for &v in triangle {
                normals[v as usize] += flat(&corners);
            }
        }
        for (index, (corners, triangle)) in welded.corners().zip(welded.triangles()).enumerate() {
            let own = flat(&corners).try_normalize(0.0).unwrap_or_else(Vector::zeros);
            let smooth = |v: u32| {
                let mean = normals[v as usize].try_normalize(0.0).unwrap_or(own);
                pose.rotate(if mean.dot(&own) > CREASE { &mean } else { &own })
            };
            self.triangles.push(Face {
                corners: corners.map(|p| pose.apply(&p)),
                normals: triangle.map(smooth),
                body,
                marked: marked(index as u32),
            });
        }
    }

    /// The spheres to look at: around everything, and around the marked triangles with a margin.
    /// The second is `None` if it would show the same.
    pub fn spheres(&self) -> (Sphere, Option<Sphere>) {
        let whole = Sphere::around(self.corners(false));
        let near = self.corners(true).next().map(|_| {
            let around = Sphere::around(self.corners(true));
            let radius = (around.radius * 1.25).clamp(whole.radius * 0.07, whole.radius);
            Sphere { radius, ..around }
        });
        (whole, near.filter(|near| near.radius < 0.8 * whole.radius))
    }

    /// The corners of all triangles, or of the marked ones.
    fn corners(&self, only_marked: bool) -> impl Iterator<Item = Point> + Clone + '_ {
        let wanted = self.triangles.iter().filter(move |t| t.marked || !only_marked);
        wanted.flat_map(|t| t.corners)
    }
}
