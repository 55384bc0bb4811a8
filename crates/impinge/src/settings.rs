//! [`Settings`]: what can be chosen of a method beside its name.

use std::fmt;
use std::str::FromStr;

#[cfg(feature = "methods")]
use impinge_image as image;
use impinge_query::Detector;
#[cfg(feature = "methods")]
use impinge_stream as stream;

use crate::Method;

/// How much a method decides on samples, or in 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// Never wrong: what samples show is proved, or left to exact arithmetic.
    Certified,
    /// As in the paper: the samples decide, and may be wrong.
    Sampled,
}

/// What does the work that a graphics adapter can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Device {
    /// The processor; most methods that never draw have only this.
    Cpu,
    /// Software in this library in the place of an adapter: the same answers on every machine.
    Software,
    /// The best graphics adapter; in software if there is none, which the answer tells.
    Adapter,
}

/// How a graphics adapter tests streams of edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Form {
    /// By compute kernels.
    Compute,
    /// By drawing, as in the paper, with the same certified answers.
    Raster,
}

/// Choices that some methods have. `None` leaves the method's own.
///
/// ```
/// use impinge::{Method, Mode, Settings};
/// let sampled = Settings { mode: Some(Mode::Sampled), ..Settings::default() };
/// let error = Method::Wide.build_with(&sampled).err().expect("wide has no modes");
/// assert_eq!(error.to_string(), "the method wide has no mode sampled");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Settings {
    /// How much is decided on samples or in 32 bits: `ibcd`, `recode`, and the streaming methods.
    pub mode: Option<Mode>,
    /// What does the drawing: `ibcd`, `recode`, `ldi`. What tests edges: the streaming methods, on the
    /// processor or an adapter.
    pub backend: Option<Device>,
    /// How an adapter tests edges, [`Form::Compute`] if none is chosen: the streaming methods on
    /// [`Device::Adapter`].
    pub form: Option<Form>,
    /// Pixels along a side of an image, 1 to 4096: `ibcd`, `recode`, `ldi`.
    pub resolution: Option<u32>,
}

/// Why a method cannot be built with these settings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// The method has no such choice.
    #[error("the method {word} has no {what}")]
    NoSuchChoice {
        /// The method's name.
        word: &'static str,
        /// The choice.
        what: String,
    },
    /// The resolution is outside 1 to 4096 pixels.
    #[error("the resolution is {0} pixels; it must be 1 to 4096")]
    Resolution(u32),
    /// This build has no graphics.
    #[error("this build draws on no adapter: its feature \"gpu\" is off")]
    NoGraphics,
}

impl Method {
    /// The engine with these settings, boxed.
    ///
    /// # Errors
    /// [`SettingsError`] names what the method or this build does not have.
    pub fn build_with(self, settings: &Settings) -> Result<Box<dyn Detector>, SettingsError> {
        #[cfg(feature = "methods")]
        match self {
            Self::Ibcd => return Ok(Box::new(image::ibcd_with(params(self, settings)?))),
            Self::Recode => return Ok(Box::new(image::recode_with(params(self, settings)?))),
            Self::Ldi => return layered(settings),
            Self::StreamBasic | Self::StreamTree | Self::StreamShrink => {
                return streamed(self, settings);
            }
            Self::StreamPairs => return paired(settings),
            _ => {}
        }
        let Settings { mode, backend, form, resolution } = *settings;
        let what = if let Some(mode) = mode {
            format!("mode {mode}")
        } else if let Some(device) = backend.filter(|device| *device != Device::Cpu) {
            format!("backend {device}")
        } else if let Some(form) = form {
            format!("form {form}")
        } else if resolution.is_some() {
            "resolution".to_owned()
        } else {
            return Ok(self.build());
        };
        Err(SettingsError::NoSuchChoice { word: self.word(), what })
    }
}

/// A streaming method with the mode, the device and the form of the settings.
#[cfg(feature = "methods")]
fn streamed(method: Method, settings: &Settings) -> Result<Box<dyn Detector>, SettingsError> {
    let mut params = match settings.mode {
        Some(Mode::Sampled) => stream::Params::sampled(),
        None | Some(Mode::Certified) => stream::Params::default(),
    };
    let none = |what: String| SettingsError::NoSuchChoice { word: method.word(), what };
    match settings.backend {
        None | Some(Device::Cpu) => {
            if let Some(form) = settings.form {
                return Err(none(format!("form {form} without backend {}", Device::Adapter)));
            }
        }
        Some(Device::Adapter) if cfg!(feature = "gpu") => {
            params.form = match settings.form {
                None | Some(Form::Compute) => stream::Form::Compute,
                Some(Form::Raster) => stream::Form::Raster,
            };
        }
        Some(Device::Adapter) => return Err(SettingsError::NoGraphics),
        Some(Device::Software) => return Err(none(format!("backend {}", Device::Software))),
    }
    if settings.resolution.is_some() {
        return Err(none("resolution".to_owned()));
    }
    Ok(Box::new(match method {
        Method::StreamTree => stream::stream_tree_with(params),
        Method::StreamShrink => stream::stream_shrink_with(params),
        _ => stream::stream_basic_with(params),
    }))
}

