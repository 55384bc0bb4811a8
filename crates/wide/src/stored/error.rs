//! Why bytes are no model.

use impinge_geometry::MeshError;
use impinge_query::Cancelled;

use crate::validate::{InvalidTree, Place};

/// Why a stored model was refused. Nothing is built of bytes that are refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoredError {
    /// It does not begin as stored models do.
    #[error("this is no stored model: it begins otherwise")]
    Foreign,
    /// Stored by an older or a newer release, in another form.
    #[error("stored in version {found} of the form; this release reads version {expected}")]
    Version {
        /// The version that it says it has.
        found: u32,
        /// The version that is read.
        expected: u32,
    },
    /// Stored for nodes or leaves of another size.
    #[error("stored for {found} {what}; this release has {expected}")]
    Layout {
        /// What differs.
        what: &'static str,
        /// How many it says.
        found: u32,
        /// How many there are here.
        expected: u32,
    },
    /// It ends too early.
    #[error("cut off: {found} bytes of {expected}")]
    CutOff {
        /// Bytes that its header announces, or those of a header.
        expected: u64,
        /// Bytes that there are.
        found: u64,
    },
    /// Something follows it.
    #[error("{found} bytes where a model of {expected} was announced")]
    TooLong {
        /// Bytes that its header announces.
        expected: u64,
        /// Bytes that there are.
        found: u64,
    },
    /// Its checksum is not that of its bytes: they have changed since it was stored.
    #[error("damaged: the checksum does not match")]
    Damaged,
    /// Its bytes are as they were written, but its mesh is none.
    #[error("stored with an illegal mesh: {0}")]
    Mesh(#[from] MeshError),
    /// Its bytes are as they were written, but what they say is no tree.
    #[error("stored with an illegal tree, {0}")]
    Invalid(#[from] InvalidTree),
    /// The caller cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Its source could not be read.
    #[error("cannot read a stored model: {0}")]
    Read(#[from] std::io::Error),
}

/// What is wrong, and where.
pub(super) const fn invalid(what: &'static str, place: Place) -> StoredError {
    StoredError::Invalid(InvalidTree { what, place })
}
