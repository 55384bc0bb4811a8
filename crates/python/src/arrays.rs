//! NumPy arrays of a mesh: read from whatever NumPy makes an array of, and made.

use impinge::geometry::{MeshError, Point};
use numpy::{
    Element, PyArray1, PyArray2, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods,
    PyReadonlyArrayDyn, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::prelude::*;

use crate::errors::{self, Fault};

/// Whatever `value` is, as an array of 64-bit numbers in row-major order; copies only if it has to.
/// `what` names it in errors.
pub(crate) fn floats<'py>(
    value: &Bound<'py, PyAny>,
    what: &str,
) -> PyResult<PyReadonlyArrayDyn<'py, f64>> {
    if let Ok(array) = value.cast::<PyArrayDyn<f64>>()
        && array.is_c_contiguous()
        && array.is_aligned()
    {
        return Ok(array.try_readonly()?);
    }
    let array = untyped(value, what)?;
    if !matches!(array.dtype().kind(), b'f' | b'i' | b'u' | b'b') {
        return Err(errors::argument(format!("{what} must be numbers, not {}", array.dtype())));
    }
    Ok(converted::<f64>(&array, "float64")?.try_readonly()?)
}

fn untyped<'py>(value: &Bound<'py, PyAny>, what: &str) -> PyResult<Bound<'py, PyUntypedArray>> {
    let numpy = value.py().import("numpy")?;
    let array = numpy.call_method1("asarray", (value,)).map_err(|error| {
        errors::argument(format!("{what} must be an array of numbers: {}", error.value(value.py())))
    })?;
    Ok(array.cast_into::<PyUntypedArray>()?)
}

fn converted<'py, T: Element>(
    array: &Bound<'py, PyUntypedArray>,
    name: &str,
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let numpy = array.py().import("numpy")?;
    let made = numpy.call_method1("require", (array, name, "CA"))?;
    Ok(made.cast_into::<PyArrayDyn<T>>()?)
}

/// The vertices of a mesh: an array (n, 3).
pub(crate) fn vertices(value: &Bound<'_, PyAny>) -> PyResult<Vec<Point>> {
    let array = floats(value, "vertices")?;
    let [_, 3] = *array.shape() else {
        let found = array.shape();
        return Err(errors::argument(format!(
            "vertices must have the shape (n, 3), not {found:?}"
        )));
    };
    let numbers = array.as_slice()?;
    Ok(numbers.chunks_exact(3).map(|p| Point::new(p[0], p[1], p[2])).collect())
}

/// The triangles of a mesh: an array (m, 3) of any numeric type, each number a whole one from 0 on.
pub(crate) fn faces(value: &Bound<'_, PyAny>) -> PyResult<Vec<[u32; 3]>> {
    let (py, array) = (value.py(), untyped(value, "faces")?);
    let [count, 3] = *array.shape() else {
        let found = array.shape();
        return Err(errors::argument(format!("faces must have the shape (m, 3), not {found:?}")));
    };
    let mut all = Vec::with_capacity(count);
    match array.dtype().kind() {
        b'i' => {
            let array = converted::<i64>(&array, "int64")?.try_readonly()?;
            for (t, corners) in array.as_slice()?.chunks_exact(3).enumerate() {
                all.push(triangle(py, t, corners, |&x| u32::try_from(x).ok())?);
            }
        }
        b'u' => {
            let array = converted::<u64>(&array, "uint64")?.try_readonly()?;
            for (t, corners) in array.as_slice()?.chunks_exact(3).enumerate() {
                all.push(triangle(py, t, corners, |&x| u32::try_from(x).ok())?);
            }
        }
        b'f' => {
            let array = converted::<f64>(&array, "float64")?.try_readonly()?;
            for (t, corners) in array.as_slice()?.chunks_exact(3).enumerate() {
                all.push(triangle(py, t, corners, |&x| whole(x))?);
            }
        }
        _ => {
            let found = array.dtype();
            return Err(errors::argument(format!("faces must be whole numbers, not {found}")));
        }
    }
    Ok(all)
}

fn whole(x: f64) -> Option<u32> {
    (x.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&x)).then_some(x as u32)
}

fn triangle<'py, T: Copy + std::fmt::Display + IntoPyObject<'py>>(
    py: Python<'py>,
    t: usize,
    corners: &[T],
    index: impl Fn(&T) -> Option<u32>,
) -> PyResult<[u32; 3]> {
    let mut found = [0; 3];
    for (to, from) in found.iter_mut().zip(corners) {
        *to = index(from).ok_or_else(|| {
            let message = format!("triangle {t}: {from} is no index of a vertex");
            Fault::new(py, "MeshError", message).with("triangle", t).with("value", *from).raise()
        })?;
    }
    Ok(found)
}

/// A mesh of arrays.
pub(crate) fn mesh(
    vertices: &Bound<'_, PyAny>,
    faces: &Bound<'_, PyAny>,
) -> PyResult<impinge::Mesh> {
    let made = impinge::Mesh::new(self::vertices(vertices)?, self::faces(faces)?);
    made.map_err(|error: MeshError| errors::of_mesh(vertices.py(), &error))
}

/// An array (n, `N`) of rows.
pub(crate) fn rows<T: Element + Copy, const N: usize>(
    py: Python<'_>,
    rows: Vec<[T; N]>,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    let count = rows.len();
    PyArray1::from_vec(py, rows.into_flattened()).reshape([count, N])
}

/// A point or a direction, as an array (3,).
pub(crate) fn triple<'py>(py: Python<'py>, p: &[f64]) -> Bound<'py, PyArray1<f64>> {
    PyArray1::from_slice(py, p)
}

/// The same array, which nothing can write to.
pub(crate) fn frozen<T: Element>(array: Bound<'_, PyArray2<T>>) -> PyResult<Py<PyArray2<T>>> {
    array.try_readwrite()?.make_nonwriteable();
    Ok(array.unbind())
}
