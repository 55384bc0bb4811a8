//! Answers as the named tuples of `impinge._results`.

use impinge::{Nearest, Point, RigidMotion, Sweep};
use numpy::PyArray1;
use pyo3::call::PyCallArgs;
use pyo3::prelude::*;

use crate::{arrays, poses};

/// A named tuple with these fields.
pub(crate) fn make<'py>(
    py: Python<'py>,
    class: &str,
    fields: impl PyCallArgs<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("impinge._results")?.getattr(class)?.call1(fields)
}

/// One distance and where it is attained.
pub(crate) fn nearest<'py>(py: Python<'py>, found: &Nearest) -> PyResult<Bound<'py, PyAny>> {
    let [on_a, on_b] = [found.on_a, found.on_b].map(|p| arrays::triple(py, p.coords.as_slice()));
    let triangles = PyArray1::from_slice(py, &[found.triangles.a, found.triangles.b]);
    make(py, "Nearest", (found.distance, on_a, on_b, triangles))
}

/// Distances as arrays.
pub(crate) fn all_nearest<'py>(py: Python<'py>, all: &[Nearest]) -> PyResult<Bound<'py, PyAny>> {
    let distances = PyArray1::from_vec(py, all.iter().map(|found| found.distance).collect());
    let points = |of: fn(&Nearest) -> Point| -> Vec<[f64; 3]> {
        all.iter().map(|found| of(found).coords.into()).collect()
    };
    let on_a = arrays::rows(py, points(|found| found.on_a))?;
    let on_b = arrays::rows(py, points(|found| found.on_b))?;
    let triangles = all.iter().map(|found| [found.triangles.a, found.triangles.b]).collect();
    make(py, "Nearest", (distances, on_a, on_b, arrays::rows(py, triangles)?))
}

/// The outcome of a sweep, with the pose at the end of the interval around the contact.
pub(crate) fn swept<'py>(
    py: Python<'py>,
    outcome: &Sweep,
    motion: &RigidMotion,
) -> PyResult<Bound<'py, PyAny>> {
    let word = outcome.word();
    match *outcome {
        Sweep::Touching { low, high, distance, triangles } => {
            let there = poses::as_matrix(py, &motion.pose_at(high))?;
            let triangles = triangles.map(|found| (found.a, found.b));
            make(py, "Swept", (word, low, high, distance, triangles, there))
        }
        Sweep::Free { gap: _, nearest } => {
            make(py, "Swept", (word, 1.0, 1.0, nearest, py.None(), py.None()))
        }
        Sweep::Undecided { low, high, nearest } => {
            make(py, "Swept", (word, low, high, nearest, py.None(), py.None()))
        }
    }
}
