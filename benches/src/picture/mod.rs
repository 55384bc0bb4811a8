//! A scene with its colliding triangles in red, as PNG files with a transparent background.
//!
//! 1. [`camera`]: where to look from, so that the contact is seen.
//! 2. [`raster`]: triangles to pixels with a depth buffer, four samples a pixel.
//! 3. [`paint`]: light, colours, triangle edges.

pub mod camera;
pub mod paint;
pub mod raster;

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use impinge::{Contact, Vector};

use crate::judge::Truth;
use crate::placement::Target;
use crate::scene::{Group, Scene};
use camera::Camera;
use impinge_records::bench as record;
use paint::Model;

/// Width of a picture in pixels.
pub const WIDTH: usize = 560;
/// Height of a picture in pixels.
pub const HEIGHT: usize = 400;

/// Draws two pictures of the scene into `folder`: all of it, and the contact from nearby.
///
/// # Errors
/// A sentence if a file cannot be written.
pub fn draw(scene: &Scene, truth: &Truth, folder: &Path) -> Result<Vec<record::Picture>, String> {
    let Some(at) = shown_step(scene, truth) else { return Ok(Vec::new()) };
    let step = &scene.steps[at];
    let model = model(scene, at, &truth.contacts[at]);
    let (whole, near) = spheres(&model);
    let mut pictures = Vec::new();
    let mut save = |kind: &str, sphere: camera::Sphere, caption: String| {
        let camera = Camera::best(&model, sphere);
        let pixels = paint::paint(&model, &camera, WIDTH, HEIGHT);
        let file = format!("{}-{kind}.png", safe(&scene.name));
        let write = write_png(&folder.join(&file), &pixels, WIDTH, HEIGHT);
        write.map_err(|error| format!("{file}: {error}"))?;
        pictures.push(record::Picture { file, caption });
        Ok::<(), String>(())
    };
    let pairs: usize = truth.contacts[at].iter().map(Vec::len).sum();
    let found = match pairs {
        0 => "no triangles meet".to_owned(),
        1 => "1 pair of triangles meets".to_owned(),
        n => format!("{n} pairs of triangles meet"),
    };
    save("whole", whole, format!("{}: {found}", step.label))?;
    if let Some(near) = near {
        save("contact", near, "The contact from nearby".to_owned())?;
    }
    Ok(pictures)
}

/// A step that shows what a hit looks like: of a deformation the last, else one that is 1 % deep if there is, else the step with
/// the median number of pairs among those that hit, else the first.
fn shown_step(scene: &Scene, truth: &Truth) -> Option<usize> {
    if scene.group == Group::Deforming {
        return scene.steps.len().checked_sub(1);
    }
    let pairs = |at: usize| truth.contacts[at].iter().map(Vec::len).sum::<usize>();
    let liked = Target::Deep(0.01).label();
    let mut hits: Vec<usize> = (0..scene.steps.len()).filter(|&at| pairs(at) > 0).collect();
    let best = hits.iter().copied().find(|&at| scene.steps[at].label == liked);
    hits.sort_by_key(|&at| pairs(at));
    best.or_else(|| hits.get(hits.len() / 2).copied()).or((!scene.steps.is_empty()).then_some(0))
}

/// All triangles of the step in the world, the colliding ones marked.
fn model(scene: &Scene, at: usize, contacts: &[Vec<Contact>]) -> Model {
    let (step, meshes) = (&scene.steps[at], scene.meshes_at(at));
    let mut red: Vec<Vec<u32>> = vec![Vec::new(); step.bodies.len()];
    for (query, pairs) in step.queries.iter().zip(contacts) {
        for pair in pairs {
            red[query.a].push(pair.a);
            red[query.b].push(pair.b);
        }
    }
    let mut model = Model::default();
    for (number, (body, mut red)) in step.bodies.iter().zip(red).enumerate() {
        red.sort_unstable();
        model.add(meshes.mesh(body.mesh), &body.pose, number, &|t| red.binary_search(&t).is_ok());
    }
    model
}

/// What to look at: everything, and the colliding triangles with a little around them.
fn spheres(model: &Model) -> (camera::Sphere, Option<camera::Sphere>) {
    let whole = camera::Sphere::around(model.corners(false));
    let near = model.corners(true).next().map(|_| {
        let around = camera::Sphere::around(model.corners(true));
        let radius = (around.radius * 1.25).clamp(whole.radius * 0.07, whole.radius);
        camera::Sphere { radius, ..around }
    });
    // From nearby only if that shows something else.
    (whole, near.filter(|near| near.radius < 0.8 * whole.radius))
}

fn safe(name: &str) -> String {
    let keep = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    name.chars().map(keep).collect()
}

fn write_png(path: &Path, rgba: &[u8], width: usize, height: usize) -> Result<(), String> {
    let file = File::create(path).map_err(|error| error.to_string())?;
    let mut encoder = png::Encoder::new(BufWriter::new(file), width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header().map_err(|error| error.to_string())?;
    writer.write_image_data(rgba).map_err(|error| error.to_string())?;
    writer.finish().map_err(|error| error.to_string())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::judge;
    use crate::progress::Listener;
    use crate::scene::moving;
    use impinge_models::Shape;

    #[test]
    fn a_hit_shows_red_and_both_bodies() {
        let scene = moving::walk("x", [Shape::Torus, Shape::Torus], 200, 120, 1);
        let scene = scene.expect("the motion is legal");
        let truth = judge(&scene, Listener::NONE).expect("poses are small");
        let at = shown_step(&scene, &truth).expect("there are steps");
        assert!(!truth.contacts[at][0].is_empty(), "the seed has a hit");
        let model = model(&scene, at, &truth.contacts[at]);
        let camera = Camera::best(&model, spheres(&model).0);
        let pixels = paint::paint(&model, &camera, 200, 150);
        let count = |is: fn(&[u8]) -> bool| pixels.chunks_exact(4).filter(|p| is(p)).count();
        let red = count(|p| p[3] > 200 && p[0] > 150 && p[1] < 90 && p[2] < 90);
        let solid = count(|p| p[3] > 200);
        let clear = count(|p| p[3] == 0);
        assert!(red > 10, "{red} red pixels");
        assert!(solid > 5_000, "{solid} solid pixels");
        assert!(clear > 5_000, "{clear} clear pixels");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let pictures = draw(&scene, &truth, folder.path()).expect("the folder is writable");
        for picture in &pictures {
            assert!(folder.path().join(&picture.file).exists());
        }
    }
}
