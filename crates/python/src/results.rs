//! Answers as the named tuples of `impinge._results`.

use impinge::query::Contact;
use impinge::{Exit, Nearest, Penetration, Point, Pose, Sweep};
use numpy::{PyArray1, PyArrayMethods};
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

/// A depth.
pub(crate) fn penetration<'py>(
    py: Python<'py>,
    found: &Penetration,
) -> PyResult<Bound<'py, PyAny>> {
    let translation = arrays::triple(py, found.translation.as_slice());
    make(py, "Penetration", (found.lower, found.upper, translation))
}

/// Depths as arrays.
pub(crate) fn all_penetrations<'py>(
    py: Python<'py>,
    all: &[Penetration],
) -> PyResult<Bound<'py, PyAny>> {
    let column = |of: fn(&Penetration) -> f64| PyArray1::from_vec(py, all.iter().map(of).collect());
    let (lower, upper) = (column(|found| found.lower), column(|found| found.upper));
    let translations: Vec<[f64; 3]> = all.iter().map(|found| found.translation.into()).collect();
    make(py, "Penetration", (lower, upper, arrays::rows(py, translations)?))
}

/// Ways out as arrays.
pub(crate) fn all_exits<'py>(py: Python<'py>, all: &[Exit]) -> PyResult<Bound<'py, PyAny>> {
    let column = |of: fn(&Exit) -> f64| PyArray1::from_vec(py, all.iter().map(of).collect());
    let by = column(|found| found.by);
    let (low, high) = (column(|found| found.end.low), column(|found| found.end.high));
    let there: Vec<[f64; 16]> = all.iter().map(|found| poses::numbers_of(&found.pose)).collect();
    let there = arrays::rows(py, there)?.reshape([all.len(), 4, 4])?;
    let triangles = arrays::rows(py, all.iter().map(|found| two(found.triangles)).collect())?;
    make(py, "Exit", (by, low, high, there, triangles))
}

/// Two triangles as numbers of an array: -1 if there are none.
fn two(triangles: Option<Contact>) -> [i64; 2] {
    triangles.map_or([-1; 2], |found| [found.a, found.b].map(i64::from))
}

/// What is told about a sweep.
pub(crate) struct OnTheWay {
    word: &'static str,
    low: f64,
    high: f64,
    distance: f64,
    triangles: Option<Contact>,
    /// The pose at the end of the interval around the contact.
    there: Option<Pose>,
}

impl OnTheWay {
    /// The outcome, with the pose of B in A's frame at a time.
    pub(crate) fn of(outcome: &Sweep, pose_at: impl FnOnce(f64) -> Pose) -> Self {
        let (word, triangles, there) = (outcome.word(), None, None);
        match *outcome {
            Sweep::Touching { low, high, distance, triangles } => {
                let there = Some(pose_at(high));
                Self { word, low, high, distance, triangles, there }
            }
            Sweep::Free { gap: _, nearest } => {
                Self { word, low: 1.0, high: 1.0, distance: nearest, triangles, there }
            }
            Sweep::Undecided { low, high, nearest } => {
                Self { word, low, high, distance: nearest, triangles, there }
            }
        }
    }
}

impl OnTheWay {
    /// The same with A and B exchanged.
    pub(crate) fn exchanged(self) -> Self {
        let triangles = self.triangles.map(|found| Contact { a: found.b, b: found.a });
        Self { triangles, there: self.there.map(|pose| pose.inverse()), ..self }
    }
}

/// The outcome of a sweep.
pub(crate) fn swept<'py>(py: Python<'py>, found: &OnTheWay) -> PyResult<Bound<'py, PyAny>> {
    let there = found.there.map(|pose| poses::as_matrix(py, &pose)).transpose()?;
    let triangles = found.triangles.map(|found| (found.a, found.b));
    let OnTheWay { word, low, high, distance, .. } = *found;
    make(py, "Swept", (word, low, high, distance, triangles, there))
}

/// The outcomes of sweeps as arrays.
pub(crate) fn all_swept<'py>(py: Python<'py>, all: &[OnTheWay]) -> PyResult<Bound<'py, PyAny>> {
    let words: Vec<&str> = all.iter().map(|found| found.word).collect();
    let words = py.import("numpy")?.call_method1("array", (words, "U10"))?;
    let column = |of: fn(&OnTheWay) -> f64| PyArray1::from_vec(py, all.iter().map(of).collect());
    let (low, high) = (column(|found| found.low), column(|found| found.high));
    let distances = column(|found| found.distance);
    let triangles = arrays::rows(py, all.iter().map(|found| two(found.triangles)).collect())?;
    let pose =
        |found: &OnTheWay| found.there.map_or([f64::NAN; 16], |pose| poses::numbers_of(&pose));
    let there = arrays::rows(py, all.iter().map(pose).collect())?.reshape([all.len(), 4, 4])?;
    make(py, "Swept", (words, low, high, distances, triangles, there))
}
