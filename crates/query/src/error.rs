//! Why a call failed. Each error is one that a caller can cause, and names the offending element.

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
    /// The method cannot take this mesh.
    #[error("{word} cannot prepare this mesh: {reason}")]
    Refused {
        /// The method's name.
        word: &'static str,
        /// The reason, naming the element.
        reason: String,
    },
}

impl PrepareError {
    /// Refuses a mesh of more than `most` triangles for the method `word`.
    ///
    /// # Errors
    /// [`PrepareError::Refused`].
    pub fn check_count(word: &'static str, count: usize, most: usize) -> Result<(), Self> {
        if count <= most {
            return Ok(());
        }
        Err(Self::Refused { word, reason: format!("{count} triangles, at most {most}") })
    }
}

/// Why a model could not be refitted. The model is then unchanged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RefitError {
    /// The new vertices do not make a valid mesh.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The mesh to follow has other triangles.
    #[error("triangle {triangle} is not the same in both meshes; a refit moves vertices only")]
    OtherTriangles {
        /// The first triangle that differs, or that only one of the meshes has.
        triangle: u32,
    },
    /// The caller cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The method has no refit; prepare the mesh again.
    #[error("{word} cannot be refitted; prepare the mesh again")]
    Unsupported {
        /// The method's name.
        word: &'static str,
    },
    /// The model was prepared by another engine.
    #[error("this model was prepared by {found}, not by {word}")]
    ForeignModel {
        /// The name of the engine called.
        word: &'static str,
        /// The name of the engine that made the model.
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
        /// The engine's name.
        word: &'static str,
        /// The question or meaning refused.
        what: &'static str,
    },
    /// The distance to compare with is negative or not finite.
    #[error("the distance to compare with is {value:e}; it must be finite and not negative")]
    BadDistance {
        /// The refused value.
        value: f64,
    },
    /// An option is negative, not a number, or infinite.
    #[error("the {what} of a {of} is {value:e}; it must be finite and not negative")]
    BadOption {
        /// The question.
        of: &'static str,
        /// The option.
        what: &'static str,
        /// The refused value.
        value: f64,
    },
    /// `Solids` was asked of a surface that is not closed.
    #[error("mesh {side} has no inside: {open}")]
    NotClosed {
        /// The mesh that is not closed.
        side: Side,
        /// An edge that shows it.
        open: OpenSurface,
    },
    /// The model was prepared by another engine.
    #[error("model {side} was prepared by {found}, not by {word}")]
    ForeignModel {
        /// The model concerned.
        side: Side,
        /// The name of the engine called.
        word: &'static str,
        /// The name of the engine that made the model.
        found: &'static str,
    },
    /// The pair memory was made by another engine.
    #[error("this pair memory was made by {found}, not by {word}")]
    ForeignMemory {
        /// The name of the engine called.
        word: &'static str,
        /// The name of the engine that made the memory.
        found: &'static str,
    },
    /// The pose moves a vertex of B out of the range of coordinates.
    #[error("the pose moves mesh B out of range: {0}")]
    OutOfRange(MeshError),
    /// The method's backend failed, so the pair is undecided.
    #[error("{word}: the backend failed: {reason}")]
    Backend {
        /// The method's name.
        word: &'static str,
        /// The backend's message.
        reason: String,
    },
}

/// A query of a batch failed; the answers before it were delivered.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("pose {index}: {source}")]
pub struct BatchError {
    /// Index of the pose, pair or model.
    pub index: usize,
    /// Why that query failed.
    pub source: QueryError,
}
