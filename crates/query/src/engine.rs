//! The typed layer: what a method implements.

use std::sync::atomic::{AtomicU64, Ordering};

use impinge_geometry::{Mesh, Point, Pose};

use crate::batch;
use crate::{Answer, Ask, BatchError, Control, Description, PrepareError, QueryError, RefitError};

/// Identity of a prepared model and the epoch of its last refit. A pair's memory that was filled
/// for another pair or an older epoch is stale and must reset itself, but for hints that cannot change
/// an answer ([`ModelId::same_body`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ModelId {
    identity: u64,
    epoch: u64,
}

impl ModelId {
    /// An identity no other model of this process has.
    pub fn fresh() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self { identity: NEXT.fetch_add(1, Ordering::Relaxed), epoch: 0 }
    }

    /// The same model, one refit later.
    #[must_use]
    pub const fn next_epoch(self) -> Self {
        Self { identity: self.identity, epoch: self.epoch + 1 }
    }

    /// Is it the same model, of whatever epoch? Its triangles are the same then, their places may
    /// not be.
    pub const fn same_body(self, other: Self) -> bool {
        self.identity == other.identity
    }
}

/// The pair of models that a memory was filled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PairKey {
    /// Identity of A.
    pub a: ModelId,
    /// Identity of B.
    pub b: ModelId,
}

impl PairKey {
    /// Are both models the same, of whatever epochs?
    pub const fn same_bodies(self, other: Self) -> bool {
        self.a.same_body(other.a) && self.b.same_body(other.b)
    }
}

/// What every prepared model can tell.
pub trait Model: Send + Sync + 'static {
    /// Identity and epoch.
    fn id(&self) -> ModelId;
    /// Number of triangles.
    fn triangles(&self) -> usize;
    /// Bytes held by the model, the mesh's own arrays included.
    fn bytes(&self) -> usize;
    /// Bytes of the mesh's own arrays (vertices and indices) within [`Model::bytes`].
    fn mesh_bytes(&self) -> usize;
}

/// A collision detection method.
///
/// A model is immutable and shared; what lasts from query to query (fronts, the last contact,
/// scratch space) is the pair's `Memory`, one per pair and thread. No call panics on any mesh.
pub trait Engine: Send + Sync {
    /// A mesh made ready for queries.
    type Model: Model;
    /// What lasts from one query of a pair to the next.
    type Memory: Send + Sync + 'static;

    /// Word, paper, needs, questions: a constant.
    fn describe(&self) -> &Description;

    /// Makes `mesh` ready.
    ///
    /// # Errors
    /// [`PrepareError`] if the method cannot take this mesh, or the caller cancelled.
    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<Self::Model, PrepareError>;

    /// Follows a deformation: the same triangles over moved vertices. A failed refit changes
    /// nothing.
    ///
    /// # Errors
    /// [`RefitError`]; the default says that the method has no refit.
    fn refit(
        &self,
        model: &mut Self::Model,
        vertices: &[Point],
        control: &Control<'_>,
    ) -> Result<(), RefitError> {
        let _ = (model, vertices, control);
        Err(RefitError::Unsupported { word: self.describe().word })
    }

    /// Empty memory for a pair.
    fn memory(&self) -> Self::Memory;

    /// Answers `ask` about A and B, with B placed by `b_in_a`, into `answer`. What the description
    /// does not list is refused, see [`Description::check`].
    ///
    /// # Errors
    /// [`QueryError`]; `answer` then holds nothing meaningful.
    #[allow(clippy::too_many_arguments)] // a query has this many parts, and a bag would hide them
    fn query(
        &self,
        a: &Self::Model,
        b: &Self::Model,
        b_in_a: &Pose,
        memory: &mut Self::Memory,
        ask: &Ask,
        control: &Control<'_>,
        answer: &mut Answer,
    ) -> Result<(), QueryError>;

    /// Answers a question of contacts about a model and itself: the pairs of its triangles, `a < b`,
    /// that share a point which is on no corner and no edge that they have in common. So neighbours
    /// are no contact, unless they fold onto or through each other; two triangles over the same
    /// three corners are one, if they have area. Corners are common if their coordinates are equal,
    /// whatever their indices. [`Ask::meaning`] is not looked at; details are given.
    ///
    /// # Errors
    /// [`QueryError::Unanswered`] for other questions, and by engines whose description says so;
    /// else as [`Engine::query`].
    fn query_self(
        &self,
        model: &Self::Model,
        memory: &mut Self::Memory,
        ask: &Ask,
        control: &Control<'_>,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        let _ = (model, memory, control, answer);
        self.describe().check_self(ask)?;
        let reason =
            "it says that it finds contacts of a mesh with itself, and does not".to_owned();
        Err(QueryError::Backend { word: self.describe().word, reason })
    }

    /// Answers `ask` for every pose in order and hands each answer to `each`. The same answers as
    /// one by one; the default is that loop.
    ///
    /// # Errors
    /// [`BatchError`] names the first pose without an answer.
    #[allow(clippy::too_many_arguments)]
    fn batch(
        &self,
        a: &Self::Model,
        b: &Self::Model,
        poses: &[Pose],
        memory: &mut Self::Memory,
        ask: &Ask,
        control: &Control<'_>,
        each: &mut dyn FnMut(usize, &Answer),
    ) -> Result<(), BatchError> {
        batch::in_order(poses, control, each, |pose, answer| {
            self.query(a, b, pose, memory, ask, control, answer)
        })
    }
}
