//! What a [`Pair`](crate::Pair) prepares of its meshes for one kind of question, when it is first asked.

use std::sync::OnceLock;

use impinge_geometry::Mesh;
use impinge_query::{QueryError, Side};

use crate::{Body, Error};

/// Something made of each of two meshes, kept until the mesh moves.
#[derive(Debug)]
pub(crate) struct Kept<T> {
    a: OnceLock<T>,
    b: OnceLock<T>,
}

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self { a: OnceLock::new(), b: OnceLock::new() }
    }
}

impl<T> Kept<T> {
    /// Drops what was made of a mesh that moves.
    pub(crate) fn forget(&mut self, side: Side) {
        match side {
            Side::A => self.a.take(),
            Side::B => self.b.take(),
        };
    }

    /// What was made of the mesh of `body`, or is made now. `what` names the question, which a method
    /// that does not keep its meshes cannot answer.
    pub(crate) fn of(
        &self,
        side: Side,
        body: &Body,
        what: &'static str,
        make: impl FnOnce(&Mesh) -> Result<T, Error>,
    ) -> Result<&T, Error> {
        let kept = match side {
            Side::A => &self.a,
            Side::B => &self.b,
        };
        if let Some(made) = kept.get() {
            return Ok(made);
        }
        let word = body.method().word();
        let made = make(body.mesh().ok_or(QueryError::Unanswered { word, what })?)?;
        // Another thread may have set it first.
        Ok(kept.get_or_init(|| made))
    }
}
