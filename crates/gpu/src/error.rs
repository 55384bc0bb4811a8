//! Errors. Every failure of a driver becomes one of these, never a zero in a result.

use std::fmt;
use std::time::Duration;

use impinge_shaders::image::{AtlasError, PairError};
use impinge_shaders::shader::MissingFile;

use crate::adapter::AdapterFacts;

/// Why work on an open adapter failed. `what` names the work, buffer or shader.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// The device is gone: unplugged, reset, or destroyed. Every later call returns this too; open
    /// another.
    #[error("the graphics device was lost: {reason}")]
    Lost {
        /// The driver's message.
        reason: String,
    },
    /// The graphics library refused a command.
    #[error("{what} was refused: {message}")]
    Refused {
        /// The work that was refused.
        what: String,
        /// The library's message.
        message: String,
    },
    /// The adapter's memory is full.
    #[error("{what}: out of graphics memory")]
    OutOfMemory {
        /// The work that needed memory.
        what: String,
    },
    /// Work did not finish in time.
    #[error("{what} did not end within {limit:?}")]
    Timeout {
        /// The work that timed out.
        what: String,
        /// The time limit: [`crate::Request::timeout`].
        limit: Duration,
    },
    /// Work was submitted and read back without having run to completion.
    #[error("{what} did not run to its end: {missing}")]
    NotRun {
        /// The work concerned.
        what: String,
        /// What was expected and not found.
        missing: String,
    },
    /// A buffer is larger than this device allows.
    #[error("{what} takes {bytes} bytes; this device allows {limit}")]
    TooLarge {
        /// The buffer's name.
        what: String,
        /// Its size in bytes.
        bytes: u64,
        /// The device's limit in bytes.
        limit: u64,
    },
    /// A shader includes a file that does not exist.
    #[error(transparent)]
    Shader(#[from] MissingFile),
    /// The viewports do not fit into an image.
    #[error(transparent)]
    Atlas(#[from] AtlasError),
    /// Hulls or pairs are invalid for the kernels.
    #[error(transparent)]
    Pair(#[from] PairError),
}

/// An adapter that was found and not opened.
#[derive(Clone, Debug, PartialEq)]
pub struct Refused {
    /// The adapter's properties.
    pub adapter: AdapterFacts,
    /// All requirements it misses, one sentence each.
    pub lacks: Vec<String>,
}

/// Why no adapter was opened.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum OpenError {
    /// No driver offers an adapter.
    NoneSeen {
        /// The graphics APIs that were queried, e.g. `VULKAN, METAL`.
        asked: String,
    },
    /// Adapters exist, but each misses a requirement.
    NoneFits {
        /// The adapters found, in the order in which they were examined.
        seen: Vec<Refused>,
    },
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoneSeen { asked } => write!(
                f,
                "no graphics adapter was found (asked: {asked}); is a driver installed? Mesa's \
                 software driver is enough"
            ),
            Self::NoneFits { seen } => {
                write!(f, "no graphics adapter fits; {} seen:", seen.len())?;
                for Refused { adapter, lacks } in seen {
                    write!(f, "\n  {adapter}: {}", lacks.join("; "))?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for OpenError {}
