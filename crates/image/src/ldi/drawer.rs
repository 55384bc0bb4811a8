//! What draws layers: a graphics adapter, or nothing, and then they are sampled in software.

#[cfg(feature = "wgpu")]
use impinge_gpu::Need;
use impinge_query::{Backend, QueryError};

#[cfg(feature = "wgpu")]
use super::adapter::LayerAdapter;
use super::frame::{Frame, Window};
use super::watch::Watch;
use crate::backend::DrawError;
#[cfg(feature = "wgpu")]
use crate::device::Device;
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
#[derive(Debug)]
pub(crate) struct Drawer {
    pub(crate) drawing: Drawing,
    #[cfg(feature = "wgpu")]
    device: Device<LayerAdapter>,
}

impl Default for Drawer {
    fn default() -> Self {
        Self::new(Drawing::Software)
    }
}

impl Drawer {
    pub(crate) const fn new(drawing: Drawing) -> Self {
        Self {
            drawing,
            #[cfg(feature = "wgpu")]
            device: Device::new(None),
        }
    }

    /// Draws on an adapter that the caller opened.
    #[cfg(feature = "wgpu")]
    pub(crate) const fn on(given: Result<impinge_gpu::Gpu, String>) -> Self {
        Self { drawing: Drawing::Adapter, device: Device::new(Some(given)) }
    }

    /// Draws the triangles in a window; or tells what does it in software instead, and why.
    ///
    /// # Errors
    /// [`DrawError`]; a failed submission never counts as an empty picture.
    #[cfg_attr(
        not(feature = "wgpu"),
        expect(unused_variables, clippy::unnecessary_wraps, reason = "only an adapter needs them")
    )]
    pub(crate) fn draw(
        &self,
        frame: &Frame,
        window: &Window,
        triangles: &[&Bounded],
        watch: &mut Watch<'_>,
    ) -> Result<Result<Drawn, Backend>, DrawError> {
        let why = match self.drawing {
            Drawing::Software => "software was chosen",
            #[cfg(not(feature = "wgpu"))]
            _ => crate::device::WITHOUT,
            #[cfg(feature = "wgpu")]
            drawing => {
                watch.look()?;
                match self.device.get(drawing, Need::default(), LayerAdapter::on) {
                    Ok(adapter) => {
                        let drawn = adapter.draw(frame, window, triangles, watch)?;
                        return Ok(drawn.map_err(|why| in_software(&why)));
                    }
                    Err(why) => why,
                }
            }
        };
        Ok(Err(in_software(why)))
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
