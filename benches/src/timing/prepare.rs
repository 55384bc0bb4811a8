//! Timed preparation of meshes.

use std::time::Instant;

use impinge::Method;
use impinge::image::Drawing;
use impinge::query::{self, Control, Detector};

use crate::graphics;
use crate::scene::Scene;
use impinge_records::bench::Preparation;

/// Meshes with fewer triangles are prepared several times; the least time counts.
const TRY_AGAIN_BELOW: usize = 200_000;
/// The number of preparations of such a mesh.
const TRIES: usize = 3;

/// A method with its models of all meshes of a scene.
pub struct Prepared {
    /// The method.
    pub detector: Box<dyn Detector>,
    /// One per mesh of the scene.
    pub models: Vec<query::Prepared>,
    /// Times and sizes of the preparation.
    pub record: Preparation,
}

impl std::fmt::Debug for Prepared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prepared").field("record", &self.record).finish_non_exhaustive()
    }
}

/// Prepares every mesh of `scene` with `method`, whose pictures are drawn by `drawing`.
///
/// # Errors
/// If the method refuses a mesh.
pub fn prepare(scene: &Scene, method: Method, drawing: Drawing) -> Result<Prepared, String> {
    let detector = graphics::detector(method, drawing);
    let mut models = Vec::new();
    let mut seconds = 0.0;
    for named in &scene.meshes {
        let tries = if named.mesh.triangles().len() < TRY_AGAIN_BELOW { TRIES } else { 1 };
        let mut least = f64::INFINITY;
        let mut made = None;
        for _ in 0..tries {
            let start = Instant::now();
            let model = detector.prepare(&named.mesh, &Control::NONE);
            least = least.min(start.elapsed().as_secs_f64());
            made = Some(model.map_err(|error| format!("{method}, {}: {error}", named.name))?);
        }
        seconds += least;
        models.extend(made);
    }
    let sum = |of: fn(&query::Prepared) -> usize| models.iter().map(of).sum::<usize>();
    let triangles = sum(query::Prepared::triangles);
    let (bytes, mesh) = (sum(query::Prepared::bytes), sum(query::Prepared::mesh_bytes));
    let per_triangle = |amount: f64| amount / triangles.max(1) as f64;
    let record = Preparation {
        seconds,
        triangles,
        ns_per_triangle: per_triangle(seconds * 1e9),
        bytes_per_triangle: per_triangle(bytes as f64),
        own_bytes_per_triangle: per_triangle(bytes.saturating_sub(mesh) as f64),
    };
    Ok(Prepared { detector, models, record })
}
