//! What a `World` holds, and how a question about it is run.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, TryLockError};

use impinge::query::Control;
use impinge::{Method, ObjectId, WorldError};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;

use crate::errors;
use crate::model::Model;
use crate::watch::{Pace, tried};

/// Many placed models, and questions about all pairs of them; one thread may ask it at a time.
///
/// Objects have ids 0, 1, 2, …, which are never given twice. A pair is asked about unless both objects
/// are fixed, a group is missing in the other's mask, or `allow` excepts it.
///
/// An empty world.
///
/// method: one of `methods()`, which answers all its questions.
#[pyclass(frozen, module = "impinge")]
pub(crate) struct World {
    pub(crate) method: Method,
    pub(crate) inner: Mutex<Inner>,
    pub(crate) pace: Pace,
}

/// What a world holds.
pub(crate) struct Inner {
    pub(crate) world: impinge::World,
    /// By the user's id, which no other object ever gets.
    pub(crate) objects: HashMap<u64, (ObjectId, Py<Model>)>,
    pub(crate) names: HashMap<ObjectId, u64>,
    pub(crate) next: u64,
}

impl Inner {
    /// The object of a user's id.
    pub(crate) fn object(&self, id: u64) -> PyResult<ObjectId> {
        match self.objects.get(&id) {
            Some((object, _)) => Ok(*object),
            None => Err(PyKeyError::new_err(format!("there is no object {id} in the world"))),
        }
    }

    /// The objects of users' ids.
    pub(crate) fn all(&self, ids: &[u64]) -> PyResult<Vec<ObjectId>> {
        ids.iter().map(|id| self.object(*id)).collect()
    }

    /// The user's id of an object.
    pub(crate) fn name(&self, object: ObjectId) -> Option<u64> {
        self.names.get(&object).copied()
    }

    /// The user's id as a signed number, for arrays.
    pub(crate) fn number(&self, object: ObjectId) -> i64 {
        self.name(object).map_or(-1, |id| id as i64)
    }

    /// An error with the user's ids.
    pub(crate) fn raise(&self, py: Python<'_>, error: &WorldError) -> PyErr {
        errors::of_world(py, error, |object| self.name(object))
    }
}

impl World {
    /// The objects, which no other call holds.
    pub(crate) fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Inner>> {
        match self.inner.try_lock() {
            Ok(guard) => Ok(guard),
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(errors::plain(
                py,
                "the world is in use by another call; give each thread its own",
            )),
        }
    }

    /// Runs a question about all objects. A long one begins twice, so `work` must keep nothing of the
    /// first time.
    pub(crate) fn question<R: Send>(
        &self,
        py: Python<'_>,
        progress: Option<&Bound<'_, PyAny>>,
        mut work: impl FnMut(&mut impinge::World, &Control<'_>) -> Result<R, WorldError> + Send,
    ) -> PyResult<(R, MutexGuard<'_, Inner>)> {
        let mut inner = self.lock(py)?;
        let world = &mut inner.world;
        match tried(py, &self.pace, progress, |control| work(world, control))? {
            Ok(found) => Ok((found, inner)),
            Err(error) => Err(inner.raise(py, &error)),
        }
    }
}
