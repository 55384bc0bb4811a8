//! What the image shows of every pair of patches: to evaluate the method.

use impinge_geometry::{Point, Pose};
use impinge_query::{Control, QueryError};

use super::{Ibcd, ImageModel, PatchHierarchy};
use crate::backend::Scene;
use crate::engine::Form;
use crate::pair::Pair;
use crate::solid;

/// The result for a pair of patches whose boxes may share a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surveyed {
    /// Indices of A's patch and B's patch.
    pub patches: [u32; 2],
    /// Whether both hulls have volume; others are never drawn.
    pub solid: bool,
    /// Whether the image shows an overlap.
    pub seen: bool,
    /// A point that is certainly in both hulls, in A's frame; `None` if none was proved.
    pub witness: Option<Point>,
    /// Whether that point certainly is in both *solids* as posed: it is deeper in B's hull than
    /// posing may have moved B's vertices. The solids collide then.
    pub collide: bool,
}

impl Ibcd {
    /// Draws every pair of patches whose boxes may share a point, regardless of
    /// [`Params::drawn`](crate::Params::drawn), and returns what the image shows.
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
        let reach = solid::reach(b.mesh(), b_in_a);
        let surveyed = leaves.pairs.iter().map(|leaf| {
            let witness = leaf.witness.map(|witness| witness.point);
            let deep = |p: Point| solid::holds(&pair, leaf.patches, &p, reach);
            Surveyed {
                patches: leaf.patches,
                solid: pair.can_be_drawn(leaf.hulls),
                seen: leaf.seen,
                witness,
                collide: witness.is_some_and(deep),
            }
        });
        Ok(surveyed.collect())
    }
}
