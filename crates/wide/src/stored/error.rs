//! Why stored bytes were refused.

use impinge_geometry::{MeshError, ViewError};
use impinge_query::Cancelled;

use crate::validate::{InvalidTree, Place};

/// Why a stored model was refused. Nothing is built from refused bytes.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoredError {
    /// The bytes do not begin with the mark of stored models.
    #[error("this is no stored model: it begins otherwise")]
    Foreign,
    /// Stored by an older or newer release, in another version of the format.
    #[error("stored in version {found} of the form; this release reads version {expected}")]
    Version {
        /// The version in the header.
        found: u32,
        /// The version that this release reads.
        expected: u32,
    },
    /// Stored for another number of boxes per node or triangles per leaf.
    #[error("stored for {found} {what}; this release has {expected}")]
    Layout {
        /// The count that differs.
        what: &'static str,
        /// The count in the header.
        found: u32,
        /// The count in this release.
        expected: u32,
    },
    /// The bytes end too early.
    #[error("cut off: {found} bytes of {expected}")]
    CutOff {
        /// Length that the header announces, or the header's own length if even that is incomplete.
        expected: u64,
        /// Length of the bytes given.
        found: u64,
    },
    /// Bytes follow the model.
    #[error("{found} bytes where a model of {expected} was announced")]
    TooLong {
        /// Length that the header announces.
        expected: u64,
        /// Length of the bytes given.
        found: u64,
    },
    /// The checksum does not match: the bytes have changed since they were stored.
    #[error("damaged: the checksum does not match")]
    Damaged,
    /// The bytes cannot be viewed where they are.
    #[error("cannot be viewed: {0}")]
    View(#[from] ViewError),
    /// The checksum matches, but the mesh is invalid.
    #[error("stored with an illegal mesh: {0}")]
    Mesh(#[from] MeshError),
    /// The checksum matches, but the tree is invalid.
    #[error("stored with an illegal tree, {0}")]
    Invalid(#[from] InvalidTree),
    /// The caller cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The source could not be read.
    #[error("cannot read a stored model: {0}")]
    Read(#[from] std::io::Error),
}

pub(super) const fn invalid(what: &'static str, place: Place) -> StoredError {
    StoredError::Invalid(InvalidTree { what, place })
}
