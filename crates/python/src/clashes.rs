//! Clashes of listed pairs as arrays, and the lines of JSON about them.

use impinge::query::Inner;
use impinge::report::{ClashLine, ErrorLine};
use impinge::scene::ClashOptions;
use impinge::{Clash, Class, Method, Object, ObjectId, Point, World};
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::model::Model;
use crate::poses::{self, Poses};
use crate::watch::watched;
use crate::{arrays, errors};

/// Numbers for objects that a class has no number of.
const NONE: i8 = -1;

/// The clashes among pairs (k, 2) of parts, ascending, as columns by name: see `impinge.units.Report`.
#[pyfunction]
#[pyo3(signature = (models, of_part, poses, pairs, *, clearance=None, solids=false, contacts=0))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub(crate) fn clash_pairs<'py>(
    py: Python<'py>,
    models: Vec<Bound<'py, Model>>,
    of_part: Vec<usize>,
    poses: &Bound<'py, PyAny>,
    pairs: PyReadonlyArrayDyn<'py, u32>,
    clearance: Option<f64>,
    solids: bool,
    contacts: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let Poses::Many(batch) = poses::read(poses)? else {
        return Err(errors::argument("poses must be a batch, (n, 4, 4) or (n, 7)"));
    };
    if batch.len() != of_part.len() {
        let message = format!("{} parts, but {} poses", of_part.len(), batch.len());
        return Err(errors::argument(message));
    }
    let shapes = models.iter().map(|model| model.get().shape(py, Method::Wide));
    let shapes = shapes.collect::<PyResult<Vec<_>>>()?;
    let (mut world, mut ids) = (World::new(), Vec::with_capacity(of_part.len()));
    let numbers = batch.numbers()?;
    let of_world = |error| errors::of_world(py, &error, |id| Some(u64::from(id.index())));
    for (i, model) in of_part.iter().enumerate() {
        let shape = shapes.get(*model).ok_or_else(|| {
            errors::argument(format!("part {i}: there are {} models, not {model}", shapes.len()))
        })?;
        let pose = numbers.pose(i).map_err(|refused| refused.raise(py, Some(i)))?;
        ids.push(world.add(Object::new(shape.clone(), pose)).map_err(of_world)?);
    }
    let asked = pairs_of(&pairs, &ids)?;
    let options = ClashOptions { clearance, solids, contacts, only_class: false };
    let mut found = Vec::new();
    watched(py, None, |control| {
        world.clashes_of(&asked, &options, control, &mut |clash| found.push(clash))
    })?
    .map_err(of_world)?;
    columns(py, &found)
}

/// The pairs of an array (k, 2) of parts.
fn pairs_of(pairs: &PyReadonlyArrayDyn<'_, u32>, ids: &[ObjectId]) -> PyResult<Vec<[ObjectId; 2]>> {
    let [_, 2] = *pairs.shape() else {
        let found = pairs.shape();
        return Err(errors::argument(format!("pairs must have the shape (k, 2), not {found:?}")));
    };
    let part = |i: u32| {
        let id = ids.get(i as usize).copied();
        id.ok_or_else(|| errors::argument(format!("there are {} parts, not {i}", ids.len())))
    };
    let rows = pairs.as_slice()?.chunks_exact(2);
    rows.map(|row| Ok([part(row[0])?, part(row[1])?])).collect()
}

/// Clashes as arrays, a row each.
fn columns<'py>(py: Python<'py>, found: &[Clash]) -> PyResult<Bound<'py, PyDict>> {
    let columns = PyDict::new(py);
    let pairs = found.iter().map(|clash| [clash.a, clash.b].map(ObjectId::index)).collect();
    columns.set_item("pairs", arrays::rows(py, pairs)?)?;
    let place = |clash: &Clash| Class::ALL.iter().position(|class| *class == clash.class);
    let classes = found.iter().map(|clash| place(clash).map_or(u8::MAX, |place| place as u8));
    columns.set_item("classes", PyArray1::from_vec(py, classes.collect()))?;
    let inner = |clash: &Clash| match clash.inner {
        None => NONE,
        Some(Inner::A) => 0,
        Some(Inner::B) => 1,
    };
    columns.set_item("inner", PyArray1::from_vec(py, found.iter().map(inner).collect()))?;
    let contacts_found =
        found.iter().map(|clash| clash.contacts_found.unwrap_or_default()).collect();
    columns.set_item("contacts_found", PyArray1::from_vec(py, contacts_found))?;
    let contacts = found.iter().flat_map(|clash| &clash.contacts);
    let contacts = contacts.map(|contact| [contact.a, contact.b]).collect();
    columns.set_item("contacts", arrays::rows(py, contacts)?)?;
    let counts = found.iter().map(|clash| clash.contacts.len() as i64).collect();
    columns.set_item("listed", PyArray1::from_vec(py, counts))?;
    let ends = |of: fn(&Clash) -> Option<[Point; 2]>| {
        let coordinates = |[p, q]: [Point; 2]| [p.x, p.y, p.z, q.x, q.y, q.z];
        let row = |clash| of(clash).map_or([f64::NAN; 6], coordinates);
        arrays::rows(py, found.iter().map(row).collect())?.reshape([found.len(), 2, 3])
    };
    let extents = ends(|clash| clash.extent.as_ref().map(|one| [one.min, one.max]))?;
    columns.set_item("extents", extents)?;
    columns.set_item("nearest", ends(|clash| clash.nearest)?)?;
    let distances = found.iter().map(|clash| clash.distance).collect();
    columns.set_item("distances", PyArray1::from_vec(py, distances))?;
    let reasons = PyDict::new(py);
    for (row, clash) in found.iter().enumerate() {
        if let Some(reason) = &clash.undecided {
            reasons.set_item(row, reason)?;
        }
    }
    columns.set_item("reasons", reasons)?;
    Ok(columns)
}

