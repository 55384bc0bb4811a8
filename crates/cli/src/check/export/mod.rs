//! `--export`: both meshes as placed, with what touches or crosses as parts of its own.
//!
//! | part | content |
//! | --- | --- |
//! | `a`, `b` | the triangles that are in no contact |
//! | `a_contact`, `b_contact` | the triangles that are in contact |
//! | `polygons`, `segments`, `points` | where two triangles meet, one element per pair |
//!
//! Each format is in a file of its own. With `--self` there is no `b`.

mod glb;
mod obj;
mod ply;

use std::io::{BufWriter, Write};

use impinge::geometry::Triangle;
use impinge::geometry::exact::{Meeting, meeting};
use impinge::{Contact, Mesh, Point, Pose};

use super::Inquiry;
use super::marks::Marks;
use crate::arguments::{Export, Layout};
use crate::failure::Failure;
use crate::output;

/// What is written.
struct Parts {
    meshes: Vec<Part>,
    polygons: Vec<Vec<Point>>,
    segments: Vec<[Point; 2]>,
    points: Vec<Point>,
}

/// A mesh in the frame of A, with a mark for each triangle in contact.
struct Part {
    name: &'static str,
    mesh: Mesh,
    marked: Vec<bool>,
}

impl Part {
    /// The triangles that are in contact, or those that are not.
    fn triangles(&self, marked: bool) -> impl Iterator<Item = [u32; 3]> + Clone + '_ {
        let all = self.mesh.triangles().iter().zip(&self.marked);
        all.filter(move |&(_, &mark)| mark == marked).map(|(&triangle, _)| triangle)
    }
}

/// Red, green and blue of a part: the same as in `--picture`, and dark for where triangles meet.
fn color(mesh: usize, marked: bool) -> [u8; 3] {
    match (mesh, marked) {
        (_, true) => [219, 26, 31],
        (0, false) => [158, 184, 214],
        _ => [230, 194, 128],
    }
}

/// The colour of polygons, segments and points.
const MEETING: [u8; 3] = [20, 20, 20];

/// Writes A, the posed B and their contacts.
pub(crate) fn write(
    inquiry: &Inquiry<'_>,
    pose: &Pose,
    marks: Marks,
    contacts: &[Contact],
    export: &Export,
) -> Result<(), Failure> {
    let name = export.path.display().to_string();
    let parts = Parts::new(inquiry, pose, marks, contacts)
        .map_err(|error| Failure::at(&name, error.to_string()))?;
    output::replace(&export.path, |file| {
        let mut out = BufWriter::new(file);
        match export.layout {
            Layout::Ply => ply::write(&mut out, &parts)?,
            Layout::Obj => obj::write(&mut out, &parts)?,
            Layout::Glb => glb::write(&mut out, &parts)?,
        }
        out.flush()
    })
}

impl Parts {
    fn new(
        inquiry: &Inquiry<'_>,
        pose: &Pose,
        marks: Marks,
        contacts: &[Contact],
    ) -> Result<Self, impinge::geometry::MeshError> {
        let mut meshes = vec![Part { name: "a", mesh: inquiry.a.mesh.clone(), marked: marks.a }];
        if let Some(b) = inquiry.other() {
            meshes.push(Part { name: "b", mesh: b.mesh.posed(pose)?, marked: marks.b });
        }
        let (mut polygons, mut segments, mut points) = (Vec::new(), Vec::new(), Vec::new());
        let (a, b) = (&meshes[0].mesh, &meshes[meshes.len() - 1].mesh);
        for contact in contacts {
            let [p, q]: [Triangle; 2] = [a.triangle(contact.a), b.triangle(contact.b)];
            match meeting(&p, &q) {
                Some(Meeting::Polygon(corners)) => polygons.push(corners),
                Some(Meeting::Segment(ends)) => segments.push(ends),
                Some(Meeting::Point(point)) => points.push(point),
                None => {}
            }
        }
        Ok(Self { meshes, polygons, segments, points })
    }
}
