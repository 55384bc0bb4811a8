//! The error type of this crate.

use crate::SettingsError;
use impinge_continuous::rigid::SweepError;
use impinge_continuous::translation::{ExitError, TranslationError};
use impinge_geometry::touching::Undecided;
use impinge_geometry::{MeshError, PoseError};
use impinge_query::{BatchError, PrepareError, QueryError, RefitError, Side};

/// Why a question has no answer. `?` also converts [`MeshError`] and [`PoseError`].
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The vertices and triangles do not form a valid mesh.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The numbers do not form a rigid motion.
    #[error(transparent)]
    Pose(#[from] PoseError),
    /// A mesh could not be prepared.
    #[error("mesh {side}: {source}")]
    Prepare {
        /// Which of the two meshes; A where there is only one.
        side: Side,
        /// Why the method cannot prepare it.
        source: PrepareError,
    },
    /// The query failed.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// There is no way out along the direction.
    #[error(transparent)]
    Exit(ExitError),
    /// An element of a list failed; the error has its index.
    #[error(transparent)]
    Batch(#[from] BatchError),
    /// The vertices of a prepared mesh could not be moved.
    #[error(transparent)]
    Refit(#[from] RefitError),
    /// The method, or this build, does not have these settings.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// Whether the meshes only touch is not certain.
    #[error("mesh {side}: {source}")]
    Undecided {
        /// The mesh whose inside is not certain.
        side: Side,
        /// Why.
        source: Undecided,
    },
    /// An option of a sweep is out of range, or the method cannot be swept.
    #[error(transparent)]
    Sweep(SweepError),
    /// The method's prepared data cannot be stored.
    #[error("bodies of {word} cannot be stored; those of wide can")]
    NotStored {
        /// The method's name.
        word: &'static str,
    },
}

impl From<SweepError> for Error {
    fn from(error: SweepError) -> Self {
        match error {
            SweepError::Query(error) => Self::Query(error),
            error => Self::Sweep(error),
        }
    }
}

impl From<ExitError> for Error {
    fn from(error: ExitError) -> Self {
        match error {
            ExitError::Query(error) => Self::Query(error),
            ExitError::Translations(TranslationError::Cancelled(error)) => Self::from(error),
            error => Self::Exit(error),
        }
    }
}
