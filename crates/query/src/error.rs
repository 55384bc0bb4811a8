//! Why a call failed. Only what a caller can cause, each naming the element.

use impinge_geometry::{MeshError, OpenSurface};

use crate::Cancelled;

/// One of the two meshes of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first mesh, in whose frame the query is asked.
    A,
    /// The second mesh, the posed one.
    B,
}

impl std::fmt::Display for Side {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::A => "A",
            Self::B => "B",
        })
    }
}

/// Why a mesh could not be prepared.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PrepareError {
    /// The method needs a closed surface and this one is not.
    #[error(transparent)]
    Open(#[from] OpenSurface),
    /// The caller cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The method cannot take this mesh, and why.
    #[error("{word} cannot prepare this mesh: {reason}")]
    Refused {
        /// The method.
        word: &'static str,
        /// The reason, naming the element.
        reason: String,
    },
}

/// Why a model could not be refitted; it is unchanged then.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RefitError {
    /// The new vertices are no valid mesh.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The caller cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The method has no refit: prepare again.
    #[error("{word} cannot be refitted; prepare the mesh again")]
    Unsupported {
        /// The method.
        word: &'static str,
    },
    /// The model was prepared by another engine.
    #[error("this model was prepared by {found}, not by {word}")]
    ForeignModel {
        /// The engine asked.
        word: &'static str,
        /// The engine that made the model.
        found: &'static str,
    },
}

/// Why a query has no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// The caller cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The engine does not answer this question.
    #[error("{word} does not answer the question \"{what}\"")]
    Unanswered {
        /// The engine.
        word: &'static str,
        /// The question or meaning.
        what: &'static str,
    },
    /// A distance to compare with must be finite and not negative.
    #[error("the distance to compare with is {value:e}; it must be finite and not negative")]
    BadDistance {
        /// The refused value.
        value: f64,
    },
    /// `Solids` was asked of a surface without an inside.
    #[error("mesh {side} has no inside: {open}")]
    NotClosed {
        /// Which mesh.
        side: Side,
        /// The edge that shows it.
        open: OpenSurface,
    },
    /// The model was prepared by another engine.
    #[error("model {side} was prepared by {found}, not by {word}")]
    ForeignModel {
        /// Which model.
        side: Side,
        /// The engine asked.
        word: &'static str,
        /// The engine that made the model.
        found: &'static str,
    },
    /// The pair memory was made by another engine.
    #[error("this pair memory was made by {found}, not by {word}")]
    ForeignMemory {
        /// The engine asked.
        word: &'static str,
        /// The engine that made the memory.
        found: &'static str,
    },
    /// The pose moves B's vertices out of the range of coordinates.
    #[error("the pose moves mesh B out of range: {0}")]
    OutOfRange(MeshError),
    /// The method's backend failed; nothing is known about the pair.
    #[error("{word}: the backend failed: {reason}")]
    Backend {
        /// The method.
        word: &'static str,
        /// What happened.
        reason: String,
    },
}

/// A pose of a batch had no answer; the earlier ones were delivered.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("pose {index}: {source}")]
pub struct BatchError {
    /// Index of the pose.
    pub index: usize,
    /// Why it failed.
    pub source: QueryError,
}
