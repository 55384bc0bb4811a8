//! The typed layer: what a method implements.

use std::num::NonZero;
use std::sync::atomic::{AtomicU64, Ordering};

use impinge_geometry::{Mesh, Point, Pose};

use crate::batch;
use crate::{
    Answer, Ask, BatchError, Contact, Control, Description, PrepareError, QueryError, RefitError,
    Subject,
};

/// Identity of a prepared model and the epoch of its vertices. A pair's memory filled for another
/// pair or another epoch is stale and must reset itself, except for hints that cannot change an
/// answer ([`ModelId::same_body`]).
///
/// Every epoch is unique in the process: copies of a model have its identity, and after each is
/// refitted their epochs differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ModelId {
    identity: u64,
    epoch: u64,
}

impl ModelId {
    /// A new identity, unique in this process, at epoch 0.
    pub fn fresh() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self { identity: NEXT.fetch_add(1, Ordering::Relaxed), epoch: 0 }
    }

    /// Whether the model is at its first epoch: its vertices are where they were when it was made.
    pub const fn has_never_moved(&self) -> bool {
        self.epoch == 0
    }

    /// The same identity at an epoch that no other model has.
    #[must_use]
    pub fn next_epoch(self) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self { identity: self.identity, epoch: NEXT.fetch_add(1, Ordering::Relaxed) }
    }

    /// Whether both have the same identity, whatever the epoch. The triangles are then the same;
    /// the vertices may have moved.
    pub const fn same_body(self, other: Self) -> bool {
        self.identity == other.identity
    }
}

/// The pair of models that a memory was filled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PairKey {
    /// Identity and epoch of A.
    pub a: ModelId,
    /// Identity and epoch of B.
    pub b: ModelId,
}

impl PairKey {
    /// Whether both models have the same identities, whatever the epochs.
    pub const fn same_bodies(self, other: Self) -> bool {
        self.a.same_body(other.a) && self.b.same_body(other.b)
    }
}

/// What the memory of a pair holds that is worth keeping for thousands of pairs: the triangles to
/// test first, and where to look next. A hint never changes a verdict, since its triangles are tested in
/// their new places, and a search goes everywhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hint {
    /// The triangles that last met.
    pub met: Option<Contact>,
    /// The triangles that were last nearest.
    pub nearest: Option<Contact>,
    /// Where the method's last search found a contact.
    pub place: Option<Place>,
}

/// A place in the method's own structures of two models: what the numbers mean is its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// In that of A.
    pub a: NonZero<u32>,
    /// In that of B.
    pub b: NonZero<u32>,
}

/// Properties of every prepared model.
pub trait Model: Send + Sync + 'static {
    /// Identity and epoch.
    fn id(&self) -> ModelId;
    /// The number of triangles.
    fn triangles(&self) -> usize;
    /// The bytes held by the model, the mesh's own arrays included.
    fn bytes(&self) -> usize;
    /// The bytes of the mesh's own arrays (vertices and indices), included in [`Model::bytes`].
    fn mesh_bytes(&self) -> usize;
    /// The mesh it was prepared from, with moved vertices after a refit; by default `None`, for
    /// models that do not keep it.
    fn mesh(&self) -> Option<&Mesh> {
        None
    }
    /// What is kept of that mesh, such as whether it is closed; by default `None`, for models that keep
    /// it in another way.
    fn as_subject(&self) -> Option<&Subject> {
        None
    }
}

/// A collision detection method.
///
/// A model is immutable and shared. State between queries (fronts, the last contact, scratch space)
/// is the pair's `Memory`, one per pair and thread. No call panics on any mesh.
pub trait Engine: Send + Sync {
    /// A mesh made ready for queries.
    type Model: Model;
    /// State kept from one query of a pair to the next.
    type Memory: Send + Sync + 'static;

    /// The constant description: name, paper, requirements, questions.
    fn describe(&self) -> &Description;

    /// Prepares `mesh` for queries.
    ///
    /// # Errors
    /// [`PrepareError`] if the method cannot take this mesh, or the caller cancelled.
    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<Self::Model, PrepareError>;

    /// Updates the model to moved vertices of the same triangles. A failed refit changes nothing.
    ///
    /// # Errors
    /// [`RefitError`]; by default [`RefitError::Unsupported`].
    fn refit(
        &self,
        model: &mut Self::Model,
        vertices: &[Point],
        control: &Control<'_>,
    ) -> Result<(), RefitError> {
        let _ = (model, vertices, control);
        Err(RefitError::Unsupported { word: self.describe().word })
    }

    /// Creates empty memory for a pair.
    fn memory(&self) -> Self::Memory;

    /// The triangles that the next query with `memory` would test first; by default none.
    fn hint(&self, memory: &Self::Memory) -> Hint {
        let _ = memory;
        Hint::default()
    }

    /// Makes `memory` that of a query about `a` and `b` which left `hint`. The next answer then
    /// depends on nothing else that was asked with this memory, so one memory serves many pairs.
    /// By default it is emptied.
    fn recall(&self, a: &Self::Model, b: &Self::Model, memory: &mut Self::Memory, hint: Hint) {
        let _ = (a, b, hint);
        *memory = self.memory();
    }

    /// Answers `ask` about A and B, with B placed by `b_in_a`, into `answer`. Refuses what the
    /// description does not list: [`Description::check`].
    ///
    /// # Errors
    /// [`QueryError`]; `answer` then holds nothing meaningful.
    #[allow(clippy::too_many_arguments)] // a query has this many parts; a struct would hide them
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

    /// Answers `ask` about A and B once. To ask often about a pair, call [`Engine::query`], which
    /// keeps memory from one question to the next.
    ///
    /// # Errors
    /// As [`Engine::query`].
    fn ask(
        &self,
        a: &Self::Model,
        b: &Self::Model,
        b_in_a: &Pose,
        ask: &Ask,
    ) -> Result<Answer, QueryError> {
        let (mut memory, mut answer) = (self.memory(), Answer::default());
        self.query(a, b, b_in_a, &mut memory, ask, &Control::NONE, &mut answer)?;
        Ok(answer)
    }

    /// Answers a question about contacts of a model with itself: the pairs of its triangles,
    /// `a < b`, that share a point on no common corner and no common edge. Neighbours are therefore
    /// no contact unless they fold onto or through each other. Two triangles over the same three
    /// corners are a contact if they have area. Corners are common if their coordinates are equal,
    /// whatever their indices. [`Ask::meaning`] is ignored; details are computed if asked for.
    ///
    /// # Errors
    /// [`QueryError::Unanswered`] for other questions, and by engines whose description excludes
    /// self-contacts; otherwise as [`Engine::query`].
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

    /// Answers `ask` for every pose in order and hands each answer to `each`. The answers equal
    /// those of single queries; the default is that loop.
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
        batch::in_order(poses.len(), control, each, |index, answer| {
            self.query(a, b, &poses[index], memory, ask, control, answer)
        })
    }
}