/// `stream-pairs` with the device of the settings.
#[cfg(feature = "methods")]
fn paired(settings: &Settings) -> Result<Box<dyn Detector>, SettingsError> {
    let Settings { mode, backend, form, resolution } = *settings;
    let what = match (mode, form, resolution) {
        (Some(mode @ Mode::Sampled), ..) => format!("mode {mode}"),
        (_, Some(form), _) => format!("form {form}"),
        (.., Some(_)) => "resolution".to_owned(),
        (None | Some(Mode::Certified), None, None) => match backend {
            Some(Device::Software) => format!("backend {}", Device::Software),
            Some(Device::Adapter) if !cfg!(feature = "gpu") => {
                return Err(SettingsError::NoGraphics);
            }
            None | Some(Device::Cpu | Device::Adapter) => {
                let device = backend.filter(|device| *device == Device::Adapter);
                let device = device.map(|_| stream::Device::Adapter);
                let params = stream::PairsParams { device };
                return Ok(Box::new(stream::stream_pairs_with(params)));
            }
        },
    };
    Err(SettingsError::NoSuchChoice { word: Method::StreamPairs.word(), what })
}

/// `ldi` with the device and the resolution of the settings.
#[cfg(feature = "methods")]
fn layered(settings: &Settings) -> Result<Box<dyn Detector>, SettingsError> {
    if let Some(mode @ Mode::Sampled) = settings.mode {
        let what = format!("mode {mode}");
        return Err(SettingsError::NoSuchChoice { word: Method::Ldi.word(), what });
    }
    let image::Params { drawing, .. } = params(Method::Ldi, settings)?;
    let resolution = settings.resolution.unwrap_or(image::ldi::Params::RESOLUTION);
    Ok(Box::new(image::ldi::ldi_with(image::ldi::Params { drawing, resolution })))
}

/// The parameters of an image-based method.
#[cfg(feature = "methods")]
fn params(method: Method, settings: &Settings) -> Result<image::Params, SettingsError> {
    let mut params = image::Params::default();
    match settings.mode {
        None | Some(Mode::Certified) => {}
        Some(Mode::Sampled) => params.mode = image::Mode::Sampled,
    }
    match settings.backend {
        None | Some(Device::Software) => {}
        Some(Device::Adapter) if cfg!(feature = "gpu") => params.drawing = image::Drawing::Adapter,
        Some(Device::Adapter) => return Err(SettingsError::NoGraphics),
        Some(Device::Cpu) => {
            let what = "backend cpu, it draws; there are software and adapter".to_owned();
            return Err(SettingsError::NoSuchChoice { word: method.word(), what });
        }
    }
    if let Some(form) = settings.form {
        let what = format!("form {form}");
        return Err(SettingsError::NoSuchChoice { word: method.word(), what });
    }
    if let Some(side) = settings.resolution {
        if !(1..=4096).contains(&side) {
            return Err(SettingsError::Resolution(side));
        }
        params.resolution = side;
    }
    Ok(params)
}

/// A word that names no [`Mode`], no [`Device`] or no [`Form`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{word}\" is none of {known}")]
pub struct UnknownSetting {
    /// The word that was looked up.
    pub word: String,
    /// The known words.
    pub known: &'static str,
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Certified => "certified",
            Self::Sampled => "sampled",
        })
    }
}

impl FromStr for Mode {
    type Err = UnknownSetting;

    fn from_str(word: &str) -> Result<Self, UnknownSetting> {
        match word {
            "certified" => Ok(Self::Certified),
            "sampled" => Ok(Self::Sampled),
            _ => Err(UnknownSetting { word: word.to_owned(), known: "certified, sampled" }),
        }
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Cpu => "cpu",
            Self::Software => "software",
            Self::Adapter => "adapter",
        })
    }
}

impl FromStr for Device {
    type Err = UnknownSetting;

    fn from_str(word: &str) -> Result<Self, UnknownSetting> {
        match word {
            "cpu" => Ok(Self::Cpu),
            "software" => Ok(Self::Software),
            "adapter" => Ok(Self::Adapter),
            _ => Err(UnknownSetting { word: word.to_owned(), known: "cpu, software, adapter" }),
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Compute => "compute",
            Self::Raster => "raster",
        })
    }
}

impl FromStr for Form {
    type Err = UnknownSetting;

    fn from_str(word: &str) -> Result<Self, UnknownSetting> {
        match word {
            "compute" => Ok(Self::Compute),
            "raster" => Ok(Self::Raster),
            _ => Err(UnknownSetting { word: word.to_owned(), known: "compute, raster" }),
        }
    }
}
