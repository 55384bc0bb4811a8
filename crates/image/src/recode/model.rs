//! A closed mesh prepared for `recode`: convex parts, a box each, hulls as separate triangles.

use impinge_decompose::{Decomposition, Patch};
use impinge_geometry::volume::{Aabb, Obb};
use impinge_geometry::{Mesh, Point};
use impinge_query::{Control, MeshModel, PrepareError, Subject};
use impinge_shaders::image::strip::Code;

use crate::body::{Body, Hulls, Parts, Sent};
use crate::params::Params;

/// A mesh as convex parts without a hierarchy; made by [`Recode`](crate::Recode).
#[derive(Debug)]
pub struct RecodeModel {
    body: Body,
    /// The box of each part, in the mesh's own frame.
    boxes: Vec<Aabb>,
    /// The box around the whole mesh.
    around: Obb,
}

impl RecodeModel {
    pub(super) fn new(
        word: &'static str,
        mesh: &Mesh,
        params: &Params,
        control: &Control<'_>,
    ) -> Result<Self, PrepareError> {
        let body = Body::new(word, mesh, params.largest, control)?;
        let patches = body.decomposition().patches();
        let hulls = patches.iter().map(|patch| (!patch.is_flat()).then(|| patch.hull()));
        let hulls = Hulls::new(word, hulls, Code::List, control)?;
        let mut boxes = Vec::with_capacity(patches.len());
        boxes_of(patches, mesh.vertices(), &mut boxes);
        let (min, max) = mesh.bounds();
        let around = Obb::from(Aabb { min, max });
        Ok(Self { body: body.with_hulls(hulls), boxes, around })
    }

    /// The mesh, in its own frame and unit.
    pub fn mesh(&self) -> &Mesh {
        self.body.mesh()
    }

    /// Its convex patches, which are the parts.
    pub fn decomposition(&self) -> &Decomposition {
        self.body.decomposition()
    }

    /// What is sent to draw every hull once.
    pub fn sent(&self) -> Sent {
        self.body.sent()
    }

    pub(super) fn boxes(&self) -> &[Aabb] {
        &self.boxes
    }

    pub(super) const fn around(&self) -> &Obb {
        &self.around
    }
}

/// Computes the boxes of all patches from given positions of the mesh's vertices. Exact: the box of
/// a patch is that of its triangles, whose corners are the vertices of its hull.
pub(super) fn boxes_of(patches: &[Patch], vertices: &[Point], boxes: &mut Vec<Aabb>) {
    boxes.clear();
    boxes.extend(patches.iter().map(|patch| {
        let corners = patch.hull().vertices().iter().map(|&v| vertices[v as usize]);
        // Every patch has a face, so there are corners.
        let nowhere = Aabb { min: Point::origin(), max: Point::origin() };
        Aabb::fit_points(corners).unwrap_or(nowhere)
    }));
}

impl Parts for RecodeModel {
    fn body(&self) -> &Body {
        &self.body
    }
}

impl MeshModel for RecodeModel {
    fn subject(&self) -> &Subject {
        self.body.subject()
    }

    fn own_bytes(&self) -> usize {
        self.body.own_bytes() + size_of_val(&self.boxes[..]) + size_of::<Self>()
    }
}
