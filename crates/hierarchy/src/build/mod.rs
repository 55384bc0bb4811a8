//! Builders: which triangles share a node, and with what volume.
//!
//! A top-down builder is *fit × split*: [`fit`][] says how a set of triangles is wrapped, [`split`][] how
//! it is divided. [`TopDown`] puts them together; leaves hold one triangle unless it is told
//! otherwise. [`LeafPipeline`] is the one builder with stages of its own.

pub mod fit;
mod pipeline;
pub mod split;
mod top_down;

use std::sync::Arc;

use impinge_geometry::{Mesh, Triangle};
use impinge_query::{Cancelled, Control};

use crate::tree::Tree;
use crate::volume::{Merge, Volume};

pub use fit::{AxisBoxFit, BallFit, DopFit, Fit, HybridFit, ObbRowsFit, ReducedFit, SweptFit};
pub use pipeline::LeafPipeline;
pub(crate) use pipeline::towards_tip;
pub use split::{LeastVolume, Mean, Median, Penalty, Split};
pub use top_down::{Leaves, TopDown};

/// A triangle on its way to its leaf; corners are copied, so that every pass reads in order.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    /// Its corners.
    pub corners: Triangle,
    /// Its index in the mesh.
    pub index: u32,
}

/// How a tree follows moved vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Update {
    /// Every node at once, from the leaves up.
    #[default]
    BottomUp,
    /// The upper nodes at once, the rest when a query first comes there (Larsson and Akenine-Möller
    /// 2001).
    Hybrid,
}

/// The functions that following moved vertices takes.
#[derive(Clone, Copy, Debug)]
pub struct Refit<V> {
    /// Wraps the vertices where they are now; returns the tree's cost.
    pub refit: fn(&mut Tree<V>, &Arc<Mesh>, Update) -> f64,
    /// The cost of a tree as it is.
    pub cost: fn(&Tree<V>, Update) -> f64,
}

impl<V: Merge> Refit<V> {
    /// For a volume that can be merged.
    pub const MERGED: Self = Self {
        refit: |tree, mesh, update| match update {
            Update::BottomUp => tree.refit(mesh),
            Update::Hybrid => tree.refit_upper(mesh),
        },
        cost: |tree, update| match update {
            Update::BottomUp => tree.cost(),
            Update::Hybrid => tree.cost_upper(),
        },
    };
}

/// Makes the tree of a mesh.
pub trait Builder: Copy + std::fmt::Debug + Send + Sync + 'static {
    /// The volume in its nodes.
    type Volume: Volume;

    /// A tree over all triangles of `mesh`. Reports the stage `"build"`.
    ///
    /// # Errors
    /// [`Cancelled`] once the caller cancels.
    fn build(&self, mesh: &Mesh, control: &Control<'_>) -> Result<Tree<Self::Volume>, Cancelled>;

    /// How this builder's volumes follow moved vertices; `None` if they cannot.
    fn refit(&self) -> Option<Refit<Self::Volume>> {
        None
    }
}
