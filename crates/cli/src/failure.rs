//! Why the command ends with status 2: one line that names the file and the place in it.

use std::io;

use impinge::models::files::FileError;
use impinge::query::QueryError;

/// What ends the command without an answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// A mesh file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A mesh file is beyond a limit that an option raises.
    #[error("{error}; {option} raises that")]
    Raise {
        /// What is beyond it.
        error: FileError,
        /// The option.
        option: &'static str,
    },
    /// Anything at a place: a file, a line of it, a pose.
    #[error("{place}: {message}")]
    At {
        /// Where.
        place: String,
        /// What is wrong there.
        message: String,
    },
    /// Interrupted; nothing is known about what was under way.
    #[error("cancelled")]
    Cancelled,
    /// Standard output cannot be written.
    #[error("cannot write to standard output: {0}")]
    Output(io::Error),
    /// Whoever read standard output has gone; nothing to say, nobody to say it to.
    #[error("nobody reads the output")]
    NobodyReads,
}

impl Failure {
    /// Something is wrong at a place.
    pub(crate) fn at(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self::At { place: place.into(), message: message.into() }
    }

    /// A query failed at `place`.
    pub(crate) fn query(place: impl Into<String>, error: &QueryError) -> Self {
        match error {
            QueryError::Cancelled(_) => Self::Cancelled,
            error => Self::at(place, error.to_string()),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::NobodyReads
        } else {
            Self::Output(error)
        }
    }
}
