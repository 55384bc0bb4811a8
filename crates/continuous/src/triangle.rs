//! A triangle in motion.

use std::ops::Deref;

use impinge_geometry::Point;
use impinge_query::continuous::Moving;

use crate::both_ends::OtherTriangles;

/// All triangles of a mesh in motion, which may follow other motions.
#[derive(Clone, Debug)]
pub(crate) struct MovingTriangles(Vec<MovingTriangle>);

impl MovingTriangles {
    pub(crate) fn new(moving: &Moving<'_>) -> Self {
        Self(MovingTriangle::all(moving).collect())
    }

    /// Takes in another motion of the same triangles.
    ///
    /// # Errors
    /// [`OtherTriangles`]; the motion is then as it was.
    pub(crate) fn follow(&mut self, moving: &Moving<'_>) -> Result<(), OtherTriangles> {
        let triangles = moving.mesh().triangles();
        if !self.0.iter().map(|t| &t.vertices).eq(triangles) {
            return Err(OtherTriangles);
        }
        self.0.clear();
        self.0.extend(MovingTriangle::all(moving));
        Ok(())
    }

    /// Memory in bytes.
    pub(crate) const fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<MovingTriangle>()
    }
}

impl Deref for MovingTriangles {
    type Target = [MovingTriangle];

    fn deref(&self) -> &[MovingTriangle] {
        &self.0
    }
}

/// A triangle at both ends of its motion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovingTriangle {
    pub(crate) start: [Point; 3],
    pub(crate) end: [Point; 3],
    pub(crate) vertices: [u32; 3],
}

impl MovingTriangle {
    /// All triangles of a mesh, in order.
    pub(crate) fn all<'m>(moving: &Moving<'m>) -> impl Iterator<Item = Self> + use<'m> {
        let (mesh, end) = (moving.mesh(), moving.end());
        mesh.triangles().iter().map(move |&vertices| Self {
            start: vertices.map(|v| mesh.vertices()[v as usize]),
            end: vertices.map(|v| end[v as usize]),
            vertices,
        })
    }

    /// The corner that is a vertex of the mesh; 0 if none is.
    pub(crate) fn corner(&self, vertex: u32) -> usize {
        self.vertices.iter().position(|v| *v == vertex).unwrap_or(0)
    }

    /// Whether corner `k` of this triangle and corner `l` of another are at equal places at both ends.
    #[inline]
    pub(crate) fn shares(&self, k: usize, other: &Self, l: usize) -> bool {
        self.start[k] == other.start[l] && self.end[k] == other.end[l]
    }
}
