//! What draws layers: a graphics adapter, or nothing, and then they are sampled in software.

use impinge_query::{Backend, QueryError};

use super::frame::{Frame, Window};
use super::watch::Watch;
use crate::backend::DrawError;
use crate::params::Drawing;
use impinge_query::lists::Bounded;

/// Where the line through the middle of a pixel crosses a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Crossing {
    pub(crate) pixel: usize,
    /// The number of the triangle in the order drawn.
    pub(crate) item: u32,
    /// How the winding number changes behind it.
    pub(crate) turn: i32,
    pub(crate) depth: f64,
}

/// All crossings in a window, those of a pixel one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Drawn {
    pub(crate) crossings: Vec<Crossing>,
    pub(crate) backend: Backend,
    pub(crate) submissions: u64,
}

/// Draws layers on an adapter, which is opened when the first is drawn.
#[derive(Debug, Default)]
pub(crate) struct Drawer {
    pub(crate) drawing: Drawing,
    /// The adapter that the caller opened, or why there is none.
    #[cfg(feature = "wgpu")]
    given: Option<Result<impinge_gpu::Gpu, String>>,
    #[cfg(feature = "wgpu")]
    adapter: std::sync::OnceLock<Result<super::adapter::LayerAdapter, String>>,
}

impl Drawer {
    pub(crate) fn new(drawing: Drawing) -> Self {
        Self { drawing, ..Self::default() }
    }

    /// Draws on an adapter that the caller opened.
    #[cfg(feature = "wgpu")]
    pub(crate) fn on(given: Result<impinge_gpu::Gpu, String>) -> Self {
        Self { given: Some(given), ..Self::new(Drawing::Adapter) }
    }

    /// Draws the triangles in a window; or tells what does it in software instead, and why.
    ///
    /// # Errors
    /// [`DrawError`]; a failed submission never counts as an empty picture.
    pub(crate) fn draw(
        &self,
        frame: &Frame,
        window: &Window,
        triangles: &[&Bounded],
        watch: &mut Watch<'_>,
    ) -> Result<Result<Drawn, Backend>, DrawError> {
        if self.drawing == Drawing::Software {
            return Ok(Err(in_software("software was chosen")));
        }
        self.on_adapter(frame, window, triangles, watch)
    }

    #[cfg(not(feature = "wgpu"))]
    #[expect(clippy::unused_self, reason = "with the feature it uses the adapter")]
    fn on_adapter(
        &self,
        _: &Frame,
        _: &Window,
        _: &[&Bounded],
        watch: &mut Watch<'_>,
    ) -> Result<Result<Drawn, Backend>, DrawError> {
        watch.look()?;
        Ok(Err(in_software("built without the feature wgpu")))
    }

    #[cfg(feature = "wgpu")]
    fn on_adapter(
        &self,
        frame: &Frame,
        window: &Window,
        triangles: &[&Bounded],
        watch: &mut Watch<'_>,
    ) -> Result<Result<Drawn, Backend>, DrawError> {
        use super::adapter::LayerAdapter;

        watch.look()?;
        let opened = self.adapter.get_or_init(|| match &self.given {
            Some(given) => LayerAdapter::on(given.as_ref().map_err(String::clone)?),
            None => LayerAdapter::open(self.drawing),
        });
        match opened {
            Ok(adapter) => {
                let drawn = adapter.draw(frame, window, triangles, watch)?;
                Ok(drawn.map_err(|why| in_software(&why)))
            }
            Err(why) => Ok(Err(in_software(why))),
        }
    }
}

/// The backend that samples in software, and why.
pub(crate) fn in_software(why: &str) -> Backend {
    Backend::Software(why.to_owned())
}

/// The error of the engine contract.
pub(crate) fn failed(error: DrawError) -> QueryError {
    error.of("ldi")
}
