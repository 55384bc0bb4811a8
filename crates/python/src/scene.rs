//! Scenes of several files, and the pairs of their boxes by cells.

use std::collections::HashMap;
use std::path::PathBuf;

use impinge::Point;
use impinge::geometry::volume::Aabb;
use impinge::models::files::{self, ReadOptions, Source};
use impinge::query::Control;
use impinge::scene::join::{self, Portion};
use numpy::{PyArray1, PyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::model::{Model, prepared};
use crate::watch::{left, watched};
use crate::{arrays, errors, poses};

/// Names, groups, the number of the source of each part, its pose as a row of 16, the sources, and notes.
type Parts<'py> = (
    Vec<String>,
    Vec<String>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray2<f64>>,
    Vec<Bound<'py, PyAny>>,
    Vec<String>,
);

/// The parts of files: names, groups, of each its source, its pose (16,), row by row; sources; notes.
///
/// A source is a path, a model, or the error why there is none. progress: hears "list", 0 and the number of paths.
#[pyfunction]
#[pyo3(signature = (paths, *, progress=None))]
pub(crate) fn list_parts<'py>(
    py: Python<'py>,
    paths: Vec<PathBuf>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Parts<'py>> {
    let list = move |paths: Vec<PathBuf>| {
        let mut notes = Vec::new();
        let mut note =
            |path: &std::path::Path, text: &str| notes.push(format!("{}: {text}", path.display()));
        let parts = files::list_parts(&paths, &ReadOptions::default(), &mut note);
        parts.map(|parts| (parts, notes))
    };
    let listed = left(py, progress, ("list", paths.len() as u64), move || list(paths))?;
    let (parts, notes) = listed.map_err(|error| errors::of_file(py, error))?;
    let (mut sources, mut of_part) = (Vec::new(), Vec::with_capacity(parts.len()));
    let (mut of_file, mut of_mesh) = (HashMap::new(), HashMap::new());
    for part in &parts {
        let number = match &part.source {
            Source::File(path) => *of_file.entry(path).or_insert_with(|| {
                sources.push(&part.source);
                sources.len() - 1
            }),
            Source::Mesh(_, number) => *of_mesh.entry(*number).or_insert_with(|| {
                sources.push(&part.source);
                sources.len() - 1
            }),
            Source::Unread(_) => {
                sources.push(&part.source);
                sources.len() - 1
            }
        };
        of_part.push(number as i64);
    }
    let made = sources.into_iter().map(|source| match source {
        Source::File(path) => Ok(path.into_pyobject(py)?.into_any()),
        // With its own text, as the command prints it, also where the system reports an error.
        Source::Unread(error) => {
            Ok(errors::of_unread(py, error).into_value(py).into_bound(py).into_any())
        }
        Source::Mesh(mesh, _) => match prepared(py, impinge::Method::Wide, mesh, None)? {
            Ok(body) => Ok(Bound::new(py, Model::of(body))?.into_any()),
            Err(error) => {
                Ok(errors::of_preparation(py, &error).into_value(py).into_bound(py).into_any())
            }
        },
    });
    let made = made.collect::<PyResult<Vec<_>>>()?;
    let all = arrays::rows(py, parts.iter().map(|part| poses::numbers_of(&part.pose)).collect())?;
    let (names, groups) = parts.into_iter().map(|part| (part.name, part.group)).unzip();
    Ok((names, groups, PyArray1::from_vec(py, of_part), all, made, notes))
}

/// Pairs, and where those of each cell begin.
type Joined<'py> = (Bound<'py, PyArray2<u32>>, Bound<'py, PyArray1<i64>>);

/// The pairs (k, 2) of boxes (n, 2, 3) at most `clearance` apart along each axis, by cells with about
/// `most` boxes; and where the pairs of each cell begin, and the last ones end.
#[pyfunction]
#[pyo3(signature = (boxes, most, clearance=0.0))]
pub(crate) fn join_boxes<'py>(
    boxes: &Bound<'py, PyAny>,
    most: usize,
    clearance: f64,
) -> PyResult<Joined<'py>> {
    let py = boxes.py();
    let array = arrays::floats(boxes, "boxes")?;
    let [_, 2, 3] = *array.shape() else {
        let found = array.shape();
        return Err(errors::argument(format!(
            "boxes must have the shape (n, 2, 3), not {found:?}"
        )));
    };
    if !(0.0..f64::INFINITY).contains(&clearance) {
        return Err(errors::argument("a clearance must be finite, and not negative"));
    }
    let one = |n: &[f64]| {
        let (min, max) = (Point::new(n[0], n[1], n[2]), Point::new(n[3], n[4], n[5]));
        let has_points = (0..3).all(|k| min[k] <= max[k]);
        has_points.then(|| join::enlarged(&Aabb { min, max }, 0.5 * clearance))
    };
    let all: Vec<Option<Aabb>> = array.as_slice()?.chunks_exact(6).map(one).collect();
    let joined = watched(py, None, |control: &Control<'_>| join::join(&all, most, control))?;
    let portions: Vec<Portion> = joined.map_err(|error| errors::plain(py, error))?;
    let (mut pairs, mut starts) = (Vec::new(), vec![0]);
    for portion in portions {
        pairs.extend(portion.pairs);
        starts.push(pairs.len() as i64);
    }
    Ok((arrays::rows(py, pairs)?, PyArray1::from_vec(py, starts)))
}
