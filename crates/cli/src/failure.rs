//! The errors that end the command with status 2, each one line that names the file and the place
//! in it.

use std::io;
use std::sync::Arc;

use impinge::models::files::FileError;
use impinge::query::QueryError;
use impinge::report::ErrorLine;

use crate::output;

#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// A mesh file cannot be read or written.
    #[error("{0}")]
    File(Arc<FileError>),
    /// A mesh file is beyond a limit that an option raises.
    #[error("{error}; raise the limit with {option}")]
    Raise {
        /// The limit that was exceeded.
        error: Arc<FileError>,
        /// The option that raises the limit.
        option: &'static str,
    },
    /// An error at a named place: a file, a line of it, a pose, an option.
    #[error("{place}: {message}")]
    At {
        /// The kind in JSON.
        kind: &'static str,
        /// The place, as the message shows it.
        place: String,
        /// The error at that place.
        message: String,
    },
    /// Interrupted; the query under way has no answer.
    #[error("cancelled")]
    Cancelled,
    /// Standard output cannot be written.
    #[error("cannot write to standard output: {0}")]
    Output(io::Error),
    /// The reader of standard output has closed it; nothing is reported.
    #[error("nobody reads the output")]
    NobodyReads,
}

impl Failure {
    /// An error at a named place.
    pub(crate) fn at(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self::At { kind: "query", place: place.into(), message: message.into() }
    }

    /// A file that cannot be used.
    pub(crate) fn file(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self::At { kind: "file", place: place.into(), message: message.into() }
    }

    /// A file beyond a limit that an option raises.
    pub(crate) fn limit(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self::At { kind: "limit", place: place.into(), message: message.into() }
    }

    /// An option that does not fit the others.
    pub(crate) fn usage(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self::At { kind: "usage", place: place.into(), message: message.into() }
    }

    /// A mesh file that cannot be read.
    pub(crate) fn reading(error: impl Into<Arc<FileError>>) -> Self {
        let error = error.into();
        match *error {
            FileError::TooManyTriangles { .. } => Self::Raise { error, option: "--max-triangles" },
            _ => Self::File(error),
        }
    }

    /// A query's error at `place`.
    pub(crate) fn query(place: impl Into<String>, error: &QueryError) -> Self {
        match error {
            QueryError::Cancelled(_) => Self::Cancelled,
            error => Self::at(place, error.to_string()),
        }
    }
}

/// Prints a usage error as JSON. If standard output is closed, it is lost.
pub(crate) fn print_usage(message: &str) {
    print_error("usage", None, message);
}

fn print_error(kind: &'static str, place: Option<&str>, message: &str) {
    let _ = output::json(&ErrorLine::new(kind, place, message));
}

impl Failure {
    /// Prints the error as JSON, as [`print_usage`] does.
    pub(crate) fn print(&self) {
        let text = self.to_string();
        let (kind, place) = match self {
            Self::File(error) => ("file", Some(error.path())),
            Self::Raise { error, .. } => ("limit", Some(error.path())),
            Self::At { kind, place, .. } => (*kind, Some(place.as_str())),
            Self::Cancelled => ("cancelled", None),
            Self::Output(_) | Self::NobodyReads => ("output", None),
        };
        // The text begins with the place.
        let message = place.and_then(|place| text.strip_prefix(place)?.strip_prefix(": "));
        print_error(kind, place, message.unwrap_or(&text));
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        Self::File(Arc::new(error))
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
