//! What a method implements: how it prepares a mesh, and how it searches two of them.

use impinge_geometry::{Mesh, Point, Pose};

use super::containment;
use super::{Memory, Query};
use crate::{
    Answer, Backend, Cancelled, Certainty, Contacts, Control, Counter, Description, Model, ModelId,
    Nearest, Place, PrepareError, QueryError, RefitError, Side, Statistics, Subject,
};

/// A prepared mesh that holds a [`Subject`], and is therefore a [`Model`].
pub trait MeshModel: Send + Sync + 'static {
    /// The mesh with its identity and extent.
    fn subject(&self) -> &Subject;
    /// The bytes held beside the mesh's own arrays.
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

    fn mesh(&self) -> Option<&Mesh> {
        Some(self.subject().mesh())
    }

    fn as_subject(&self) -> Option<&Subject> {
        Some(self.subject())
    }
}

/// What a distance search has to find.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// The least distance.
    Minimum,
    /// Any pair of triangles at most this far apart, decided exactly.
    Within(f64),
}

/// The output of a search for contacts.
#[derive(Debug)]
pub struct Found<'a> {
    /// Collects the pairs of triangles that meet.
    pub contacts: Contacts,
    /// How far they can be trusted; exact unless the search sets it.
    pub certainty: &'a mut Certainty,
    /// The hardware used; one CPU thread unless the search sets it.
    pub backend: &'a mut Backend,
}

/// How the poses of a batch are answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Batching {
    /// One after the other.
    #[default]
    InOrder,
    /// On the threads of the caller's pool. Only for methods whose answers do not depend on the
    /// history of their memory.
    OverThreads,
    /// One after the other, after [`Search::look_ahead`] has seen many of them. Only for methods
    /// without [`Search::REMEMBERS`] and [`Search::settle`], which answer some queries without
    /// asking for contacts.
    Ahead,
}

/// The part of a collision detection method that is its own. Every `Search` is an
/// [`Engine`](crate::Engine); [`driver`](super) describes the steps around it.
pub trait Search: Send + Sync + Sized {
    /// A mesh made ready for queries.
    type Model: MeshModel;
    /// What the search keeps between queries of a pair, and scratch space.
    type Memory: Send + Sync + 'static;

    /// Whether a query first tests the triangles that met, or were nearest, in the last one. This
    /// does not change answers. It is off for methods of papers that do not do so, since they would
    /// appear faster than they are.
    const REMEMBERS: bool = false;

    /// The constant description: name, paper, requirements, questions.
    fn describe(&self) -> &Description;

    /// Prepares `mesh` for queries.
    ///
    /// # Errors
    /// As [`Engine::prepare`](crate::Engine::prepare).
    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<Self::Model, PrepareError>;

    /// Updates the model to moved vertices. Must end with [`Subject::next_epoch`].
    ///
    /// # Errors
    /// As [`Engine::refit`](crate::Engine::refit); by default [`RefitError::Unsupported`].
    fn refit(
        &self,
        model: &mut Self::Model,
        vertices: &[Point],
        control: &Control<'_>,
    ) -> Result<(), RefitError> {
        let _ = (model, vertices, control);
        Err(RefitError::Unsupported { word: self.describe().word })
    }

    /// Answers a query with [`answer`](super::answer). By default whether work is counted is known when
    /// it runs, so that the search is compiled once. Where a query takes no longer than a few tests of
    /// boxes, a search may compile [`answer`](super::answer) with `()` too, and choose by the ask.
    ///
    /// # Errors
    /// As [`Engine::query`](crate::Engine::query).
    fn answer(
        &self,
        query: &Query<'_, Self::Model>,
        memory: &mut Memory<Self::Memory>,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        let counter = query.ask.count.then(Statistics::default);
        super::answer(self, query, counter, memory, answer)
    }

    /// Creates empty memory.
    fn memory(&self) -> Self::Memory;

    /// Drops state that is invalid for another pair or for refitted models. May keep allocations.
    fn forget(&self, memory: &mut Self::Memory);

    /// Where the last search found a contact; by default nothing is kept of that.
    fn place(&self, memory: &Self::Memory) -> Option<Place> {
        let _ = memory;
        None
    }

    /// Whether the next search for a first contact begins with the triangles that last met, and others
    /// near them: then they are not tested before.
    fn starts_at_place(&self, memory: &Self::Memory) -> bool {
        let _ = memory;
        false
    }

    /// Lets the next search for a first contact begin at a place, after [`Search::forget`]. The models
    /// may have changed since, so that there may be no such place. By default does nothing.
    fn recall_place(&self, memory: &mut Self::Memory, place: Option<Place>) {
        let _ = (memory, place);
    }

    /// Answers the query if no search for contacts is needed. `false` leaves the answer unchanged.
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

    /// How [`Engine::batch`](crate::Engine::batch) runs.
    fn batching(&self) -> Batching {
        Batching::InOrder
    }

    /// Prepares the next queries of a batch, those at `poses`, in `memory`, and returns how many of
    /// them, at least one; `query` is the first one, and there are at most 4,096. They follow in
    /// order unless one is an error, each with
    /// [`Contacts::wants_first`] as in `first`. Only called for [`Batching::Ahead`]. By default it
    /// prepares nothing.
    ///
    /// # Errors
    /// [`QueryError`]; the first of the queries then has no answer.
    fn look_ahead(
        &self,
        query: &Query<'_, Self::Model>,
        poses: &[Pose],
        first: bool,
        memory: &mut Self::Memory,
    ) -> Result<usize, QueryError> {
        let _ = (query, first, memory);
        Ok(poses.len())
    }

    /// Adds the pairs of triangles that meet to `found`, or one of them if
    /// [`Contacts::wants_first`].
    ///
    /// # Errors
    /// [`QueryError`]; `found` is then discarded.
    fn contacts<C: Counter>(
        &self,
        query: &Query<'_, Self::Model>,
        memory: &mut Self::Memory,
        counter: &mut C,
        found: &mut Found<'_>,
    ) -> Result<(), QueryError>;

    /// Adds the pairs of a model's triangles that meet [elsewhere](crate::Engine::query_self) than
    /// neighbours do to `found`. Both models of `query` are that model, and its pose is the
    /// identity.
    ///
    /// The default searches as if there were two meshes and rejects neighbours. It tests each pair
    /// twice, and n triangles with a common corner take n² tests.
    ///
    /// # Errors
    /// [`QueryError`]; `found` is then discarded.
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

    /// The nearest pair of triangles of surfaces that share no point; with [`Goal::Within`], some
    /// pair within that distance, else `None`. Pairs farther apart than `most` may be ignored: it
    /// is an optional initial bound.
    ///
    /// # Errors
    /// [`QueryError`]; by default [`QueryError::Unanswered`].
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

    /// Whether the driver tests for containment. False if the search for contacts does so itself.
    fn leaves_containment(&self) -> bool {
        true
    }

    /// A function that computes the winding number of one closed surface, posed in A's frame, about
    /// a point off it. The default visits all triangles for each point.
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
