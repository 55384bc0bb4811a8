//! The object-safe layer: any [`Engine`] behind one boxed interface. Models and memories are
//! opaque; passing one of another engine is an error, never a panic.

use std::any::Any;

use impinge_geometry::{Mesh, Point, Pose};

use crate::{
    Answer, Ask, BatchError, Control, Description, Engine, Hint, Model, PrepareError, QueryError,
    RefitError, Side, Subject,
};

/// A mesh prepared by some engine.
pub struct Prepared {
    word: &'static str,
    triangles: usize,
    bytes: usize,
    mesh_bytes: usize,
    model: Box<dyn Any + Send + Sync>,
    /// The mesh of a model of this type, and what is kept of it.
    mesh: fn(&(dyn Any + Send + Sync)) -> Option<&Mesh>,
    subject: fn(&(dyn Any + Send + Sync)) -> Option<&Subject>,
}

impl std::fmt::Debug for Prepared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prepared")
            .field("word", &self.word)
            .field("triangles", &self.triangles)
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}

impl Prepared {
    /// A model that `engine` has made, or that was stored and read for it.
    pub fn new<E: Engine>(engine: &E, model: E::Model) -> Self {
        Self {
            word: engine.describe().word,
            triangles: model.triangles(),
            bytes: model.bytes(),
            mesh_bytes: model.mesh_bytes(),
            model: Box::new(model),
            mesh: |model| model.downcast_ref::<E::Model>()?.mesh(),
            subject: |model| model.downcast_ref::<E::Model>()?.as_subject(),
        }
    }

    /// The mesh it was prepared from, with moved vertices after a refit; `None` if the model does
    /// not keep it.
    pub fn mesh(&self) -> Option<&Mesh> {
        (self.mesh)(&*self.model)
    }

    /// What the model keeps of the mesh; `None` if it keeps it in another way.
    pub fn subject(&self) -> Option<&Subject> {
        (self.subject)(&*self.model)
    }

    /// The model as type `M`; `None` if it has another type.
    pub fn model<M: Model>(&self) -> Option<&M> {
        self.model.downcast_ref()
    }

    /// The name of the engine that made it.
    pub const fn word(&self) -> &'static str {
        self.word
    }

    /// The number of triangles.
    pub const fn triangles(&self) -> usize {
        self.triangles
    }

    /// The bytes held, the mesh's own arrays included.
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// The bytes of the mesh's own arrays, included in [`Prepared::bytes`].
    pub const fn mesh_bytes(&self) -> usize {
        self.mesh_bytes
    }
}

/// What some engine keeps between queries of one pair.
pub struct PairMemory {
    word: &'static str,
    memory: Box<dyn Any + Send + Sync>,
}

impl std::fmt::Debug for PairMemory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PairMemory").field("word", &self.word).finish_non_exhaustive()
    }
}

/// An engine behind an object-safe interface. Implemented for every [`Engine`]; do not implement it
/// directly.
pub trait Detector: Send + Sync {
    /// See [`Engine::describe`].
    fn describe(&self) -> &Description;

    /// See [`Engine::prepare`].
    ///
    /// # Errors
    /// As there.
    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<Prepared, PrepareError>;

    /// See [`Engine::refit`].
    ///
    /// # Errors
    /// As there, and [`RefitError::ForeignModel`].
    fn refit(
        &self,
        model: &mut Prepared,
        vertices: &[Point],
        control: &Control<'_>,
    ) -> Result<(), RefitError>;

    /// See [`Engine::memory`].
    fn memory(&self) -> PairMemory;

    /// See [`Engine::hint`]; none of a foreign memory.
    fn hint(&self, memory: &PairMemory) -> Hint;

    /// See [`Engine::recall`].
    ///
    /// # Errors
    /// `ForeignModel`, `ForeignMemory`.
    fn recall(
        &self,
        a: &Prepared,
        b: &Prepared,
        memory: &mut PairMemory,
        hint: Hint,
    ) -> Result<(), QueryError>;

    /// See [`Engine::query`].
    ///
    /// # Errors
    /// As there, and `ForeignModel`, `ForeignMemory`.
    #[allow(clippy::too_many_arguments)]
    fn query(
        &self,
        a: &Prepared,
        b: &Prepared,
        b_in_a: &Pose,
        memory: &mut PairMemory,
        ask: &Ask,
        control: &Control<'_>,
        answer: &mut Answer,
    ) -> Result<(), QueryError>;

    /// See [`Engine::query_self`].
    ///
    /// # Errors
    /// As there, and `ForeignModel`, `ForeignMemory`.
    fn query_self(
        &self,
        model: &Prepared,
        memory: &mut PairMemory,
        ask: &Ask,
        control: &Control<'_>,
        answer: &mut Answer,
    ) -> Result<(), QueryError>;

