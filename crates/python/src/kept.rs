//! The memory of an array that a model keeps, and reads where it is.
#![expect(unsafe_code, reason = "threads that do not hold the interpreter read an array's memory")]

use std::slice;
use std::sync::Arc;

use impinge::geometry::SharedBytes;
use impinge::wide::AlignedBytes;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;

use crate::errors;

/// Where the bytes begin in memory: at multiples of it, or they are copied.
const ALIGNMENT: usize = 64;

/// The memory of an array, and the array.
struct Kept {
    begin: *const u8,
    length: usize,
    _array: Py<PyArray1<u8>>,
}

// SAFETY: the memory is only read, and lives until the array is dropped.
unsafe impl Send for Kept {}
// SAFETY: likewise.
unsafe impl Sync for Kept {}

impl AsRef<[u8]> for Kept {
    fn as_ref(&self) -> &[u8] {
        // SAFETY: `kept` took both from one contiguous array, which is kept, cannot be resized while it
        // is, and cannot be written through. That nobody writes to its memory by another way is asked
        // of the caller by `Model.view`.
        unsafe { slice::from_raw_parts(self.begin, self.length) }
    }
}

/// The bytes of whatever NumPy makes a read-only array of bytes of: kept where they are, with the array, or
/// copied if they begin where no model can.
///
/// # Errors
/// If `data` is no such array, or may be written through.
pub(crate) fn kept(data: &Bound<'_, PyAny>) -> PyResult<(SharedBytes, Option<Py<PyArray1<u8>>>)> {
    let array = match data.cast::<PyArray1<u8>>() {
        Ok(array) => array.clone(),
        Err(_) => {
            let numpy = data.py().import("numpy")?;
            numpy.call_method1("frombuffer", (data, "u1"))?.cast_into::<PyArray1<u8>>()?
        }
    };
    if array.getattr("flags")?.getattr("writeable")?.extract::<bool>()? {
        return Err(errors::argument("data must be read-only: call setflags(write=False)"));
    }
    let bytes = array.try_readonly()?;
    let bytes = bytes.as_slice()?;
    if !bytes.as_ptr().addr().is_multiple_of(ALIGNMENT) {
        return Ok((AlignedBytes::copied(bytes).shared(), None));
    }
    let (begin, length, array) = (bytes.as_ptr(), bytes.len(), array.unbind());
    let shared = array.clone_ref(data.py());
    Ok((Arc::new(Kept { begin, length, _array: array }), Some(shared)))
}
