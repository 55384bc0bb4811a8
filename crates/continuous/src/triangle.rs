//! A triangle in motion.

use impinge_geometry::Point;
use impinge_query::continuous::Moving;

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

    /// Whether corner `k` of this triangle and corner `l` of another are at equal places at both ends.
    #[inline]
    pub(crate) fn shares(&self, k: usize, other: &Self, l: usize) -> bool {
        self.start[k] == other.start[l] && self.end[k] == other.end[l]
    }
}
