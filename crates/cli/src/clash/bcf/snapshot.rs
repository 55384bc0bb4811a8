//! `snapshot.png`: the two parts as the camera of the issue sees them, the triangles in contact in red.
//! Of a part inside another, that part in red, and the far side of the other.

use std::io;

use impinge::{Class, Mesh, Pose, Vector};
use impinge_picture::{Camera, Image, Model};

use super::Issue;
use super::viewpoint;
use crate::arguments::{Clash, Up};

/// The name of the file.
pub(super) const FILE: &str = "snapshot.png";
/// Width and height in pixels.
const SIZE: (usize, usize) = (480, 360);
/// Size of the sphere that is shown, beside that which the camera of the viewpoint looks at.
const ROOM: f64 = 1.4;
/// The background.
const PAPER: [u8; 3] = [250, 250, 248];

/// The bytes of the file.
pub(super) fn of(issue: &Issue<'_>, arguments: &Clash) -> io::Result<Vec<u8>> {
    let z_up = viewpoint::from();
    let (from, up) = match arguments.up() {
        Up::Y => (Vector::new(z_up.x, z_up.z, -z_up.y), Vector::y()),
        Up::Z => (z_up, Vector::z()),
    };
    let mut model = Model::default();
    for (color, part) in issue.clash.parts.into_iter().enumerate() {
        let object = issue.objects[part as usize];
        let Some(mesh) = object.shape.prepared().mesh() else { continue };
        let marks = &issue.clash.marks[color];
        match (issue.clash.class, issue.clash.inside()) {
            (Class::Inside, Some(inner)) if inner == part => {
                model.add(mesh, &object.pose, color, &|_| true);
            }
            (Class::Inside, _) => {
                if let Some(far) = far_side(mesh, &object.pose, &from) {
                    model.add(&far, &object.pose, color, &|_| false);
                }
            }
            _ => model.add(mesh, &object.pose, color, &|t| marks.binary_search(&t).is_ok()),
        }
    }
    let (center, radius) = viewpoint::sphere(issue);
    let camera = Camera::upright(model.sphere(center, ROOM * radius), from, up);
    let mut bytes = Vec::new();
    Image::of(&model, &camera, SIZE.0, SIZE.1).on(PAPER).png(&mut bytes)?;
    Ok(bytes)
}

/// The triangles of a mesh whose outside is turned away from a direction; `None` if there are none.
fn far_side(mesh: &Mesh, pose: &Pose, from: &Vector) -> Option<Mesh> {
    let is_far = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|v| pose.apply(&mesh.vertices()[v as usize]));
        (b - a).cross(&(c - a)).dot(from) < 0.0
    };
    let far = mesh.triangles().iter().copied().filter(is_far).collect();
    Mesh::new(mesh.vertices().to_vec(), far).ok()
}
