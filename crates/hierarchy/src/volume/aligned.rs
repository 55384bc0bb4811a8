//! Volumes that are made anew for every pose of their mesh, along the world's axes (li §3.2: the
//! boxes are *updated*).
//!
//! Updated boxes of two bodies are compared on the world's three axes, without a rotation. The price
//! is an update per body and step, instead of fifteen axes per pair.
//!
//! *Rounding.* A query decides by A's triangles in A's frame and B's posed there by the query's
//! pose; boxes are of the triangles in the world. Let `m` be the largest coordinate of a mesh, `t`
//! the translation of its pose in the world, both as largest component, and `u` the unit of
//! rounding. A corner posed into the world is off by at most `8u(m + |t|)`. The query's pose, as
//! [`Pose::relative`] or [`Pose::then_inner`] rounds it, differs from that of the two world poses by
//! at most `40u` in the rotation as a matrix norm (three roundings of each entry and a
//! re-normalisation) and by `13u(|t_A| + |t_B|)` in the translation; `R_A R_Aᵀ` differs from the
//! identity by `24u`. So a point common to two triangles lies within `111u m_B + 55u(|t_A| + |t_B|)`
//! of the world box of either, in every coordinate. Each box is enlarged by
//! [`Place::pad`], `512u(2m + |t|)` of its own body, nearly five times that share.

use impinge_geometry::Pose;

use super::{AxisBox, Volume};
use crate::placement::{Placement, SLACK};

/// Where a body is in the world.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Its pose, for volumes.
    pub placement: Placement,
    /// By how much boxes along the world's axes are enlarged on every side.
    pub pad: f64,
}

impl Place {
    /// A mesh with this largest coordinate magnitude at `pose`.
    pub fn new(pose: &Pose, max_abs: f64) -> Self {
        let pad = SLACK * (2.0 * max_abs + pose.translation().amax()) + f64::MIN_POSITIVE;
        Self { placement: Placement::new(pose, 0.0, max_abs), pad }
    }
}

/// What an updated volume has to contain.
#[derive(Clone, Copy, Debug)]
pub enum Below<'w, W> {
    /// The updated volumes of the two children.
    Children(&'w W, &'w W),
    /// The triangles of a leaf: the box along the world's axes of their posed corners, exact.
    Corners(AxisBox),
}

/// How a volume is updated for a pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Renewal {
    /// Not at all: it stays in its mesh's frame.
    Kept,
    /// By [`Aligned::moved`].
    Moved,
    /// By [`Aligned::around`].
    Around,
}

/// A volume that is updated for every pose of its mesh.
pub trait Aligned: Volume {
    /// The volume of the same node in the mesh's own frame.
    type Own: Volume;

    /// The volume of a node that is moved with its mesh; `None` if it is made of what is below.
    fn moved(own: &Self::Own, place: &Place) -> Option<Self>;

    /// The volume of a node that is made of what is below.
    fn around(below: Below<'_, Self>, place: &Place) -> Self;

    /// How an update makes this volume anew. With a node that is updated, all its ancestors are.
    fn renewal(&self) -> Renewal;

    /// The data of one query: B's placement in A's frame, and A's in the world. `pad` is the sum of
    /// both bodies' [`Place::pad`].
    fn frame_at(placement: &Placement, a: &Pose, pad: f64) -> Self::Frame;
}

#[cfg(test)]
mod tests {
    use impinge_geometry::Vector;

    use super::*;

    /// `512 u` of twice the largest coordinate and of the translation.
    #[test]
    fn a_pad_is_a_small_part_of_the_body_and_its_place() {
        let pose = Pose::translation_by(Vector::new(-3.0, 1.0, 2.0)).expect("finite");
        let part = Place::new(&pose, 5.0).pad / 13.0;
        assert!((2f64.powi(-45)..2f64.powi(-43)).contains(&part), "{part:e}");
    }
}
