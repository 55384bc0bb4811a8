//! A coarse copy of a model, from which a direction of view is chosen: to draw a million triangles
//! from sixty directions takes a minute.

use std::collections::HashMap;

use impinge_geometry::Point;

use crate::camera::Sphere;
use crate::model::{Body, Model};

/// Models of at most this many triangles are used as they are.
const ENOUGH: usize = 20_000;
/// Cells along the radius of the sphere that is looked at.
const FINENESS: f64 = 24.0;

/// A cell: the exponent of its edge's length, and its place in a grid of such cells.
type Cell = (i32, [i64; 3]);

/// `model` with the vertices of one cell merged, or `None` if the model is small enough. Cells
/// within the sphere are fine, and grow with the distance from it. A merged triangle is marked if
/// one of its triangles is.
pub(crate) fn coarse(model: &Model, sphere: Sphere) -> Option<Model> {
    if model.triangles() <= ENOUGH {
        return None;
    }
    let mut coarse = Model::default();
    for body in &model.bodies {
        coarse.push(merged(body, sphere));
    }
    Some(coarse)
}

fn merged(body: &Body, sphere: Sphere) -> Body {
    let (mut cells, mut vertices) = (HashMap::new(), Vec::new());
    let merge = |p: &Point| {
        *cells.entry(cell(p, sphere)).or_insert_with(|| {
            vertices.push(*p);
            vertices.len() as u32 - 1
        })
    };
    let places: Vec<u32> = body.vertices.iter().map(merge).collect();
    let mut found: Vec<([u32; 3], bool)> = Vec::new();
    for (triangle, &marked) in body.triangles.iter().zip(&body.marked) {
        let mut corners = triangle.map(|v| places[v as usize]);
        corners.sort_unstable();
        // What is marked is never left out: a triangle within one cell is drawn as a dot.
        if marked || (corners[0] != corners[1] && corners[1] != corners[2]) {
            found.push((corners, marked));
        }
    }
    // Of equal triangles the marked one is kept.
    found.sort_unstable_by_key(|&(corners, marked)| (corners, !marked));
    found.dedup_by_key(|(corners, _)| *corners);
    let (triangles, marked) = found.into_iter().unzip();
    Body::unshaded(body.color, vertices, triangles, marked)
}

fn cell(p: &Point, sphere: Sphere) -> Cell {
    let edge = (sphere.radius.max((p - sphere.center).norm() * 0.5)) / FINENESS;
    let exponent = edge.log2().floor();
    let size = exponent.exp2();
    (exponent as i32, [p.x, p.y, p.z].map(|x| (x / size).floor() as i64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Camera, Image};
    use impinge_geometry::{Mesh, Pose, Vector};

    /// A wavy sheet of `n × n` squares over the unit square, with the triangles of one corner
    /// marked.
    fn sheet(n: u32) -> Model {
        let place = |k: u32| f64::from(k) / f64::from(n);
        let vertices = (0..(n + 1) * (n + 1)).map(|v| {
            let (x, y) = (place(v % (n + 1)), place(v / (n + 1)));
            Point::new(x, y, 0.1 * (7.0 * x).sin() * (5.0 * y).cos())
        });
        let triangles = (0..n * n).flat_map(|k| {
            let v = k / n * (n + 1) + k % n;
            [[v, v + 1, v + n + 2], [v, v + n + 2, v + n + 1]]
        });
        let mesh = Mesh::new(vertices.collect(), triangles.collect()).expect("legal");
        let mut model = Model::default();
        model.add(&mesh, &Pose::identity(), 0, &|t| mesh.triangle(t)[0].x < 0.2);
        model
    }

    #[test]
    fn a_coarse_copy_looks_like_the_model() {
        let model = sheet(300);
        let (whole, near) = model.spheres();
        for sphere in [Some(whole), near].into_iter().flatten() {
            let copy = coarse(&model, sphere).expect("180,000 triangles");
            assert!((500..ENOUGH).contains(&copy.triangles()), "{}", copy.triangles());
            let camera = Camera::new(sphere, Vector::new(0.6, -0.6, 0.53));
            let seen = |model: &Model| crate::raster::visible_pixels(model, &camera, 96, 68);
            let (fine, rough) = (seen(&model), seen(&copy));
            for (a, b) in [(fine.solid, rough.solid), (fine.marked, rough.marked)] {
                assert!(a.abs_diff(b) * 5 < a, "{a} and {b} pixels");
            }
        }
    }

    /// One small triangle is marked, below the sheet.
    #[test]
    fn a_small_contact_turns_the_camera() {
        let mut model = sheet(300);
        let corners = [[0.5, 0.5, -0.5], [0.502, 0.5, -0.5], [0.5, 0.502, -0.5]].map(Point::from);
        let tip = Mesh::new(corners.to_vec(), vec![[0, 1, 2]]).expect("legal");
        model.bodies[0].marked.fill(false);
        model.add(&tip, &Pose::identity(), 1, &|_| true);
        let sphere = model.spheres().0;
        let copy = coarse(&model, sphere).expect("180,000 triangles");
        assert!(copy.bodies[1].marked.contains(&true));
        let image = Image::of(&model, &Camera::best(&model, sphere), 320, 240);
        let red = image.rgba().chunks_exact(4).filter(|p| p[0] > 150 && p[1] < 90).count();
        assert!(red > 0);
    }

    #[test]
    fn small_models_are_used_as_they_are() {
        let model = sheet(20);
        assert!(coarse(&model, model.spheres().0).is_none());
    }

    #[test]
    fn any_unit_gives_the_same_picture() {
        let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.25]].map(Point::from);
        let picture = |unit: f64| {
            let vertices = corners.map(|p| p * unit).to_vec();
            let mesh = Mesh::new(vertices, vec![[0, 1, 2]]).expect("legal");
            let mut model = Model::default();
            model.add(&mesh, &Pose::identity(), 0, &|_| false);
            let camera = Camera::best(&model, model.spheres().0);
            Image::of(&model, &camera, 40, 30).rgba().to_vec()
        };
        let ordinary = picture(1.0);
        assert!(ordinary.chunks_exact(4).any(|p| p[3] == 255));
        assert!(picture(2.0_f64.powi(-1000)) == ordinary, "small");
        assert!(picture(2.0_f64.powi(990)) == ordinary, "large");
    }
}
