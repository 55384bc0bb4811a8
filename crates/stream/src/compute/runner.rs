//! Who runs the streams of an engine: the processor, or a graphics adapter.

use std::sync::{Arc, OnceLock};

use impinge_query::Backend;

use super::Adapter;
use crate::methods::{Device, Form, Mode, Params};

/// Methods that use the same kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// Edges against triangles and boxes.
    Streams,
    /// The same with triangles drawn.
    Drawn,
    /// Pairs of trees.
    Trees,
}

impl Family {
    /// The family of an engine of this form that is given an adapter.
    pub(crate) const fn of(form: Form) -> Self {
        match form {
            Form::Cpu | Form::Compute => Self::Streams,
            Form::Raster => Self::Drawn,
        }
    }
}

/// The adapter of an engine and of its clones, opened for the first query and kept; or why there is
/// none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Runner(Arc<OnceLock<Result<Adapter, String>>>);

impl Runner {
    /// On an adapter that is open, or the reason why there is none.
    #[cfg(feature = "wgpu")]
    pub(crate) fn on(adapter: Result<Adapter, String>) -> Self {
        Self(Arc::new(OnceLock::from(adapter)))
    }

    /// The adapter; or how the processor's form tells that it answers in its place.
    pub(crate) fn choose(&self, params: Params) -> Result<&Adapter, Backend> {
        if params.form == Form::Cpu {
            return Err(Backend::Cpu);
        }
        if params.mode == Mode::AsPrinted {
            let why = "the tests as printed are on the processor only";
            return Err(Backend::Software(why.to_owned()));
        }
        self.adapter(params.device, Family::of(params.form))
    }

    /// The adapter, opened unless it is open; or how the processor tells that there is none, or
    /// none that compiles the kernels.
    pub(crate) fn adapter(&self, device: Device, family: Family) -> Result<&Adapter, Backend> {
        let adapter = self.0.get_or_init(|| Adapter::open(device, family)).as_ref();
        let adapter = adapter.map_err(|why| Backend::Software(why.clone()))?;
        adapter.ready().map_err(Backend::Software)?;
        Ok(adapter)
    }
}
