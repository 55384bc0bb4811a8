//! The graphics adapter of an engine: what draws on it is made when it is first needed, and kept.

#[cfg(feature = "wgpu")]
use std::sync::OnceLock;

#[cfg(feature = "wgpu")]
use impinge_gpu::{Gpu, Need, Preference, Request};

#[cfg(feature = "wgpu")]
use crate::params::Drawing;

/// Why a build without graphics draws in software.
#[cfg(not(feature = "wgpu"))]
pub(crate) const WITHOUT: &str = "built without the feature wgpu";

/// What draws on an adapter, or why there is none.
#[cfg(feature = "wgpu")]
#[derive(Debug)]
pub(crate) struct Device<T> {
    /// The adapter that the caller opened, or why there is none.
    given: Option<Result<Gpu, String>>,
    made: OnceLock<Result<T, String>>,
}

#[cfg(feature = "wgpu")]
impl<T> Device<T> {
    /// An adapter of its own, or the one that the caller opened.
    pub(crate) const fn new(given: Option<Result<Gpu, String>>) -> Self {
        Self { given, made: OnceLock::new() }
    }

    /// What was made of the adapter; `make` is called if nothing was yet.
    pub(crate) fn get(
        &self,
        drawing: Drawing,
        need: Need,
        make: impl FnOnce(&Gpu) -> Result<T, String>,
    ) -> Result<&T, &str> {
        let made = self.made.get_or_init(|| match &self.given {
            Some(given) => make(given.as_ref().map_err(String::clone)?),
            None => make(&open(drawing, need)?),
        });
        made.as_ref().map_err(String::as_str)
    }
}

/// The best adapter of the kind, which all engines of a process share, or why there is none.
#[cfg(feature = "wgpu")]
fn open(drawing: Drawing, need: Need) -> Result<Gpu, String> {
    let preference = match drawing {
        Drawing::SoftwareAdapter => Preference::Software,
        Drawing::Adapter | Drawing::Software => Preference::Any,
    };
    let request = Request { preference, need, ..Request::default() };
    Gpu::shared(&request.with_environment()).map_err(|why| why.to_string())
}
