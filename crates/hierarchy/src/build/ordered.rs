//! Trees whose boxes are tested on their axes in the order of anthology 5 §2.

use impinge_geometry::Mesh;
use impinge_query::{Cancelled, Control};

use super::Builder;
use crate::tree::Tree;
use crate::volume::{Hybrid, OrderedBox};

/// The trees of another builder, with the longest axes of a pair of boxes tested first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderedAxes<B>(pub B);

impl<B: Builder<Volume = Hybrid>> Builder for OrderedAxes<B> {
    type Volume = OrderedBox;

    fn build(&self, mesh: &Mesh, control: &Control<'_>) -> Result<Tree<OrderedBox>, Cancelled> {
        let tree = self.0.build(mesh, control)?;
        Ok(tree.with_volumes(tree.nodes().iter().map(|node| OrderedBox(node.volume))))
    }
}
