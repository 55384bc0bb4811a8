//! What is asked of an adapter.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use wgpu::{Backends, Features, Limits, TextureFormat};

use crate::adapter::DEPTH_STENCIL;

/// Which kind of adapter is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Preference {
    /// Only a graphics processor.
    Hardware,
    /// Only software on the processor, e.g. Mesa's lavapipe.
    Software,
    /// A graphics processor if there is one that fits, else software.
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

/// A word that is no [`Preference`].
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

/// What the work needs. An adapter that lacks any of it is not taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Need {
    /// Must be there.
    pub features: Features,
    /// Used if there.
    pub wanted: Features,
    /// At least these. The default is what every complete adapter has.
    pub limits: Limits,
    /// Is a format with depth and stencil needed?
    pub depth_stencil: bool,
    /// Which of these formats may be used; all that are known unless told otherwise. With fewer, or
    /// none, an adapter is taken for a poorer one: for tests.
    pub formats: Vec<TextureFormat>,
}

impl Default for Need {
    /// Compute kernels, and times where they can be had.
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
    /// What [`crate::image::ImageTest`] needs.
    #[must_use]
    pub fn image() -> Self {
        let compute = Self::default();
        let wanted = compute.wanted | Features::DEPTH32FLOAT_STENCIL8;
        Self { depth_stencil: true, wanted, ..compute }
    }
}

/// How to open an adapter.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Which kind.
    pub preference: Preference,
    /// What it must be able to do.
    pub need: Need,
    /// Which interfaces are looked at. OpenGL is not among them: see `docs/gpu.md`.
    pub backends: Backends,
    /// If given, only adapters whose name holds this, in any case.
    pub name: Option<String>,
    /// No submission is waited for longer.
    pub timeout: Duration,
}

impl Default for Request {
    /// Any adapter that can do the image test, and a minute for each submission.
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
    /// Narrowed by the environment: `WGPU_BACKEND` (e.g. `vulkan`) and `WGPU_ADAPTER_NAME` (a
    /// part of the name).
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
