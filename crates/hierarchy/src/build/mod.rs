//! Builders: which triangles share a node, and with what volume.
//!
//! A top-down builder is *fit × split*: a [`fit`][] finds a set's volume, a [`split`][] divides the
//! set. [`TopDown`] combines them, by default with one triangle per leaf. [`LeafPipeline`] is the
//! one builder with stages of its own.

pub mod fit;
mod ordered;
mod passes;
mod pipeline;
pub mod set;
pub mod split;
mod top_down;

use std::sync::Arc;

use impinge_geometry::{Mesh, Triangle};
use impinge_query::{Cancelled, Control};

use crate::tree::Tree;
use crate::volume::{Merge, Volume};

pub use fit::{AxisBoxFit, BallFit, DopFit, Fit, HybridFit, ObbRowsFit, ReducedFit, SweptFit};
pub use ordered::OrderedAxes;
pub use passes::Passes;
pub use pipeline::LeafPipeline;
pub(crate) use pipeline::towards_tip;
pub use set::{Items, Set};
pub use split::{LeastVolume, Mean, Median, Penalty, Split};
pub use top_down::{Leaves, TopDown};

/// A triangle during the build; corners are copied so that every pass reads memory in order.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    /// Its corners, in the mesh's frame.
    pub corners: Triangle,
    /// Its index in the mesh.
    pub index: u32,
}

impl Item {
    /// The triangles of a mesh, in order.
    ///
    /// # Errors
    /// [`Cancelled`] once the caller cancels.
    fn all(mesh: &Mesh, passes: &Passes<'_>) -> Result<Vec<Self>, Cancelled> {
        let item = |index: usize| {
            let index = index as u32;
            Self { corners: mesh.triangle(index), index }
        };
        let total = mesh.triangles().len();
        let mut items = Vec::with_capacity(total);
        for part in passes.parts(total) {
            items.extend(part.map(item));
        }
        passes.finish()?;
        Ok(items)
    }
}

/// How a tree is updated after vertices have moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Update {
    /// Refit every node at once, from the leaves up.
    #[default]
    BottomUp,
    /// Refit the upper nodes at once, the rest when a query first visits them (Larsson and
    /// Akenine-Möller 2001).
    Hybrid,
}

/// The functions for refitting a tree.
#[derive(Clone, Copy, Debug)]
pub struct Refit<V> {
    /// Refits the volumes to the current vertices; returns the tree's cost.
    pub refit: fn(&mut Tree<V>, &Arc<Mesh>, Update) -> f64,
    /// The cost of a tree with its current volumes.
    pub cost: fn(&Tree<V>, Update) -> f64,
}

impl<V: Merge> Refit<V> {
    /// Refitting for volumes that can be merged.
    pub(crate) const MERGED: Self = Self {
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

/// Builds the tree of a mesh.
pub trait Builder: Copy + std::fmt::Debug + Send + Sync + 'static {
    /// Type of the nodes' volumes.
    type Volume: Volume;

    /// Builds a tree over all triangles of `mesh`. Reports progress as stage `"build"`.
    ///
    /// # Errors
    /// [`Cancelled`] once the caller cancels.
    fn build(&self, mesh: &Mesh, control: &Control<'_>) -> Result<Tree<Self::Volume>, Cancelled>;

    /// How this builder's trees are refitted; `None` if they cannot be.
    fn refit(&self) -> Option<Refit<Self::Volume>> {
        None
    }
}
