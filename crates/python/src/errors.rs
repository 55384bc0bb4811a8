//! Errors as exceptions of the package: each is an `impinge.Error` whose attributes name the element.

use std::path::Path;

use impinge::geometry::{MeshError, OpenSurface, PoseError};
use impinge::models::files::{FileError, Place};
use impinge::query::{PrepareError, QueryError, Side};
use impinge::wide::StoredError;
use impinge::{Error, WorldError};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// An exception class of `impinge._errors`, a message, and attributes.
pub(crate) struct Fault<'py> {
    class: &'static str,
    message: String,
    fields: Bound<'py, PyDict>,
}

impl<'py> Fault<'py> {
    /// An exception of a class, with a message.
    pub(crate) fn new(py: Python<'py>, class: &'static str, message: impl ToString) -> Self {
        Self { class, message: message.to_string(), fields: PyDict::new(py) }
    }

    /// The same with one more attribute. One that cannot be set is left out.
    pub(crate) fn with(self, name: &str, value: impl IntoPyObject<'py>) -> Self {
        let value = value.into_bound_py_any(self.fields.py());
        let _ = value.and_then(|value| self.fields.set_item(name, value));
        self
    }

    /// The exception.
    pub(crate) fn raise(self) -> PyErr {
        let py = self.fields.py();
        let make = || {
            let class = py.import("impinge._errors")?.getattr(self.class)?;
            let error = class.call1((&self.message,))?;
            for (name, value) in &self.fields {
                error.setattr(name.cast::<PyString>()?, value)?;
            }
            Ok(PyErr::from_value(error))
        };
        make().unwrap_or_else(|error: PyErr| error)
    }
}

/// An error of another kind, for what is no error of the library.
pub(crate) fn plain(py: Python<'_>, message: impl ToString) -> PyErr {
    Fault::new(py, "Error", message).raise()
}

/// Wrong shape or type of an argument.
pub(crate) fn argument(message: impl Into<String>) -> PyErr {
    pyo3::exceptions::PyValueError::new_err(message.into())
}

/// A mesh that is refused, by its vertex or triangle.
pub(crate) fn of_mesh(py: Python<'_>, error: &MeshError) -> PyErr {
    mesh(Fault::new(py, "MeshError", error), error).raise()
}

fn mesh<'py>(fault: Fault<'py>, error: &MeshError) -> Fault<'py> {
    match error {
        MeshError::Coordinate { vertex, axis, value } => {
            fault.with("vertex", *vertex).with("axis", *axis).with("value", *value)
        }
        MeshError::Index { triangle, index, .. } => {
            fault.with("triangle", *triangle).with("value", *index)
        }
        _ => fault,
    }
}

/// A file that is refused, by itself and the place in it; what the system reports is an `OSError`.
pub(crate) fn of_file(py: Python<'_>, error: FileError) -> PyErr {
    match error {
        FileError::Io { source, path } => match source.raw_os_error() {
            Some(number) => PyOSError::new_err((number, source.to_string(), path)),
            None => PyOSError::new_err(format!("{path}: {source}")),
        },
        error => of_unread(py, &error),
    }
}

/// The same, with its own text also where the system reports an error.
pub(crate) fn of_unread(py: Python<'_>, error: &FileError) -> PyErr {
    let (text, path) = (error.to_string(), error.path());
    let rest = text.strip_prefix(path).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(&text);
    let fault = Fault::new(py, "FileError", &text).with("path", path);
    match error {
        FileError::Content { place, message, .. } => {
            let fault = fault.with("reason", message);
            match place {
                Place::Line(line) => fault.with("line", *line),
                Place::Byte(byte) => fault.with("byte", *byte),
                Place::Face(face) => fault.with("face", *face),
                Place::Vertex(vertex) => fault.with("vertex", *vertex),
                Place::Item(item) => fault.with("item", item),
                _ => fault,
            }
        }
        FileError::Mesh { source, .. } => mesh(fault.with("reason", rest), source),
        _ => fault.with("reason", rest),
    }
    .raise()
}

/// Bytes that are no stored model, of a file if there is one.
pub(crate) fn of_stored(py: Python<'_>, error: &StoredError, path: Option<&Path>) -> PyErr {
    let fault = Fault::new(py, "StoredError", error);
    let fault = match path {
        Some(path) => fault.with("path", path.display().to_string()),
        None => fault,
    };
    match error {
        StoredError::Mesh(error) => mesh(fault, error),
        StoredError::Invalid(error) => fault.with("item", error.place.to_string()),
        _ => fault,
    }
    .raise()
}

