//! The one error of the facade.

use impinge_geometry::{MeshError, PoseError};
use impinge_query::{BatchError, PrepareError, QueryError, Side};

/// Why a question has no answer. `?` takes errors of meshes and poses too.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The vertices and triangles are no mesh.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The numbers are no rigid motion.
    #[error(transparent)]
    Pose(#[from] PoseError),
    /// A mesh could not be prepared.
    #[error("mesh {side}: {source}")]
    Prepare {
        /// Which mesh.
        side: Side,
        /// Why.
        source: PrepareError,
    },
    /// The query has no answer.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// A pose of a batch has no answer.
    #[error(transparent)]
    Batch(#[from] BatchError),
}
