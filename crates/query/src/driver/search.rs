//! What a method brings: how it prepares a mesh, and how it searches two of them.

use impinge_geometry::{Mesh, Point, Pose};

use super::Query;
use super::containment;
use crate::{
    Answer, Backend, Cancelled, Certainty, Contacts, Control, Counter, Description, Model, ModelId,
    Nearest, PrepareError, QueryError, RefitError, Side, Subject,
};

/// A prepared mesh that keeps its [`Subject`]; that makes it a [`Model`].
pub trait MeshModel: Send + Sync + 'static {
    /// The mesh with its identity and extent.
    fn subject(&self) -> &Subject;
    /// Bytes held beside the mesh's own arrays.
    fn own_bytes(&self) -> usize;
}

impl<M: MeshModel> Model for M {
    fn id(&self) -> ModelId {
        self.subject().id()
    }

    fn triangles(&self) -> usize {
        self.subject().mesh().triangles().len()
    }

    fn bytes(&self) -> usize {
        self.subject().mesh_bytes() + self.own_bytes()
    }

    fn mesh_bytes(&self) -> usize {
        self.subject().mesh_bytes()
    }
}

/// What a search for the least distance is to find.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// The minimum.
    Minimum,
    /// Any pair of triangles at most this far apart, decided exactly.
    Within(f64),
}

/// What a search for contacts fills in.
#[derive(Debug)]
pub struct Found<'a> {
    /// The pairs of triangles that meet.
    pub contacts: Contacts,
    /// How much they can be trusted: exact, unless the search says otherwise.
    pub certainty: &'a mut Certainty,
    /// What did the work: one thread of the processor, unless the search says otherwise.
    pub backend: &'a mut Backend,
}

/// A method of collision detection without what all methods have in common. Every `Search` is an
/// [`Engine`](crate::Engine): see [`driver`](super) for what is done around it.
pub trait Search: Send + Sync + Sized {
    /// A mesh made ready for queries.
    type Model: MeshModel;
    /// What the search keeps from one query of a pair to the next, and space.
    type Memory: Send + Sync + 'static;

    /// Does a query begin with the triangles that met, or were nearest, in the last one? They are
    /// tested anew, so answers do not change; but a paper's method that does not do so would be
    /// faster than it is.
    const REMEMBERS: bool = false;

    /// Are batches spread over the threads of the caller's pool? Only for methods whose answers do
    /// not depend on what their memory was used for before.
    const BATCH_OVER_THREADS: bool = false;

    /// Word, paper, needs, questions: a constant.
    fn describe(&self) -> &Description;

    /// Makes `mesh` ready.
    ///
    /// # Errors
    /// As [`Engine::prepare`](crate::Engine::prepare).
    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<Self::Model, PrepareError>;

    /// Follows a deformation, and ends with [`Subject::next_epoch`].
    ///
    /// # Errors
    /// As [`Engine::refit`](crate::Engine::refit); the default says that there is none.
    fn refit(
        &self,
        model: &mut Self::Model,
        vertices: &[Point],
        control: &Control<'_>,
    ) -> Result<(), RefitError> {
        let _ = (model, vertices, control);
        Err(RefitError::Unsupported { word: self.describe().word })
    }

    /// Empty memory.
    fn memory(&self) -> Self::Memory;

    /// The next query is of another pair, or of models that were refitted: forgets what would not
    /// be true of it. Allocations may stay.
    fn forget(&self, memory: &mut Self::Memory) {
        *memory = self.memory();
    }

    /// Answers the query if that takes no search for contacts; `false` leaves the answer as it was.
    ///
    /// # Errors
    /// [`QueryError`].
    fn settle<C: Counter>(
        &self,
        query: &Query<'_, Self::Model>,
        memory: &mut Self::Memory,
        counter: &mut C,
        answer: &mut Answer,
    ) -> Result<bool, QueryError> {
        let _ = (query, memory, counter, answer);
        Ok(false)
    }

    /// Puts the pairs of triangles that meet into `found`, or one of them if
    /// [`Contacts::wants_first`].
    ///
    /// # Errors
    /// [`QueryError`]; what was found then goes.
    fn contacts<C: Counter>(
        &self,
        query: &Query<'_, Self::Model>,
        memory: &mut Self::Memory,
        counter: &mut C,
        found: &mut Found<'_>,
    ) -> Result<(), QueryError>;

    /// Puts the pairs of a model's triangles that meet [elsewhere](crate::Engine::query_self) than
    /// neighbours do into `found`; both models of `query` are that one, and its pose moves nothing.
    ///
    /// The default searches for contacts as if they were two and passes over neighbours, so it
    /// tests each pair twice, and n triangles with a common corner take n² tests.
    ///
    /// # Errors
    /// [`QueryError`]; what was found then goes.
    fn self_contacts<C: Counter>(
        &self,
        query: &Query<'_, Self::Model>,
        memory: &mut Self::Memory,
        counter: &mut C,
        found: &mut Found<'_>,
    ) -> Result<(), QueryError> {
        found.contacts.only_elsewhere(query.a.subject().shared());
        self.contacts(query, memory, counter, found)
    }

    /// The nearest pair of triangles of surfaces that share no point, or with [`Goal::Within`] some
    /// pair within that distance, else none. No pair is farther apart than `most` that matters: it
    /// is a bound to begin with, and may be left unused.
    ///
    /// # Errors
    /// [`QueryError`]; the default says that there is no such search.
    fn nearest<C: Counter>(
        &self,
        query: &Query<'_, Self::Model>,
        goal: Goal,
        most: Option<f64>,
        memory: &mut Self::Memory,
        counter: &mut C,
    ) -> Result<Option<Nearest>, QueryError> {
        let _ = (query, goal, most, memory, counter);
        Err(QueryError::Unanswered { word: self.describe().word, what: "distance" })
    }

    /// Does the driver find out whether one solid is inside the other? Not where the search for
    /// contacts does so.
    fn leaves_containment(&self) -> bool {
        true
    }

    /// The winding numbers of one closed surface, in its place, about points of A's frame that are
    /// off it. The default goes through all triangles for each point.
    fn winding<'q, C: Counter>(
        &'q self,
        query: Query<'q, Self::Model>,
        solid: Side,
    ) -> impl FnMut(&Point, &mut C) -> Result<i32, Cancelled> {
        let still = Pose::identity();
        let pose = if solid == Side::A { still } else { *query.pose };
        let mesh = query.subject(solid).mesh();
        move |p, counter| containment::winding(mesh, &pose, p, counter, query.control)
    }
}
