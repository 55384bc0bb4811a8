//! A face of the hull that keeps a face of the surface beside it, remembered.
//!
//! The hull is below the planes of all its faces. So what a face of the surface shares with it is in
//! that plane, if none of its corners is below, as long as the hull has the same face. Most faces
//! around a vertex are asked about each time the hull grows there, and mostly the old answer holds.

use crate::hull::GrowingHull;
use crate::surface::NONE;

/// Says of a face of the surface that so many of its corners are in the hull and in the plane of this
/// face of it, and the others strictly above that plane.
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

    /// Is it still a face of the hull, for a face of the surface with so many corners in the hull?
    #[inline]
    pub(super) fn holds(&self, hull: &GrowingHull, shared: u32) -> bool {
        let face = hull.faces.get(self.face as usize);
        self.shared == shared && face.is_some_and(|f| f.alive && f.corners == self.corners)
    }
}
