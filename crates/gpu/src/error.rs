//! What can go wrong. Every failure of a driver is one of these; none is a zero in a result.

use std::fmt;
use std::time::Duration;

use impinge_shaders::image::{AtlasError, PairError};
use impinge_shaders::shader::MissingFile;

use crate::adapter::AdapterFacts;

/// Why work on an open adapter failed. `what` names the work, buffer or shader.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// The device is gone: unplugged, reset, or destroyed. Every later call says the same; open
    /// another.
    #[error("the graphics device was lost: {reason}")]
    Lost {
        /// The driver's words.
        reason: String,
    },
    /// The library refused a command.
    #[error("{what} was refused: {message}")]
    Refused {
        /// Which work.
        what: String,
        /// The library's words.
        message: String,
    },
    /// Memory of the adapter is full.
    #[error("{what}: out of graphics memory")]
    OutOfMemory {
        /// Which work.
        what: String,
    },
    /// Work did not end in time.
    #[error("{what} did not end within {limit:?}")]
    Timeout {
        /// Which work.
        what: String,
        /// The limit, see [`crate::Request::timeout`].
        limit: Duration,
    },
    /// Work was submitted and read back without having run to its end.
    #[error("{what} did not run to its end: {missing}")]
    NotRun {
        /// Which work.
        what: String,
        /// What was looked for and not found.
        missing: String,
    },
    /// Something is larger than this device allows.
    #[error("{what} takes {bytes} bytes; this device allows {limit}")]
    TooLarge {
        /// Which buffer.
        what: String,
        /// Its size. Unit: bytes.
        bytes: u64,
        /// The limit. Unit: bytes.
        limit: u64,
    },
    /// A shader text is not complete.
    #[error(transparent)]
    Shader(#[from] MissingFile),
    /// Viewports do not fit.
    #[error(transparent)]
    Atlas(#[from] AtlasError),
    /// Hulls or pairs are not what kernels can read.
    #[error(transparent)]
    Pair(#[from] PairError),
}

/// An adapter that was seen and not taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Refused {
    /// What it is.
    pub adapter: AdapterFacts,
    /// Everything it lacks, one sentence each.
    pub lacks: Vec<String>,
}

/// Why no adapter was opened.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum OpenError {
    /// No driver offers any.
    NoneSeen {
        /// The interfaces that were asked, e.g. `VULKAN, METAL`.
        asked: String,
    },
    /// There are some, and each lacks something.
    NoneFits {
        /// What was seen, in the order in which it was looked at.
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
