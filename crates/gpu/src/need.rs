//! Requirements on an adapter.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use wgpu::{Backends, Features, Limits, TextureFormat};

use crate::adapter::DEPTH_STENCIL;

/// The kind of adapter wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Preference {
    /// Only a GPU.
    Hardware,
    /// Only software on the processor, e.g. Mesa's lavapipe.
    Software,
    /// A GPU if there is a suitable one, else software.
    #[default]
    Any,
}

impl fmt::Display for Preference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hardware => "hardware",
            Self::Software => "software",
            Self::Any => "any",
        })
    }
}

/// The error for a word that is not a [`Preference`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no kind of adapter: hardware, software or any")]
pub struct UnknownPreference(pub String);

impl FromStr for Preference {
    type Err = UnknownPreference;
    fn from_str(word: &str) -> Result<Self, UnknownPreference> {
        let known = [Self::Hardware, Self::Software, Self::Any];
        let found = known.into_iter().find(|preference| preference.to_string() == word);
        found.ok_or_else(|| UnknownPreference(word.to_owned()))
    }
}

/// What the work requires. An adapter that misses any of it is not opened.
#[derive(Clone, Debug, PartialEq)]
pub struct Need {
    /// Features that are required.
    pub features: Features,
    /// Features that are used if supported.
    pub wanted: Features,
    /// The least limits. The default is what every complete adapter has.
    pub limits: Limits,
    /// Whether a depth-stencil format is required.
    pub depth_stencil: bool,
    /// The depth-stencil formats that may be used; by default all known ones. Tests list fewer, or
    /// none, to simulate a poorer adapter.
    pub formats: Vec<TextureFormat>,
}

impl Default for Need {
    /// Compute kernels, and timestamps if supported.
    fn default() -> Self {
        Self {
            features: Features::empty(),
            wanted: Features::TIMESTAMP_QUERY | Features::TIMESTAMP_QUERY_INSIDE_ENCODERS,
            limits: Limits::default(),
            depth_stencil: false,
            formats: DEPTH_STENCIL.to_vec(),
        }
    }
}

impl Need {
    /// The requirements of [`crate::image::ImageTest`].
    #[must_use]
    pub fn image() -> Self {
        let compute = Self::default();
        let wanted = compute.wanted | Features::DEPTH32FLOAT_STENCIL8;
        Self { depth_stencil: true, wanted, ..compute }
    }
}

/// How to select and open an adapter.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The kind of adapter.
    pub preference: Preference,
    /// What it must support.
    pub need: Need,
    /// The graphics APIs to query. OpenGL is excluded by default: see `docs/gpu.md`.
    pub backends: Backends,
    /// If given, only adapters whose name contains this, ignoring case.
    pub name: Option<String>,
    /// The longest time to wait for a submission.
    pub timeout: Duration,
}

impl Default for Request {
    /// Any adapter that supports the image test, and a minute for each submission.
    fn default() -> Self {
        Self {
            preference: Preference::Any,
            need: Need::image(),
            backends: Backends::VULKAN | Backends::METAL | Backends::DX12,
            name: None,
            timeout: Duration::from_secs(60),
        }
    }
}

impl Request {
    /// Restricts the request by the environment: `WGPU_BACKEND` (e.g. `vulkan`) and
    /// `WGPU_ADAPTER_NAME` (a part of the name).
    #[must_use]
    pub fn with_environment(mut self) -> Self {
        if let Some(backends) = Backends::from_env() {
            self.backends = backends;
        }
        if let Ok(name) = std::env::var("WGPU_ADAPTER_NAME")
            && !name.is_empty()
        {
            self.name = Some(name);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preference_is_its_word() {
        for preference in [Preference::Hardware, Preference::Software, Preference::Any] {
            assert_eq!(preference.to_string().parse(), Ok(preference));
        }
        assert!("fast".parse::<Preference>().is_err());
    }
}
