//! The memory of an array that a model keeps, and reads where it is.
#![expect(unsafe_code, reason = "threads that do not hold the interpreter read an array's memory")]

use std::slice;
use std::sync::Arc;

use impinge::geometry::SharedBytes;
use impinge::wide::AlignedBytes;
use numpy::{PyArray1, PyArrayMethods, PyUntypedArray};
use pyo3::prelude::*;
use pyo3::types::PyMemoryView;

use crate::errors;

/// Where the bytes begin in memory: at multiples of it, or they are copied.
const ALIGNMENT: usize = 64;

/// The memory of an array, the array, and what keeps the memory if another object has it.
struct Kept {
    begin: *const u8,
    length: usize,
    _array: Py<PyArray1<u8>>,
    _lender: Option<Py<PyAny>>,
}

// SAFETY: the memory is only read, and lives until both fields that keep it are dropped.
unsafe impl Send for Kept {}
// SAFETY: likewise.
unsafe impl Sync for Kept {}

impl AsRef<[u8]> for Kept {
    fn as_ref(&self) -> &[u8] {
        // SAFETY: `kept` took both from one contiguous array, which is kept and cannot be written through. An
        // object that lends it the memory cannot close it, since a view of that is kept too. NumPy does not
        // resize an array that is kept, unless it is told not to look (`refcheck=False`); that, and that
        // nobody writes to the memory by another way, is asked of the caller by `Model.view`.
        unsafe { slice::from_raw_parts(self.begin, self.length) }
    }
}

/// The bytes of whatever NumPy makes a read-only array of bytes of: kept where they are, with the array, or
/// copied if they begin where no model can.
///
/// # Errors
/// If `data` is no such array, or may be written through.
pub(crate) fn kept(data: &Bound<'_, PyAny>) -> PyResult<(SharedBytes, Option<Py<PyArray1<u8>>>)> {
    let array = array(data)?;
    if array.getattr("flags")?.getattr("writeable")?.extract::<bool>()? {
        return Err(errors::argument("data must be read-only: call setflags(write=False)"));
    }
    let bytes = array.try_readonly()?;
    let bytes = bytes.as_slice()?;
    if !bytes.as_ptr().addr().is_multiple_of(ALIGNMENT) {
        return Ok((AlignedBytes::copied(bytes).shared(), None));
    }
    let (begin, length, lender) = (bytes.as_ptr(), bytes.len(), lender(&array)?);
    let array = array.unbind();
    let shared = array.clone_ref(data.py());
    Ok((Arc::new(Kept { begin, length, _array: array, _lender: lender }), Some(shared)))
}

/// Bytes, or whatever NumPy makes an array of bytes of, without a copy.
///
/// # Errors
/// If it makes none of `data`.
pub(crate) fn array<'py>(data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray1<u8>>> {
    if let Ok(array) = data.cast::<PyArray1<u8>>() {
        return Ok(array.clone());
    }
    let numpy = data.py().import("numpy")?;
    Ok(numpy.call_method1("frombuffer", (data, "u1"))?.cast_into::<PyArray1<u8>>()?)
}

/// A view of the object whose memory an array reads, if it is no array itself: while there is one, the object
/// can neither be closed nor resized. `numpy.ndarray(…, buffer=…)` takes none.
fn lender(array: &Bound<'_, PyArray1<u8>>) -> PyResult<Option<Py<PyAny>>> {
    let mut base = array.getattr("base")?;
    while base.cast::<PyUntypedArray>().is_ok() {
        base = base.getattr("base")?;
    }
    // An object that lends memory without the buffer protocol keeps it as long as it lives.
    Ok(PyMemoryView::from(&base).ok().map(|view| view.into_any().unbind()))
}
