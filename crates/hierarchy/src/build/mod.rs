//! Builders: which triangles share a node, and with what volume.

mod mean_split;

use impinge_geometry::Mesh;
use impinge_query::{Cancelled, Control};

use crate::tree::Tree;
use crate::volume::Volume;

pub use mean_split::MeanSplit;

/// Makes the tree of a mesh.
pub trait Builder: Copy + std::fmt::Debug + Send + Sync + 'static {
    /// The volume in its nodes.
    type Volume: Volume;

    /// A tree over all triangles of `mesh`, one to a leaf. Reports the stage `"build"`.
    ///
    /// # Errors
    /// [`Cancelled`] once the caller cancels.
    fn build(&self, mesh: &Mesh, control: &Control<'_>) -> Result<Tree<Self::Volume>, Cancelled>;
}
