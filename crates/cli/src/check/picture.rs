//! `--picture`: both meshes, the triangles in contact in red. A contact that is small beside the
//! meshes is shown a second time from nearby, on the right.

use std::io::{BufWriter, Write};
use std::path::Path;

use impinge_picture::{Camera, Image, Model, Sphere};

use super::Inquiry;
use super::marks::Marks;
use crate::failure::Failure;
use crate::output;
use impinge::Pose;

/// Width and height in pixels of one view.
const VIEW: (usize, usize) = (960, 720);
/// Size of the sphere that is shown, beside that of the meshes: some room around them.
const ROOM: f64 = 1.12;
/// The background of a picture.
const PAPER: [u8; 3] = [250, 250, 248];

/// Draws A and the posed B into the PNG file `path`.
pub(crate) fn write(
    inquiry: &Inquiry<'_>,
    pose: &Pose,
    marks: &Marks,
    path: &Path,
) -> Result<(), Failure> {
    let mut model = Model::default();
    model.add(&inquiry.a.mesh, &Pose::identity(), 0, &|t| marks.a[t as usize]);
    if let Some(b) = inquiry.other() {
        model.add(&b.mesh, pose, 1, &|t| marks.b[t as usize]);
    }
    let view = |sphere| Image::of(&model, &Camera::best(&model, sphere), VIEW.0, VIEW.1).on(PAPER);
    let (whole, near) = model.spheres();
    let whole = Sphere { radius: ROOM * whole.radius, ..whole };
    let image = match near {
        Some(near) => view(whole).beside(&view(near)),
        None => view(whole),
    };
    output::replace(path, |file| {
        let mut out = BufWriter::new(file);
        image.png(&mut out)?;
        out.flush()
    })
}
