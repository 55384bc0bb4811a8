//! Remembers the hull face that separates a face of the surface from the hull.
//!
//! The hull is below the planes of all its faces. If no corner of a surface face is below such a
//! plane, what the face shares with the hull is in that plane, as long as the hull has the same
//! face. Most faces around a vertex are tested each time the hull grows there, and usually the old
//! answer still holds.

use crate::hull::GrowingHull;
use crate::surface::NONE;

/// States of a surface face: `shared` of its corners are in the hull and in the plane of this hull
/// face; the others are strictly above that plane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Witness {
    shared: u32,
    face: u32,
    corners: [u32; 3],
}

impl Witness {
    pub(super) const NONE: Self = Self { shared: 0, face: NONE, corners: [NONE; 3] };

    pub(super) fn new(hull: &GrowingHull, face: u32, shared: u32) -> Self {
        Self { shared, face, corners: hull.faces[face as usize].corners }
    }

    /// Whether it is still a hull face, for a surface face with `shared` corners in the hull.
    #[inline]
    pub(super) fn holds(&self, hull: &GrowingHull, shared: u32) -> bool {
        let face = hull.faces.get(self.face as usize);
        self.shared == shared && face.is_some_and(|f| f.alive && f.corners == self.corners)
    }
}
