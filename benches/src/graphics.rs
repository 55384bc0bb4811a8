//! `--gpu`: what draws the pictures of the image-based methods.

use clap::ValueEnum;
use impinge::Method;
use impinge::image::ldi::{self, ldi_with};
use impinge::image::{Drawing, Mode, Params, ibcd_with, recode_with};
use impinge::query::{Answer, Ask, Backend, Control, Detector, Engine};
use impinge::{Pose, Vector};
use impinge_models::Shape;

/// What draws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Gpu {
    /// The rasteriser in plain Rust; no adapter is looked for.
    #[default]
    Off,
    /// A software adapter, such as Mesa's; an error if there is none.
    Software,
    /// The best adapter, hardware before software; an error if there is none.
    Required,
}

/// What draws, and its name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawer {
    /// The parameter of the methods.
    pub drawing: Drawing,
    /// The adapter's name; `None` for the rasteriser.
    pub adapter: Option<String>,
}

impl Gpu {
    /// Draws one picture, to learn what draws.
    ///
    /// # Errors
    /// If an adapter is wanted and none draws; the message tells why.
    pub fn drawer(self) -> Result<Drawer, String> {
        let drawing = match self {
            Self::Off => return Ok(Drawer::default()),
            Self::Software => Drawing::SoftwareAdapter,
            Self::Required => Drawing::Adapter,
        };
        match drawn_by(drawing)? {
            Backend::Gpu(name) => Ok(Drawer { drawing, adapter: Some(name) }),
            Backend::Software(why) => Err(format!("no adapter draws: {why}")),
            other => Err(format!("no adapter draws: {other:?} answered")),
        }
    }
}

/// What draws a picture of two cubes in each other.
fn drawn_by(drawing: Drawing) -> Result<Backend, String> {
    let params = Params { drawing, mode: Mode::Sampled, ..Params::default() };
    let (engine, cube) = (ibcd_with(params), Shape::Cube.mesh(12, 0));
    let model = Engine::prepare(&engine, &cube, &Control::NONE).map_err(|e| e.to_string())?;
    let aside = Vector::new(0.3, 0.2, 0.1) * cube_size(&cube);
    let pose = Pose::translation_by(aside).map_err(|error| error.to_string())?;
    let answer: Answer = Engine::ask(&engine, &model, &model, &pose, &Ask::first_contact())
        .map_err(|error| error.to_string())?;
    Ok(answer.backend)
}

/// The longest side of a mesh's bounds.
fn cube_size(mesh: &impinge::Mesh) -> f64 {
    let (min, max) = mesh.bounds();
    (max - min).amax()
}

/// The engine of a method, with its pictures drawn by `drawing` if it draws some.
pub fn detector(method: Method, drawing: Drawing) -> Box<dyn Detector> {
    let params = Params { drawing, ..Params::default() };
    match method {
        Method::Ibcd => Box::new(ibcd_with(params)),
        Method::Recode => Box::new(recode_with(params)),
        Method::Ldi => Box::new(ldi_with(ldi::Params { drawing, ..ldi::Params::default() })),
        other => other.build(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rasteriser_needs_no_adapter_and_draws() {
        assert_eq!(Gpu::Off.drawer(), Ok(Drawer::default()));
        let by = drawn_by(Drawing::Software).expect("it draws");
        assert!(matches!(by, Backend::Software(_)), "{by:?}");
    }

    #[test]
    #[cfg(not(feature = "gpu"))]
    fn without_the_feature_an_adapter_is_an_error_that_names_it() {
        for gpu in [Gpu::Software, Gpu::Required] {
            let why = gpu.drawer().expect_err("there is no graphics");
            assert!(why.contains("feature"), "{why}");
        }
    }

    mod gpu {
        use super::*;

        #[test]
        #[ignore = "gpu: needs an adapter"]
        fn an_adapter_is_named() {
            let software = std::env::var("IMPINGE_GPU").is_ok_and(|word| word == "software");
            let drawer = if software { Gpu::Software } else { Gpu::Required }.drawer();
            let drawer = drawer.expect("an adapter");
            assert!(drawer.adapter.is_some_and(|name| !name.is_empty()));
            assert_ne!(drawer.drawing, Drawing::Software);
        }
    }
}
