//! A scene with its colliding triangles in red, and the overlap of two bodies, as PNG files.

use std::path::Path;

use impinge::image::ldi::{Direction, OverlapOptions, ldi};
use impinge::query::{Control, Engine as _};
use impinge::{Contact, Mesh, Point, Pose};
use impinge_picture::{Camera, Image, Model, Sphere};

use crate::expected::Expected;
use crate::placement::Target;
use crate::scene::{Group, Scene};
use impinge_records::bench as record;

/// Width of a picture in pixels.
pub const WIDTH: usize = 560;
/// Height of a picture in pixels.
pub const HEIGHT: usize = 400;

/// Pixels along the longer side of the image of an overlap. More: finer, and more triangles to draw.
const RESOLUTION: u32 = 48;

/// Draws three pictures of the scene into `folder`: the whole scene, a close-up of the contact, and
/// what lies inside two bodies; the last two if there is such a thing.
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
    let mut save = |kind: &str, model: &Model, sphere: Sphere, caption: String| {
        let camera = Camera::best(model, sphere);
        let image = Image::of(model, &camera, WIDTH, HEIGHT);
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
    save("whole", &model, whole, format!("{}: {found}", step.label))?;
    if let Some(near) = near {
        save("contact", &model, near, "The contact from nearby".to_owned())?;
        if let Some((model, caption)) = overlap(scene, at, &expected.contacts[at])? {
            save("overlap", &model, model.spheres().0, caption)?;
        }
    }
    Ok(pictures)
}

/// What lies inside both bodies of the pair with the most contacts, pixel by pixel, if they are closed.
fn overlap(
    scene: &Scene,
    at: usize,
    contacts: &[Vec<Contact>],
) -> Result<Option<(Model, String)>, String> {
    let (step, meshes) = (&scene.steps[at], scene.meshes_at(at));
    let most = step.queries.iter().zip(contacts).max_by_key(|(_, pairs)| pairs.len());
    let Some((query, _)) = most else { return Ok(None) };
    let [a, b] = [query.a, query.b].map(|body| &step.bodies[body]);
    let (engine, none) = (ldi(), &Control::NONE);
    let prepare = |mesh: &Mesh| engine.prepare(mesh, none).map_err(|error| error.to_string());
    let models = [prepare(meshes.mesh(a.mesh))?, prepare(meshes.mesh(b.mesh))?];
    let pose = Pose::relative(&a.pose, &b.pose);
    let options = OverlapOptions { resolution: RESOLUTION, contacts: 0, intervals: usize::MAX };
    let found = engine.overlap(&models[0], &models[1], &pose, &options, none);
    let found = found.map_err(|error| error.to_string())?;
    let shown = |direction: &&Direction| direction.intervals.len();
    let Some(seen) = found.directions.iter().max_by_key(shown) else { return Ok(None) };
    let Some(mesh) = bars(seen).filter(|_| found.closed == [true; 2]) else { return Ok(None) };
    let mut model = Model::default();
    model.add(&mesh, &a.pose, 0, &|_| true);
    let volume = found.volume();
    let axis = ["x", "y", "z"][seen.axis];
    let [columns, rows] = seen.size;
    Ok(Some((
        model,
        format!(
            "Inside both, by {columns} x {rows} pixels along {axis}: volume {:.3e} ± {:.0e}",
            volume.value, volume.error
        ),
    )))
}

/// A bar for each interval of a contact pixel.
fn bars(seen: &Direction) -> Option<Mesh> {
    const SIDES: [[u32; 4]; 6] =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for interval in &seen.intervals {
        let first = vertices.len() as u32;
        let mut half = [seen.pixel / 2.0; 3];
        half[seen.axis] = 0.0;
        let [low, high] = [(&interval.from, -1.0), (&interval.to, 1.0)]
            .map(|(end, sign)| [0, 1, 2].map(|k| end[k] + sign * half[k]));
        let corner =
            |k: u32| [0, 1, 2].map(|axis| if k >> axis & 1 == 0 { low } else { high }[axis]);
        vertices.extend((0..8).map(|k| Point::from(corner(k))));
        for [a, b, c, d] in SIDES.map(|side| side.map(|k| first + k)) {
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    Mesh::new(vertices, triangles).ok()
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
        assert_eq!(pictures.len(), 3, "{pictures:?}");
        assert!(pictures[2].file.ends_with("-overlap.png"), "{pictures:?}");
        for picture in &pictures {
            assert!(folder.path().join(&picture.file).exists());
        }
    }

    #[test]
    fn bars_are_closed_and_have_the_volume_of_the_samples() {
        let ball = Shape::Sphere.mesh(300, 0);
        let model = ldi().prepare(&ball, &Control::NONE).expect("an ordinary mesh");
        let options = OverlapOptions { resolution: 20, contacts: 0, intervals: usize::MAX };
        let pose = Pose::translation_by([0.25, 0.1, 0.0].into()).expect("finite");
        let found = ldi().overlap(&model, &model, &pose, &options, &Control::NONE);
        let found = found.expect("in range");
        for seen in &found.directions {
            let mesh = bars(seen).expect("they overlap");
            let volume: f64 = mesh
                .corners()
                .map(|[a, b, c]| a.coords.dot(&b.coords.cross(&c.coords)) / 6.0)
                .sum();
            assert!((volume - seen.volume.value).abs() < 1e-9, "{volume} {:?}", seen.volume);
        }
    }
}
