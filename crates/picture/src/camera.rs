//! The camera: chooses, among many directions, the view that shows most of the marked triangles.

use impinge_geometry::{Point, Vector};

use crate::coarse::coarse;
use crate::model::Model;
use crate::raster::{Vertex, visible_pixels};

/// Half the vertical angle of view, in radians.
const HALF_ANGLE: f64 = 0.26;
/// Number of directions tried.
const TRIED: usize = 60;
/// Size of the trial pictures in pixels.
const TRIAL: (usize, usize) = (96, 68);

/// A sphere to look at, in the frame of the model.
#[derive(Clone, Copy, Debug)]
pub struct Sphere {
    /// Its centre.
    pub center: Point,
    /// Its radius.
    pub radius: f64,
}

impl Sphere {
    /// A sphere around points: centred in their bounding box, through the farthest of them.
    pub fn around(points: impl Iterator<Item = Point> + Clone) -> Self {
        let far = Point::new(f64::INFINITY, f64::INFINITY, f64::INFINITY);
        let bounds = (far, Point::from(-far.coords));
        let (lo, hi) = points.clone().fold(bounds, |(lo, hi), p| (lo.inf(&p), hi.sup(&p)));
        let center = lo + (hi - lo) * 0.5;
        let radius = points.map(|p| (p - center).norm()).fold(f64::MIN_POSITIVE, f64::max);
        Self { center, radius }
    }
}

/// A perspective camera.
#[derive(Clone, Copy, Debug)]
pub struct Camera {
    eye: Point,
    /// Right, up, and towards the eye.
    axes: [Vector; 3],
    /// Triangles nearer to the eye than this are not drawn.
    near: f64,
}

impl Camera {
    /// A camera that looks at `sphere` from `direction`; the sphere fills the height of the
    /// picture.
    pub fn new(sphere: Sphere, direction: Vector) -> Self {
        let up = if direction.z.abs() < 0.9 { Vector::z() } else { Vector::y() };
        Self::upright(sphere, direction, up)
    }

    /// As [`Camera::new`], with `up` upward in the picture. Both vectors have length 1, and an angle of
    /// at least some degrees between them.
    pub fn upright(sphere: Sphere, direction: Vector, up: Vector) -> Self {
        let back = direction;
        let right = up.cross(&back).normalize();
        // Bodies seldom fill their sphere.
        let way = 0.9 * sphere.radius / HALF_ANGLE.sin();
        let axes = [right, back.cross(&right), back];
        Self { eye: sphere.center + back * way, axes, near: 0.05 * sphere.radius }
    }

    /// The view with the most visible marked pixels, or the most covered pixels if nothing is
    /// marked. Ties go to a view slightly from above.
    pub fn best(model: &Model, sphere: Sphere) -> Self {
        let coarse = coarse(model, sphere);
        let model = coarse.as_ref().unwrap_or(model);
        let some_marked = model.bodies.iter().any(|body| body.marked.contains(&true));
        let mut best = (f64::NEG_INFINITY, Self::new(sphere, Vector::new(0.6, -0.6, 0.53)));
        for direction in directions(TRIED) {
            let camera = Self::new(sphere, direction);
            let seen = visible_pixels(model, &camera, TRIAL.0, TRIAL.1);
            let wanted = if some_marked { seen.marked } else { seen.solid };
            let score = wanted as f64 * (1.0 + 0.15 * direction.z.clamp(-0.5, 0.6));
            if score > best.0 {
                best = (score, camera);
            }
        }
        best.1
    }

    /// Projects a point onto a picture of `width × height` samples. `None` if it is behind the eye
    /// or nearer than `near`.
    pub(crate) fn project(&self, p: &Point, width: usize, height: usize) -> Option<Vertex> {
        let d = p - self.eye;
        let depth = -d.dot(&self.axes[2]);
        if depth < self.near {
            return None;
        }
        let scale = 0.5 * height as f64 / (HALF_ANGLE.tan() * depth);
        Some(Vertex {
            x: 0.5 * width as f64 + d.dot(&self.axes[0]) * scale,
            y: 0.5 * height as f64 - d.dot(&self.axes[1]) * scale,
            inverse_depth: 1.0 / depth,
        })
    }

    /// The unit vector from `p` to the eye.
    pub(crate) fn towards(&self, p: &Point) -> Vector {
        (self.eye - p).normalize()
    }

    /// The camera's axes: right, up, and towards the eye.
    pub(crate) fn axes(&self) -> &[Vector; 3] {
        &self.axes
    }
}

/// Unit vectors spread evenly over the sphere (a Fibonacci spiral).
fn directions(n: usize) -> impl Iterator<Item = Vector> {
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    (0..n).map(move |k| {
        let z = 1.0 - 2.0 * (k as f64 + 0.5) / n as f64;
        let (sin, cos) = (golden * k as f64).sin_cos();
        let r = (1.0 - z * z).sqrt();
        Vector::new(r * cos, r * sin, z)
    })
}
