//! Parameters of the image-based methods.

use impinge_query::PrepareError;
use impinge_shaders::image::View;

/// How much the image decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Never wrong: only proofs drop a pair, and only exact tests give a contact. The image
    /// determines which pairs of patches are tested first, and where to look for a point that proves a verdict.
    #[default]
    Certified,
    /// As in the paper: a pixel of value 2 at two leaves is a collision, and a pair of hulls
    /// without one is apart. Errors depend on the resolution. The reported contact is the first
    /// triangle of each patch, as a representative; they need not meet.
    Sampled,
}

/// The drawing backend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Drawing {
    /// The rasteriser in plain Rust: the same answers on every machine.
    #[default]
    Software,
    /// The best graphics adapter, hardware before a software driver. If there is none, or this
    /// crate was built without its feature `wgpu`, [`Drawing::Software`] is used, and
    /// [`Answer::backend`](impinge_query::Answer::backend) tells why.
    Adapter,
    /// Like `Adapter`, but only a software driver such as Mesa's: for tests.
    SoftwareAdapter,
}

/// Parameters of `ibcd` and `recode`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// How much the image decides.
    pub mode: Mode,
    /// The drawing backend.
    pub drawing: Drawing,
    /// Side of a pair's viewport in pixels, clamped to 1 … 4096. Larger: thinner overlaps are seen,
    /// and time grows with the square.
    pub resolution: u32,
    /// Pixels per unit of length: the viewport of a pair has as many pixels as fit its rectangle,
    /// rounded up, on each side 1 to [`Params::resolution`]. A small overlap then is a small
    /// picture, as the paper means it. `None`, the default: every viewport is a square of
    /// [`Params::resolution`] pixels, whatever it shows. Finite and more than 0, or meshes are refused.
    pub pixels_per_unit: Option<f64>,
    /// [`Mode::Certified`]: most pairs of patches drawn per query, those whose boxes overlap
    /// deepest; the others are tested exactly without a picture. Larger: more pairs settled by the
    /// image, more time in software.
    pub drawn: usize,
    /// Meshes with more triangles are refused, because decomposing them into convex patches takes
    /// long: 0.3 to 1 s for 10,000 triangles, 3 to 8 s for 100,000, and more for spheres.
    pub largest: usize,
    /// `ibcd` only: whether hulls are sent as triangle strips rather than as a plain list, three
    /// vertices for each triangle; to measure the benefit of strips. `recode` always uses lists.
    pub strips: bool,
}

impl Default for Params {
    /// Certified, in software, 32 pixels a side, at most [`Params::DRAWN`] pairs: this settles 95 %
    /// of the overlapping pairs; 256 pixels would settle 96 % in about thirty times the time.
    fn default() -> Self {
        Self {
            mode: Mode::Certified,
            drawing: Drawing::Software,
            resolution: 32,
            pixels_per_unit: None,
            drawn: Self::DRAWN,
            largest: Self::LARGEST,
            strips: true,
        }
    }
}

impl Params {
    /// The default of [`Params::drawn`].
    pub const DRAWN: usize = 8;
    /// The default of [`Params::largest`].
    pub const LARGEST: usize = 1 << 13;

    /// The paper's form at a resolution, with defaults otherwise.
    pub fn sampled(resolution: u32) -> Self {
        Self { mode: Mode::Sampled, resolution, ..Self::default() }
    }

    /// Refuses what no viewport can have.
    pub(crate) fn check(&self, word: &'static str) -> Result<(), PrepareError> {
        match self.pixels_per_unit {
            Some(density) if !(density > 0.0 && density.is_finite()) => {
                let reason =
                    format!("`pixels_per_unit` is {density:e}; it must be finite and more than 0");
                Err(PrepareError::Refused { word, reason })
            }
            _ => Ok(()),
        }
    }

    /// The sizes of viewports.
    pub(crate) fn sizes(&self) -> Sizes {
        Sizes { most: self.resolution.clamp(1, 4096), density: self.pixels_per_unit }
    }
}

/// How many pixels viewports have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sizes {
    /// The most along a side.
    pub(crate) most: u32,
    /// Pixels per unit of length; without it, every side has the most.
    pub(crate) density: Option<f64>,
}

impl Sizes {
    /// Width and height of a viewport.
    pub(crate) fn of(&self, view: &View) -> [u32; 2] {
        [view.half_width, view.half_height].map(|half| match self.density {
            None => self.most,
            // The cast saturates, and makes 0 of NaN.
            Some(density) => ((2.0 * half * density).ceil() as u32).clamp(1, self.most),
        })
    }
}

#[cfg(test)]
mod tests {
    use impinge_models::Shape;
    use impinge_query::{Control, Engine};

    use super::*;

    #[test]
    fn a_viewport_has_pixels_for_its_sides_but_at_least_one_and_not_too_many() {
        let view = |half_width, half_height| View {
            centre: [0.0; 3],
            right: [1.0, 0.0, 0.0],
            forward: [0.0, 0.0, 1.0],
            half_width,
            half_height,
            near: 0.0,
            far: 1.0,
        };
        let params = Params { pixels_per_unit: Some(8.0), ..Params::sampled(100) };
        assert_eq!(params.sizes().of(&view(1.0, 0.3)), [16, 5]);
        assert_eq!(params.sizes().of(&view(1e-300, 1e300)), [1, 100]);
        let params = Params { pixels_per_unit: Some(f64::NAN), ..params };
        assert_eq!(params.sizes().of(&view(1.0, 1.0)), [1, 1]);
        assert_eq!(Params::sampled(9).sizes().of(&view(1.0, 0.3)), [9, 9]);
        assert_eq!(Params::sampled(1 << 20).sizes().most, 4096);
    }

    #[test]
    fn densities_that_no_viewport_can_have_are_refused() {
        let prepare = |density| {
            let params = Params { pixels_per_unit: density, ..Params::sampled(16) };
            let engine = crate::ibcd_with(params);
            engine.prepare(&Shape::Cube.mesh(12, 0), &Control::NONE).map(drop)
        };
        for good in [None, Some(1e-300), Some(8.0)] {
            assert!(prepare(good).is_ok());
        }
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let told = prepare(Some(bad)).expect_err("refused").to_string();
            assert!(told.contains("`pixels_per_unit` is"), "{told}");
        }
    }
}
