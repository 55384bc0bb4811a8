//! Drawing backends: the rasteriser in plain Rust, or a graphics adapter.
//!
//! Both draw the same scene by the rules of [`impinge_shaders::image`] and return one class per
//! pair: A against B, and if that shows a 3 but no 2, B against A (fan 2003, §2.4.4, steps 2 to 5).

#[cfg(feature = "wgpu")]
mod adapter;
mod scene;
mod software;

#[cfg(feature = "wgpu")]
use impinge_gpu::Need;
use impinge_query::{Backend, Cancelled, Control, Counter, Pictures, QueryError};
use impinge_shaders::image::{PairDraw, PixelClass};

#[cfg(feature = "wgpu")]
use crate::device::Device;
use crate::params::{Drawing, Sizes};
pub(crate) use scene::Scene;

/// The result of drawing, and the backend used.
#[derive(Debug)]
pub(crate) struct Readback {
    /// One class per pair. The overlap's pixel index counts along rows of the viewport, for either
    /// direction.
    pub(crate) classes: Vec<PixelClass>,
    pub(crate) submissions: u64,
    pub(crate) pictures: Pictures,
    pub(crate) backend: Backend,
}

impl Readback {
    /// Counts the submissions and the pictures.
    pub(crate) fn count<C: Counter>(&self, counter: &mut C) {
        counter.submitted(self.submissions);
        counter.drawn(self.pictures);
    }
}

/// One direction of a pair of hulls, and the size of its viewport.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Picture {
    pub(crate) draw: PairDraw,
    /// Width and height in pixels.
    pub(crate) size: [u32; 2],
}

impl Picture {
    /// The other direction.
    fn swapped(self) -> Self {
        Self { draw: self.draw.swapped(), ..self }
    }

    /// Counts the picture: A's front faces, then B's front and its back faces, for each of which
    /// all its vertices are sent.
    fn count(&self, pictures: &mut Pictures) {
        let [first, second] = [self.draw.first, self.draw.second].map(|hull| hull.run.vertices);
        pictures.count += 1;
        pictures.vertices += u64::from(first) + 2 * u64::from(second);
        pictures.pixels += self.size.map(u64::from).iter().product::<u64>();
    }
}

/// Why drawing gave no result. Then nothing is known about any pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DrawError {
    Cancelled(Cancelled),
    Failed(String),
}

impl From<Cancelled> for DrawError {
    fn from(cancelled: Cancelled) -> Self {
        Self::Cancelled(cancelled)
    }
}

impl DrawError {
    /// Converts to the error of the engine contract; `word` is the method's.
    pub(crate) fn of(self, word: &'static str) -> QueryError {
        match self {
            Self::Cancelled(cancelled) => QueryError::Cancelled(cancelled),
            Self::Failed(reason) => QueryError::Backend { word, reason },
        }
    }
}

/// Draws pairs of hulls, each in a viewport.
#[derive(Debug)]
pub(crate) struct Renderer {
    drawing: Drawing,
    sizes: Sizes,
    #[cfg(feature = "wgpu")]
    device: Device<adapter::Adapter>,
}

impl Renderer {
    pub(crate) fn new(drawing: Drawing, sizes: Sizes) -> Self {
        Self {
            drawing,
            sizes,
            #[cfg(feature = "wgpu")]
            device: Device::new(None),
        }
    }

    /// Draws on the adapter that the caller opened.
    #[cfg(feature = "wgpu")]
    pub(crate) fn on(given: Result<impinge_gpu::Gpu, String>, sizes: Sizes) -> Self {
        Self { drawing: Drawing::Adapter, sizes, device: Device::new(Some(given)) }
    }

    /// The sizes of viewports.
    pub(crate) fn sizes(&self) -> Sizes {
        self.sizes
    }

    /// Draws all pairs, in one submission if they fit in an atlas.
    ///
    /// # Errors
    /// [`DrawError`]; a failed submission never counts as an empty picture.
    pub(crate) fn draw(
        &self,
        scene: &mut Scene,
        pairs: &[Picture],
        control: &Control<'_>,
    ) -> Result<Readback, DrawError> {
        let why = match self.drawing {
            Drawing::Software => "software was chosen",
            #[cfg(not(feature = "wgpu"))]
            _ => crate::device::WITHOUT,
            #[cfg(feature = "wgpu")]
            drawing => {
                control.check()?;
                let make = |gpu: &_| adapter::Adapter::on(gpu, self.sizes.most);
                match self.device.get(drawing, Need::image(), make) {
                    Ok(adapter) => return adapter.draw(scene, pairs).map_err(DrawError::Failed),
                    Err(why) => why,
                }
            }
        };
        in_software(why, scene, pairs, control)
    }
}

fn in_software(
    why: &str,
    scene: &Scene,
    pairs: &[Picture],
    control: &Control<'_>,
) -> Result<Readback, DrawError> {
    let (classes, pictures) = software::classes(scene, pairs, control)?;
    let backend = Backend::Software(why.to_owned());
    Ok(Readback { classes, submissions: 1, pictures, backend })
}

/// The class of a pair from both directions: the second is evaluated only if the first shows a 3
/// but no 2 (step 4).
fn together<E>(
    first: PixelClass,
    other: impl FnOnce() -> Result<PixelClass, E>,
) -> Result<PixelClass, E> {
    if first.overlap.is_none() && first.behind {
        Ok(PixelClass { overlap: other()?.overlap, ..first })
    } else {
        Ok(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_direction_is_asked_only_where_it_can_tell() {
        let class = |overlap, behind| PixelClass { overlap, behind };
        let never = || Err("it is known already");
        assert_eq!(together(class(None, false), never), Ok(class(None, false)));
        assert_eq!(together(class(Some(3), true), never), Ok(class(Some(3), true)));
        let asked = together(class(None, true), || Ok::<_, ()>(class(Some(7), false)));
        assert_eq!(asked, Ok(class(Some(7), true)));
    }
}