/// A pose that is refused; `index` is its place in a batch.
pub(crate) fn of_pose(py: Python<'_>, error: &PoseError, index: Option<usize>) -> PyErr {
    let message = index.map_or_else(|| error.to_string(), |i| format!("pose {i}: {error}"));
    let fault = Fault::new(py, "PoseError", message).with("index", index);
    match error {
        PoseError::NotFinite { value, .. } => fault.with("value", *value),
        PoseError::NotOrthonormal { off } => fault.with("value", *off),
        _ => fault,
    }
    .raise()
}

/// A question without an answer; `index` is the place of its pose in a batch.
pub(crate) fn of_query(py: Python<'_>, error: &QueryError, index: Option<usize>) -> PyErr {
    let message = index.map_or_else(|| error.to_string(), |i| format!("pose {i}: {error}"));
    match error {
        QueryError::NotClosed { side, open } => {
            open_surface(Fault::new(py, "NotClosedError", message), open)
                .with("mesh", side.to_string())
                .with("index", index)
                .raise()
        }
        QueryError::BadDistance { value } => argument_with(py, message, *value).raise(),
        QueryError::BadOption { value, what, .. } => {
            argument_with(py, message, *value).with("option", *what).raise()
        }
        QueryError::OutOfRange(_) => {
            Fault::new(py, "PoseError", message).with("index", index).raise()
        }
        QueryError::Unanswered { word, what } => Fault::new(py, "UnansweredError", message)
            .with("method", *word)
            .with("what", *what)
            .raise(),
        _ => Fault::new(py, "Error", message).with("index", index).raise(),
    }
}

/// An error of a batch: with the place of the pose, if it has none.
pub(crate) fn at_pose(py: Python<'_>, error: PyErr, index: usize) -> PyErr {
    let value = error.value(py);
    if value.getattr("index").is_ok_and(|known| known.is_none()) {
        let _ = value.setattr("args", (format!("pose {index}: {value}"),));
        let _ = value.setattr("index", index);
    }
    error
}

fn argument_with(py: Python<'_>, message: String, value: f64) -> Fault<'_> {
    Fault::new(py, "ArgumentError", message).with("value", value)
}

fn open_surface<'py>(fault: Fault<'py>, open: &OpenSurface) -> Fault<'py> {
    fault.with("edge", (open.from, open.to)).with("triangle", open.triangle)
}

/// A mesh that a method cannot prepare.
pub(crate) fn of_preparation(py: Python<'_>, error: &PrepareError) -> PyErr {
    match error {
        PrepareError::Open(open) => {
            open_surface(Fault::new(py, "NotClosedError", error), open).raise()
        }
        _ => Fault::new(py, "MeshError", error).raise(),
    }
}

/// Any error of the facade.
pub(crate) fn of(py: Python<'_>, error: &Error) -> PyErr {
    match error {
        Error::Mesh(error) => of_mesh(py, error),
        Error::Pose(error) => of_pose(py, error, None),
        Error::Query(error) => of_query(py, error, None),
        Error::Batch(error) => of_query(py, &error.source, Some(error.index)),
        Error::Prepare { source, side } => {
            let error = of_preparation(py, source);
            let _ = error.value(py).setattr("mesh", side.to_string());
            error
        }
        Error::Undecided { side, source } => {
            let mesh = if *side == Side::A { "A" } else { "B" };
            Fault::new(py, "UndecidedError", format!("mesh {mesh}: {source}"))
                .with("mesh", mesh)
                .raise()
        }
        Error::Exit(_) | Error::Sweep(_) => Fault::new(py, "ArgumentError", error).raise(),
        _ => plain(py, error),
    }
}

/// Any error of a world. `name` tells the user's id of an object.
pub(crate) fn of_world(
    py: Python<'_>,
    error: &WorldError,
    name: impl Fn(impinge::ObjectId) -> Option<u64>,
) -> PyErr {
    match error {
        WorldError::Query { a, b, source } => about(py, source, [name(*a), name(*b)]),
        WorldError::Outside { b, source } => about(py, source, [None, name(*b)]),
        WorldError::Refused(source) => of_query(py, source, None),
        WorldError::Pose(error) => of_pose(py, error, None),
        WorldError::Prepare(error) => of_preparation(py, error),
        _ => plain(py, error),
    }
}

/// A question without an answer about two objects by their ids, the first one outside if it has none.
fn about(py: Python<'_>, source: &QueryError, ids: [Option<u64>; 2]) -> PyErr {
    let error = of_query(py, source, None);
    let about = match ids {
        [Some(a), Some(b)] => format!("objects {a} and {b}"),
        [None, Some(b)] => format!("the mesh outside and object {b}"),
        _ => "two objects".to_owned(),
    };
    let value = error.value(py);
    let _ = value.setattr("reason", source.to_string());
    let _ = value.setattr("args", (format!("{about}: {source}"),));
    let _ = value.setattr("objects", (ids[0], ids[1]));
    error
}
