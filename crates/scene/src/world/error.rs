//! Why a world refuses or gives no answer.

use impinge_geometry::PoseError;
use impinge_query::{Cancelled, PrepareError, QueryError, RefitError};

use super::ObjectId;

/// Why a world refuses a call or has no answer. A world that returned an error is as it was before.
#[derive(Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// There is no such object: it was removed. Ids of another world are not told apart.
    #[error("there is no object {0}")]
    NoObject(ObjectId),
    /// The shape was prepared by another method than the world's.
    #[error("the shape was prepared by {found}, not by {word}")]
    ForeignShape {
        /// The name of the world's method.
        word: &'static str,
        /// The name of the method that prepared the shape.
        found: &'static str,
    },
    /// The method does not keep its meshes, so their extents are not known.
    #[error("{word} does not keep the mesh of a prepared body; make the shape from the mesh")]
    NoMesh {
        /// The method's name.
        word: &'static str,
    },
    /// The pose is out of range: poses that were composed may be.
    #[error(transparent)]
    Pose(PoseError),
    /// The velocity of an object leads out of the range of poses; no object has moved.
    #[error("object {id} moves out of range: {source}")]
    Lost {
        /// The object.
        id: ObjectId,
        /// What is wrong with its next pose.
        source: PoseError,
    },
    /// A world has 2³² places.
    #[error("a world has at most 2^32 - 1 objects")]
    TooMany,
    /// The new vertices could not be prepared.
    #[error(transparent)]
    Prepare(#[from] PrepareError),
    /// The new vertices could not be taken over.
    #[error(transparent)]
    Refit(#[from] RefitError),
    /// The method found no answer about two objects; A and B of the source are in this order.
    #[error("objects {a} and {b}: {source}")]
    Query {
        /// The first object.
        a: ObjectId,
        /// The second object.
        b: ObjectId,
        /// Why.
        source: QueryError,
    },
    /// The method found no answer about an object outside the world, A, and one inside, B.
    #[error("the object and {b}: {source}")]
    Outside {
        /// The object of the world.
        b: ObjectId,
        /// Why.
        source: QueryError,
    },
    /// The method does not answer this question, or it makes no sense for a world.
    #[error(transparent)]
    Refused(QueryError),
    /// The caller cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
