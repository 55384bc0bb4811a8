//! A mesh prepared for layered depth images: itself, and a box around it.

use impinge_geometry::Mesh;
use impinge_geometry::volume::Aabb;
use impinge_query::{Cancelled, Control, MeshModel, Subject};

use super::watch::Watch;

/// A mesh to be drawn; made by [`Ldi`](super::Ldi).
#[derive(Clone, Debug)]
pub struct LdiModel {
    subject: Subject,
    around: Aabb,
}

impl LdiModel {
    /// Nothing is computed but the box: an image is drawn anew for each query.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub(crate) fn new(mesh: &Mesh, control: &Control<'_>) -> Result<Self, Cancelled> {
        control.check()?;
        let subject = Subject::new(mesh.clone());
        let around = around(&subject, control)?;
        Ok(Self { subject, around })
    }

    /// The mesh, in its own frame and unit.
    pub fn mesh(&self) -> &Mesh {
        self.subject.mesh()
    }

    /// The smallest box around the triangles.
    pub const fn around(&self) -> &Aabb {
        &self.around
    }

    /// Takes moved vertices over.
    pub(crate) fn moved(
        &mut self,
        subject: Subject,
        control: &Control<'_>,
    ) -> Result<(), Cancelled> {
        let around = around(&subject, control)?;
        (self.subject, self.around) = (subject, around);
        Ok(())
    }
}

fn around(subject: &Subject, control: &Control<'_>) -> Result<Aabb, Cancelled> {
    let mut watch = Watch::new(control);
    let mut around = Aabb::EMPTY;
    for triangle in subject.mesh().corners() {
        watch.step()?;
        around = around.merged(&Aabb::of_triangle(&triangle));
    }
    Ok(around)
}

impl MeshModel for LdiModel {
    fn subject(&self) -> &Subject {
        &self.subject
    }

    fn own_bytes(&self) -> usize {
        size_of::<Self>()
    }
}
