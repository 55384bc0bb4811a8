//! What the image says of every pair of patches: to measure the method, not to use it.

use impinge_geometry::{Point, Pose};
use impinge_query::{Control, QueryError};

use super::{Ibcd, ImageModel, PatchHierarchy};
use crate::backend::Scene;
use crate::engine::Form;
use crate::pair::Pair;

/// A pair of patches whose boxes may share a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surveyed {
    /// A's patch and B's.
    pub patches: [u32; 2],
    /// Have both hulls a volume? Others are never drawn.
    pub solid: bool,
    /// Does the image show an overlap?
    pub seen: bool,
    /// A point that is certainly in both hulls, in A's frame.
    pub witness: Option<Point>,
}

impl Ibcd {
    /// Draws every pair of patches whose boxes may share a point, whatever
    /// [`Params::drawn`](crate::Params::drawn) says, and tells what is seen.
    ///
    /// # Errors
    /// [`QueryError::Backend`] if drawing failed, [`QueryError::Cancelled`].
    pub fn survey(
        &self,
        a: &ImageModel,
        b: &ImageModel,
        b_in_a: &Pose,
        control: &Control<'_>,
    ) -> Result<Vec<Surveyed>, QueryError> {
        let pair = Pair { a, b, pose: b_in_a };
        let mut leaves = PatchHierarchy::leaves(&pair, &mut (), (&mut (), control))?;
        let view = |nodes| PatchHierarchy::view(&pair, &(), nodes);
        let options = self.options(&view, usize::MAX);
        let mut scene = None;
        leaves.look(&pair, &options, Scene::kept(&mut scene, &pair), (&mut (), control))?;
        let surveyed = leaves.pairs.iter().map(|leaf| Surveyed {
            patches: leaf.patches,
            solid: pair.can_be_drawn(leaf.hulls),
            seen: leaf.seen,
            witness: leaf.witness.map(|witness| witness.point),
        });
        Ok(surveyed.collect())
    }
}
