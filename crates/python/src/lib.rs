//! The extension module of the Python package `impinge`: models, pairs and worlds over NumPy arrays.
//!
//! **This crate must not know** how any method works; it asks the facade. Types of what is defined here
//! stand in `python/impinge/_impinge.pyi`. Docstrings stand there for editors, and here for `help`; a test
//! compares them.

#![deny(unsafe_code)]

mod arrays;
mod clashes;
mod curved;
mod errors;
mod kept;
mod many;
mod meets;
mod model;
mod nearest;
mod objects;
mod pair;
mod poses;
mod questions;
mod results;
mod scene;
mod sweeps;
mod watch;
mod world;

use pyo3::prelude::*;

/// The module.
#[pymodule]
mod _impinge {
    use pyo3::prelude::*;
    use pyo3::types::PyTuple;

    #[pymodule_export]
    use crate::clashes::{clash_lines, clash_pairs, error_line};
    #[pymodule_export]
    use crate::curved::Curved;
    #[pymodule_export]
    use crate::model::Model;
    #[pymodule_export]
    use crate::objects::World;
    #[pymodule_export]
    use crate::pair::Pair;
    #[pymodule_export]
    use crate::poses::{posed, relative, straightened};
    #[pymodule_export]
    use crate::scene::{join_boxes, list_parts};

    /// The words of all methods of this build, exact ones first.
    #[pyfunction]
    fn methods() -> Vec<&'static str> {
        impinge::Method::all().iter().map(|method| method.word()).collect()
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        module.add("VERDICTS", PyTuple::new(py, crate::questions::VERDICTS)?)?;
        module.add("TOUCHES", PyTuple::new(py, crate::many::TOUCHES)?)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
