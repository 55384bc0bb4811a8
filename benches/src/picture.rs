//! A scene with its colliding triangles in red, as PNG files.

use std::path::Path;

use impinge::Contact;
use impinge_picture::{Camera, Image, Model, Sphere};

use crate::expected::Expected;
use crate::placement::Target;
use crate::scene::{Group, Scene};
use impinge_records::bench as record;

/// Width of a picture in pixels.
pub const WIDTH: usize = 560;
/// Height of a picture in pixels.
pub const HEIGHT: usize = 400;

/// Draws two pictures of the scene into `folder`: the whole scene, and a close-up of the contact.
///
/// # Errors
/// If a file cannot be written.
pub fn draw(
    scene: &Scene,
    expected: &Expected,
    folder: &Path,
) -> Result<Vec<record::Picture>, String> {
    let Some(at) = shown_step(scene, expected) else { return Ok(Vec::new()) };
    let step = &scene.steps[at];
    let model = model(scene, at, &expected.contacts[at]);
    let (whole, near) = model.spheres();
    let mut pictures = Vec::new();
    let mut save = |kind: &str, sphere: Sphere, caption: String| {
        let camera = Camera::best(&model, sphere);
        let image = Image::of(&model, &camera, WIDTH, HEIGHT);
        let file = format!("{}-{kind}.png", safe(&scene.name));
        image.write_png(&folder.join(&file)).map_err(|error| format!("{file}: {error}"))?;
        pictures.push(record::Picture { file, caption });
        Ok::<(), String>(())
    };
    let pairs: usize = expected.contacts[at].iter().map(Vec::len).sum();
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

/// A step with a representative hit: the last step of a deformation; otherwise one that is 1 %
/// deep, the hit with the median number of pairs, or the first step, in this order.
fn shown_step(scene: &Scene, expected: &Expected) -> Option<usize> {
    if scene.group == Group::Deforming {
        return scene.steps.len().checked_sub(1);
    }
    let pairs = |at: usize| expected.contacts[at].iter().map(Vec::len).sum::<usize>();
    let liked = Target::Deep(0.01).label();
    let mut hits: Vec<usize> = (0..scene.steps.len()).filter(|&at| pairs(at) > 0).collect();
    let best = hits.iter().copied().find(|&at| scene.steps[at].label == liked);
    hits.sort_by_key(|&at| pairs(at));
    best.or_else(|| hits.get(hits.len() / 2).copied()).or((!scene.steps.is_empty()).then_some(0))
}

/// All triangles of the step in the world frame, with the colliding ones marked.
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

fn safe(name: &str) -> String {
    let keep = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    name.chars().map(keep).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expected;
    use crate::progress::Listener;
    use crate::scene::moving;
    use impinge_models::Shape;

    #[test]
    fn a_hit_shows_red_and_both_bodies() {
        let scene = moving::walk("x", [Shape::Torus, Shape::Torus], 200, 120, 1);
        let scene = scene.expect("the motion is legal");
        let expected = expected::find(&scene, Listener::NONE).expect("poses are small");
        let at = shown_step(&scene, &expected).expect("there are steps");
        assert!(!expected.contacts[at][0].is_empty(), "the seed has a hit");
        let model = model(&scene, at, &expected.contacts[at]);
        let camera = Camera::best(&model, model.spheres().0);
        let image = Image::of(&model, &camera, 200, 150);
        let count = |is: fn(&[u8]) -> bool| image.rgba().chunks_exact(4).filter(|p| is(p)).count();
        let red = count(|p| p[3] > 200 && p[0] > 150 && p[1] < 90 && p[2] < 90);
        let solid = count(|p| p[3] > 200);
        let clear = count(|p| p[3] == 0);
        assert!(red > 10, "{red} red pixels");
        assert!(solid > 5_000, "{solid} solid pixels");
        assert!(clear > 5_000, "{clear} clear pixels");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let pictures = draw(&scene, &expected, folder.path()).expect("the folder is writable");
        for picture in &pictures {
            assert!(folder.path().join(&picture.file).exists());
        }
    }
}
