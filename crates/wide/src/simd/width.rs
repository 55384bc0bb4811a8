//! The choice of an instruction set.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use super::{Task, portable};
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};

/// An instruction set. All give the same verdicts, contacts and distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Width {
    /// 16 lanes.
    Avx512,
    /// 8 lanes, with fused multiply-add.
    Avx2,
    /// 4 lanes, on every aarch64 processor.
    Neon,
    /// 4 lanes of WebAssembly. A module has these instructions if it was compiled with
    /// `-C target-feature=+simd128`.
    Simd128,
    /// 4 lanes in plain Rust, on every processor.
    Portable,
}

impl Width {
    /// All sets, the fastest first.
    pub const ALL: [Self; 5] =
        [Self::Avx512, Self::Avx2, Self::Neon, Self::Simd128, Self::Portable];

    /// The fastest set that this processor has. Detected once.
    pub fn fastest() -> Self {
        static FASTEST: OnceLock<Width> = OnceLock::new();
        *FASTEST.get_or_init(|| {
            Self::ALL.into_iter().find(|width| width.is_present()).unwrap_or(Self::Portable)
        })
    }

    /// Whether this processor has it.
    pub fn is_present(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => avx512::is_present(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => avx2::is_present(),
            Self::Neon => cfg!(target_arch = "aarch64"),
            Self::Simd128 => cfg!(all(target_arch = "wasm32", target_feature = "simd128")),
            Self::Portable => true,
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx512 | Self::Avx2 => false,
        }
    }

    /// Its name: `"avx512"`, `"avx2"`, `"neon"`, `"simd128"` or `"portable"`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Avx512 => "avx512",
            Self::Avx2 => "avx2",
            Self::Neon => "neon",
            Self::Simd128 => "simd128",
            Self::Portable => "portable",
        }
    }

    /// Runs `task` with this set; in plain Rust if the processor lacks it.
    #[inline]
    pub(crate) fn run<T: Task>(self, task: T) -> T::Out {
        let done = match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => avx512::run(task),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => avx2::run(task),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => Ok(super::neon::run(task)),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128 => Ok(super::wasm::run(task)),
            _ => Err(task),
        };
        done.unwrap_or_else(portable::run)
    }
}

impl fmt::Display for Width {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// Error of parsing a [`Width`]: no instruction set has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown width \"{0}\"; known are avx512, avx2, neon, simd128 and portable")]
pub struct UnknownWidth(pub String);

impl FromStr for Width {
    type Err = UnknownWidth;
    fn from_str(text: &str) -> Result<Self, UnknownWidth> {
        let find = |width: &Self| width.word() == text;
        Self::ALL.into_iter().find(find).ok_or_else(|| UnknownWidth(text.to_owned()))
    }
}