/// The lines of `impinge clash --json` about clashes in columns.
#[pyfunction]
pub(crate) fn clash_lines<'py>(
    py: Python<'py>,
    names: Vec<String>,
    columns: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyBytes>> {
    let column = |name: &str| {
        columns.get_item(name)?.ok_or_else(|| errors::argument(format!("no column {name}")))
    };
    let pairs = column("pairs")?.extract::<PyReadonlyArrayDyn<'_, i64>>()?;
    let classes = column("classes")?.extract::<PyReadonlyArrayDyn<'_, u8>>()?;
    let inner = column("inner")?.extract::<PyReadonlyArrayDyn<'_, i8>>()?;
    let contacts_found = column("contacts_found")?.extract::<PyReadonlyArrayDyn<'_, u64>>()?;
    let contacts = column("contacts")?.extract::<PyReadonlyArrayDyn<'_, u32>>()?;
    let listed = column("listed")?.extract::<PyReadonlyArrayDyn<'_, i64>>()?;
    let extents = column("extents")?.extract::<PyReadonlyArrayDyn<'_, f64>>()?;
    let nearest = column("nearest")?.extract::<PyReadonlyArrayDyn<'_, f64>>()?;
    let distances = column("distances")?.extract::<PyReadonlyArrayDyn<'_, f64>>()?;
    let reasons = column("reasons")?.cast_into::<PyDict>()?;
    let (pairs, contacts) = (pairs.as_slice()?, contacts.as_slice()?);
    let (classes, inner, listed) = (classes.as_slice()?, inner.as_slice()?, listed.as_slice()?);
    let (counts, extents) = (contacts_found.as_slice()?, extents.as_slice()?);
    let (nearest, distances) = (nearest.as_slice()?, distances.as_slice()?);
    let ends = |numbers: &[f64], row: usize| {
        let n = numbers.get(6 * row..6 * row + 6)?;
        Some((!n[0].is_nan()).then(|| [[n[0], n[1], n[2]], [n[3], n[4], n[5]]]))
    };
    let mut text = String::new();
    let mut rest = contacts;
    let short = || errors::argument("the columns have different lengths");
    for (row, class) in classes.iter().enumerate() {
        let name = |k: usize| {
            let part = pairs.get(2 * row + k).and_then(|part| usize::try_from(*part).ok());
            part.and_then(|part| names.get(part)).ok_or_else(|| errors::argument("no such part"))
        };
        let count = listed.get(row).and_then(|count| usize::try_from(2 * *count).ok());
        let (own, others) =
            count.and_then(|count| rest.split_at_checked(count)).ok_or_else(short)?;
        rest = others;
        let reason = reasons.get_item(row)?.map(|reason| reason.extract::<String>()).transpose()?;
        let class = *Class::ALL.get(usize::from(*class)).ok_or_else(short)?;
        let line = ClashLine {
            inner: match inner.get(row) {
                Some(0) => Some(Inner::A),
                Some(1) => Some(Inner::B),
                _ => None,
            },
            contacts: own.chunks_exact(2).map(|c| [c[0], c[1]]).collect(),
            contacts_found: Some(*counts.get(row).ok_or_else(short)?),
            extent: ends(extents, row).ok_or_else(short)?,
            nearest: ends(nearest, row).ok_or_else(short)?,
            distance: *distances.get(row).ok_or_else(short)?,
            reason: reason.as_deref(),
            ..ClashLine::new(name(0)?, name(1)?, class)
        };
        add(py, &mut text, serde_json::to_string(&line))?;
    }
    Ok(PyBytes::new(py, text.as_bytes()))
}

/// The line of `impinge clash --json` about a part that cannot be read.
#[pyfunction]
pub(crate) fn error_line<'py>(
    py: Python<'py>,
    place: &str,
    message: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut text = String::new();
    add(py, &mut text, serde_json::to_string(&ErrorLine::new("file", Some(place), message)))?;
    Ok(PyBytes::new(py, text.as_bytes()))
}

fn add(py: Python<'_>, text: &mut String, line: serde_json::Result<String>) -> PyResult<()> {
    text.push_str(&line.map_err(|error| errors::plain(py, error))?);
    text.push('\n');
    Ok(())
}