    /// See [`Engine::batch`].
    ///
    /// # Errors
    /// As there; a foreign model or memory is reported at pose 0.
    #[allow(clippy::too_many_arguments)]
    fn batch(
        &self,
        a: &Prepared,
        b: &Prepared,
        poses: &[Pose],
        memory: &mut PairMemory,
        ask: &Ask,
        control: &Control<'_>,
        each: &mut dyn FnMut(usize, &Answer),
    ) -> Result<(), BatchError>;
}

impl<E: Engine> Detector for E {
    fn describe(&self) -> &Description {
        Engine::describe(self)
    }

    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<Prepared, PrepareError> {
        Engine::prepare(self, mesh, control).map(|model| Prepared::new(self, model))
    }

    fn refit(
        &self,
        prepared: &mut Prepared,
        vertices: &[Point],
        control: &Control<'_>,
    ) -> Result<(), RefitError> {
        let (word, found) = (Engine::describe(self).word, prepared.word);
        let model = (prepared.model.downcast_mut::<E::Model>())
            .filter(|_| word == found)
            .ok_or(RefitError::ForeignModel { word, found })?;
        Engine::refit(self, model, vertices, control)?;
        prepared.bytes = model.bytes();
        Ok(())
    }

    fn memory(&self) -> PairMemory {
        let word = Engine::describe(self).word;
        PairMemory { word, memory: Box::new(Engine::memory(self)) }
    }

    fn hint(&self, memory: &PairMemory) -> Hint {
        let own = memory.memory.downcast_ref::<E::Memory>();
        let own = own.filter(|_| Engine::describe(self).word == memory.word);
        own.map_or_else(Hint::default, |own| Engine::hint(self, own))
    }

    fn recall(
        &self,
        a: &Prepared,
        b: &Prepared,
        memory: &mut PairMemory,
        hint: Hint,
    ) -> Result<(), QueryError> {
        let (a, b) = (own_model(self, a, Side::A)?, own_model(self, b, Side::B)?);
        Engine::recall(self, a, b, own_memory(self, memory)?, hint);
        Ok(())
    }

    fn query(
        &self,
        a: &Prepared,
        b: &Prepared,
        b_in_a: &Pose,
        memory: &mut PairMemory,
        ask: &Ask,
        control: &Control<'_>,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        let (a, b) = (own_model(self, a, Side::A)?, own_model(self, b, Side::B)?);
        let memory = own_memory(self, memory)?;
        Engine::query(self, a, b, b_in_a, memory, ask, control, answer)
    }

    fn query_self(
        &self,
        model: &Prepared,
        memory: &mut PairMemory,
        ask: &Ask,
        control: &Control<'_>,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        let model = own_model(self, model, Side::A)?;
        Engine::query_self(self, model, own_memory(self, memory)?, ask, control, answer)
    }

    fn batch(
        &self,
        a: &Prepared,
        b: &Prepared,
        poses: &[Pose],
        memory: &mut PairMemory,
        ask: &Ask,
        control: &Control<'_>,
        each: &mut dyn FnMut(usize, &Answer),
    ) -> Result<(), BatchError> {
        let at_start = |source| BatchError { index: 0, source };
        // Checked here too, since an empty batch runs no query that would check.
        Engine::describe(self).check(ask).map_err(at_start)?;
        let a = own_model(self, a, Side::A).map_err(at_start)?;
        let b = own_model(self, b, Side::B).map_err(at_start)?;
        let memory = own_memory(self, memory).map_err(at_start)?;
        Engine::batch(self, a, b, poses, memory, ask, control, each)
    }
}

/// The model as this engine's type, or an error that names the engine it belongs to. The name
/// decides, since two engines may share a model type.
fn own_model<'m, E: Engine>(
    engine: &E,
    prepared: &'m Prepared,
    side: Side,
) -> Result<&'m E::Model, QueryError> {
    let (word, found) = (engine.describe().word, prepared.word);
    (prepared.model.downcast_ref::<E::Model>())
        .filter(|_| word == found)
        .ok_or(QueryError::ForeignModel { side, word, found })
}

fn own_memory<'m, E: Engine>(
    engine: &E,
    memory: &'m mut PairMemory,
) -> Result<&'m mut E::Memory, QueryError> {
    let (word, found) = (engine.describe().word, memory.word);
    (memory.memory.downcast_mut::<E::Memory>())
        .filter(|_| word == found)
        .ok_or(QueryError::ForeignMemory { word, found })
}
